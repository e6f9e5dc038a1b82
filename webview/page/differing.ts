/** Marks the words that differ between two values. */
import { wordDiff } from "../../flow/review/words";

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** A masked value is one word. */
const WORDS = /[\p{L}\p{M}\p{N}•_-]+|\s+|./gsu;

export function differing(one: string, two: string): readonly [readonly Part[], readonly Part[]] {
  const runs = wordDiff(one, two, WORDS);
  const side = (kind: "removed" | "added") =>
    runs.flatMap((run) =>
      run.kind === "same" || run.kind === kind ? [{ text: run.text, differs: run.kind === kind }] : [],
    );
  return [side("removed"), side("added")];
}
