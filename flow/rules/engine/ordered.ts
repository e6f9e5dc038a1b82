/**
 * What is found in all entries, one after the other. There may be ten thousands of findings after every letter that is typed; so
 * where an edit changes what is found in some entries, but not how much, the rest isn't looked at.
 */

import { AttachedCache } from "../../attached-cache";
import { Tally } from "../../findings/tally";
import type { FlowDiagnostic } from "./diagnostic";

/** An entry in which something else is found than before. */
export interface ChangedBlock {
  readonly number: number;
  readonly before: readonly FlowDiagnostic[];
}

type OfBlock = (number: number) => readonly FlowDiagnostic[];

export class OrderedDiagnostics {
  #all: FlowDiagnostic[] = [];
  /** Where what is found in each entry starts. */
  #starts = new Int32Array(0);
  #tally = new Tally();

  /** A list that the next update may change. */
  get all(): readonly FlowDiagnostic[] {
    return this.#all;
  }

  /** `changed`: undefined where entries came or went. */
  update(ofBlock: OfBlock, count: number, changed: readonly ChangedBlock[] | undefined): void {
    if (changed?.length === 0) return;
    if (changed?.every(({ number, before }) => before.length === ofBlock(number).length)) {
      for (const { number, before } of changed) {
        const now = ofBlock(number);
        const start = this.#starts[number] as number;
        for (let index = 0; index < now.length; index++) this.#all[start + index] = now[index] as FlowDiagnostic;
        this.#tally.add(before, -1);
        this.#tally.add(now);
      }
    } else this.#rebuild(ofBlock, count);
  }

  #rebuild(ofBlock: OfBlock, count: number): void {
    const all: FlowDiagnostic[] = [];
    if (this.#starts.length !== count) this.#starts = new Int32Array(count);
    for (let number = 0; number < count; number++) {
      this.#starts[number] = all.length;
      const own = ofBlock(number);
      for (let index = 0; index < own.length; index++) all.push(own[index] as FlowDiagnostic);
    }
    this.#all = all;
    this.#tally = Tally.of(all);
    tallies.set(all, this.#tally);
  }
}

const tallies = new AttachedCache<readonly FlowDiagnostic[], Tally>();

/** How many of each kind are in a list that was found, where that is known without counting. */
export function tallyOf(found: readonly FlowDiagnostic[]): Tally | undefined {
  return tallies.get(found);
}
