/** How an attempt ends: in a state that is shown, or in a retry. */
import { systemReason } from "../files";
import { type ElementRef, type Graph, type Merge, type Plan, type PlannedOp, sameGraph } from "../flow";
import { t } from "../text";
import type { Failure } from "./environment";
import type { Unclear } from "./journal/record";
import { firstWithOtherId } from "./normal-form/ids";
import type { Answer, Decision } from "./reconcile";
import type { Observation } from "./remote/observe";
import * as say from "./sentences";
import type { Refused, SyncState } from "./state";

/** Retry after a delay; after `site`, on request. */
export interface Later extends Failure {
  readonly kind: "later";
  readonly reason: "offline" | "busy" | "moving" | "site";
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

/** The platform accepted a batch, but its graph doesn't show it yet. */
export function unclear({ why, isAccepted }: Pick<Unclear, "why" | "isAccepted">): End {
  if (isAccepted) return { kind: "later", reason: "busy", message: say.acceptedNotShown() };
  return { kind: "blocked", reason: "unreadable", message: say.unclearAnswer(why) };
}

export function later({ message, retryAfterMs, reached, isRefusedSite }: Failure): Later {
  return { kind: "later", reason: isRefusedSite ? "site" : reached ? "busy" : "offline", message, retryAfterMs };
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

/** The platform answered a batch but didn't apply all of it; `earlier` is what it didn't apply of earlier batches. */
export function notDone(
  decision: Pick<Decision, "notStored" | "notTaken">,
  batch: readonly PlannedOp[],
  earlier: Refused | undefined,
): Refused | undefined {
  const { notStored } = decision;
  const about = { aboutVersion: false, detail: [], batch };
  if (notStored.length > 0) return { ...about, message: say.notStored(named(notStored)), notStored };
  if (decision.notTaken.length === 0) return undefined;
  const notTaken = [...(earlier?.notTaken ?? []), ...decision.notTaken];
  return { ...about, message: say.changeIgnored(named(notTaken)), notTaken };
}

/** Why a plan isn't sent to a platform that changes IDs: it would replace an element that the platform has. */
export function replacesOther({ ops }: Plan, stored: Graph): Refused | undefined {
  const found = firstWithOtherId(ops, stored);
  if (!found) return undefined;
  const message = say.storedAs(nameOf(found.at), found.twin);
  return { message, aboutVersion: false, detail: [], batch: ops, notStored: [found.at] };
}

/** Whether the batches after an ignored one don't depend on it: everything it refers to exists. */
export function needsNone({ notTaken }: Refused, { nodes, edges, variables }: Graph): boolean {
  if (!notTaken) return false;
  return notTaken.every((at) => {
    if (at.kind === "node") return nodes.has(at.id);
    if (at.kind === "edge") return edges.has(at.id);
    return at.kind !== "variable" || variables.has(at.name);
  });
}

/**
 * The state of a plan after a rejection: blocked until the file changes, or pending a push if the changes were ignored.
 */
export function waitsAfter(refusal: Refused, wanted: Plan): SyncState {
  const { message, notTaken } = refusal;
  return notTaken
    ? { kind: "pending", reason: "ignored", message, plan: wanted, ignored: notTaken }
    : { kind: "blocked", reason: "refused", message, refusal };
}

function named(elements: readonly ElementRef[]): string {
  const [first] = elements;
  const what = first ? nameOf(first) : "";
  return elements.length === 1 ? what : t("{0} and {1} more", what, elements.length - 1);
}

/**
 * System errors explain what is wrong with the state folder; any other error is a bug, and its message wouldn't help
 * the user.
 */
export function stoppedBy(error: unknown): string {
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (isOurs || !(error instanceof Error)) return say.internalError();
  const reason = systemReason(error);
  return say.diskFailed(reason === undefined ? error.message : `${reason}.`);
}

/** Whether a merge into a graph changes nothing. */
export function isWhole(merge: Merge, graph: Graph): boolean {
  return merge.conflicts.length === 0 && sameGraph(merge.graph, graph);
}

function nameOf(at: ElementRef): string {
  const field = at.kind === "top" || at.field === undefined ? undefined : at.field;
  const name = at.kind === "variable" ? at.name : at.kind === "node" || at.kind === "edge" ? at.id : "";
  switch (at.kind) {
    case "top":
      return `\`${at.key}\``;
    case "output":
      return "`component_outputs`";
    case "node":
      return field === undefined ? t('node "{0}"', name) : t('`{0}` of node "{1}"', field, name);
    case "edge":
      return field === undefined ? t('edge "{0}"', name) : t('`{0}` of edge "{1}"', field, name);
    case "variable":
      return field === undefined ? t('variable "{0}"', name) : t('`{0}` of variable "{1}"', field, name);
  }
}

/** The platform's own list of operations, if the error of a rejection contains one: it helps correct assumptions. */
export function refusalWords({ message, detail = [] }: Pick<Refused, "message"> & Partial<Refused>): string {
  const unknown = detail.find(({ type, msg }) => /union_tag|discriminator/.test(type) || /\bexpected tags\b/.test(msg));
  if (!unknown) return message;
  const { ctx, msg, input } = unknown;
  const tag =
    textIn(ctx?.tag) ?? textIn((input as { op?: unknown } | undefined)?.op) ?? /tag '([^']{1,60})'/.exec(msg)?.[1];
  if (tag === undefined) return message;
  const known = textIn(ctx?.expected_tags) ?? /expected tags:\s*([^\n]{1,600})/.exec(msg)?.[1];
  return say.unknownOperation(`"${tag}"`, known?.trim());
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 600) : undefined;
}
