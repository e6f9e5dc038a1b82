/** Compares two strings word by word. */
import { commonItems } from "../sequences";

export interface WordRun {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Beyond this many pairs of words, the differing parts are shown one after the other. */
const MAX_PAIRS = 1_000_000;

/** `word` matches one word, or the text between words. */
export function wordDiff(before: string, after: string, word = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu): WordRun[] {
  const [a = [], b = []] = [before, after].map((text) => text.match(word) ?? []);
  const runs: WordRun[] = [];
  const put = (kind: WordRun["kind"], words: readonly string[]) => {
    if (words.length === 0) return;
    const last = runs.at(-1);
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + words.join("") };
    else runs.push({ kind, text: words.join("") });
  };
  let [i, j] = [0, 0];
  for (const [at, other] of [...commonItems(a, b, Object.is, MAX_PAIRS), [a.length, b.length] as const]) {
    put("removed", a.slice(i, at));
    put("added", b.slice(j, other));
    put("same", a.slice(at, at + 1));
    [i, j] = [at + 1, other + 1];
  }
  return runs;
}
