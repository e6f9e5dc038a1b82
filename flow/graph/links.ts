/** The links between nodes, by number, and paths through them. */

/** The links of all nodes in one array: those of node `n` are `to[start[n]]` up to `to[start[n + 1]]`. */
export interface Links {
  readonly start: Int32Array;
  readonly to: Int32Array;
  /** The index of the edge in its node's list. */
  readonly edge: Int32Array;
}

/** Which nodes can be reached from some nodes (including these), as 1 in an array by number. */
export function reach(links: Links, from: Iterable<number>): Uint8Array {
  const count = links.start.length - 1;
  const seen = new Uint8Array(count);
  const queue = new Int32Array(count);
  let end = 0;
  for (const n of from)
    if (n >= 0 && !seen[n]) {
      seen[n] = 1;
      queue[end++] = n;
    }
  for (let at = 0; at < end; at++) {
    const n = queue[at] as number;
    for (let i = links.start[n] as number; i < (links.start[n + 1] as number); i++) {
      const target = links.to[i] as number;
      if (seen[target]) continue;
      seen[target] = 1;
      queue[end++] = target;
    }
  }
  return seen;
}

/**
 * The strongly connected components: the component of each node, and their number. Tarjan's algorithm with an explicit
 * stack, because a flow may be a chain of thousands of nodes.
 */
export function components(links: Links): { readonly of: Int32Array; readonly count: number } {
  const count = links.start.length - 1;
  const of = new Int32Array(count).fill(-1);
  const order = new Int32Array(count);
  const low = new Int32Array(count);
  const open = new Int32Array(count);
  const calls = new Int32Array(count);
  const at = new Int32Array(count);
  let found = 0;
  let opened = 0;
  let clock = 0;
  for (let root = 0; root < count; root++) {
    if (order[root]) continue;
    let depth = 0;
    calls[0] = root;
    while (depth >= 0) {
      const n = calls[depth] as number;
      if (!order[n]) {
        order[n] = low[n] = ++clock;
        open[opened++] = n;
        at[n] = links.start[n] as number;
      }
      let deeper = false;
      while ((at[n] as number) < (links.start[n + 1] as number)) {
        const target = links.to[at[n] as number] as number;
        if (!order[target]) {
          calls[++depth] = target;
          deeper = true;
          break;
        }
        if ((of[target] as number) < 0) low[n] = Math.min(low[n] as number, low[target] as number);
        at[n] = (at[n] as number) + 1;
      }
      if (deeper) continue;
      if (low[n] === order[n]) {
        let member: number;
        do {
          member = open[--opened] as number;
          of[member] = found;
        } while (member !== n);
        found++;
      }
      depth--;
    }
  }
  return { of, count: found };
}

/** A shortest path through allowed nodes to one that matches, including both ends; undefined if there's none. */
export function wayTo(
  links: Links,
  from: number,
  fits: (node: number) => boolean,
  allowed: (node: number) => boolean = () => true,
): number[] | undefined {
  const before = new Map<number, number>();
  const queue = [from];
  for (let at = 0; at < queue.length; at++) {
    const n = queue[at] as number;
    for (let i = links.start[n] as number; i < (links.start[n + 1] as number); i++) {
      const target = links.to[i] as number;
      if (fits(target)) {
        const way = [target];
        for (let back: number | undefined = n; back !== undefined; back = back === from ? undefined : before.get(back))
          way.push(back);
        return way.reverse();
      }
      if (target === from || before.has(target) || !allowed(target)) continue;
      before.set(target, n);
      queue.push(target);
    }
  }
  return undefined;
}
