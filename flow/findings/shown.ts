/**
 * The diagnostics of a file: our problems, then the platform's. An editor shows the most severe of very many; a command
 * shows all.
 */
import type { Problem } from "../rules/engine/rule";
import type { Merged } from "./merge";
import { type Ranked, SEVERITY_RANK, Tally } from "./tally";

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
  /** The tally of all, if it's known: then those beyond the limit needn't be visited. */
  counted?: Tally,
): { readonly shown: Lists; readonly rest?: Problem } {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  if (total <= MAX_SHOWN) return { shown: lists };
  const tally = counted ?? Tally.of(lists.flat());
  const room = tally.byRank;
  let left = Math.max(0, MAX_SHOWN - room[0]);
  for (let rank = 1; rank < room.length; rank++) {
    room[rank] = Math.min(room[rank] as number, left);
    left -= room[rank] as number;
  }
  const most = room.reduce((sum, each) => sum + each, 0);
  if (most === total) return { shown: lists };
  let count = most;
  const shown = lists.map((list) => {
    const some: Ranked[] = [];
    for (let index = 0; count > 0 && index < list.length; index++) {
      const item = list[index] as Ranked;
      const rank = SEVERITY_RANK[item.severity];
      const free = room[rank] as number;
      if (free === 0) continue;
      room[rank] = free - 1;
      count--;
      some.push(item);
    }
    return some;
  });
  const hidden = shown.reduce((rest, some) => rest.with(some, -1), tally);
  return { shown: shown as readonly (readonly Ranked[])[] as Lists, rest: restOf(hidden) };
}

function restOf(hidden: Tally): Problem {
  const counts = hidden.byCode.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const said = counts.map(([code, count]) => `${count} ${code}`).join(", ");
  return {
    code: "more-problems",
    severity: "info",
    message: `${total} more ${total === 1 ? "problem isn't" : "problems aren't"} shown: ${said}. Run "assistant-flow check" to list them all.`,
    span: { start: 0, end: 0 },
  };
}
