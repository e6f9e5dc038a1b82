/** The merge of a file with what the platform has, both read in the file's own form. */
import { type Conflict, emptyGraph, type Graph, type Merge, mergeGraphs, type Side } from "../flow";
import type { Known } from "./journal";
import { adopt, asWritten, carry, type Pairs, withoutAdditions, withoutDropped } from "./normal-form";

export interface Merging {
  merge(file: Graph, choose?: (conflict: Conflict) => Side | undefined): Merge;
  /** The platform's forms that hold for a file that has everything. */
  pairs(file: Graph): Pairs;
}

/** `base` is the common ancestor. With `additions` the platform's defaults go into the file as well. */
export function mergingOf(base: Known | undefined, remote: Known, additions: boolean): Merging {
  const pairs = (file: Graph): Pairs => {
    const adopted = adopt(remote.pairs ?? [], file);
    return additions ? withoutAdditions(adopted, file) : adopted;
  };
  // What was learned since holds for the base as well, where it stores the same.
  const learned = base ? carry(base.graph, remote.pairs ?? [], base.pairs ?? []) : [];
  const merge = (file: Graph, choose?: (conflict: Conflict) => Side | undefined): Merge => {
    // Two graphs without a common past: what they share is shared, what differs is a conflict.
    const ancestor = base ? asWritten(base.graph, withoutDropped(adopt(learned, file), remote.graph)) : emptyGraph;
    return mergeGraphs(ancestor, file, asWritten(remote.graph, pairs(file)), choose);
  };
  return { merge, pairs };
}
