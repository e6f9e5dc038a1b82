/** Filters of the graph: which nodes to highlight. The rest is faded, never hidden. */
import type { GraphView } from "../../server/messages";

export type Filter =
  | { readonly kind: "all" }
  | { readonly kind: "findings" }
  | { readonly kind: "changes" }
  | { readonly kind: "unreachable" }
  /** All paths from the entry to this node. */
  | { readonly kind: "paths"; readonly id: string }
  /** Nodes that set or read a variable. */
  | { readonly kind: "variable"; readonly name: string };

/** Returns the IDs of the highlighted nodes; undefined for all. */
export function inFocus(view: GraphView, filter: Filter): ReadonlySet<string> | undefined {
  switch (filter.kind) {
    case "all":
      return undefined;
    case "findings":
      return ids(view, (node) => node.errors + node.warnings + node.hints > 0);
    case "changes": {
      const touched = ids(view, (node) => node.change !== undefined);
      for (const edge of view.edges) if (edge.change) touched.add(edge.source);
      return touched;
    }
    case "unreachable": {
      const reached = walk(view.entry, neighbors(view, "next"));
      return ids(view, (node) => !reached.has(node.id));
    }
    case "paths": {
      const from = walk(view.entry, neighbors(view, "next"));
      const to = walk(filter.id, neighbors(view, "previous"));
      return ids(view, (node) => from.has(node.id) && to.has(node.id));
    }
    case "variable":
      return ids(view, (node) => node.sets.includes(filter.name) || node.reads.includes(filter.name));
  }
}

/** Returns the nodes whose ID, name, type, or text contains the words, in the order of the file. */
export function search(view: GraphView, words: string): string[] {
  const query = words.trim().toLowerCase();
  if (query === "") return [];
  return view.nodes
    .filter((node) => [node.id, node.name, node.type, node.text].some((part) => part?.toLowerCase().includes(query)))
    .map((node) => node.id);
}

export function variablesOf(view: GraphView): string[] {
  return [...new Set(view.nodes.flatMap((node) => [...node.sets, ...node.reads]))].sort();
}

function ids(view: GraphView, holds: (node: GraphView["nodes"][number]) => boolean): Set<string> {
  return new Set(view.nodes.filter(holds).map((node) => node.id));
}

type Way = "next" | "previous";

/** The first neighbor of a node. A removed node has only removed edges, which still lead to its neighbors. */
export function neighborOf(view: GraphView, id: string, way: Way): string | undefined {
  const isRemoved = view.nodes.some((node) => node.id === id && node.change === "removed");
  return neighbors(view, way, isRemoved).get(id)?.[0];
}

function neighbors(view: GraphView, way: Way, withRemoved = false): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const edge of view.edges) {
    if (edge.dangling || (edge.change === "removed" && !withRemoved)) continue;
    const [from, to] = way === "next" ? [edge.source, edge.target] : [edge.target, edge.source];
    const list = map.get(from);
    if (list) list.push(to);
    else map.set(from, [to]);
  }
  return map;
}

function walk(start: string | undefined, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const open = start === undefined ? [] : [start];
  while (open.length > 0) {
    const id = open.pop() as string;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const each of next.get(id) ?? []) open.push(each);
  }
  return seen;
}

/** The match after the selected node, or before it; the first or last one if no match is selected. */
export function nextMatch(
  view: GraphView,
  words: string,
  selected: string | undefined,
  step: 1 | -1,
): { readonly id: string; readonly isOnly: boolean } | undefined {
  const found = search(view, words);
  const at = selected === undefined ? -1 : found.indexOf(selected);
  const id = at < 0 ? found.at(step === 1 ? 0 : -1) : found[(at + step + found.length) % found.length];
  return id === undefined ? undefined : { id, isOnly: found.length === 1 };
}
