/** Where an attempt ends: in a state that people see, or in a wait. */
import { type Graph, type Merge, type Plan, sameGraph } from "../flow";
import { t } from "../text";
import type { Observation } from "./observe";
import type { Answer } from "./reconcile";
import { refusalWords } from "./refusal-words";
import * as say from "./sentences";
import type { Refused, SyncState } from "./state";
import type { Failure } from "./world";

/** Try again after a while. */
export interface Later extends Failure {
  readonly kind: "later";
  readonly reason: "offline" | "busy" | "moving";
}

export type End = SyncState | Later;

export function unseen(seen: Exclude<Observation, { kind: "seen" }>): End {
  if (seen.kind === "hidden") return { kind: "unknown", message: say.versionUnknown() };
  if (seen.kind === "unauthorized") return seen;
  if (seen.kind === "refused") {
    const message = refusalWords(seen);
    const refusal: Refused = { message, aboutVersion: false, detail: [], batch: [] };
    return { kind: "blocked", reason: "refused", message, refusal };
  }
  if (seen.kind === "unreadable")
    return { kind: "blocked", reason: "unreadable", message: say.unreadableGraph(seen.why) };
  return later(seen);
}

export function later({ message, retryAfterMs, reached }: Failure): Later {
  const hint = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: "later", reason: reached ? "busy" : "offline", message, ...hint };
}

export function answerOf(updated: boolean | undefined): Answer {
  return updated === undefined ? "assumed" : updated ? "applied" : "unchanged";
}

export function noReading(message: string): Observation {
  return { kind: "failed", message };
}

export function behind(incoming: Plan): SyncState {
  return { kind: "diverged", reason: "not-taken-in", message: say.platformIsNewer(incoming.summary.text), incoming };
}

export function notSaved(incoming: Plan): SyncState {
  return { kind: "diverged", reason: "not-saved", message: say.mergedNotSaved(incoming.summary.text), incoming };
}

export function named(elements: NonNullable<Refused["notStored"]>): string {
  const [first] = elements;
  const what = first?.kind === "node" || first?.kind === "edge" ? `${first.kind} “${first.id}”` : t("a variable");
  return elements.length === 1 ? what : t("{0} and {1} more", what, elements.length - 1);
}

/** The system's errors say what is wrong with the state folder; any other is ours, and of no use to a person. */
export function stoppedBy(error: unknown): string {
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isOurs || !(error instanceof Error) ? say.internalError() : say.diskFailed(error.message);
}

/** Whether a merge into a graph changes nothing. */
export function isWhole(merge: Merge, graph: Graph): boolean {
  return merge.conflicts.length === 0 && sameGraph(merge.graph, graph);
}
