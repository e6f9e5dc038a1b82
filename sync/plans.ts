/** Plans from the platform's graph to the file's, and merges of the platform's changes into the file. */
import { type Conflict, emptyGraph, type Graph, type Merge, mergeGraphs, type Plan, plan, type Side } from "../flow";
import type { Target } from "./host";
import type { JournalRecord, Known } from "./journal/record";
import { adopt, asWritten, carry, type Pairs, withoutAdditions, withoutDropped } from "./normal-form/normal-form";
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

interface Merging {
  merge(file: Graph): Merge;
  /** The platform's forms that apply to a merged file. */
  pairs(file: Graph): Pairs;
}

/** `base` is the common ancestor. With `additions` the platform's defaults are merged as well. */
export function mergingOf(
  base: Known | undefined,
  remote: Known,
  additions: boolean,
  choose: (conflict: Conflict) => Side | undefined,
): Merging {
  const pairs = (file: Graph): Pairs => {
    const adopted = adopt(remote.pairs ?? [], file);
    return additions ? withoutAdditions(adopted, file) : adopted;
  };
  // Pairs learned since then also apply to the base if it stores the same values.
  const learned = base ? carry(base.graph, remote.pairs ?? [], base.pairs ?? []) : [];
  const merge = (file: Graph): Merge => {
    // Without a common ancestor, equal elements are shared and different ones are conflicts.
    const ancestor = base ? asWritten(base.graph, withoutDropped(adopt(learned, file), remote.graph)) : emptyGraph;
    return mergeGraphs(ancestor, file, asWritten(remote.graph, pairs(file)), choose);
  };
  return { merge, pairs };
}
