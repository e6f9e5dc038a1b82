/**
 * Facts about variables at places of a flow. Each combination has a number, so that places are compared by number, and
 * the effect of a condition or a node on a combination is computed once. paths.ts has the time that this saves.
 */
import { ALWAYS_TRUE, type Condition, NEVER_TRUE, partsOf } from "../run/conditions";
import type { Liveness } from "../run/live";
import { type Change, isAssigned, type NumberedFlow, PROSE } from "../run/numbered";
import { anyValue, type Facts, narrowed, type Possible } from "../run/possible";
import type { Way } from "../run/program";
import type { Spending } from "../run/work";

/** The number of a combination. */
export type Known = number;

/** Every variable may be anything. */
export const NOTHING: Known = 0;

/** The condition can't have this outcome. */
export const IMPOSSIBLE: Known = -1;

/** The work of looking up and storing one variable's facts, in search steps. */
const WORK_OF_LOOK = 20;
const WORK_OF_FACT = 40;

/** A condition with more clauses has too many cases. */
const MAX_CLAUSES = 6;

export class FactTable {
  readonly #all: Facts[] = [new Map()];
  readonly #numbers = new Map<string, Known>([["", NOTHING]]);
  readonly #holding = new Map<number, Memo>();
  readonly #failing = new Map<number, Memo>();
  readonly #unasked = new Map<number, Memo>();
  readonly #changed = new Map<string, Memo>();
  readonly #assigned = new Map<Way["assigns"], Memo>();
  readonly #live = new Map<number | string, Memo>();

  constructor(
    private readonly domain: (variable: string) => Possible,
    /** The tested conditions by number. */
    private readonly conditions: NumberedFlow["conditions"],
    private readonly work?: Spending,
  ) {}

  /** The facts after a condition had the wanted outcome. */
  after(condition: number, known: Known, wanted: boolean): Known {
    if (condition === PROSE) return known;
    const memo = under(wanted ? this.#holding : this.#failing, condition);
    return memo.get(known) ?? memoize(memo, known, this.#narrowed(this.conditions[condition], known, wanted));
  }

  /** The facts if a condition fails without a model; prose never does. */
  unasked(condition: number, known: Known): Known {
    if (condition === PROSE) return IMPOSSIBLE;
    const memo = under(this.#unasked, condition);
    const found = memo.get(known);
    if (found !== undefined) return found;
    return memoize(memo, known, this.#narrowed(atBest(this.conditions[condition] as Condition), known, false));
  }

  factsOf(known: Known): Facts {
    return this.#all[known] as Facts;
  }

  /** The facts for each combination of true clauses; a single case if there's one clause, or too many. */
  casesOf(condition: number, known: Known): readonly Known[] {
    const { kind } = this.conditions[condition] as Condition;
    if (kind === "clause" || kind === "prose") return [known];
    const clauses = partsOf(this.conditions[condition] as Condition).filter((part) => part.kind === "clause");
    if (clauses.length > MAX_CLAUSES) return [known];
    let cases = [known];
    for (const clause of clauses)
      cases = cases.flatMap((each) =>
        [true, false].flatMap((wanted) => {
          const facts = narrowed(clause, this.factsOf(each), wanted, this.domain);
          return facts ? [this.#numberOf(facts)] : [];
        }),
      );
    return [...new Set(cases)];
  }

  /** The facts after a node's assignments: the variables it sets may be anything, or have new values, all at once. */
  changed(change: Change, known: Known): Known {
    if (isAssigned(change)) return this.#afterAssigned(change, known);
    let left = known;
    for (const variable of change) left = this.#without(variable, left);
    return left;
  }

  #narrowed(condition: Condition | undefined, known: Known, wanted: boolean): Known {
    const facts = narrowed(condition as Condition, this.#all[known] as Facts, wanted, this.domain);
    return facts ? this.#numberOf(facts) : IMPOSSIBLE;
  }

  #without(variable: string, known: Known): Known {
    if (known === NOTHING) return NOTHING;
    const memo = under(this.#changed, variable);
    const found = memo.get(known);
    if (found !== undefined) return found;
    const facts = new Map(this.#all[known]);
    facts.delete(variable);
    return memoize(memo, known, this.#numberOf(facts));
  }

  #afterAssigned(assigns: Way["assigns"], known: Known): Known {
    const memo = under(this.#assigned, assigns);
    const found = memo.get(known);
    if (found !== undefined) return found;
    const before = this.#all[known] as Facts;
    const facts = new Map(before);
    for (const [variable, source] of assigns) {
      if (!source) facts.delete(variable);
      else {
        const values = "copy" in source ? (before.get(source.copy) ?? this.domain(source.copy)) : source;
        facts.set(variable, within(this.domain(variable), values));
      }
    }
    return memoize(memo, known, this.#numberOf(facts));
  }

  /** The facts on entering a node that later conditions depend on. */
  worthKnowing(known: Known, node: number, live: Liveness): Known {
    if (known === NOTHING) return NOTHING;
    const memo = under(this.#live, live.fingerprintOf(node));
    return memo.get(known) ?? memoize(memo, known, this.#onlyLive(known, node, live));
  }

  #onlyLive(known: Known, node: number, live: Liveness): Known {
    const facts = [...(this.#all[known] as Facts)].filter(([variable]) => live.isAt(node, variable));
    return this.#numberOf(new Map(facts));
  }

  /** A variable that may be anything isn't part of a combination; every other one has a bit for each possible value. */
  #numberOf(facts: Facts): Known {
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
    const key = words.sort().join(";");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.work?.spend(WORK_OF_FACT * (1 + kept.size));
      number = this.#all.length;
      this.#all.push(kept);
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** Results by combination number. */
type Memo = Map<Known, Known>;

function memoize(memo: Memo, known: Known, becomes: Known): Known {
  memo.set(known, becomes);
  return becomes;
}

function under<Key>(all: Map<Key, Memo>, key: Key): Memo {
  let memo = all.get(key);
  if (!memo) {
    memo = new Map();
    all.set(key, memo);
  }
  return memo;
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
