/**
 * Names instead of IDs: a flow has `$name`, and each environment has a value for it. `resolveNames` makes the graph that is
 * compared and pushed; `restoreNames` turns values back into names when platform changes are merged into the file. A
 * spelling that the file already has for a value doesn't change.
 */
import { NAME } from "../grammar";
import type { Graph, GraphNode } from "../graph/graph";

export type Names = ReadonlyMap<string, string>;

/** The fields of a node in which `$name` is replaced. Their values are strings or lists of strings. */
export const NAMED_FIELDS: ReadonlySet<string> = new Set([
  "tool",
  "component",
  "destination",
  "knowledge_base",
  "knowledge_base_id",
  "knowledge_base_ids",
  "knowledge_bases",
]);

const USE = new RegExp(`^\\$(${NAME})$`);
/** `$$name` is the literal `$name`. */
const ESCAPED = new RegExp(`^\\$\\$+${NAME}$`);

/** The name that a value of a named field uses. */
export function nameIn(value: string): string | undefined {
  return USE.exec(value)?.[1];
}

export function resolveNames(graph: Graph, names: Names): Graph {
  return mapValues(graph, () => (value) => resolved(value, names));
}

/** Writes a graph with names, like `current` where that has a spelling for the same value in the same field. */
export function restoreNames(graph: Graph, current: Graph, names: Names): Graph {
  const byValue = new Map<string, string>();
  for (const [name, value] of names) if (!byValue.has(value)) byValue.set(value, name);
  return mapValues(graph, (node, field) => {
    const spellings = new Map<string, string[]>();
    for (const each of [current.nodes.get(node.id)?.[field]].flat())
      if (typeof each === "string") {
        const value = resolved(each, names);
        spellings.set(value, [...(spellings.get(value) ?? []), each]);
      }
    return (value) => {
      const known = spellings.get(value);
      if (known) return (known.length > 1 ? known.shift() : known[0]) as string;
      const name = byValue.get(value);
      if (name !== undefined) return `$${name}`;
      return USE.test(value) || ESCAPED.test(value) ? `$${value}` : value;
    };
  });
}

function resolved(value: string, names: Names): string {
  const name = nameIn(value);
  if (name !== undefined) return names.get(name) ?? value;
  return ESCAPED.test(value) ? value.slice(1) : value;
}

/** Replaces the strings in the named fields; nodes without a change stay the same objects. */
function mapValues(graph: Graph, mapper: (node: GraphNode, field: string) => (value: string) => string): Graph {
  const changed = new Map<string, GraphNode>();
  for (const [id, node] of graph.nodes) {
    let next: Record<string, unknown> | undefined;
    for (const field of NAMED_FIELDS) {
      const value = node[field];
      if (typeof value !== "string" && !Array.isArray(value)) continue;
      const map = mapper(node, field);
      const each = (one: unknown) => (typeof one === "string" ? map(one) : one);
      const mapped = Array.isArray(value) ? value.map(each) : map(value);
      if (JSON.stringify(mapped) === JSON.stringify(value)) continue;
      next ??= { ...node };
      next[field] = mapped;
    }
    if (next) changed.set(id, next as GraphNode);
  }
  if (changed.size === 0) return graph;
  return { ...graph, nodes: new Map([...graph.nodes].map(([id, node]) => [id, changed.get(id) ?? node])) };
}
