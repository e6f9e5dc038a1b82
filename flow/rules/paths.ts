/** How ways through a flow are told: in a message, and as related places. */
import type { Analysis } from "../analysis";
import type { GraphFinding } from "./rule";

/** `greet → ask → look_up`; a long way keeps its beginning and its end. */
export function tellPath(flow: Analysis, path: readonly number[]): string {
  const names = path.map((node) => flow.nodes[node]?.id ?? "");
  return names.length <= 7 ? names.join(" → ") : [...names.slice(0, 3), "…", ...names.slice(-3)].join(" → ");
}

const MAX_PLACES = 8;

/** One related place for each step, up to a number that a person can read. */
export function pathPlaces(
  flow: Analysis,
  path: readonly number[],
  say: (id: string, step: number) => string,
): NonNullable<GraphFinding["related"]> {
  return path
    .slice(0, MAX_PLACES)
    .map((node, step) => ({ message: say(flow.nodes[node]?.id ?? "", step), at: { node } }));
}
