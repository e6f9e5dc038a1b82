/** The last edges of conversations: by which edges a run can come to an end or a transfer, and how. */
import { Paths, type Place } from "../policy/paths";
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
  const [before, after] = [endingsOf(from), endingsOf(to)];
  const only = (here: ReadonlyMap<string, Ending>, there: ReadonlyMap<string, Ending>) =>
    [...here].filter(([key]) => !there.has(key)).map(([, ending]) => ending);
  return { opened: only(after, before), closed: only(before, after) };
}

interface Step {
  readonly place: Place;
  readonly before: Step | undefined;
}

/** Every edge that a run may take to an end or a transfer, given what conditions allow. */
export function endingsOf(program: Program): Map<string, Ending> {
  const paths = new Paths(program, true);
  const found = new Map<string, Ending>();
  const { start } = paths;
  if (start === undefined) return found;
  const { id } = paths.node(start);
  if (isEnding(paths.node(start))) found.set(`${id}\n`, { node: id, path: [id] });
  const seen = new Set<Place>([start]);
  const steps: Step[] = [{ place: start, before: undefined }];
  for (const step of steps)
    for (const { edge, to } of paths.ways(step.place)) {
      const next = { place: to, before: step };
      if (isEnding(paths.node(to)) && !found.has(keyOf(edge))) found.set(keyOf(edge), endingAt(next, edge, paths));
      if (seen.has(to)) continue;
      seen.add(to);
      steps.push(next);
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

function endingAt(last: Step, { id }: RunEdge, paths: Paths): Ending {
  const path: string[] = [];
  for (let step: Step | undefined = last; step; step = step.before) path.push(paths.node(step.place).id);
  return { node: paths.node(last.place).id, edge: id, path: path.reverse() };
}
