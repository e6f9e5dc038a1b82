/** Finds nodes from which a conversation can't end. Unknown node types are assumed to end it. */

import type { Analysis, NodeParts } from "../../analysis";
import { AttachedCache } from "../../attached-cache";
import { components, reach } from "../../graph/links";

export interface Stuck {
  /** 1 for a node from which the conversation can end. */
  readonly canEnd: Uint8Array;
  /** The number of the inescapable loop that a node is part of, or -1. */
  readonly loop: Int32Array;
  /**
   * The path from a node that can't end to where it gets stuck: the next node, and the last one. -1 at the last node
   * itself.
   */
  readonly next: Int32Array;
  readonly last: Int32Array;
}

/** Undefined if every node can reach an end. */
export function stuckIn(flow: Analysis): Stuck | undefined {
  if (!known.has(flow)) known.set(flow, find(flow));
  return known.get(flow);
}

const known = new AttachedCache<Analysis, Stuck | undefined>();

function find(flow: Analysis): Stuck | undefined {
  const { nodes } = flow;
  const ends: number[] = [];
  for (let n = 0; n < nodes.length; n++) {
    const part = flow.parts[n] as NodeParts;
    if (part.kind !== "step" || part.named.length > 0 || size(flow, n) < part.targets.length) ends.push(n);
  }
  const canEnd = reach(flow.in, ends);
  if (!canEnd.includes(0)) return undefined;
  const loop = closedLoops(flow, canEnd);
  const next = new Int32Array(nodes.length).fill(-1);
  const last = new Int32Array(nodes.length).fill(-1);
  const queue: number[] = [];
  for (let n = 0; n < nodes.length; n++)
    if (!canEnd[n] && (size(flow, n) === 0 || (loop[n] as number) >= 0)) {
      last[n] = n;
      queue.push(n);
    }
  for (const n of queue)
    for (let i = flow.in.start[n] as number; i < (flow.in.start[n + 1] as number); i++) {
      const caller = flow.in.to[i] as number;
      if (canEnd[caller] || (last[caller] as number) >= 0) continue;
      next[caller] = n;
      last[caller] = last[n] as number;
      queue.push(caller);
    }
  return { canEnd, loop, next, last };
}

function size({ out }: Analysis, n: number): number {
  return (out.start[n + 1] as number) - (out.start[n] as number);
}

function closedLoops({ out, nodes }: Analysis, canEnd: Uint8Array): Int32Array {
  const { of, count } = components(out);
  const open = new Uint8Array(count);
  const cyclic = new Uint8Array(count);
  for (let n = 0; n < nodes.length; n++) {
    const own = of[n] as number;
    if (canEnd[n]) open[own] = 1;
    for (let i = out.start[n] as number; i < (out.start[n + 1] as number); i++)
      if (of[out.to[i] as number] === own) cyclic[own] = 1;
      else open[own] = 1;
  }
  return of.map((component) => (cyclic[component] && !open[component] ? component : -1));
}
