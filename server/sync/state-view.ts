/** The sync state of a flow in the form the client gets. */
import {
  type ElementRef,
  type FlowEnvironment,
  type Graph,
  graphOf,
  isRecord,
  locate,
  type Plan,
  type Problem,
  placeOfOp,
  yamlText,
} from "../../flow";
import type { CompileResult } from "../../flow/compile";
import { type Status, type SyncState, setAsideText, stateText, willRetry } from "../../sync";
import type { ConflictView, EnvironmentView, FlowSyncState, TextRange } from "../messages";
import type { Converter } from "../protocol/to-protocol";
import type { Placement } from "./environments";
import { planView } from "./plan-view";
import type { SyncedFile } from "./synced-file";

export function stateView(
  { state, risks, setAside, hasBase }: Status,
  converter: Converter,
  findings: readonly Problem[],
  flow: Pick<Placement, "environment" | "environments"> &
    Partial<Pick<SyncedFile, "blockingErrors" | "result" | "revision">>,
  remote?: Graph,
): FlowSyncState {
  const count = (severity: string) => findings.filter((problem) => problem.severity === severity).length;
  return {
    uri: converter.uri,
    kind: state.kind,
    text: stateText(state),
    message: messageOf(state),
    ...("reason" in state ? { reason: state.reason } : {}),
    ...("version" in state ? { version: state.version } : {}),
    ...(state.kind === "syncing" ? { batch: state.batch, batches: state.batches } : {}),
    environment: flow.environment?.name,
    environments: flow.environments.length > 0 ? flow.environments.map(environmentView) : undefined,
    conflicts:
      state.kind === "conflict" ? state.conflicts.map((conflict) => conflictView(conflict, converter, remote)) : [],
    merges: state.kind === "conflict" && state.merges ? mergesOf(state.merges, converter) : undefined,
    hasBase,
    risks: risks.length,
    setAside: setAsideText(setAside),
    errors: count("error"),
    warnings: count("warning"),
    blockingErrors: flow.blockingErrors,
    compile: flow.revision && compileView(flow.revision.compile),
    workflowEnabled: flow.result?.workflow_enabled ?? flow.revision?.workflowEnabled,
  };
}

export function environmentView({ name, url, callingUrl, isProtected }: FlowEnvironment): EnvironmentView {
  return { name, isProtected, ...(url === undefined ? {} : { url, callingUrl: callingUrl ?? url }) };
}

function compileView({ errors, warnings, ...result }: CompileResult): FlowSyncState["compile"] {
  const { state, status, version, isOutdated } = result;
  return { state, status, version, errors: errors.length, warnings: warnings.length, isOutdated };
}

/** The reason, and whether it is retried. If the platform is unreachable, the message says that changes are queued. */
function messageOf(state: SyncState): string {
  if (!("message" in state)) return "";
  const retries = state.kind === "pending" && state.retryAt !== undefined && state.reason !== "offline";
  return retries ? `${state.message} ${willRetry()}` : state.message;
}

function mergesOf(merges: Plan, converter: Converter): NonNullable<FlowSyncState["merges"]> {
  // Only needed to mark new nodes as new.
  const { lines } = planView(merges, converter, graphOf(converter.document));
  return lines.map(({ mark, text, range }) => ({ text: `${mark} ${text}`, range }));
}

type Conflict = Extract<Status["state"], { kind: "conflict" }>["conflicts"][number];

function conflictView(conflict: Conflict, converter: Converter, remote: Graph | undefined): ConflictView {
  const { key, message, base, ours, theirs, at, order } = conflict;
  const place = locate(converter.document, at);
  const range = place && converter.range(place.name);
  const isElement = at.kind !== "top" && at.field === undefined;
  // All edges are kept, so the sides differ only in their order.
  const sides = order
    ? { ours: order.ours.join(", "), theirs: order.theirs.join(", ") }
    : { ours: shown(ours), theirs: shown(theirs) };
  const near = place || !remote ? undefined : rangeBefore(at, converter, remote);
  return {
    key,
    message,
    base: shown(base),
    ...sides,
    ...(isElement ? { isElement } : {}),
    range,
    near,
  };
}

/** The node before a removed one, in the platform's order, or the node that had a removed edge. */
function rangeBefore(at: ElementRef, converter: Converter, { nodes }: Graph): TextRange | undefined {
  const { document } = converter;
  const rangeOf = (element: ElementRef) => {
    const place = placeOfOp(document, element);
    return place && converter.range(place.name);
  };
  if (at.kind !== "node") return rangeOf(at);
  const ids = [...nodes.keys()];
  const before = ids.slice(0, Math.max(0, ids.indexOf(at.id))).findLast((id) => document.node(id));
  return rangeOf({ kind: "node", id: before ?? at.id });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  // The place in the file that a node was pushed from isn't part of the node.
  const fields = isRecord(value) ? Object.entries(value).filter(([name]) => name !== "source_span") : undefined;
  return yamlText(fields ? Object.fromEntries(fields) : value).trimEnd();
}
