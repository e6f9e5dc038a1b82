/** Compares two texts word by word. */

export interface WordRun {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Beyond this many pairs of words, the texts are shown one after the other. */
const MAX_PAIRS = 1_000_000;

export function wordDiff(before: string, after: string): WordRun[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let [start, fromEnd] = [0, 0];
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  while (fromEnd < Math.min(a.length, b.length) - start && a[a.length - 1 - fromEnd] === b[b.length - 1 - fromEnd])
    fromEnd++;
  const runs: WordRun[] = [];
  const put = (kind: WordRun["kind"], words: readonly string[]) => {
    if (words.length === 0) return;
    const last = runs.at(-1);
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + words.join("") };
    else runs.push({ kind, text: words.join("") });
  };
  put("same", a.slice(0, start));
  between(a.slice(start, a.length - fromEnd), b.slice(start, b.length - fromEnd), put);
  put("same", fromEnd > 0 ? a.slice(-fromEnd) : []);
  return runs;
}

function between(
  a: readonly string[],
  b: readonly string[],
  put: (kind: WordRun["kind"], words: readonly string[]) => void,
): void {
  if (a.length * b.length > MAX_PAIRS) {
    put("removed", a);
    put("added", b);
    return;
  }
  // The number of common words after each pair of indexes.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put("same", [a[i] as string]);
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) put("removed", [a[i++] as string]);
    else put("added", [b[j++] as string]);
  }
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
