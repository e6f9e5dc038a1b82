/** Plans from the platform's graph to the file's, with the last one cached for each target. */
import { type Graph, mergeGraphs, type Plan, plan } from "../flow";
import type { Target } from "./host";
import type { JournalRecord } from "./journal/record";
import { view } from "./reconcile";

/**
 * The last plan for each target, because a plan that waits for confirmation is sent afterwards. Graphs are immutable.
 */
const last = new WeakMap<Target, { readonly from: Graph; readonly made: Plan }>();

export function planFrom(from: Graph, target: Target): Plan {
  const known = last.get(target);
  if (known?.from === from) return known.made;
  const made = target.planFrom?.(from) ?? plan(from, target.graph);
  last.set(target, { from, made });
  return made;
}

/** What a push would send as far as known: with platform changes, after merging them. */
export function plannedPush({ base, remote }: JournalRecord, target: Target): Plan | undefined {
  const known = remote ?? base;
  if (!known) return undefined;
  const from = view(known, target.graph);
  if (!remote || !base) return planFrom(from, target);
  return plan(from, mergeGraphs(view(base, target.graph), target.graph, from).graph);
}
