/** How far down each node belongs: one below the lowest node that leads to it, where the edge closes no loop. */

export interface Arrow {
  readonly source: string;
  readonly target: string;
}

/** The first node is where the walk begins, so loops are closed by the edges that lead back towards it. */
export function ranksOf(nodes: readonly string[], arrows: readonly Arrow[]): Map<string, number> {
  const next = new Map<string, string[]>(nodes.map((id) => [id, []]));
  for (const { source, target } of arrows) next.get(source)?.push(target);
  const ranks = new Map(nodes.map((id) => [id, 0]));
  // In the reverse of the order in which a walk leaves the nodes, every edge leads onwards but those that close a loop.
  const order = finished(nodes, next).reverse();
  const place = new Map(order.map((id, index) => [id, index]));
  for (const [index, id] of order.entries())
    for (const target of next.get(id) ?? []) {
      if ((place.get(target) ?? 0) <= index) continue;
      ranks.set(target, Math.max(ranks.get(target) ?? 0, (ranks.get(id) ?? 0) + 1));
    }
  return ranks;
}

/** Depth first, without recursion: flows may be thousands of nodes deep. */
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
