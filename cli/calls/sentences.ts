/** The result of `diff --calls`, and its sentences for text and Markdown. */
import { count } from "../terminal";

/** Counts, names of the flow and one call ID each; nothing of any caller. */
export interface CallChanges {
  readonly calls: number;
  readonly same: number;
  readonly other_path: number;
  readonly ends_elsewhere: number;
  readonly breaks_policy: number;
  /** Calls that weren't placed, or for which a model would have to decide again. */
  readonly cant_tell: number;
  readonly groups: readonly CallGroup[];
}

export interface CallGroup {
  readonly change: string;
  readonly calls: number;
  readonly ends_elsewhere: number;
  readonly breaks_policy: number;
  /** The ID of one of the calls. */
  readonly example: string;
}

/** The sentences of the text and Markdown formats. */
export function callSentences(changes: CallChanges): string[] {
  const { calls, same, other_path, ends_elsewhere, breaks_policy, cant_tell, groups } = changes;
  return [
    `Of ${count(calls, "call")}, ${other_path} would take another path, ${ends_elsewhere} would end elsewhere and ${breaks_policy} would break a policy. ${same} would stay the same, and ${cant_tell} can't be determined.`,
    ...groups.map(
      ({ change, calls: own, example }) => `${count(own, "call")}: ${change}, for example call ${example}.`,
    ),
  ];
}
