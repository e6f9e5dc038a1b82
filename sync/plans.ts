/** Plans from the platform's graph to the file's. */
import { type Graph, mergeGraphs, type Plan, plan } from "../flow";
import type { Target } from "./host";
import type { JournalRecord } from "./journal/record";
import { view } from "./reconcile";

export function planFrom(from: Graph, target: Target): Plan {
  return target.planFrom?.(from) ?? plan(from, target.graph);
}

/** What a push would send: the difference from the last known platform graph, after merging its changes. */
export function plannedPush({ base, remote }: JournalRecord, target: Target): Plan | undefined {
  const known = remote ?? base;
  if (!known) return undefined;
  const from = view(known, target.graph);
  if (!remote || !base) return planFrom(from, target);
  return plan(from, mergeGraphs(view(base, target.graph), target.graph, from).graph);
}
