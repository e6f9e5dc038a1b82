/**
 * Values worth trying when paths through a flow are searched: for each variable one of every kind that its conditions can
 * tell apart. And which variables still matter at a node, so that the search doesn't tell states apart that behave alike.
 */

import { type Clause, holds, partsOf } from "../run/conditions";
import { Liveness } from "../run/live";
import { NumberedFlow } from "../run/numbered";
import type { Program, RunNode } from "../run/program";
import { pairOf, textOf, toData } from "../values";

export interface Candidates {
  /** Values of a variable, the most natural first; undefined, for no value, comes last. */
  of(variable: string): readonly unknown[];
  /** The variables whose value on entering a node can make a difference later. */
  liveAt(node: RunNode): ReadonlySet<string>;
  /** The variables that conditions ask about. */
  readonly asked: readonly string[];
  /** Variables that one condition asks about together. */
  readonly together: readonly (readonly string[])[];
}

/** `further` are clauses that flows it hands its variables to ask with, or those that it hands them back to. */
export function candidatesFor(program: Program, further: readonly Clause[] = []): Candidates {
  const clauses = new Map<string, Clause[]>();
  const together = new Map<string, readonly string[]>();
  for (const node of program.nodes.values())
    for (const { condition } of node.edges) {
      const asked = new Set<string>();
      for (const part of condition ? partsOf(condition) : []) {
        if (part.kind !== "clause") continue;
        asked.add(part.variable);
        const known = clauses.get(part.variable);
        if (known) known.push(part);
        else clauses.set(part.variable, [part]);
      }
      if (asked.size > 1) together.set([...asked].sort().join(" "), [...asked].sort());
    }
  const known = new Map<string, readonly unknown[]>();
  const numbered = new NumberedFlow(program);
  const live = new Liveness(numbered);
  const liveSets = new Map<number, ReadonlySet<string>>();
  return {
    of(variable) {
      let values = known.get(variable);
      if (!values) {
        values = valuesFor(program, variable, [...(clauses.get(variable) ?? []), ...further]);
        known.set(variable, values);
      }
      return values;
    },
    liveAt(node) {
      const number = numbered.numberOf(node.id) as number;
      let found = liveSets.get(number);
      if (!found) {
        found = new Set(live.variables.filter((variable) => live.isAt(number, variable)));
        liveSets.set(number, found);
      }
      return found;
    },
    asked: live.variables,
    together: [...together.values()],
  };
}

/** All that conditions of a flow ask. */
export function clausesIn({ nodes }: Program): Clause[] {
  const conditions = [...nodes.values()].flatMap(({ edges }) => edges.flatMap(({ condition }) => condition ?? []));
  return conditions.flatMap((condition) => partsOf(condition).filter((part) => part.kind === "clause"));
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  number: 1,
  integer: 1,
  boolean: true,
  date: "2026-01-15",
};

/** Values of a variable of every kind that clauses can tell apart; undefined, for no value, is the last. */
export function valuesFor(program: Program, variable: string, clauses: readonly Clause[]): readonly unknown[] {
  const entry = program.document.variable(variable);
  const listed = pairOf(entry?.value, "enum_values")?.value;
  const enumerated = listed?.kind === "list" ? listed.items.map(toData).filter((value) => value !== null) : [];
  if (enumerated.length > 0) return [...distinct(enumerated, clauses), undefined];
  const type = textOf(entry?.fields.get("type")?.value) ?? "";
  const sample = SAMPLES[type] ?? "example";
  const values: unknown[] = [sample];
  const numbers: number[] = [];
  for (const { test } of clauses) {
    if (test.kind === "compares") numbers.push(test.number);
    if (test.kind === "equals")
      for (const { text, number } of test.literals) {
        if (number !== undefined) numbers.push(number);
        values.push(type === "boolean" && (text === "true" || text === "false") ? text === "true" : text);
        if (number !== undefined) values.push(number);
      }
  }
  numbers.sort((a, b) => a - b);
  numbers.forEach((number, index) => {
    const before = numbers[index - 1];
    values.push(number, before === undefined ? number - 1 : (before + number) / 2, number + 1);
  });
  values.push("something else");
  const natural = typeof sample;
  const ordered = [...values].sort((a, b) => Number(typeof b === natural) - Number(typeof a === natural));
  return [...distinct(ordered, clauses), undefined];
}

/** The first value of each kind that the conditions can tell apart. */
function distinct(values: readonly unknown[], clauses: readonly Clause[]): unknown[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const kind = clauses.map(({ test }) => Number(holds(test, value))).join("");
    if (seen.has(kind)) return false;
    seen.add(kind);
    return true;
  });
}
