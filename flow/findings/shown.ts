/** What is shown of a file, in every editor and on the command line alike: our problems, then the platform's, within reason. */
import type { Problem, Severity } from "../rules/rule";

export interface Shown {
  readonly problem: Problem;
  /** Who found it. */
  readonly source: "assistant-flow" | "platform";
}

/** More than this helps nobody and costs every keystroke; the worst are kept and the rest is counted. */
export const MAX_SHOWN = 1000;

export function shownOf(problems: readonly Problem[], findings: readonly Problem[]): Shown[] {
  const all: Shown[] = [
    ...problems.map((problem) => ({ problem, source: "assistant-flow" as const })),
    ...findings.map((problem) => ({ problem, source: "platform" as const })),
  ];
  if (all.length <= MAX_SHOWN) return all;
  const rest: Problem = {
    code: "more-problems",
    severity: "info",
    message: `${all.length - MAX_SHOWN} more problems are not shown. Fix some of the others first.`,
    span: { start: 0, end: 0 },
  };
  all.sort((a, b) => SEVERITY_RANK[a.problem.severity] - SEVERITY_RANK[b.problem.severity]);
  return [...all.slice(0, MAX_SHOWN), { problem: rest, source: "assistant-flow" }];
}

/** The worst first. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2, hint: 3 };
