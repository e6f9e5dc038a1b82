/**
 * Proof that the path from some places to some nodes is short enough: each reachable place stores its next place, which
 * together form chains to these nodes. After an edit, a broken chain is repaired over another edge, so that no new
 * search is needed while none becomes too long.
 */
import { longer } from "../run/numbers";
import type { Paths, Place } from "./paths";

/** Markers instead of a next place: not reached, leads to none of the nodes, or is one of them. */
const UNREACHED = 0;
const NOWHERE = -1;
const THERE = -2;

/** Beyond this many places or steps, a new search is as fast. */
const MAX_REPAIRED = 2000;
const MAX_STEPS = 50_000;

export class Chains {
  /** By place: one more than the next place, or one of the above. */
  #onward: Int32Array;
  /** By place: 1 if a chain through it must be short enough. */
  #isUsed: Int32Array;
  readonly #age: number;
  /** An upper bound of the chain length: if it's too large, only a search can decide. */
  #longest = 0;
  #left = 0;

  constructor(
    private readonly paths: Paths,
    /** By node. */
    private readonly from: Uint8Array,
    private readonly to: Uint8Array,
    private readonly most: number,
  ) {
    this.#age = paths.age;
    this.#onward = new Int32Array(paths.size);
    this.#isUsed = new Int32Array(paths.size);
  }

  /** Adds a reached place with the next place on its path, or -1. */
  add(place: Place, onward: Place): void {
    this.#onward[place] = onward >= 0 ? onward + 1 : this.#isThere(place) ? THERE : NOWHERE;
  }

  /** Call this for each place whose path must be short enough, after all places were added. */
  use(place: Place, length: number): void {
    this.#longest = Math.max(this.#longest, length);
    this.#markFrom(place);
  }

  /** Whether all required chains are still short enough after the last edit. */
  stand(): boolean {
    const { changed, age } = this.paths;
    if (age !== this.#age || changed.length > MAX_REPAIRED) return false;
    this.#left = MAX_STEPS;
    const cut = new Map<Place, number>();
    const fresh: Place[] = [];
    for (const place of changed) {
      const next = this.#onward[place] ?? UNREACHED;
      if (next === UNREACHED) continue;
      this.#reachFrom(place, fresh);
      if (next > 0 && !this.#leadsTo(place, next - 1)) cut.set(place, this.#lengthOf(place) ?? 0);
    }
    for (let at = 0; at < fresh.length; at++) {
      if (fresh.length > MAX_REPAIRED) return false;
      this.#reachFrom(fresh[at] as Place, fresh);
    }
    for (const place of cut.keys()) this.#onward[place] = NOWHERE;
    return this.#join(cut, fresh) && this.#longest <= this.most && this.#left > 0;
  }

  /** Gives each place another next place, the nearest first; false if a required one has none. */
  #join(cut: ReadonlyMap<Place, number>, fresh: readonly Place[]): boolean {
    const open = new Set([...cut.keys(), ...fresh.filter((place) => this.#onward[place] === NOWHERE)]);
    let longer = 0;
    for (let isMore = true; isMore && this.#left > 0; ) {
      isMore = false;
      for (const place of open) {
        const length = this.#joinAt(place);
        if (length === undefined) continue;
        open.delete(place);
        isMore = true;
        const before = cut.get(place);
        if (before !== undefined && this.#isUsed[place] === 1) {
          longer = Math.max(longer, length - before);
          this.#markFrom((this.#onward[place] as number) - 1);
        }
      }
    }
    // Each chain is first cut at one place: from there it grows by as much as that place's path.
    this.#longest += longer;
    for (const place of open) if (this.#isUsed[place] === 1 || this.#isFrom(place)) return false;
    for (const place of fresh) {
      if (!this.#isFrom(place)) continue;
      const length = this.#lengthOf(place);
      if (length === undefined) return false;
      this.use(place, length);
    }
    return true;
  }

  /** Joins the shortest chain that a place's edges lead to, and returns its length. */
  #joinAt(place: Place): number | undefined {
    let shortest: number | undefined;
    const first = this.paths.firstWay(place);
    for (let way = first; way < first + this.paths.wayCount(place); way++) {
      const to = this.paths.to[way] as Place;
      const length = this.#lengthOf(to);
      if (length === undefined || (shortest !== undefined && shortest <= length + 1)) continue;
      shortest = length + 1;
      this.#onward[place] = to + 1;
    }
    return shortest;
  }

  /** The number of edges of the chain from a place; undefined if it has none. */
  #lengthOf(start: Place): number | undefined {
    let place = start;
    for (let length = 0; this.#left > 0; length++, this.#left--) {
      const next = this.#onward[place] ?? UNREACHED;
      if (next === THERE) return length;
      if (next <= 0) return undefined;
      place = next - 1;
    }
    return undefined;
  }

  /** Collects the newly reached places after a place. */
  #reachFrom(place: Place, fresh: Place[]): void {
    const first = this.paths.firstWay(place);
    for (let way = first; way < first + this.paths.wayCount(place); way++) {
      const to = this.paths.to[way] as Place;
      if (to >= this.#onward.length) {
        this.#onward = longer(this.#onward, 2 * this.paths.size);
        this.#isUsed = longer(this.#isUsed, 2 * this.paths.size);
      }
      if (this.#onward[to] !== UNREACHED) continue;
      this.add(to, -1);
      fresh.push(to);
    }
  }

  #leadsTo(place: Place, next: Place): boolean {
    const first = this.paths.firstWay(place);
    for (let way = first; way < first + this.paths.wayCount(place); way++) if (this.paths.to[way] === next) return true;
    return false;
  }

  #markFrom(start: Place): void {
    for (let place = start; this.#isUsed[place] === 0; place = (this.#onward[place] as number) - 1) {
      this.#isUsed[place] = 1;
      if ((this.#onward[place] as number) <= 0) return;
    }
  }

  #isFrom(place: Place): boolean {
    return this.from[this.paths.at[place] as number] === 1;
  }

  #isThere(place: Place): boolean {
    return this.to[this.paths.at[place] as number] === 1;
  }
}
