/** What is shown of a file: our problems, then the platform's. An editor shows the most severe of very many; a command shows all. */
import type { Problem, Severity } from "../rules/rule";
import type { Merged } from "./merge";

export interface Shown {
  readonly problem: Problem;
  /** Who found it. */
  readonly source: "assistant-flow" | "platform" | "assistant-flow, platform";
}

/** What `mergeFindings` has made of both. */
export function shownOf({ problems, findings }: Merged): Shown[] {
  return [
    ...problems.map((problem) => ({ problem, source: sourceOf(problem) })),
    ...findings.map((problem) => ({ problem, source: "platform" as const })),
  ];
}

export function sourceOf({ alsoBy }: Problem): Shown["source"] {
  return alsoBy ? "assistant-flow, platform" : "assistant-flow";
}

/** More than this in an editor helps nobody and costs every keystroke. */
export const MAX_SHOWN = 1000;

interface Ranked {
  readonly code: string;
  readonly severity: Severity;
}

/** All errors, then the most severe of the rest in the order they are in, and one line about what is left out. */
export function mostSevere<Item extends Ranked>(
  all: readonly Item[],
): { readonly shown: readonly Item[]; readonly rest?: Problem } {
  if (all.length <= MAX_SHOWN) return { shown: all };
  const room = [0, 0, 0, 0];
  for (const { severity } of all) room[SEVERITY_RANK[severity]] = (room[SEVERITY_RANK[severity]] as number) + 1;
  let left = Math.max(0, MAX_SHOWN - (room[0] as number));
  for (let rank = 1; rank < room.length; rank++) {
    room[rank] = Math.min(room[rank] as number, left);
    left -= room[rank] as number;
  }
  const shown: Item[] = [];
  // One look for each that is hidden: there may be ten thousands, after every edit.
  const hidden = new Map<string, { count: number }>();
  for (let index = 0; index < all.length; index++) {
    const item = all[index] as Item;
    const rank = SEVERITY_RANK[item.severity];
    const free = room[rank] as number;
    room[rank] = free - 1;
    if (free > 0) {
      shown.push(item);
      continue;
    }
    const { code } = item;
    const known = hidden.get(code);
    if (known) known.count++;
    else hidden.set(code, { count: 1 });
  }
  return hidden.size === 0 ? { shown } : { shown, rest: restOf(hidden) };
}

function restOf(hidden: ReadonlyMap<string, { readonly count: number }>): Problem {
  const counted = Array.from(hidden, ([code, { count }]) => [code, count] as const);
  const counts = counted.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const said = counts.map(([code, count]) => `${count} ${code}`).join(", ");
  return {
    code: "more-problems",
    severity: "info",
    message: `${total} more ${total === 1 ? "problem isn't" : "problems aren't"} shown: ${said}. Run "assistant-flow check" to list them all.`,
    span: { start: 0, end: 0 },
  };
}

/** The worst first. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2, hint: 3 };
