/**
 * What may be known of variables at places of a flow. Each combination has a number, so that places are told apart by numbers,
 * and what a condition or a node makes of a combination is worked out once for all places where it is known.
 */
import type { Condition } from "../run/conditions";
import type { Liveness } from "../run/live";
import { anyValue, type Facts, narrowed, type Possible } from "../run/possible";
import type { Way } from "../run/program";

/** The number of a combination. */
export type Known = number;

/** Each variable may be anything. */
export const NOTHING: Known = 0;

/** A condition can't come out so. */
export const IMPOSSIBLE: Known = -1;

export class FactTable {
  readonly #all: Facts[] = [new Map()];
  readonly #numbers = new Map<string, Known>([["", NOTHING]]);
  readonly #holding = new Map<Condition, Map<Known, Known>>();
  readonly #failing = new Map<Condition, Map<Known, Known>>();
  readonly #best = new Map<Condition, Condition>();
  readonly #changed = new Map<string, Map<Known, Known>>();
  readonly #assigned = new Map<Way["assigns"], Map<Known, Known>>();
  readonly #live = new Map<number | string, Map<Known, Known>>();

  constructor(private readonly domain: (variable: string) => Possible) {}

  /** What is known where a condition came out as wanted. */
  after(condition: Condition, known: Known, wanted: boolean): Known {
    if (condition.kind === "prose") return known;
    const memo = under(wanted ? this.#holding : this.#failing, condition);
    let next = memo.get(known);
    if (next === undefined) {
      const facts = narrowed(condition, this.#all[known] as Facts, wanted, this.domain);
      next = facts ? this.#numberOf(facts) : IMPOSSIBLE;
      memo.set(known, next);
    }
    return next;
  }

  /** What is known where a condition fails without a model being asked; prose never does. */
  unasked(condition: Condition, known: Known): Known {
    if (condition.kind === "prose") return IMPOSSIBLE;
    let best = this.#best.get(condition);
    if (!best) {
      best = atBest(condition);
      this.#best.set(condition, best);
    }
    return this.after(best, known, false);
  }

  /** What is still known where a variable was changed. */
  without(variable: string, known: Known): Known {
    if (known === NOTHING) return NOTHING;
    const memo = under(this.#changed, variable);
    let next = memo.get(known);
    if (next === undefined) {
      const facts = new Map(this.#all[known]);
      facts.delete(variable);
      next = this.#numberOf(facts);
      memo.set(known, next);
    }
    return next;
  }

  /** What is known where variables got values, all at once. */
  assigned(assigns: Way["assigns"], known: Known): Known {
    const memo = under(this.#assigned, assigns);
    let next = memo.get(known);
    if (next === undefined) {
      const before = this.#all[known] as Facts;
      const facts = new Map(before);
      for (const [variable, source] of assigns) {
        if (!source) facts.delete(variable);
        else {
          const values = "copy" in source ? (before.get(source.copy) ?? this.domain(source.copy)) : source;
          facts.set(variable, within(this.domain(variable), values));
        }
      }
      next = this.#numberOf(facts);
      memo.set(known, next);
    }
    return next;
  }

  /** What later conditions ask about, of what is known on entering a node. */
  worthKnowing(known: Known, node: number, live: Liveness): Known {
    if (known === NOTHING) return NOTHING;
    const memo = under(this.#live, live.signOf(node));
    let next = memo.get(known);
    if (next === undefined) {
      const facts = [...(this.#all[known] as Facts)].filter(([variable]) => live.isAt(node, variable));
      next = this.#numberOf(new Map(facts));
      memo.set(known, next);
    }
    return next;
  }

  /** A variable that may be anything isn't part of a combination; of each other one there is a bit for each value it may have. */
  #numberOf(facts: Facts): Known {
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
      number = this.#all.length;
      this.#all.push(kept);
      this.#numbers.set(key, number);
    }
    return number;
  }
}

function under<Key>(all: Map<Key, Map<Known, Known>>, key: Key): Map<Known, Known> {
  let memo = all.get(key);
  if (!memo) {
    memo = new Map();
    all.set(key, memo);
  }
  return memo;
}

/** Values as another variable may have them: of one that isn't among its own, no more is known than that it is a value. */
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

const yes: Condition = { kind: "and", parts: [], span: { start: 0, end: 0 } };
const no: Condition = { kind: "or", parts: [], span: { start: 0, end: 0 } };

/** The condition if a model says what makes it true: where it fails all the same, no model is asked. */
function atBest(condition: Condition, wanted = true): Condition {
  switch (condition.kind) {
    case "clause":
      return condition;
    case "prose":
      return wanted ? yes : no;
    case "not":
      return { ...condition, part: atBest(condition.part, !wanted) };
    default:
      return { ...condition, parts: condition.parts.map((part) => atBest(part, wanted)) };
  }
}
