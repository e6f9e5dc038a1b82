/**
 * Values worth trying when searching paths through a flow: for each variable one of every kind that its conditions
 * distinguish, and those at the bounds of comparisons. Also which variables still matter at a node, so that equivalent
 * states are merged.
 */
import { addTo, getOrCreate } from "../../collections";
import { TEMPLATES } from "../../grammar";
import { type Clause, type ClauseTest, holds, partsOf } from "../../run/conditions";
import type { FlowOf } from "../../run/machine";
import { asksOf, type Program, type RunEdge, type RunNode } from "../../run/program";
import { pairOf, textOf, toData } from "../../values";

export interface Candidates {
  /**
   * Values of a variable, the most natural first; undefined, for no value, is last. Each node that sets it has a
   * different first value, to show which of them did.
   */
  of(variable: string, node?: RunNode | "given"): readonly unknown[];
  /** A key that two values share if no condition distinguishes them. */
  kindOf(variable: string, value: unknown): string;
  /** The variables whose value on entering a node can make a difference later. */
  liveAt(node: RunNode): ReadonlySet<string>;
  /** The variables that conditions or component flows use. */
  readonly asked: readonly string[];
  /** Variables that are used together in one condition. */
  readonly together: readonly (readonly string[])[];
}

/** The values worth trying in a flow and in those of its components, since a value may be passed between them. */
export class Worth {
  readonly #known = new Map<Program, Candidates>();
  readonly #clauses: readonly Clause[];
  readonly parts: ReadonlySet<Program>;

  constructor(
    program: Program,
    private readonly flowOf: FlowOf,
  ) {
    const all = new Set([program]);
    for (const each of all)
      for (const { type, calls } of each.nodes.values()) {
        const part = type === "component" && calls !== undefined ? flowOf(calls) : undefined;
        if (part) all.add(part);
      }
    this.parts = all;
    this.#clauses = all.size > 1 ? [...all].flatMap(clausesIn) : [];
  }

  in(program: Program): Candidates {
    return getOrCreate(this.#known, program, () => candidatesFor(program, this.#clauses, this.flowOf));
  }
}

/** `further` are conditions of the flows that it passes its variables to or gets them from. */
export function candidatesFor(
  program: Program,
  further: readonly Clause[] = [],
  flowOf: FlowOf = () => undefined,
): Candidates {
  const clauses = new Map<string, Clause[]>();
  const together = new Map<string, readonly string[]>();
  const setters = new Map<string, RunNode[]>();
  for (const node of program.nodes.values()) {
    for (const variable of node.sets) setters.set(variable, [...(setters.get(variable) ?? []), node]);
    for (const { condition } of node.edges) {
      const asked = new Set<string>();
      for (const part of condition ? partsOf(condition) : []) {
        if (part.kind !== "clause") continue;
        asked.add(part.variable);
        addTo(clauses, part.variable, part);
      }
      if (asked.size > 1) together.set([...asked].sort().join(" "), [...asked].sort());
    }
  }
  const known = new Map<string, readonly unknown[]>();
  const live = liveVariables(program, (node) => usesOf(node, program, further.length > 0, flowOf));
  return {
    of(variable, node) {
      const place = node && (node === "given" ? 0 : (setters.get(variable)?.indexOf(node) ?? -1) + 1);
      const key = `${place ?? ""} ${variable}`;
      return getOrCreate(known, key, () =>
        valuesFor(program, variable, [...(clauses.get(variable) ?? []), ...further], place),
      );
    },
    kindOf(variable, value) {
      const tests = [...(clauses.get(variable) ?? []), ...further].map(({ test }) => Number(holds(test, value)));
      return `+${tests.join("")}`;
    },
    liveAt: (node) => live.at(node),
    asked: live.all,
    together: [...together.values()],
  };
}

/** The variables that a node uses, with the inputs and outputs of a component. */
function usesOf(node: RunNode, program: Program, hasParts: boolean, flowOf: FlowOf): readonly string[] {
  if (!hasParts) return node.asks;
  const isRun = node.type === "component" && node.calls !== undefined && flowOf(node.calls) !== undefined;
  const handed = isRun ? node.reads.map(({ variable }) => variable) : [];
  return [...node.asks, ...handed, ...(node.type === "end" ? outputsOf(program) : [])];
}

/** The variables that a flow returns as a component. */
function outputsOf({ outputs }: Program): string[] {
  return [...JSON.stringify(outputs).matchAll(TEMPLATES)].map(([, name = ""]) => name);
}

/** All clauses in the conditions of a flow. */
export function clausesIn({ nodes }: Program): Clause[] {
  const conditions = [...nodes.values()].flatMap(({ edges }) => edges.flatMap(({ condition }) => condition ?? []));
  return conditions.flatMap((condition) => partsOf(condition).filter((part) => part.kind === "clause"));
}

/** A value of each type, and different ones for further nodes and variables. */
const SAMPLES: Readonly<Record<string, (number: number) => unknown>> = {
  number: (number) => 1 + number,
  integer: (number) => 1 + number,
  boolean: (number) => number % 2 === 0,
  date: (number) => new Date(Date.UTC(2026, 0, 15 + number)).toISOString().slice(0, 10),
};

/**
 * Values of a variable of every kind that clauses distinguish; undefined, for no value, is last. `place` is the 1-based
 * index of the node among those that set it, or 0 for none: then values at the bounds of comparisons are included, and
 * each place has a different first value.
 */
export function valuesFor(
  program: Program,
  variable: string,
  clauses: readonly Clause[],
  place?: number,
): readonly unknown[] {
  const tests = clauses.flatMap(({ test }) => (place === undefined ? test : bounds(test)));
  const block = program.document.variable(variable);
  const listed = pairOf(block?.value, "enum_values")?.value;
  const enumerated = listed?.kind === "list" ? listed.items.map(toData).filter((value) => value !== null) : [];
  if (enumerated.length > 0) {
    const first = Math.max(0, (place ?? 1) - 1) % enumerated.length;
    return [...distinct([...enumerated.slice(first), ...enumerated.slice(0, first)], tests), undefined];
  }
  const type = textOf(block?.fields.get("type")?.value) ?? "";
  const sample = sampleFor(program, variable, type, place);
  const values: unknown[] = [sample];
  const numbers = new Set<number>();
  for (const { test } of clauses) {
    if (test.kind === "compares") numbers.add(test.number);
    if (test.kind === "equals")
      for (const { text, number } of test.literals) {
        if (number !== undefined) numbers.add(number);
        values.push(type === "boolean" && (text === "true" || text === "false") ? text === "true" : text);
        if (number !== undefined) values.push(number);
      }
  }
  const sorted = [...numbers].sort((a, b) => a - b);
  sorted.forEach((number, index) => {
    const before = sorted[index - 1];
    values.push(number, number - 1, number + 1, ...(before === undefined ? [] : [(before + number) / 2]));
  });
  values.push("something else");
  const natural = typeof sample;
  const ordered = [...values].sort((a, b) => Number(typeof b === natural) - Number(typeof a === natural));
  return [...distinct(ordered, tests), undefined];
}

function sampleFor({ document }: Program, variable: string, type: string, place: number | undefined): unknown {
  const made = SAMPLES[type];
  if (place === undefined) return made ? made(0) : "example";
  const order = Math.max(
    0,
    document.variables.findIndex(({ name }) => name === variable),
  );
  if (made) return made(order + Math.max(0, place - 1) * (1 + document.variables.length));
  return `${variable.replace(/[_-]+/g, " ")} ${Math.max(1, place)}`;
}

/** The first value of each kind that the tests distinguish. */
function distinct(values: readonly unknown[], tests: readonly ClauseTest[]): unknown[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const kind = tests.map((test) => Number(holds(test, value))).join("");
    if (seen.has(kind)) return false;
    seen.add(kind);
    return true;
  });
}

/** Variants of a comparison that only values at its bound distinguish. */
function bounds(test: ClauseTest): ClauseTest[] {
  if (test.kind !== "compares") return [test];
  return [
    { ...test, operator: "<" },
    { ...test, operator: ">" },
    { ...test, operator: "<", number: test.number - 1 },
    { ...test, operator: ">", number: test.number + 1 },
    { ...test, operator: "<=" },
  ];
}

/**
 * Finds the variables that still matter at a node: those it uses, and those that later nodes use unless it sets them.
 */
interface LiveVariables {
  at(node: RunNode): ReadonlySet<string>;
  /** All that matter anywhere. */
  readonly all: readonly string[];
}

function liveVariables(program: Program, usesOf: (node: RunNode) => readonly string[]): LiveVariables {
  const live = new Map<RunNode, Set<string>>();
  const before = new Map<RunNode, (readonly [RunNode, RunEdge])[]>();
  const all = new Set<string>();
  const open: (readonly [RunNode, string])[] = [];
  const put = (node: RunNode, variable: string) => {
    const known = live.get(node);
    // A collect node sets its variable before its edges are evaluated.
    if (variable === node.variable || known?.has(variable)) return;
    if (known) known.add(variable);
    else live.set(node, new Set([variable]));
    open.push([node, variable]);
  };
  for (const node of program.nodes.values())
    for (const edge of node.edges) {
      const target = program.nodes.get(edge.to);
      if (target) addTo(before, target, [node, edge] as const);
    }
  for (const node of program.nodes.values())
    for (const variable of usesOf(node)) {
      all.add(variable);
      if (!isSavedFirst(node, variable)) put(node, variable);
    }
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, variable] = next;
    // A tool or a component sets what it saves, unless it reports an event.
    for (const [each, edge] of before.get(node) ?? [])
      if (edge.isOnEvent || !each.sets.includes(variable)) put(each, variable);
  }
  return { at: (node) => live.get(node) ?? nothing, all: [...all] };
}

/** Whether a tool node uses a variable only after it saved it. A component may also pass its value. */
function isSavedFirst({ type, sets, edges }: RunNode, variable: string): boolean {
  const isSaved = type === "tool" && sets.includes(variable);
  return isSaved && !asksOf(edges.filter(({ isOnEvent }) => isOnEvent)).includes(variable);
}

const nothing: ReadonlySet<string> = new Set();
