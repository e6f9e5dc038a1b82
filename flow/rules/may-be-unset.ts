import type { Analysis, NodeParts } from "../analysis";
import type { NodeEntry } from "../document";
import { textOf } from "../values";
import { pathPlaces, tellPath } from "./paths";
import type { Rule } from "./rule";

/**
 * A variable is followed from the entry along every path for as long as nothing sets it; a node that reads it there is
 * reported, with the path. What cannot be known is taken as set: a variable that no node of the flow sets, or that has
 * a source outside the conversation; everything behind a node of unknown type; and a variable that an edge of the node
 * asks about, since asking is how a flow finds out whether a value is known. After the first read on a path the
 * variable counts as set, so that one mistake is told once.
 */
export const mayBeUnset: Rule = {
  code: "may-be-unset",
  severity: "warning",
  title: "A variable is read on a path where nothing has set it yet",
  checkGraph(flow, report) {
    const tracked = trackedVariables(flow);
    if (tracked.size === 0 || flow.entry < 0) return;
    const spread = new Spread(flow, tracked);
    spread.run();
    for (let node = 0; node < flow.nodes.length; node++) {
      const reads = spread.reads[node];
      if (!reads) continue;
      for (const { bit, use, name } of reads) {
        if (!spread.has(node, bit)) continue;
        const { path, cut } = spread.pathTo(node, bit);
        const told = cut ? `${flow.nodes[flow.entry]?.id} → … → ${tellPath(flow, path)}` : tellPath(flow, path);
        const why =
          path.length > 1 ? `no node on the path ${told} sets it` : "the flow starts there, and nothing has set it";
        report({
          message: `"${name}" may not be set yet when "${flow.nodes[node]?.id}" reads it: ${why}. Collect it before, or lead the path past a node that does.`,
          at: { node, use },
          related: pathPlaces(flow, path.slice(0, -1), (id, step) =>
            step === 0 && !cut ? `From "${id}" …` : `… to "${id}" …`,
          ),
          data: { name },
        });
      }
    }
  },
};

interface Read {
  readonly bit: number;
  readonly use: number;
  readonly name: string;
}

/** Bits by the symbol of a variable's name: declared, learned in the conversation, set by some node, read by some node. */
function trackedVariables(flow: Analysis): Map<number, number> {
  const set = new Set<number>();
  const read = new Set<number>();
  flow.parts.forEach(({ uses }, node) => {
    const refs = flow.nodes[node]?.refs ?? [];
    for (let use = 0; use < uses.length; use++) (refs[use]?.kind === "template" ? read : set).add(uses[use] as number);
  });
  const bits = new Map<number, number>();
  for (const symbol of set) {
    if (!read.has(symbol)) continue;
    const variable = flow.document.variables[flow.variableOf(symbol)];
    if (!variable) continue;
    const source = textOf(variable.fields.get("source")?.value);
    if (source === undefined || source === "derived") bits.set(symbol, bits.size);
  }
  return bits;
}

const MAX_STEPS = 64;

/** Which variables may be unset at which node: sets of bits that spread along the edges until nothing new arrives. */
class Spread {
  readonly reads: (Read[] | undefined)[] = [];
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
    tracked: ReadonlyMap<number, number>,
  ) {
    const count = flow.nodes.length;
    this.#words = (tracked.size + 31) >> 5;
    this.#unset = new Int32Array(count * this.#words);
    this.#always = new Int32Array(count * this.#words);
    this.#done = new Int32Array(count * this.#words);
    this.#latest = new Int32Array(count).fill(-1);
    for (let node = 0; node < count; node++) this.#learn(node, tracked);
    const entry = flow.entry;
    for (let bit = 0; bit < tracked.size; bit++) this.#mark(this.#unset, entry, bit);
  }

  has(node: number, bit: number): boolean {
    return (((this.#unset[node * this.#words + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  run(): void {
    const { out } = this.flow;
    const words = this.#words;
    const queue = [this.flow.entry];
    const waiting = new Uint8Array(this.flow.nodes.length);
    const fresh = new Int32Array(words);
    for (const node of queue) {
      waiting[node] = 0;
      const entry = this.flow.nodes[node] as NodeEntry;
      if (this.flow.parts[node]?.kind === "unknown") continue;
      for (let i = out.start[node] as number; i < (out.start[node + 1] as number); i++) {
        const target = out.to[i] as number;
        const event = isEvent(entry, out.edge[i] as number);
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
        if (!waiting[target]) {
          waiting[target] = 1;
          queue.push(target);
        }
      }
    }
  }

  /** The way a bit took from the entry to a node; only its end where it is very long. */
  pathTo(node: number, bit: number): { path: number[]; cut: boolean } {
    const path = [node];
    for (let at = node; path.length < MAX_STEPS; ) {
      let arrival = this.#latest[at] as number;
      while (arrival >= 0 && !this.#brought(arrival, bit)) arrival = this.#earlier[arrival] as number;
      if (arrival < 0) return { path: path.reverse(), cut: false };
      at = this.#from[arrival] as number;
      path.push(at);
    }
    return { path: path.slice(0, 4).reverse(), cut: true };
  }

  #brought(arrival: number, bit: number): boolean {
    return (((this.#bits[arrival * this.#words + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  #learn(node: number, tracked: ReadonlyMap<number, number>): void {
    const { uses } = this.flow.parts[node] as NodeParts;
    if (uses.length === 0) return;
    const { refs } = this.flow.nodes[node] as NodeEntry;
    for (let use = 0; use < uses.length; use++) {
      const ref = refs[use];
      const bit = tracked.get(uses[use] as number);
      if (!ref || bit === undefined) continue;
      if (ref.kind !== "template") {
        this.#mark(this.#done, node, bit);
        continue;
      }
      this.#mark(this.#always, node, bit);
      if (ref.edge !== undefined) continue;
      // A node that collects a variable may name it in its own words.
      if (refs.some((other) => other.kind === "collect" && other.name === ref.name)) continue;
      this.reads[node] ??= [];
      const reads = this.reads[node];
      if (!reads.some((read) => read.bit === bit)) reads.push({ bit, use, name: ref.name });
    }
  }

  #mark(bits: Int32Array, node: number, bit: number): void {
    const at = node * this.#words + (bit >> 5);
    bits[at] = (bits[at] as number) | (1 << (bit & 31));
  }
}

/** Taken instead of the node's own result: what the node would have set is not set. */
function isEvent(entry: NodeEntry, edge: number): boolean {
  return entry.edges[edge]?.wire?.on !== undefined;
}
