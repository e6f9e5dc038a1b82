/**
 * Something worked out for each entry of a document and kept for as long as the entry stays. Entries keep their identity
 * while an edit leaves them alone, so after an edit only the middle of the list has to be looked at: what is the same at
 * both ends is found by comparing objects.
 */
export class Kept<Item, Result> {
  #items: Item[] = [];
  #results: Result[] = [];

  constructor(private readonly work: (item: Item) => Result) {}

  /**
   * The results by the items' order, in a list that the next update may change. `left` and `came` say which items are gone
   * and which are new; `moved`, whether others may have changed places. All of that is between `from` and `to`.
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
    let head = 0;
    while (head < limit && old[head] === items[head]) head++;
    let tail = 0;
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
    // Both lists are this object's own: the document may use its array again for its next state.
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

  /** Starts with results that somebody else has; the others are worked out. */
  fill(items: readonly Item[], known: (item: Item) => Result | undefined): void {
    this.#items = items.slice();
    this.#results = items.map((item) => known(item) ?? this.work(item));
  }

  clear(): void {
    this.#items = [];
    this.#results = [];
  }
}
