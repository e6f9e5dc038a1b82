/** The number of findings by rule and severity: counted once, then updated by what's added and removed. */
import type { Severity } from "../rules/engine/rule";

export interface Ranked {
  readonly code: string;
  readonly severity: Severity;
}

/** The most severe first. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2, hint: 3 };

/** The counts of one rule, by rank. */
type Counts = [number, number, number, number];

export class Tally {
  readonly #byCode = new Map<string, Counts>();

  static of(items: readonly Ranked[]): Tally {
    const tally = new Tally();
    tally.add(items);
    return tally;
  }

  /** `times` is -1 for removed items. */
  add(items: readonly Ranked[], times = 1): void {
    for (let index = 0; index < items.length; index++) {
      const { code, severity } = items[index] as Ranked;
      let counts = this.#byCode.get(code);
      if (!counts) {
        counts = [0, 0, 0, 0];
        this.#byCode.set(code, counts);
      }
      const rank = SEVERITY_RANK[severity];
      counts[rank] = (counts[rank] as number) + times;
    }
  }

  /** A copy of the tally that also counts these. */
  with(items: readonly Ranked[], times = 1): Tally {
    const tally = new Tally();
    for (const [code, counts] of this.#byCode) tally.#byCode.set(code, [...counts]);
    tally.add(items, times);
    return tally;
  }

  /** The number of findings by rank. */
  get byRank(): Counts {
    const all: Counts = [0, 0, 0, 0];
    for (const counts of this.#byCode.values())
      for (let rank = 0; rank < all.length; rank++) all[rank] = (all[rank] as number) + (counts[rank] as number);
    return all;
  }

  /** The number of findings of each rule that has any. */
  get byCode(): [code: string, count: number][] {
    const all: [string, number][] = [];
    for (const [code, counts] of this.#byCode) {
      const count = counts.reduce((sum, each) => sum + each, 0);
      if (count > 0) all.push([code, count]);
    }
    return all;
  }
}
