/**
 * Which variables may be unset at which node, and on what path. A variable is followed from the entry along every path
 * for as long as nothing sets it: sets of bits that spread along the edges until nothing new arrives.
 */
import { type Analysis, type NodeParts, UseKind } from "../analysis";
import { textOf } from "../values";

/** A node's uses of a variable that only read it: the first of them, and all. */
export interface Read {
  readonly node: number;
  readonly bit: number;
  readonly use: number;
  readonly uses: number[];
}

/** Reads that come first on some path, each with the reads behind it that no other way leads to first. */
export interface FirstRead {
  readonly read: Read;
  /** As node and use; the same node's further uses come first. */
  readonly others: { readonly node: number; readonly use: number }[];
  /** The nodes from the entry to the reader; only the last ones where the way is very long. */
  path(): { readonly path: number[]; readonly cut: boolean };
}

export function firstReads(flow: Analysis): FirstRead[] {
  const { bits, count } = trackedVariables(flow);
  if (flow.entry < 0 || count === 0) return [];
  const first = new Spread(flow, bits, count, true);
  first.run();
  const byRead = new Map<number, FirstRead>();
  const keyOf = (node: number, bit: number) => node * count + bit;
  const later: Read[] = [];
  const isFirst = (read: Read) => first.has(read.node, read.bit);
  for (const reads of first.reads)
    for (const read of reads ?? []) {
      if (!isFirst(read)) {
        later.push(read);
        continue;
      }
      const others = read.uses.slice(1).map((use) => ({ node: read.node, use }));
      byRead.set(keyOf(read.node, read.bit), { read, others, path: () => first.pathTo(read.node, read.bit) });
    }
  if (byRead.size === 0) return [];
  const unset = later.length > 0 ? new Spread(flow, bits, count, false) : undefined;
  unset?.run();
  for (const { node, bit, uses } of later) {
    if (!unset?.has(node, bit)) continue;
    // Back along the way it is reached by, to the first reader on it.
    let owner: FirstRead | undefined;
    for (let at = unset.before(node, bit); at >= 0 && !owner; at = unset.before(at, bit))
      owner = byRead.get(keyOf(at, bit));
    for (const use of uses) owner?.others.push({ node, use });
  }
  return [...byRead.values()];
}

/** The bit of each symbol that is tracked, else -1: declared, learned in the conversation, set and read by some node. */
function trackedVariables(flow: Analysis): { bits: Int32Array; count: number } {
  const set = new Uint8Array(flow.symbols);
  const read = new Uint8Array(flow.symbols);
  for (let node = 0; node < flow.parts.length; node++) {
    const { uses, useKinds } = flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++) (useKinds[use] === UseKind.sets ? set : read)[uses[use] as number] = 1;
  }
  const bits = new Int32Array(flow.symbols).fill(-1);
  let count = 0;
  flow.document.variables.forEach((variable, number) => {
    const symbol = flow.symbolOf(variable.name);
    if (!set[symbol] || !read[symbol] || flow.variableOf(symbol) !== number) return;
    const source = textOf(variable.fields.get("source")?.value);
    if (source === undefined || source === "derived") bits[symbol] = count++;
  });
  return { bits, count };
}

const MAX_STEPS = 64;

class Spread {
  readonly reads: (Read[] | undefined)[];
  readonly #words: number;
  readonly #unset: Int32Array;
  /** What a node does to the bits on their way out: on every edge, and on edges that are no event. */
  readonly #always: Int32Array;
  readonly #done: Int32Array;
  /** For each arrival of new bits at a node: where they came from, and the arrival at that node before. */
  readonly #from: number[] = [];
  readonly #bits: number[] = [];
  readonly #earlier: number[] = [];
  readonly #latest: Int32Array;

  constructor(
    private readonly flow: Analysis,
    tracked: Int32Array,
    variables: number,
    /** Whether a variable counts as set behind the first node that reads it. */
    private readonly stopsAtReads: boolean,
  ) {
    const count = flow.nodes.length;
    this.reads = new Array(count).fill(undefined);
    this.#words = (variables + 31) >> 5;
    this.#unset = new Int32Array(count * this.#words);
    this.#always = new Int32Array(count * this.#words);
    this.#done = new Int32Array(count * this.#words);
    this.#latest = new Int32Array(count).fill(-1);
    for (let node = 0; node < count; node++) this.#learn(node, tracked);
    for (let bit = 0; bit < variables; bit++) this.#mark(this.#unset, flow.entry, bit);
  }

  has(node: number, bit: number): boolean {
    return (((this.#unset[node * this.#words + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  /** Sweeps over the nodes in an order where callers mostly come first, so that a few sweeps are enough. */
  run(): void {
    const { out, parts, entry } = this.flow;
    const words = this.#words;
    const order = callersFirst(out, entry);
    const waiting = new Uint8Array(parts.length);
    const fresh = new Int32Array(words);
    waiting[entry] = 1;
    for (let again = true; again; ) {
      again = false;
      for (const node of order) {
        if (!waiting[node]) continue;
        waiting[node] = 0;
        const part = parts[node] as NodeParts;
        if (part.kind === "unknown") continue;
        for (let i = out.start[node] as number; i < (out.start[node + 1] as number); i++) {
          const target = out.to[i] as number;
          // An event is taken instead of the node's own result: what the node would have set is not set.
          const event = part.events[out.edge[i] as number] === true;
          let any = 0;
          for (let w = 0; w < words; w++) {
            const at = node * words + w;
            let bits = (this.#unset[at] as number) & ~(this.#always[at] as number);
            if (!event) bits &= ~(this.#done[at] as number);
            const arrived = bits & ~(this.#unset[target * words + w] as number);
            fresh[w] = arrived;
            any |= arrived;
          }
          if (any === 0) continue;
          for (let w = 0; w < words; w++) {
            const at = target * words + w;
            this.#unset[at] = (this.#unset[at] as number) | (fresh[w] as number);
            this.#bits.push(fresh[w] as number);
          }
          this.#from.push(node);
          this.#earlier.push(this.#latest[target] as number);
          this.#latest[target] = this.#from.length - 1;
          waiting[target] = 1;
          again = true;
        }
      }
    }
  }

  /** The node from which a bit came to a node; -1 at the entry. */
  before(node: number, bit: number): number {
    let arrival = this.#latest[node] as number;
    while (arrival >= 0 && !this.#brought(arrival, bit)) arrival = this.#earlier[arrival] as number;
    return arrival < 0 ? -1 : (this.#from[arrival] as number);
  }

  /** The way a bit took from the entry to a node; only its end where it is very long. */
  pathTo(node: number, bit: number): { path: number[]; cut: boolean } {
    const path = [node];
    while (path.length < MAX_STEPS) {
      const at = this.before(path.at(-1) as number, bit);
      if (at < 0) return { path: path.reverse(), cut: false };
      path.push(at);
    }
    return { path: path.slice(0, 4).reverse(), cut: true };
  }

  #brought(arrival: number, bit: number): boolean {
    return (((this.#bits[arrival * this.#words + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  #learn(node: number, tracked: Int32Array): void {
    const { uses, useKinds } = this.flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++) {
      const bit = tracked[uses[use] as number] as number;
      if (bit < 0) continue;
      const kind = useKinds[use];
      if (kind === UseKind.sets) this.#mark(this.#done, node, bit);
      else if (kind !== UseKind.reads || this.stopsAtReads) this.#mark(this.#always, node, bit);
      if (kind !== UseKind.reads) continue;
      this.reads[node] ??= [];
      const reads = this.reads[node];
      const known = reads.find((read) => read.bit === bit);
      if (known) known.uses.push(use);
      else reads.push({ node, bit, use, uses: [use] });
    }
  }

  #mark(bits: Int32Array, node: number, bit: number): void {
    const at = node * this.#words + (bit >> 5);
    bits[at] = (bits[at] as number) | (1 << (bit & 31));
  }
}

/** The nodes that can be reached, each after those that lead to it as far as loops allow (reverse postorder). */
function callersFirst(out: Analysis["out"], entry: number): Int32Array {
  const count = out.start.length - 1;
  const order = new Int32Array(count);
  const seen = new Uint8Array(count);
  const at = new Int32Array(count);
  const stack = new Int32Array(count);
  let depth = 0;
  let place = count;
  stack[0] = entry;
  seen[entry] = 1;
  at[entry] = out.start[entry] as number;
  while (depth >= 0) {
    const node = stack[depth] as number;
    const next = at[node] as number;
    if (next === out.start[node + 1]) {
      order[--place] = node;
      depth--;
      continue;
    }
    at[node] = next + 1;
    const target = out.to[next] as number;
    if (seen[target]) continue;
    seen[target] = 1;
    at[target] = out.start[target] as number;
    stack[++depth] = target;
  }
  return order.subarray(place);
}
