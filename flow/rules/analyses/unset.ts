/**
 * Which variables may be unset at which node, and on which path, as runs behave. A caller may give up, and a result may
 * lack a value that would be saved, so a variable is only known after a condition that tests it. This runs over the
 * whole flow after every structural change, so its results are flat arrays of numbers; objects are created on request.
 */

import { type Analysis, type NodeParts, UseKind } from "../../analysis";
import { AttachedCache } from "../../attached-cache";
import { getOrCreate } from "../../collections";
import { textOf } from "../../values";
import { Places } from "./places";
import { Spread } from "./spread";

export type Cause = "path" | "may-fail" | "asked-after" | "never-set";

export interface ReadAt {
  readonly node: number;
  readonly use: number;
}

/** The reads that come first on some path on which the variable may be unset. Cached per flow. */
export function firstReads(flow: Analysis): FirstReads {
  return getOrCreate(knownReads, flow, () => new FirstReads(flow));
}

const knownReads = new AttachedCache<Analysis, FirstReads>();

/**
 * A read is a node and a variable that the node's own text uses, once or several times; reads are numbered in file
 * order. First reads are reported. Later reads that are unset for the same reason are counted with them.
 */
class FirstReads {
  /** The numbers of the first reads, in file order. */
  readonly numbers: readonly number[];
  readonly #bits: Int32Array;
  readonly #isSet: readonly boolean[];
  readonly #reads: Reads;
  readonly #spread: Spread | undefined;
  /** By read: the bit that reaches it first, or -1 if it isn't a first read. */
  readonly #first: Int32Array;
  /** By read: how many other uses have the same cause, and the list of those reads. */
  readonly #others: Int32Array;
  readonly #firstOther: Int32Array;
  readonly #nextOther: Int32Array;

  constructor(private readonly flow: Analysis) {
    const { bits, count, isSet } = trackedVariables(flow);
    this.#bits = bits;
    this.#isSet = isSet;
    const some = flow.entry >= 0 && count > 0;
    this.#reads = readsIn(flow, some ? bits : undefined);
    const { size, more } = this.#reads;
    this.#first = new Int32Array(size).fill(-1);
    this.#others = more.slice(0, size);
    this.#firstOther = new Int32Array(size).fill(-1);
    this.#nextOther = new Int32Array(size).fill(-1);
    const numbers: number[] = [];
    if (some && size > 0) {
      this.#spread = new Spread(flow, Places.of(flow), bits, count);
      this.#spread.run();
      this.#divide(this.#spread, numbers);
    }
    this.numbers = numbers;
  }

  nodeOf(read: number): number {
    return this.#reads.node[read] as number;
  }

  /** The index of the node's first use. */
  useOf(read: number): number {
    return this.#reads.use[read] as number;
  }

  /**
   * Why the variable may be unset: some path doesn't set it, though others do; collecting or saving it may fail; its
   * own node collects it afterwards; or no node sets it.
   */
  causeOf(read: number): Cause {
    const own = this.#reads.bit[read] as number;
    const node = this.nodeOf(read);
    if (!this.#isSet[own]) return "never-set";
    if (Spread.isTried(this.#first[read] as number)) return "may-fail";
    const { uses, useKinds } = this.flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++)
      if (useKinds[use] === UseKind.sets && this.#bits[uses[use] as number] === own)
        return this.flow.nodes[node]?.type === "collect" ? "asked-after" : "path";
    return "path";
  }

  /** Whether some path to a read that may be unset doesn't even try to set the variable. */
  isUntried({ node, use }: ReadAt): boolean {
    const own = this.#bits[this.flow.parts[node]?.uses[use] as number] as number;
    return this.#spread !== undefined && !Spread.isTried(this.#spread.anyAt(node, own));
  }

  /** How many uses have the same cause. */
  countOthers(read: number): number {
    return this.#others[read] as number;
  }

  /** At most `most` uses with the same cause as the first read; further uses in the same node come first. */
  othersOf(node: number, use: number, most = Number.MAX_SAFE_INTEGER): ReadAt[] {
    const read = this.#firstAt(node, use);
    if (read < 0) return [];
    const found = this.#uses(read).slice(1);
    for (let at = this.#firstOther[read] as number; at >= 0 && found.length < most; at = this.#nextOther[at] as number)
      for (const each of this.#uses(at)) found.push(each);
    return found.slice(0, most);
  }

  /** The nodes from the entry to a first read; only the last ones if the path is very long. */
  pathTo(node: number, use: number): { readonly path: number[]; readonly cut: boolean } {
    const read = this.#firstAt(node, use);
    if (read < 0 || !this.#spread) return { path: [], cut: false };
    return this.#spread.pathTo(node, this.#first[read] as number);
  }

  #firstAt(node: number, use: number): number {
    const { start } = this.#reads;
    for (let read = start[node] ?? 0; read < (start[node + 1] ?? 0); read++)
      if (this.useOf(read) === use) return (this.#first[read] as number) >= 0 ? read : -1;
    return -1;
  }

  /** Finds the first reads, and assigns every other read to one of them. */
  #divide(spread: Spread, numbers: number[]): void {
    const { size, node, bit, more } = this.#reads;
    const later: number[] = [];
    for (let read = 0; read < size; read++) {
      this.#first[read] = spread.firstAt(node[read] as number, bit[read] as number);
      ((this.#first[read] as number) >= 0 ? numbers : later).push(read);
    }
    if (numbers.length === 0 || later.length === 0) return;
    const readers: number[] = [];
    for (let index = 0; index < numbers.length; index++) {
      const reader = node[numbers[index] as number] as number;
      if (reader !== readers[readers.length - 1]) readers.push(reader);
    }
    spread.runBehind(readers);
    const owners = spread.owners();
    // Sorted by variable, so that shared parts of paths are walked once.
    const by = new Map(later.map((read) => [read, spread.anyAt(node[read] as number, bit[read] as number)]));
    const behind = later.filter((read) => by.get(read) !== -1);
    behind.sort((a, b) => (by.get(a) as number) - (by.get(b) as number) || b - a);
    for (const read of behind) {
      const ownerNode = owners(node[read] as number, by.get(read) as number);
      const owner = this.#readOf(ownerNode, bit[read] as number);
      if (owner < 0) continue;
      this.#others[owner] = (this.#others[owner] as number) + 1 + (more[read] as number);
      this.#nextOther[read] = this.#firstOther[owner] as number;
      this.#firstOther[owner] = read;
    }
  }

  #readOf(node: number, bit: number): number {
    const { start, bit: bits } = this.#reads;
    for (let read = start[node] as number; read < (start[node + 1] as number); read++)
      if (bits[read] === bit) return read;
    return -1;
  }

  #uses(read: number): ReadAt[] {
    const node = this.nodeOf(read);
    const { uses, useKinds } = this.flow.parts[node] as NodeParts;
    const own = this.#reads.bit[read];
    const found: ReadAt[] = [];
    for (let use = 0; use < uses.length; use++)
      if (useKinds[use] === UseKind.reads && this.#bits[uses[use] as number] === own) found.push({ node, use });
    return found;
  }
}

/** The reads of a flow: those of node `n` have the numbers `start[n]` up to `start[n + 1]`. */
interface Reads {
  readonly size: number;
  readonly start: Int32Array;
  readonly node: Int32Array;
  readonly bit: Int32Array;
  /** The first use, and how many more uses the node has. */
  readonly use: Int32Array;
  readonly more: Int32Array;
}

function readsIn({ parts }: Analysis, bits: Int32Array | undefined): Reads {
  let most = 0;
  if (bits) for (let n = 0; n < parts.length; n++) most += (parts[n] as NodeParts).uses.length;
  const start = new Int32Array(parts.length + 1);
  const [node, bit] = [new Int32Array(most), new Int32Array(most)];
  const [use, more] = [new Int32Array(most), new Int32Array(most)];
  let size = 0;
  for (let n = 0; bits && n < parts.length; n++) {
    start[n] = size;
    const { uses, useKinds } = parts[n] as NodeParts;
    for (let u = 0; u < uses.length; u++) {
      const own = bits[uses[u] as number] as number;
      if (own < 0 || useKinds[u] !== UseKind.reads) continue;
      let known = start[n] as number;
      while (known < size && bit[known] !== own) known++;
      if (known < size) more[known] = (more[known] as number) + 1;
      else {
        node[size] = n;
        bit[size] = own;
        use[size++] = u;
      }
    }
  }
  start[parts.length] = size;
  return { size, start, node, bit, use, more };
}

/**
 * The bit of each tracked symbol, or -1. A variable is tracked if it's declared, read, and learned in the conversation.
 * Variables that no node of a component sets come from its callers.
 */
function trackedVariables(flow: Analysis): { bits: Int32Array; count: number; isSet: readonly boolean[] } {
  const set = new Uint8Array(flow.symbols);
  const read = new Uint8Array(flow.symbols);
  for (let node = 0; node < flow.parts.length; node++) {
    const { uses, useKinds } = flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++) (useKinds[use] === UseKind.sets ? set : read)[uses[use] as number] = 1;
  }
  const isComponent = flow.document.top("component_outputs") !== undefined;
  const bits = new Int32Array(flow.symbols).fill(-1);
  const isSet: boolean[] = [];
  flow.document.variables.forEach((variable, number) => {
    const symbol = flow.symbolOf(variable.name);
    if (!read[symbol] || (isComponent && !set[symbol]) || flow.variableOf(symbol) !== number) return;
    const source = textOf(variable.fields.get("source")?.value);
    if (source === undefined || source === "derived") bits[symbol] = isSet.push(set[symbol] === 1) - 1;
  });
  return { bits, count: isSet.length, isSet };
}
