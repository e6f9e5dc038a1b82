/** The sync state of a flow in the form the client gets. */
import { type FlowEnvironment, graphOf, locate, type Plan, type Problem, yamlText } from "../../flow";
import type { CompileResult } from "../../flow/compile";
import { type Status, type SyncState, setAsideText, stateText, willRetry } from "../../sync";
import type { ConflictView, EnvironmentView, FlowSyncState } from "../messages";
import type { Converter } from "../protocol/to-protocol";
import type { Placement } from "./environments";
import { planView } from "./plan-view";
import type { SyncedFile } from "./synced-file";

export function stateView(
  { state, risks, setAside }: Status,
  converter: Converter,
  findings: readonly Problem[],
  flow: Pick<Placement, "environment" | "environments"> &
    Partial<Pick<SyncedFile, "blockingErrors" | "result" | "revision">>,
): FlowSyncState {
  const damaged = setAsideText(setAside);
  const workflowEnabled = flow.result?.workflow_enabled ?? flow.revision?.workflowEnabled;
  const count = (severity: string) => findings.filter((problem) => problem.severity === severity).length;
  return {
    uri: converter.uri,
    kind: state.kind,
    text: stateText(state),
    message: messageOf(state),
    ...("reason" in state ? { reason: state.reason } : {}),
    ...("version" in state ? { version: state.version } : {}),
    ...(state.kind === "syncing" ? { batch: state.batch, batches: state.batches } : {}),
    ...(flow.environment ? { environment: flow.environment.name } : {}),
    ...(flow.environments.length > 0 ? { environments: flow.environments.map(environmentView) } : {}),
    conflicts: state.kind === "conflict" ? state.conflicts.map((conflict) => conflictView(conflict, converter)) : [],
    ...(state.kind === "conflict" && state.merges ? { merges: mergesOf(state.merges, converter) } : {}),
    risks: risks.length,
    ...(damaged === undefined ? {} : { setAside: damaged }),
    errors: count("error"),
    warnings: count("warning"),
    ...(flow.blockingErrors === undefined ? {} : { blockingErrors: flow.blockingErrors }),
    ...(flow.revision ? { compile: compileView(flow.revision.compile) } : {}),
    ...(workflowEnabled === undefined ? {} : { workflowEnabled }),
  };
}

export function environmentView({ name, url, callingUrl, isProtected }: FlowEnvironment): EnvironmentView {
  return { name, isProtected, ...(url === undefined ? {} : { url, callingUrl: callingUrl ?? url }) };
}

function compileView({
  state,
  status,
  version,
  errors,
  warnings,
  isOutdated,
}: CompileResult): FlowSyncState["compile"] {
  return {
    state,
    status,
    ...(version === undefined ? {} : { version }),
    errors: errors.length,
    warnings: warnings.length,
    ...(isOutdated ? { isOutdated } : {}),
  };
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
  return lines.map(({ mark, text, range }) => ({ text: `${mark} ${text}`, ...(range ? { range } : {}) }));
}

type Conflict = Extract<Status["state"], { kind: "conflict" }>["conflicts"][number];

function conflictView({ key, message, base, ours, theirs, at }: Conflict, converter: Converter): ConflictView {
  const place = locate(converter.document, at);
  const range = place ? { range: converter.range(place.name) } : {};
  return { key, message, base: shown(base), ours: shown(ours), theirs: shown(theirs), ...range };
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : yamlText(value).trimEnd();
}
