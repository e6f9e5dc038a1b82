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

/** What the server sends for a value that isn't set. */
export const NONE = "(none)";

/** Values of a field. One that isn't set has no words to mark. */
export function differingValues(one: string, two: string): readonly [readonly Part[], readonly Part[]] {
  const whole = (text: string) => [{ text, differs: text !== NONE }];
  return one === NONE || two === NONE ? [whole(one), whole(two)] : differing(one, two);
}
