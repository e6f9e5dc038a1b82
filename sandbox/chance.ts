/** A seeded random generator, so that the demo and all plans are deterministic. */
import { sha256 } from "../system";

export class Chance {
  #state: number;

  constructor(seed: string) {
    this.#state = Number.parseInt(
      sha256(seed)
        .slice(0, 8)
        .replace(/(..)(..)(..)(..)/, "$4$3$2$1"),
      16,
    );
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from `least` to `most`, inclusive. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error("Can't pick from an empty list.");
    return from[this.whole(0, from.length - 1)] as T;
  }
}

/** A UUID derived from a name. */
export function uuidOf(name: string): string {
  const hex = sha256(name);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
