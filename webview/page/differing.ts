/** Marks the words that differ between two values. */

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

export function differing(one: string, two: string): readonly [readonly Part[], readonly Part[]] {
  const [left, right] = [wordsOf(one), wordsOf(two)];
  return left.length * right.length > MOST_PAIRS
    ? [[{ text: one, differs: one !== two }], [{ text: two, differs: one !== two }]]
    : [partsOf(left, right), partsOf(right, left)];
}

/** With more pairs of words than this, a comparison is slow and its marks are too many to help. */
const MOST_PAIRS = 1_000_000;

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}•_-]+|\s+|./gsu) ?? [];
}

function partsOf(words: readonly string[], others: readonly string[]): readonly Part[] {
  // Length of the longest common subsequence after each pair of words.
  const common = Array.from({ length: words.length + 1 }, () => new Array<number>(others.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = words.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--)
      (common[i] as number[])[j] = words[i] === others[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const parts: { text: string; differs: boolean }[] = [];
  let j = 0;
  words.forEach((text, i) => {
    while (j < others.length && others[j] !== text && at(i, j + 1) === at(i, j)) j++;
    const differs = others[j] !== text;
    if (!differs) j++;
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text;
    else parts.push({ text, differs });
  });
  return parts;
}
