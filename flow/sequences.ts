/** Longest common and longest increasing subsequences. */
import { firstIndex } from "./text";

/**
 * Index pairs of a longest common subsequence of two lists. With more than `mostPairs` pairs to compare, only their
 * common start and end count.
 */
export function commonItems<Item>(
  a: readonly Item[],
  b: readonly Item[],
  same: (one: Item, other: Item) => boolean,
  mostPairs: number,
): (readonly [number, number])[] {
  const isSame = (i: number, j: number) => same(a[i] as Item, b[j] as Item);
  const pairs: (readonly [number, number])[] = [];
  let start = 0;
  while (start < a.length && start < b.length && isSame(start, start)) pairs.push([start, start++]);
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - start && isSame(a.length - 1 - tail, b.length - 1 - tail)) tail++;
  const rows = a.length - tail;
  const columns = b.length - tail;
  const width = columns - start + 1;
  if ((rows - start) * (width - 1) <= mostPairs) {
    // The number of common items after each pair of indexes.
    const common = new Uint32Array((rows - start + 1) * width);
    const at = (i: number, j: number) => common[(i - start) * width + j - start] as number;
    for (let i = rows - 1; i >= start; i--)
      for (let j = columns - 1; j >= start; j--)
        common[(i - start) * width + j - start] = isSame(i, j)
          ? at(i + 1, j + 1) + 1
          : Math.max(at(i + 1, j), at(i, j + 1));
    for (let i = start, j = start; i < rows && j < columns; ) {
      if (isSame(i, j)) pairs.push([i++, j++]);
      else if (at(i + 1, j) >= at(i, j + 1)) i++;
      else j++;
    }
  }
  for (let left = tail; left > 0; left--) pairs.push([a.length - left, b.length - left]);
  return pairs;
}

/** The members of a longest increasing subsequence of different numbers. */
export function longestIncreasing(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const value of values) {
    const at = firstIndex(tails.length, (index) => (tails[index] as number) >= value);
    previous.set(value, tails[at - 1]);
    tails[at] = value;
  }
  const members = new Set<number>();
  for (let value = tails.at(-1); value !== undefined; value = previous.get(value)) members.add(value);
  return members;
}
