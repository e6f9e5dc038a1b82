/**
 * A value computed for each block of a document and kept while the block stays. Unchanged blocks keep their identity,
 * so after an edit only the middle of the list is visited: the common ends are known from how the list was made, or
 * found by comparing objects. Without the record of how a list was made, an edit of words at 10,000 nodes takes 3.3 ms
 * instead of 0.6 ms, and twice as long at 500 nodes.
 */
import { AttachedCache } from "./attached-cache";

/** A list that equals another one except between two indexes. */
interface Step {
  readonly before: readonly unknown[];
  readonly from: number;
  readonly to: number;
}

const steps = new AttachedCache<readonly unknown[], Step | undefined>();

/** A list with some items replaced, or the list itself if they're equal. Neither may be changed afterwards. */
export function spliced<Item>(list: readonly Item[], from: number, items: readonly Item[]): readonly Item[] {
  if (items.every((item, index) => list[from + index] === item)) return list;
  const copy = list.slice();
  for (let index = 0; index < items.length; index++) copy[from + index] = items[index] as Item;
  steps.set(copy, { before: list, from, to: from + items.length });
  // Keep one step only, so old lists can be collected.
  steps.set(list, undefined);
  return copy;
}

export class IncrementalMap<Item, Result> {
  /** The list of the last update. */
  #seen: readonly Item[] | undefined;
  #items: Item[] = [];
  #results: Result[] = [];

  constructor(private readonly work: (item: Item) => Result) {}

  /**
   * The results in the order of the items, in a list that the next update may change. `left` and `came` are the removed
   * and added items; `moved` is whether others may have changed places. All changes are between `from` and `to`.
   */
  update(items: readonly Item[]): {
    results: readonly Result[];
    left: readonly Item[];
    came: readonly Item[];
    moved: boolean;
    from: number;
    to: number;
  } {
    const old = this.#items;
    const limit = Math.min(old.length, items.length);
    const step = steps.get(items);
    const isNext = step !== undefined && step.before === this.#seen;
    this.#seen = items;
    let head = isNext ? step.from : 0;
    while (head < limit && old[head] === items[head]) head++;
    let tail = isNext ? limit - step.to : 0;
    while (tail < limit - head && old[old.length - 1 - tail] === items[items.length - 1 - tail]) tail++;
    if (head === old.length && head === items.length)
      return { results: this.#results, left: [], came: [], moved: false, from: head, to: head };
    const left = new Map<Item, Result>();
    for (let i = head; i < old.length - tail; i++) left.set(old[i] as Item, this.#results[i] as Result);
    const came: Item[] = [];
    const middle: Result[] = [];
    let moved = false;
    for (let i = head; i < items.length - tail; i++) {
      const item = items[i] as Item;
      const known = left.size > 0 ? left.get(item) : undefined;
      if (known !== undefined) {
        left.delete(item);
        moved = true;
      } else came.push(item);
      middle.push(known ?? this.work(item));
    }
    // Both lists are private copies, because the document may reuse its array for its next state.
    if (old.length === items.length && old.length > 0)
      for (let i = 0; i < middle.length; i++) {
        this.#items[head + i] = items[head + i] as Item;
        this.#results[head + i] = middle[i] as Result;
      }
    else {
      this.#items = items.slice();
      this.#results = this.#results.slice(0, head).concat(middle, this.#results.slice(old.length - tail));
    }
    return { results: this.#results, left: [...left.keys()], came, moved, from: head, to: items.length - tail };
  }

  /** Starts with known results; the others are computed. */
  fill(items: readonly Item[], known: (item: Item) => Result | undefined): void {
    this.#seen = items;
    this.#items = items.slice();
    this.#results = items.map((item) => known(item) ?? this.work(item));
  }

  clear(): void {
    this.#seen = undefined;
    this.#items = [];
    this.#results = [];
  }
}
