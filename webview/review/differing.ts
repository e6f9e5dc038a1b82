/** What differs between two values, in whole words: the rest is the same on both sides. */

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

export function differing(one: string, two: string): readonly [readonly Part[], readonly Part[]] {
  const [left, right] = [wordsOf(one), wordsOf(two)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return [partsOf(left, start, end), partsOf(right, start, end)];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}•_-]+|\s+|./gsu) ?? [];
}

function partsOf(words: readonly string[], start: number, end: number): readonly Part[] {
  const parts = [
    { text: words.slice(0, start).join(""), differs: false },
    { text: words.slice(start, words.length - end).join(""), differs: true },
    { text: words.slice(words.length - end).join(""), differs: false },
  ];
  return parts.filter(({ text }) => text !== "");
}
