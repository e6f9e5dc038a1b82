/**
 * Which variables still matter where: backwards from the conditions, what a node asks about, and what those behind it do
 * unless it sets it anew. Nodes are known by their numbers and kept as numbers, so that thousands take a millisecond.
 */
import type { NumberedNodes } from "./numbered";
import type { RunNode } from "./program";

export class Liveness {
  /** The variables that conditions ask about. */
  readonly variables: readonly string[];
  readonly #numbers = new Map<string, number>();
  /** How many words of 32 bits hold a bit for each variable. */
  readonly #words: number;
  /** By node: what it asks about, and the variable it sets anew. */
  readonly #asked: Uint32Array;
  readonly #own: Int32Array;
  /** By node: where its targets are in the list of all. Those of an edited node are put behind. */
  readonly #starts: Int32Array;
  readonly #counts: Int32Array;
  readonly #targets: number[] = [];
  #live: Uint32Array;

  constructor(private readonly numbered: NumberedNodes) {
    const { nodes } = numbered;
    for (const { asks } of nodes)
      for (const each of asks) if (!this.#numbers.has(each)) this.#numbers.set(each, this.#numbers.size);
    this.variables = [...this.#numbers.keys()];
    this.#words = Math.ceil(this.variables.length / 32);
    this.#asked = new Uint32Array(nodes.length * this.#words);
    this.#own = new Int32Array(nodes.length);
    this.#starts = new Int32Array(nodes.length);
    this.#counts = new Int32Array(nodes.length);
    nodes.forEach((node, number) => {
      this.#put(number, node);
    });
    this.#live = this.#spread();
  }

  /** The variables whose value on entering a node can make a difference later. */
  isAt(node: number, variable: string): boolean {
    const number = this.#numbers.get(variable);
    if (number === undefined) return false;
    return ((this.#live[node * this.#words + (number >> 5)] as number) & (1 << (number & 31))) !== 0;
  }

  /** The same for two nodes where the same variables matter. */
  signOf(node: number): number | string {
    const words = this.#words;
    if (words <= 1) return words === 0 ? 0 : (this.#live[node] as number);
    return this.#live.subarray(node * words, (node + 1) * words).join();
  }

  /** Takes over edited nodes, and says at which nodes other variables matter now; undefined where all has to be read anew. */
  replace(edited: ReadonlyMap<number, RunNode>): Set<number> | undefined {
    for (const { asks } of edited.values()) if (asks.some((each) => !this.#numbers.has(each))) return undefined;
    if (this.#targets.length > 8 * this.#own.length + 1000) return undefined;
    for (const [number, node] of edited) this.#put(number, node);
    const before = this.#live;
    // Most edits of edges lead from where a variable matters to where it matters, too.
    if ([...edited.keys()].every((number) => this.#isSettled(number))) return new Set();
    this.#live = this.#spread();
    const other = new Set<number>();
    for (let at = 0; at < before.length; at++)
      if (this.#live[at] !== before[at]) other.add(Math.floor(at / this.#words));
    return other;
  }

  #put(number: number, { asks, variable }: RunNode): void {
    this.#asked.fill(0, number * this.#words, (number + 1) * this.#words);
    for (const each of asks) {
      const bit = this.#numbers.get(each) as number;
      const word = number * this.#words + (bit >> 5);
      this.#asked[word] = (this.#asked[word] as number) | (1 << (bit & 31));
    }
    this.#own[number] = (variable === undefined ? undefined : this.#numbers.get(variable)) ?? -1;
    this.#starts[number] = this.#targets.length;
    for (const target of this.numbered.targetsOf(number)) if (target >= 0) this.#targets.push(target);
    this.#counts[number] = this.#targets.length - (this.#starts[number] as number);
  }

  /** Whether at a node the same matters as what it asks about and what matters behind it say. */
  #isSettled(node: number): boolean {
    for (let word = 0; word < this.#words; word++)
      if (this.#wanted(node, word, this.#live) !== this.#live[node * this.#words + word]) return false;
    return true;
  }

  #wanted(node: number, word: number, live: Uint32Array): number {
    const start = this.#starts[node] as number;
    const end = start + (this.#counts[node] as number);
    let wanted = this.#asked[node * this.#words + word] as number;
    for (let at = start; at < end; at++) wanted |= live[(this.#targets[at] as number) * this.#words + word] as number;
    const own = this.#own[node] as number;
    if (own >> 5 === word) wanted &= ~(1 << (own & 31));
    return wanted >>> 0;
  }

  /** Goes through all nodes from behind until nothing is added any more: most edges lead onwards in the file. */
  #spread(): Uint32Array {
    const words = this.#words;
    const live = new Uint32Array(this.#asked.length);
    for (let isMore = words > 0; isMore; ) {
      isMore = false;
      for (let node = this.#own.length - 1; node >= 0; node--) {
        for (let word = 0; word < words; word++) {
          const wanted = this.#wanted(node, word, live);
          if (live[node * words + word] === wanted) continue;
          live[node * words + word] = wanted;
          isMore = true;
        }
      }
    }
    return live;
  }
}
