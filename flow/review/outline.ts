/** An overview of a flow: nodes with their edges, variables, and reachability. */
import { enumValues, whoDecides } from "../run/edge-condition";
import type { Program, RunEdge, RunNode } from "../run/program";
import { edgesInReach, reachableFrom } from "../test/coverage";
import { pairOf, textOf } from "../values";

export interface OutlineNode {
  readonly id: string;
  readonly type?: string;
  readonly name?: string;
  /** 1-based line of the key. */
  readonly line: number;
  /** Whether edges lead to it from the entry, regardless of conditions. */
  readonly reachable: boolean;
  readonly reads: readonly string[];
  readonly sets: readonly string[];
  readonly edges: readonly OutlineEdge[];
}

export interface OutlineEdge {
  readonly id: string;
  readonly to: string;
  readonly when?: string;
  readonly on?: string;
  readonly label?: string;
  /**
   * What decides whether it's taken: its event, its condition (evaluated offline), the model, or both; or it's the
   * default.
   */
  readonly decided: "event" | "offline" | "model" | "partly" | "default";
  readonly reachable: boolean;
}

export interface OutlineVariable {
  readonly name: string;
  readonly type?: string;
  readonly enum_values?: readonly string[];
  readonly line: number;
  /** Node IDs. */
  readonly set_by: readonly string[];
  readonly read_by: readonly string[];
}

export interface Outline {
  readonly entry?: string;
  readonly variables: readonly OutlineVariable[];
  readonly nodes: readonly OutlineNode[];
}

export function outlineOf(program: Program): Outline {
  const { document } = program;
  const reachable = reachableFrom(program).nodes;
  const users = { set: new Map<string, Set<string>>(), read: new Map<string, Set<string>>() };
  const nodes = [...program.nodes.values()].map((node): OutlineNode => {
    const { id, type, block } = node;
    const { reads, sets } = usesOf(node);
    for (const variable of reads) add(users.read, variable, id);
    for (const variable of sets) add(users.set, variable, id);
    const inReach = new Set(reachable.has(id) ? edgesInReach(node) : []);
    return {
      id,
      ...optional({ type, name: block.name }),
      line: document.positionOf(block).line + 1,
      reachable: reachable.has(id),
      reads: [...reads],
      sets: [...sets],
      edges: node.edges.map((edge) => outlineEdge(edge, inReach.has(edge))),
    };
  });
  const variables = document.variables.map(
    (variable): OutlineVariable => ({
      name: variable.name,
      ...optional({ type: textOf(pairOf(variable.value, "type")?.value), enum_values: enumValues(variable) }),
      line: document.positionOf(variable).line + 1,
      set_by: [...(users.set.get(variable.name) ?? [])],
      read_by: [...(users.read.get(variable.name) ?? [])],
    }),
  );
  return { ...optional({ entry: program.entry?.id }), variables, nodes };
}

/** The variables that a node reads, in its fields or on its edges, and those it sets. */
export function usesOf({ block }: RunNode): {
  readonly reads: ReadonlySet<string>;
  readonly sets: ReadonlySet<string>;
} {
  const reads = new Set<string>();
  const sets = new Set<string>();
  for (const { kind, name } of block.refs) (kind === "template" ? reads : sets).add(name);
  return { reads, sets };
}

function outlineEdge({ id, to, when, on, label, condition, isOnEvent }: RunEdge, reachable: boolean): OutlineEdge {
  const decided = isOnEvent ? "event" : condition ? whoDecides(condition).decided : "default";
  return { id, to, ...optional({ when, on, label }), decided, reachable };
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

/** The fields that aren't undefined. */
function optional<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
