/**
 * Where a change of edges or nodes matters elsewhere. A finding's words don't tell whether it's about paths, so every
 * finding at a node counts as changed if the node is connected to the entry, to an end or in a loop in another way.
 */
import { nodeType } from "../fields";
import type { Graph } from "../graph/graph";

export interface Connections {
  /** Whether a node is connected in another way. */
  isChanged(id: string): boolean;
  /** Whether a path to a node was changed, which may change the values of variables there. */
  isAfterChange(id: string): boolean;
}

/** `sources`: the nodes that were changed themselves, or one of their edges; `edges`: the edges that were changed. */
export function changedConnections(
  before: Graph,
  now: Graph,
  sources: ReadonlySet<string>,
  edges: ReadonlySet<string>,
): Connections {
  const [was, is] = [pathsIn(before, sources), pathsIn(now, sources)];
  const targets = new Set([...edges].flatMap((id) => [before.edges.get(id)?.target, now.edges.get(id)?.target]));
  const isInLoop = (id: string) => [was, is].some(({ after, toward }) => after.has(id) && toward.has(id));
  return {
    isChanged: (id) =>
      targets.has(id) ||
      was.reached.has(id) !== is.reached.has(id) ||
      was.ending.has(id) !== is.ending.has(id) ||
      isInLoop(id),
    isAfterChange: (id) => was.after.has(id) || is.after.has(id),
  };
}

function pathsIn({ nodes, edges, entry }: Graph, sources: ReadonlySet<string>) {
  const next = new Map<string, string[]>();
  const previous = new Map<string, string[]>();
  const add = (links: Map<string, string[]>, from: string, to: string) => {
    const known = links.get(from);
    if (known) known.push(to);
    else links.set(from, [to]);
  };
  for (const { source, target } of edges.values()) {
    add(next, source, target);
    add(previous, target, source);
  }
  const ends = [...nodes.values()].filter(({ id, type }) => {
    const known = nodeType(type);
    return known ? known.terminal : !next.has(id);
  });
  return {
    reached: walk(next, entry === undefined ? [] : [entry]),
    ending: walk(
      previous,
      ends.map(({ id }) => id),
    ),
    after: walk(
      next,
      [...sources].flatMap((id) => next.get(id) ?? []),
    ),
    /** The nodes with a path to a change. Those that are also after one are in a loop with it, or between two. */
    toward: walk(previous, sources),
  };
}

/** The nodes that can be reached from some nodes, including these. */
function walk(links: ReadonlyMap<string, readonly string[]>, from: Iterable<string>): ReadonlySet<string> {
  const seen = new Set(from);
  // A set's iteration includes what is added to it meanwhile.
  for (const id of seen) for (const other of links.get(id) ?? []) seen.add(other);
  return seen;
}
