/** Assigns levels: each node is one level below its lowest predecessor, ignoring edges that close a loop. */

export interface Arrow {
  readonly source: string;
  readonly target: string;
}

/** The walk starts at the first node, so loops are closed by the edges that lead back to it. */
export function ranksOf(nodes: readonly string[], arrows: readonly Arrow[]): Map<string, number> {
  const next = new Map<string, string[]>(nodes.map((id) => [id, []]));
  for (const { source, target } of arrows) next.get(source)?.push(target);
  const ranks = new Map(nodes.map((id) => [id, 0]));
  // In reverse postorder, every edge points forward except those that close a loop.
  const order = finished(nodes, next).reverse();
  const place = new Map(order.map((id, index) => [id, index]));
  for (const [index, id] of order.entries())
    for (const target of next.get(id) ?? []) {
      if ((place.get(target) ?? 0) <= index) continue;
      ranks.set(target, Math.max(ranks.get(target) ?? 0, (ranks.get(id) ?? 0) + 1));
    }
  return ranks;
}

/** Depth-first postorder without recursion, since flows may be thousands of nodes deep. */
function finished(nodes: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[] {
  const done: string[] = [];
  const seen = new Set<string>();
  for (const start of nodes) {
    if (seen.has(start)) continue;
    seen.add(start);
    const path = [{ id: start, at: 0 }];
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const target = next.get(step.id)?.[step.at++];
      if (target === undefined) {
        done.push(step.id);
        path.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        path.push({ id: target, at: 0 });
      }
    }
  }
  return done;
}
