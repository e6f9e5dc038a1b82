/**
 * Which variables still matter where (liveness): backwards from the conditions, what a node tests, and what the nodes
 * after it test unless it sets the variable again. Nodes are numbers, so thousands take a millisecond.
 */
import { partsOf } from "./conditions";
import { type Change, isAssigned, type NumberedFlow, PROSE } from "./numbered";
import type { RunNode } from "./program";

export class Liveness {
  readonly #numbers = new Map<string, number>();
  /** By condition: the numbers of the variables it asks about. */
  readonly #asked: (readonly number[])[] = [];
  /** How many words of 32 bits hold a bit for each variable. */
  readonly #words: number;
  /** By node: a bit for each variable it tests, and the variable it sets again. */
  readonly #asks: Uint32Array;
  readonly #own: Int32Array;
  /** By node: a bit for each of these variables that it reads before it sets one, where reading counts. */
  readonly #reads: Uint32Array | undefined;
  readonly #live: Uint32Array;

  /** With `withReads` a variable matters also to nodes that read it, as far as conditions ask about it at all. */
  constructor(
    private readonly flow: NumberedFlow,
    withReads = false,
  ) {
    const { nodes, changes } = flow;
    this.#readConditions();
    for (const change of changes) for (const each of copiedBy(change)) this.#numberOf(each);
    this.#words = Math.ceil(this.#numbers.size / 32);
    this.#asks = new Uint32Array(nodes.length * this.#words);
    this.#own = new Int32Array(nodes.length);
    if (withReads) this.#reads = new Uint32Array(nodes.length * this.#words);
    for (let node = 0; node < nodes.length; node++) this.#put(node);
    this.#live = this.#spread();
  }

  /** The variables whose value on entering a node can make a difference later. */
  isAt(node: number, variable: string): boolean {
    const number = this.#numbers.get(variable);
    if (number === undefined) return false;
    return ((this.#live[node * this.#words + (number >> 5)] as number) & (1 << (number & 31))) !== 0;
  }

  /** The same for two nodes where the same variables matter. */
  fingerprintOf(node: number): number | string {
    const words = this.#words;
    if (words <= 1) return words === 0 ? 0 : (this.#live[node] as number);
    return this.#live.subarray(node * words, (node + 1) * words).join();
  }

  #readConditions(): void {
    const { conditions } = this.flow;
    for (let number = this.#asked.length; number < conditions.length; number++) {
      const condition = conditions[number];
      const clauses = condition ? partsOf(condition) : [];
      this.#asked.push(clauses.flatMap((part) => (part.kind === "clause" ? this.#numberOf(part.variable) : [])));
    }
  }

  #numberOf(variable: string): number {
    const number = this.#numbers.get(variable) ?? this.#numbers.size;
    this.#numbers.set(variable, number);
    return number;
  }

  #put(node: number): void {
    const { starts, counts, conditionOf, changes, nodes } = this.flow;
    for (const each of copiedBy(changes[node] as Change)) this.#ask(node, this.#numberOf(each));
    const start = starts[node] as number;
    const end = start + (counts[node] as number);
    for (let passage = start; passage < end; passage++) {
      const condition = conditionOf[passage] as number;
      if (condition > PROSE) for (const each of this.#asked[condition] as readonly number[]) this.#ask(node, each);
    }
    const { variable, reads } = nodes[node] as RunNode;
    this.#putReads(node, this.#reads ? reads : []);
    this.#own[node] = (variable === undefined ? undefined : this.#numbers.get(variable)) ?? -1;
  }

  #putReads(node: number, reads: RunNode["reads"]): void {
    this.#reads?.fill(0, node * this.#words, (node + 1) * this.#words);
    for (const each of reads) {
      const number = this.#numbers.get(each.variable);
      if (number === undefined || !this.#reads) continue;
      const word = node * this.#words + (number >> 5);
      this.#reads[word] = (this.#reads[word] as number) | (1 << (number & 31));
    }
  }

  #ask(node: number, variable: number): void {
    const word = node * this.#words + (variable >> 5);
    this.#asks[word] = (this.#asks[word] as number) | (1 << (variable & 31));
  }

  #wanted(node: number, word: number, live: Uint32Array): number {
    const { starts, counts, targets } = this.flow;
    const start = starts[node] as number;
    const end = start + (counts[node] as number);
    let wanted = this.#asks[node * this.#words + word] as number;
    for (let passage = start; passage < end; passage++) {
      const target = targets[passage] as number;
      if (target >= 0) wanted |= live[target * this.#words + word] as number;
    }
    const own = this.#own[node] as number;
    if (own >> 5 === word) wanted &= ~(1 << (own & 31));
    if (this.#reads) wanted |= this.#reads[node * this.#words + word] as number;
    return wanted >>> 0;
  }

  /** Visits all nodes, last to first, until nothing is added: most edges go to a later node of the file. */
  #spread(): Uint32Array {
    const words = this.#words;
    const live = new Uint32Array(this.#asks.length);
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

/** The variables whose values others get. */
function copiedBy(change: Change): readonly string[] {
  if (!isAssigned(change)) return [];
  return [...change.values()].flatMap((each) => (each && "copy" in each ? each.copy : []));
}
