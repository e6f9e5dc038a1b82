/**
 * Facts about variables at places of a flow. Equal facts are one object, so that places are compared by identity, and the
 * effect of a condition on them is computed once.
 */
import { getOrCreate } from "../collections";
import { ALWAYS_TRUE, type Condition, NEVER_TRUE, partsOf } from "../run/conditions";
import { anyValue, type Facts, narrowed, type Possible } from "../run/possible";
import type { Way } from "../run/program";
import type { Spending } from "../run/work";

/** Every variable may be anything. */
export const NOTHING: Facts = new Map();

/** The work of looking up and storing one variable's facts, in search steps. */
const WORK_OF_LOOK = 20;
const WORK_OF_FACT = 40;

/** A condition with more clauses has too many cases. */
const MAX_CLAUSES = 6;

/** The facts after a condition; undefined if it can't have that outcome. */
type Effects = Map<Condition, Map<Facts, Facts | undefined>>;

export class FactTable {
  readonly #known = new Map<string, Facts>([["", NOTHING]]);
  readonly #holding: Effects = new Map();
  readonly #failing: Effects = new Map();
  readonly #unasked: Effects = new Map();

  constructor(
    private readonly domain: (variable: string) => Possible,
    private readonly work?: Spending,
  ) {}

  /** The facts after a condition had the wanted outcome; undefined if it can't. */
  after(condition: Condition, facts: Facts, wanted: boolean): Facts | undefined {
    if (condition.kind === "prose") return facts;
    return this.#once(wanted ? this.#holding : this.#failing, condition, facts, condition, wanted);
  }

  /** The facts if a condition fails without a model; prose never does. */
  unasked(condition: Condition, facts: Facts): Facts | undefined {
    if (condition.kind === "prose") return undefined;
    return this.#once(this.#unasked, condition, facts, atBest(condition), false);
  }

  #once(effects: Effects, key: Condition, facts: Facts, condition: Condition, wanted: boolean): Facts | undefined {
    const known = getOrCreate(effects, key, () => new Map<Facts, Facts | undefined>());
    if (!known.has(facts)) {
      const left = narrowed(condition, facts, wanted, this.domain);
      known.set(facts, left && this.#same(left));
    }
    return known.get(facts);
  }

  /** The facts for each combination of true clauses; a single case if there's one clause, or too many. */
  casesOf(condition: Condition, facts: Facts): readonly Facts[] {
    if (condition.kind === "clause" || condition.kind === "prose") return [facts];
    const clauses = partsOf(condition).filter((part) => part.kind === "clause");
    if (clauses.length > MAX_CLAUSES) return [facts];
    let cases = [facts];
    for (const clause of clauses)
      cases = cases.flatMap((each) =>
        [true, false].flatMap((wanted) => {
          const left = narrowed(clause, each, wanted, this.domain);
          return left ? [this.#same(left)] : [];
        }),
      );
    return [...new Set(cases)];
  }

  /** The facts without those about some variables. */
  without(variables: readonly string[], facts: Facts): Facts {
    if (!variables.some((variable) => facts.has(variable))) return facts;
    return this.#same(new Map([...facts].filter(([variable]) => !variables.includes(variable))));
  }

  /** The facts after variables got new values, all at once. */
  assigned(assigns: Way["assigns"], before: Facts): Facts {
    const facts = new Map(before);
    for (const [variable, source] of assigns) {
      if (!source) facts.delete(variable);
      else {
        const values = "copy" in source ? (before.get(source.copy) ?? this.domain(source.copy)) : source;
        facts.set(variable, within(this.domain(variable), values));
      }
    }
    return this.#same(facts);
  }

  /** The facts about some variables. */
  about(variables: ReadonlySet<string>, facts: Facts): Facts {
    for (const variable of facts.keys())
      if (!variables.has(variable)) return this.#same(new Map([...facts].filter(([each]) => variables.has(each))));
    return facts;
  }

  /** The object of equal facts. A variable that may be anything isn't one; every other one has a bit for each possible value. */
  #same(facts: Facts): Facts {
    this.work?.spend(WORK_OF_LOOK * (1 + facts.size));
    const words: string[] = [];
    const kept = new Map<string, Possible>();
    for (const [variable, values] of facts) {
      const domain = this.domain(variable);
      if (values.length === domain.length) continue;
      kept.set(variable, values);
      let bits = 0;
      for (const value of values) bits += 2 ** domain.indexOf(value);
      words.push(`${variable}=${domain.length > 50 ? values.map(wordFor).sort().join() : bits}`);
    }
    return getOrCreate(this.#known, words.sort().join(";"), () => {
      this.work?.spend(WORK_OF_FACT * (1 + kept.size));
      return kept;
    });
  }
}

/** Values converted to another variable's domain: a foreign value only counts as some value. */
function within(domain: Possible, values: Possible): Possible {
  if (values.every((value) => domain.includes(value))) return values;
  const found = new Set(values.filter((value) => domain.includes(value)));
  const isAny = domain.includes(anyValue) && !values.includes(anyValue);
  for (const each of isAny ? [anyValue] : domain) if (each !== undefined) found.add(each);
  return [...found];
}

function wordFor(value: unknown): string {
  return value === anyValue ? "any" : value === undefined ? "none" : JSON.stringify(value);
}

/** The condition if a model answers in its favor: if it still fails, no model is asked. */
function atBest(condition: Condition, wanted = true): Condition {
  switch (condition.kind) {
    case "clause":
      return condition;
    case "prose":
      return wanted ? ALWAYS_TRUE : NEVER_TRUE;
    case "not":
      return { ...condition, part: atBest(condition.part, !wanted) };
    default:
      return { ...condition, parts: condition.parts.map((part) => atBest(part, wanted)) };
  }
}
