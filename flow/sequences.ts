/** Longest common and longest increasing subsequences. */
import { firstIndex } from "./text";

type Pair = readonly [one: number, other: number];

/**
 * Index pairs of a longest common subsequence of two lists. With more than `mostPairs` pairs to compare, only their
 * common start and end count.
 */
export function commonItems<Item>(
  a: readonly Item[],
  b: readonly Item[],
  same: (one: Item, other: Item) => boolean,
  mostPairs: number,
): Pair[] {
  return commonOrder(a.length, b.length, (i, j) => Number(same(a[i] as Item, b[j] as Item)), 1, mostPairs);
}

/**
 * Index pairs of two lists of these lengths, increasing on both sides, with the highest total worth. `worthOf` is 0 if two
 * items can't be a pair; a pair that's worth `best` at the start or end of both lists is always one.
 */
export function commonOrder(
  length: number,
  otherLength: number,
  worthOf: (one: number, other: number) => number,
  best: number,
  mostPairs: number,
): Pair[] {
  const shorter = Math.min(length, otherLength);
  const pairs: Pair[] = [];
  let start = 0;
  while (start < shorter && worthOf(start, start) === best) pairs.push([start, start++]);
  let tail = 0;
  while (tail < shorter - start && worthOf(length - 1 - tail, otherLength - 1 - tail) === best) tail++;
  const [rows, columns] = [length - start - tail, otherLength - start - tail];
  if (rows * columns <= mostPairs) {
    const width = columns + 1;
    // The worth of the best pairs from each row and column on.
    const totals = new Uint32Array((rows + 1) * width);
    const total = (row: number, column: number) => totals[row * width + column] as number;
    const paired = (row: number, column: number) => {
      const worth = worthOf(start + row, start + column);
      return worth > 0 ? worth + total(row + 1, column + 1) : 0;
    };
    for (let row = rows - 1; row >= 0; row--)
      for (let column = columns - 1; column >= 0; column--)
        totals[row * width + column] = Math.max(paired(row, column), total(row + 1, column), total(row, column + 1));
    for (let row = 0, column = 0; row < rows && column < columns; ) {
      const most = total(row, column);
      if (most > 0 && paired(row, column) === most) pairs.push([start + row++, start + column++]);
      else if (total(row + 1, column) === most) row++;
      else column++;
    }
  }
  for (let left = tail; left > 0; left--) pairs.push([length - left, otherLength - left]);
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
