/** Formats paths through a flow, as text and as related places. */
import type { Analysis } from "../../analysis";
import type { RelatedAt } from "../engine/rule";

/** `greet → ask → look_up`; the middle of a long path is left out. */
export function tellPath(flow: Analysis, path: readonly number[]): string {
  const names = path.map((node) => flow.nodes[node]?.id ?? "");
  return names.length <= 7 ? names.join(" → ") : [...names.slice(0, 3), "…", ...names.slice(-3)].join(" → ");
}

const MAX_PLACES = 5;

/** The ends of a path and the nodes with several edges on it; only the last ones if there are many. */
export function pathPlaces(
  { nodes, out }: Analysis,
  path: readonly number[],
  say: (id: string, step: number) => string,
): RelatedAt[] {
  const ways = (node: number) => (out.start[node + 1] as number) - (out.start[node] as number);
  const steps = path
    .map((node, step) => ({ node, step }))
    .filter(({ node, step }) => step === 0 || step === path.length - 1 || ways(node) > 1);
  const shown = steps.length <= MAX_PLACES ? steps : [steps[0] as (typeof steps)[0], ...steps.slice(1 - MAX_PLACES)];
  return shown.map(({ node, step }) => ({ message: say(nodes[node]?.id ?? "", step), at: { node } }));
}
