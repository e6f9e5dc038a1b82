/** The last edges of conversations: by which edges a run can come to an end or a transfer, and how. */
import { Paths, type Place } from "../policy/paths";
import { pathOf } from "../policy/search";
import { longer, Trail } from "../run/numbers";
import type { Program, RunEdge, RunNode } from "../run/program";

/** A way a conversation can end: the edge by which it gets there, and a shortest path over it. */
export interface Ending {
  readonly node: string;
  /** Missing where the entry is the end. */
  readonly edge?: string;
  readonly path: readonly string[];
}

export interface Endings {
  /** Ways that exist only after the change, with a path in the new flow. */
  readonly opened: readonly Ending[];
  /** Ways that existed only before it, with a path in the old flow. */
  readonly closed: readonly Ending[];
}

export function endingsBetween(from: Program, to: Program): Endings {
  const [before, after] = [endingsOf(new Paths(from, true)), endingsOf(new Paths(to, true))];
  const only = (here: LastEdges, there: LastEdges) =>
    [...here].filter(([key]) => !there.has(key)).map(([, ending]) => ending());
  return { opened: only(after, before), closed: only(before, after) };
}

/** What tells a last edge from others; its path is made when it is asked for, since most are on both sides. */
type LastEdges = ReadonlyMap<string, () => Ending>;

/** Every edge that a run may take to an end or a transfer, given what conditions allow. */
function endingsOf(paths: Paths): LastEdges {
  const found = new Map<string, () => Ending>();
  const { start } = paths;
  if (start === undefined) return found;
  const isLast = Uint8Array.from(paths.nodes, (node) => Number(isEnding(node)));
  const { id } = paths.node(start);
  if (isEnding(paths.node(start))) found.set(`${id}\n`, () => ({ node: id, path: [id] }));
  const trail = new Trail();
  trail.push(start, -1, -1);
  let isSeen = new Int32Array(paths.nodes.length + 1);
  isSeen[start] = 1;
  for (let step = 0; step < trail.length; step++) {
    const place = trail.places.values[step] as Place;
    const first = paths.firstWay(place);
    const end = first + paths.wayCount(place);
    // Only now: these lists grow where somebody asks for ways.
    const [ways, at] = [paths.to, paths.at];
    if (paths.size > isSeen.length) isSeen = longer(isSeen, 2 * paths.size);
    for (let way = first; way < end; way++) {
      const to = ways[way] as Place;
      if (isLast[at[to] as number]) {
        // Components aren't gone into here, so every way is an edge.
        const edge = paths.edge(place, way) as RunEdge;
        const key = keyOf(edge);
        if (!found.has(key)) found.set(key, () => endingAt(pathOf(trail, paths, step).nodes, edge));
      }
      if (isSeen[to]) continue;
      isSeen[to] = 1;
      trail.push(to, step, way);
    }
  }
  return found;
}

function isEnding({ type }: RunNode): boolean {
  return type === "end" || type === "transfer";
}

/** An edge that leads elsewhere is another edge, even where it has the same id. */
function keyOf({ id, from, to }: RunEdge): string {
  return `${from}\n${to}\n${id}`;
}

function endingAt(nodes: readonly RunNode[], { id, to }: RunEdge): Ending {
  return { node: to, edge: id, path: [...nodes.map((node) => node.id), to] };
}
