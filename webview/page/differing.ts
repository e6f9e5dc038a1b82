/** Marks the words that differ between two values. */

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

export function differing(one: string, two: string): readonly [readonly Part[], readonly Part[]] {
  const [left, right] = [wordsOf(one), wordsOf(two)];
  return left.length * right.length > MOST_PAIRS
    ? [[{ text: one, differs: one !== two }], [{ text: two, differs: one !== two }]]
    : compare(left, right);
}

/** With more pairs of words than this, a comparison is slow and its marks are too many to help. */
const MOST_PAIRS = 1_000_000;

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}•_-]+|\s+|./gsu) ?? [];
}

/** Both sides come from one walk, so that they agree on which words are the same. */
function compare(left: readonly string[], right: readonly string[]): readonly [readonly Part[], readonly Part[]] {
  // Length of the longest common subsequence after each pair of words.
  const common = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      (common[i] as number[])[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const [one, two]: [MutablePart[], MutablePart[]] = [[], []];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const isSame = i < left.length && j < right.length && left[i] === right[j];
    const isLeft = isSame || j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1));
    if (isSame || !isLeft) append(two, right[j++] as string, !isSame);
    if (isLeft) append(one, left[i++] as string, !isSame);
  }
  return [one, two];
}

type MutablePart = { text: string; differs: boolean };

function append(parts: MutablePart[], text: string, differs: boolean): void {
  const last = parts.at(-1);
  if (last?.differs === differs) last.text += text;
  else parts.push({ text, differs });
}
