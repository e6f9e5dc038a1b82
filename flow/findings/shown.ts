/**
 * The diagnostics of a file: our problems, then the platform's. An editor shows the most severe of very many; a command
 * shows all.
 */
import type { Problem } from "../rules/engine/rule";
import type { Merged } from "./merge";

type Ranked = Pick<Problem, "code" | "severity">;

export interface Shown {
  readonly problem: Problem;
  readonly source: "assistant-flow" | "platform" | "assistant-flow, platform";
}

/** The result of `mergeFindings` as one list. */
export function shownOf({ problems, findings }: Merged): Shown[] {
  return [
    ...problems.map((problem) => ({ problem, source: sourceOf(problem) })),
    ...findings.map((problem) => ({ problem, source: "platform" as const })),
  ];
}

export function sourceOf({ alsoBy }: Problem): Shown["source"] {
  return alsoBy ? "assistant-flow, platform" : "assistant-flow";
}

/** More than this in an editor isn't useful, and slows down every keystroke. */
const MAX_SHOWN = 1000;

/** All errors of each list, then the most severe of the rest in order; plus one line about what's left out. */
export function mostSevere<Lists extends readonly (readonly Ranked[])[]>(
  lists: Lists,
): { readonly shown: Lists; readonly rest?: Problem } {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  if (total <= MAX_SHOWN) return { shown: lists };
  const room = { error: total, warning: 0, info: 0, hint: 0 };
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const list of lists) for (const { severity } of list) counts[severity]++;
  let left = Math.max(0, MAX_SHOWN - counts.error);
  for (const severity of ["warning", "info", "hint"] as const) {
    room[severity] = Math.min(counts[severity], left);
    left -= room[severity];
  }
  const hidden = new Map<string, number>();
  const shown = lists.map((list) =>
    list.filter(({ code, severity }) => {
      if (room[severity]-- > 0) return true;
      hidden.set(code, (hidden.get(code) ?? 0) + 1);
      return false;
    }),
  );
  if (hidden.size === 0) return { shown: lists };
  return { shown: shown as readonly (readonly Ranked[])[] as Lists, rest: restOf(hidden) };
}

function restOf(hidden: ReadonlyMap<string, number>): Problem {
  const counts = [...hidden].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const said = counts.map(([code, count]) => `${count} ${code}`).join(", ");
  return {
    code: "more-problems",
    severity: "info",
    message: `${total} more ${total === 1 ? "problem isn't" : "problems aren't"} shown: ${said}. Run "assistant-flow check" to list them all.`,
    span: { start: 0, end: 0 },
  };
}
