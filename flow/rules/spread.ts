/**
 * How far variables stay unset: bits that start at the entry and go along every edge, a step at a time and all at once, until
 * a node stops them. After how many steps a bit came to a node is kept, and a way is told backwards from that: always a
 * shortest one, and of those the one whose nodes come first in the file. So an edge that changes elsewhere doesn't change
 * the ways that are told.
 */
import { type Analysis, type NodeParts, UseKind } from "../analysis";

const MAX_STEPS = 64;

export class Spread {
  readonly #words: number;
  readonly #unset: Int32Array;
  /** The bits that a node stops on every edge: those its edges ask about; those and the ones its words read. */
  readonly #asked: Int32Array;
  readonly #askedOrRead: Int32Array;
  /** The bits that a node stops on edges that are no event. */
  readonly #set: Int32Array;
  /** For each arrival of new bits at a node: after how many steps, which bits, and the arrival at that node before. */
  #steps: Int32Array;
  #bits: Int32Array;
  #earlier: Int32Array;
  #arrivals = 0;
  readonly #latest: Int32Array;
  /** How many arrivals there are without those behind the nodes that read first. */
  #first = 0;

  constructor(
    private readonly flow: Analysis,
    tracked: Int32Array,
    variables: number,
  ) {
    const count = flow.nodes.length;
    const words = (variables + 31) >> 5;
    this.#words = words;
    this.#unset = new Int32Array(count * words);
    this.#asked = new Int32Array(count * words);
    this.#askedOrRead = new Int32Array(count * words);
    this.#set = new Int32Array(count * words);
    this.#steps = new Int32Array(count);
    this.#earlier = new Int32Array(count);
    this.#bits = new Int32Array(count * words);
    this.#latest = new Int32Array(count).fill(-1);
    for (let node = 0; node < count; node++) this.#learn(node, tracked);
    for (let bit = 0; bit < variables; bit++) mark(this.#unset, flow.entry * words, bit);
  }

  has(node: number, bit: number): boolean {
    return hasBit(this.#unset, node * this.#words, bit);
  }

  /** Whether a bit comes to a node on a way on which nobody reads it. */
  isFirst(node: number, bit: number): boolean {
    return this.has(node, bit) && this.#arrivalOf(node, bit) < this.#first;
  }

  /** As if a variable were set behind the first node that reads it. */
  run(): void {
    const { entry } = this.flow;
    const leaving = new Int32Array(this.#unset.length);
    for (let at = entry * this.#words; at < (entry + 1) * this.#words; at++) leaving[at] = this.#unset[at] as number;
    this.#spread([entry], leaving, this.#askedOrRead);
    this.#first = this.#arrivals;
  }

  /** And on from the nodes that read first, each named once. */
  runBehind(readers: readonly number[]): void {
    const leaving = new Int32Array(this.#unset.length);
    for (let index = 0; index < readers.length; index++) {
      const start = (readers[index] as number) * this.#words;
      for (let at = start; at < start + this.#words; at++)
        leaving[at] = (this.#unset[at] as number) & (this.#askedOrRead[at] as number);
    }
    this.#spread(readers, leaving, this.#asked);
  }

  /**
   * The node that reads a variable first on the way on which it came to a node behind; -1 where it doesn't come there. For
   * one bit after the other: what was walked for a bit is not walked again.
   */
  owners(): (node: number, bit: number) => number {
    const owner = new Int32Array(this.#latest.length);
    const ownerFor = new Int32Array(this.#latest.length).fill(-1);
    const walked: number[] = [];
    return (node, bit) => {
      if (!this.has(node, bit)) return -1;
      walked.length = 0;
      let at = node;
      while (ownerFor[at] !== bit && this.#arrivalOf(at, bit) >= this.#first) {
        walked.push(at);
        at = this.#before(at, bit);
      }
      const found = ownerFor[at] === bit ? (owner[at] as number) : at;
      for (const each of walked) {
        owner[each] = found;
        ownerFor[each] = bit;
      }
      return found;
    };
  }

  /** The way a bit took from the entry to a node; only its end where it is very long. */
  pathTo(node: number, bit: number): { path: number[]; cut: boolean } {
    const path = [node];
    for (let at = node; path.length < MAX_STEPS; path.push(at)) {
      if (this.#arrivalOf(at, bit) < 0) return { path: path.reverse(), cut: false };
      at = this.#before(at, bit);
    }
    return { path: path.slice(0, 4).reverse(), cut: true };
  }

  /** Lets bits go on from some nodes, and from those where they arrive. */
  #spread(from: readonly number[], leaving: Int32Array, stops: Int32Array): void {
    const { out, parts } = this.flow;
    const { start, to, edge } = out;
    const words = this.#words;
    const unset = this.#unset;
    let here = new Int32Array(parts.length);
    let next = new Int32Array(parts.length);
    let arriving: Int32Array = new Int32Array(unset.length);
    const isNext = new Uint8Array(parts.length);
    const leave = new Leaving(words);
    here.set(from);
    for (let count = from.length, step = 1; count > 0; step++) {
      let found = 0;
      for (let index = 0; index < count; index++) {
        const node = here[index] as number;
        const { kind, events } = parts[node] as NodeParts;
        leave.take(node * words, leaving, stops, this.#set);
        const end = kind === "unknown" || leave.size === 0 ? 0 : (start[node + 1] as number);
        for (let i = start[node] as number; i < end; i++) {
          // An event is taken instead of the node's own result: what the node would have set is not set.
          const bits = events.length > 0 && events[edge[i] as number] === true ? leave.onEvent : leave.otherwise;
          const target = to[i] as number;
          let any = 0;
          for (let each = 0; each < leave.size; each++) {
            const at = target * words + (leave.word[each] as number);
            const known = unset[at] as number;
            const fresh = (bits[each] as number) & ~known;
            if (fresh === 0) continue;
            any = 1;
            unset[at] = known | fresh;
            arriving[at] = (arriving[at] as number) | fresh;
          }
          if (any === 0 || isNext[target] === 1) continue;
          isNext[target] = 1;
          next[found++] = target;
        }
      }
      for (let index = 0; index < found; index++) {
        isNext[next[index] as number] = 0;
        this.#arrive(next[index] as number, step, arriving);
      }
      [here, next, leaving, arriving] = [next, here, arriving, leaving];
      count = found;
    }
  }

  #arrive(node: number, step: number, bits: Int32Array): void {
    const number = this.#arrivals++;
    if (number === this.#steps.length) {
      this.#steps = grown(this.#steps);
      this.#earlier = grown(this.#earlier);
      this.#bits = grown(this.#bits);
    }
    const words = this.#words;
    for (let w = 0; w < words; w++) this.#bits[number * words + w] = bits[node * words + w] as number;
    this.#steps[number] = step;
    this.#earlier[number] = this.#latest[node] as number;
    this.#latest[node] = number;
  }

  /** The number of the arrival that brought a bit to a node; -1 at the entry. */
  #arrivalOf(node: number, bit: number): number {
    let arrival = this.#latest[node] as number;
    while (arrival >= 0 && !hasBit(this.#bits, arrival * this.#words, bit)) arrival = this.#earlier[arrival] as number;
    return arrival;
  }

  /** The first node in the file from which a bit can have come to a node; the entry, where all bits start, for itself. */
  #before(node: number, bit: number): number {
    const { start, to, edge } = this.flow.in;
    const arrival = this.#arrivalOf(node, bit);
    const steps = (this.#steps[arrival] as number) - 1;
    const isBehind = arrival >= this.#first;
    const stops = isBehind ? this.#asked : this.#askedOrRead;
    for (let i = start[node] as number; i < (start[node + 1] as number); i++) {
      const from = to[i] as number;
      const own = from * this.#words;
      if (!this.has(from, bit) || hasBit(stops, own, bit)) continue;
      const { kind, events } = this.flow.parts[from] as NodeParts;
      if (kind === "unknown" || (hasBit(this.#set, own, bit) && events[edge[i] as number] !== true)) continue;
      const before = this.#arrivalOf(from, bit);
      const isFirst = before < this.#first;
      // Behind the first readers, steps are counted from them.
      const itsSteps = before < 0 || (isBehind && isFirst) ? 0 : (this.#steps[before] as number);
      if (itsSteps === steps && (isBehind || isFirst)) return from;
    }
    return this.flow.entry;
  }

  #learn(node: number, tracked: Int32Array): void {
    const { uses, useKinds } = this.flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++) {
      const bit = tracked[uses[use] as number] as number;
      if (bit < 0) continue;
      const start = node * this.#words;
      const kind = useKinds[use];
      mark(kind === UseKind.sets ? this.#set : this.#askedOrRead, start, bit);
      if (kind === UseKind.asks || kind === UseKind.names) mark(this.#asked, start, bit);
    }
  }
}

/** What leaves a node: the words that have bits, for most arrivals are a few bits of many. */
class Leaving {
  size = 0;
  readonly word: Int32Array;
  readonly onEvent: Int32Array;
  readonly otherwise: Int32Array;

  constructor(words: number) {
    this.word = new Int32Array(words);
    this.onEvent = new Int32Array(words);
    this.otherwise = new Int32Array(words);
  }

  /** Takes the bits of a node away. */
  take(start: number, bits: Int32Array, stops: Int32Array, set: Int32Array): void {
    let size = 0;
    for (let w = 0; w < this.word.length; w++) {
      const left = (bits[start + w] as number) & ~(stops[start + w] as number);
      bits[start + w] = 0;
      if (left === 0) continue;
      this.word[size] = w;
      this.onEvent[size] = left;
      this.otherwise[size++] = left & ~(set[start + w] as number);
    }
    this.size = size;
  }
}

function hasBit(bits: Int32Array, start: number, bit: number): boolean {
  return (((bits[start + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
}

function mark(bits: Int32Array, start: number, bit: number): void {
  const at = start + (bit >> 5);
  bits[at] = (bits[at] as number) | (1 << (bit & 31));
}

function grown(list: Int32Array): Int32Array {
  const larger = new Int32Array(2 * list.length);
  larger.set(list);
  return larger;
}
