/**
 * Conditions over possible values: for each variable, the values it may still have at a place. Policies and generated
 * tests use this to decide which edges are certainly taken or skipped, and what each leaves possible.
 */
import { type Clause, type Condition, evaluateBy, holds, partsOf, type Truth } from "./conditions";

/** The possible values of a variable. An unspecified value is `anyValue`; no value is `undefined`. */
export type Possible = readonly unknown[];

export const anyValue: unique symbol = Symbol("any value");

/** The values of a variable without any facts. */
export const anything: Possible = [undefined, anyValue];

/** By variable; nothing is known about others. */
export type Facts = ReadonlyMap<string, Possible>;

/** The values of a variable without a fact. */
type Domain = (variable: string) => Possible;

const unknown: Domain = () => anything;

/** Beyond this many combinations of values, clauses are evaluated one by one. */
const MAX_COMBINATIONS = 4096;

/** The facts left after a condition evaluated to `wanted`; undefined if it can't. */
export function narrowed(
  condition: Condition,
  facts: Facts,
  wanted: boolean,
  domain: Domain = unknown,
): Facts | undefined {
  if (condition.kind === "prose") return facts;
  if (condition.kind === "clause") return narrowedBy(condition, facts, wanted, domain);
  const result = outcomes(condition, facts, domain);
  if (!(wanted ? result.mayHold : result.mayFail)) return undefined;
  if (!result.kept) return facts;
  const next = new Map(facts);
  for (const [variable, values] of wanted ? result.kept.holding : result.kept.failing) next.set(variable, values);
  return next;
}

/** The same for a single clause, the most common case. */
function narrowedBy(clause: Clause, facts: Facts, wanted: boolean, domain: Domain): Facts | undefined {
  const values = facts.get(clause.variable) ?? domain(clause.variable);
  const kept = values.filter((value) => testOne(clause, value) !== !wanted);
  if (kept.length === 0) return undefined;
  return kept.length === values.length ? facts : new Map(facts).set(clause.variable, kept);
}

interface Outcomes {
  readonly mayHold: boolean;
  readonly mayFail: boolean;
  /** The values of each variable with which it may hold or fail; absent if there were too many. */
  readonly kept?: { readonly holding: Facts; readonly failing: Facts };
}

function outcomes(condition: Condition, facts: Facts, domain: Domain = unknown): Outcomes {
  const clauses = partsOf(condition).filter((part): part is Clause => part.kind === "clause");
  const variables = [...new Set(clauses.map((clause) => clause.variable))];
  const choices = variables.map((variable) => facts.get(variable) ?? domain(variable));
  const combinations = choices.reduce((product, values) => product * values.length, 1);
  if (combinations > MAX_COMBINATIONS) return oneByOne(condition, facts, domain);
  const holding = variables.map(() => new Set<unknown>());
  const failing = variables.map(() => new Set<unknown>());
  let [mayHold, mayFail] = [false, false];
  for (let number = 0; number < combinations; number++) {
    let rest = number;
    const combination = choices.map((values) => {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return value;
    });
    const truth = evaluateBy(condition, (clause) => testOne(clause, combination[variables.indexOf(clause.variable)]));
    if (truth !== false) {
      mayHold = true;
      combination.forEach((value, index) => void holding[index]?.add(value));
    }
    if (truth !== true) {
      mayFail = true;
      combination.forEach((value, index) => void failing[index]?.add(value));
    }
  }
  const toFacts = (sets: readonly Set<unknown>[]): Facts =>
    new Map(variables.map((variable, index) => [variable, [...(sets[index] as Set<unknown>)]]));
  return { mayHold, mayFail, kept: { holding: toFacts(holding), failing: toFacts(failing) } };
}

function oneByOne(condition: Condition, facts: Facts, domain: Domain): Outcomes {
  const truth = evaluateBy(condition, (clause) => {
    const truths = new Set(
      (facts.get(clause.variable) ?? domain(clause.variable)).map((value) => testOne(clause, value)),
    );
    return truths.size === 1 ? [...truths][0] : undefined;
  });
  return { mayHold: truth !== false, mayFail: truth !== true };
}

function testOne({ test }: Clause, value: unknown): Truth {
  return value !== anyValue || test.kind === "known" ? holds(test, value) : undefined;
}
