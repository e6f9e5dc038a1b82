/**
 * Why the way from some places to some nodes is short enough: from each place that can be reached one way on, which together make
 * chains to these nodes. After an edit a chain that was cut is joined again over another way, so that no new search is needed
 * as long as none has become too long.
 */
import { longer } from "../run/numbers";
import type { Paths, Place } from "./paths";

/** What stands for the next place of a chain: the place wasn't reached, leads to none of the nodes, or is one of them. */
const UNREACHED = 0;
const NOWHERE = -1;
const THERE = -2;

/** More places than this, or steps along chains, aren't looked at: another search takes as long. */
const MAX_REPAIRED = 2000;
const MAX_STEPS = 50_000;

export class Chains {
  /** By place: one more than the next place, or one of the above. */
  #onward: Int32Array;
  /** By place: 1 where a chain goes along it that has to be short enough. */
  #isUsed: Int32Array;
  readonly #age: number;
  /** How long a chain may be at most, as far as is known: where it is too much, only a search can tell. */
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

  /** Adds a place that was reached, with the place its way goes on to, -1 where it has none or is there. */
  add(place: Place, onward: Place): void {
    this.#onward[place] = onward >= 0 ? onward + 1 : this.#isThere(place) ? THERE : NOWHERE;
  }

  /** To be called with each place whose way has to be short enough, once all places were added. */
  use(place: Place, length: number): void {
    this.#longest = Math.max(this.#longest, length);
    this.#markFrom(place);
  }

  /** Whether all chains that have to be are still short enough after the last edit. */
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

  /** Gives each place another way on, nearest first among those it has; false where one that needs it has none. */
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
    // Each chain is cut first at one place: from there on it is as much longer as that place's is.
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

  /** Takes the shortest of the chains that a place's ways lead into, and says how long it is from there. */
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

  /** How many edges the chain from a place has; undefined where it leads nowhere. */
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

  /** Notes the places that a place leads to now and that weren't reached before. */
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
