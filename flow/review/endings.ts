/** How conversations can end: which edges a run can take, and which of them lead to an end or a transfer. */

import { Reach } from "../policy/distance";
import { Paths, type Place } from "../policy/paths";
import { pathOf } from "../policy/search";
import type { Program, RunEdge, RunNode } from "../run/program";
import { type EdgeChange, edgeChange, edgeWords, leftToModel, otherEvents, pairedEdges, unguarded } from "./edge-pairs";

/** One way to end a conversation: its last edge, and a shortest path over it. */
export interface Ending {
  readonly node: string;
  /** Absent if the entry is the end. */
  readonly edge?: string;
  readonly path: readonly string[];
  /** Distinguishes the edge from others between the same nodes: its event, condition, or label. */
  readonly by?: string;
}

/** An end that became a transfer, or the reverse. */
export interface EndingChange {
  readonly node: string;
  readonly before: string;
  readonly after: string;
}

export interface Endings {
  /** Endings that only exist after the change, with a path in the new flow. */
  readonly opened: readonly Ending[];
  /** Endings that only existed before it, with a path in the old flow. */
  readonly closed: readonly Ending[];
  readonly endings: readonly EndingChange[];
  /** IDs of edges in both flows that a run could take before the change, but not after it. */
  readonly not_taken: readonly string[];
  /** IDs of edges whose condition was decided by values before the change, and is left to the model after it. */
  readonly left_to_model: readonly string[];
  /** IDs of edges that a run can take and that have no condition any more. */
  readonly unconditional: readonly string[];
  /** The edges of these lists, in words. */
  readonly edge_changes: readonly EdgeChange[];
}

export const NO_ENDINGS: Endings = {
  opened: [],
  closed: [],
  endings: [],
  not_taken: [],
  left_to_model: [],
  unconditional: [],
  edge_changes: [],
};

export function endingsBetween(from: Program, to: Program): Endings {
  const pairs = pairedEdges(from, to);
  const names = new Map(pairs.map(({ before, after }) => [before.id, after.id]));
  // The ID of a removed edge may now belong to another one.
  const nameOf = ({ id, from: source }: RunEdge) => {
    const isSame = from.nodes.get(source)?.edges === to.nodes.get(source)?.edges;
    return names.get(id) ?? (isSame ? id : `${id}\n`);
  };
  const [before, after] = [waysOf(new Paths(from, true), nameOf), waysOf(new Paths(to, true))];
  const only = (here: LastEdges, there: LastEdges) =>
    [...here].filter(([key]) => !there.has(key)).map(([, ending]) => ending());
  // The edges of an unreachable node are lost with it.
  const isLost = (id: string, edge: RunEdge) => !after.taken.has(id) && after.nodes.has(edge.from);
  const edgeChanges = [
    ...[...before.taken].flatMap(([id, edge]) => {
      const now = to.nodes.get(edge.from)?.edges.find((other) => other.id === id && other.to === edge.to);
      return now && isLost(id, edge) ? [edgeChange("not-taken", { before: edge, after: now })] : [];
    }),
    ...leftToModel(pairs),
    ...[...unguarded(pairs), ...otherEvents(pairs)].filter(({ edge }) => after.taken.has(edge)),
  ];
  const idsOf = (kind: EdgeChange["kind"]) => edgeChanges.filter((each) => each.kind === kind).map(({ edge }) => edge);
  return {
    opened: only(after.last, before.last),
    closed: only(before.last, after.last),
    endings: [...after.nodes].flatMap((id) => {
      const [old, now] = [from.nodes.get(id), to.nodes.get(id)];
      if (!old || !now || !isEnding(old) || !isEnding(now) || old.type === now.type) return [];
      return { node: id, before: old.type as string, after: now.type as string };
    }),
    not_taken: idsOf("not-taken"),
    left_to_model: idsOf("left-to-model"),
    unconditional: idsOf("unconditional"),
    edge_changes: edgeChanges,
  };
}

interface Ways {
  readonly last: LastEdges;
  /** By ID: the edges that a run may take. */
  readonly taken: ReadonlyMap<string, RunEdge>;
  /** IDs of the nodes that a run may reach. */
  readonly nodes: ReadonlySet<string>;
}

/** Last edges by identity; the path is computed on request, because most exist on both sides. */
type LastEdges = ReadonlyMap<string, () => Ending>;

/** Every edge that a run may take, given the conditions. `nameOf` is the ID of an edge in the other flow. */
function waysOf(paths: Paths, nameOf = ({ id }: RunEdge) => id): Ways {
  const found = new Map<string, () => Ending>();
  const taken = new Map<string, RunEdge>();
  const nodes = new Set<string>();
  const { start } = paths;
  if (start === undefined) return { last: found, taken, nodes };
  const { id } = paths.node(start);
  if (isEnding(paths.node(start))) found.set(`${id}\n`, () => ({ node: id, path: [id] }));
  const { trail } = new Reach(paths, start);
  for (let step = 0; step < trail.length; step++) {
    const place = trail.places.values[step] as Place;
    nodes.add(paths.node(place).id);
    for (const { edge, to } of paths.ways(place)) {
      // Components aren't expanded here, so every step is an edge.
      if (!edge) continue;
      const name = nameOf(edge);
      taken.set(name, edge);
      const key = `${edge.from}\n${edge.to}\n${name}`;
      if (isEnding(paths.node(to)) && !found.has(key))
        found.set(key, () => endingAt(pathOf(trail, paths, step).nodes, edge));
    }
  }
  return { last: found, taken, nodes };
}

function isEnding({ type }: RunNode): boolean {
  return type === "end" || type === "transfer";
}

function endingAt(nodes: readonly RunNode[], edge: RunEdge): Ending {
  const { id, to } = edge;
  const isParallel = nodes.at(-1)?.edges.some((other) => other !== edge && other.to === to);
  return {
    node: to,
    edge: id,
    path: [...nodes.map((node) => node.id), to],
    ...(isParallel ? { by: edgeWords(edge) } : {}),
  };
}
