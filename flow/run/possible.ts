/**
 * Conditions over possible values: for each variable, the values it may still have at a place. Policies and generated
 * tests use this to decide which edges are certainly taken or skipped, and what each leaves possible.
 */
import { combinations } from "../collections";
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
  const clauses = partsOf(condition).filter((part): part is Clause => part.kind === "clause");
  const variables = [...new Set(clauses.map(({ variable }) => variable))];
  const choices = variables.map((variable) => facts.get(variable) ?? domain(variable));
  if (choices.reduce((product, values) => product * values.length, 1) > MAX_COMBINATIONS)
    return oneByOne(condition, facts, domain) === !wanted ? undefined : facts;
  const kept = variables.map(() => new Set<unknown>());
  let isPossible = false;
  for (const values of combinations(choices)) {
    const truth = evaluateBy(condition, (clause) => testOne(clause, values[variables.indexOf(clause.variable)]));
    if (truth === !wanted) continue;
    isPossible = true;
    for (const [index, value] of values.entries()) kept[index]?.add(value);
  }
  if (!isPossible) return undefined;
  const left = new Map(facts);
  for (const [index, variable] of variables.entries()) left.set(variable, [...(kept[index] as Set<unknown>)]);
  return left;
}

/** The same for a single clause, the most common case. */
function narrowedBy(clause: Clause, facts: Facts, wanted: boolean, domain: Domain): Facts | undefined {
  const values = facts.get(clause.variable) ?? domain(clause.variable);
  const kept = values.filter((value) => testOne(clause, value) !== !wanted);
  if (kept.length === 0) return undefined;
  return kept.length === values.length ? facts : new Map(facts).set(clause.variable, kept);
}

/** Evaluates each clause for all values that its variable may have; undefined if they differ. */
function oneByOne(condition: Condition, facts: Facts, domain: Domain): Truth {
  return evaluateBy(condition, (clause) => {
    const values = facts.get(clause.variable) ?? domain(clause.variable);
    const [truth, ...others] = new Set(values.map((value) => testOne(clause, value)));
    return others.length === 0 ? truth : undefined;
  });
}

function testOne({ test }: Clause, value: unknown): Truth {
  return value !== anyValue || test.kind === "known" ? holds(test, value) : undefined;
}
