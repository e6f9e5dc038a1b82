/** Implements `Remote` with the typed client: what its answers and errors mean for sync. */
import { type Graph, graphFromWire, readWire } from "../../flow";
import {
  type GraphResult,
  type PlatformClient,
  PlatformError,
  type PlatformErrorKind,
  type WorkflowRevision,
} from "../../platform";
import { t } from "../../text";
import type { Failure, Identity, ReadOutcome, Remote, SendOutcome } from "../environment";

export function platformRemote(
  client: PlatformClient,
  { assistant, revision }: Pick<Identity, "assistant" | "revision">,
  /** Called with every revision that was read: it says more than its graph. */
  onRevision?: (revision: WorkflowRevision) => void,
): Remote {
  return {
    async send(ops, baseVersion, signal): Promise<SendOutcome> {
      try {
        const batch = { ops, base_version: baseVersion };
        const answer = await client.sendGraphOps(assistant, revision, batch, { signal });
        return answered(answer.value, answer.status, answer.odd.includes("graph_version") ? ODD_VERSION : NO_VERSION);
      } catch (error) {
        return notSent(platformError(error));
      }
    },

    async read(signal): Promise<ReadOutcome> {
      try {
        const answer = await client.getWorkflowRevision(revision, { signal });
        onRevision?.(answer);
        const version = answer.graph_version;
        if (version === undefined) return { kind: "unavailable", message: t("The revision has no graph version.") };
        const graph = isOfVersion(answer, version) ? graphIn(answer.compiled_graph) : { graph: undefined };
        return { kind: "read", version, ...graph };
      } catch (error) {
        return notRead(platformError(error));
      }
    },
  };
}

/** The status of a request that is processed later. */
const ACCEPTED = 202;
const ODD_VERSION = "its `graph_version` isn't a number";
const NO_VERSION = "the answer has no `graph_version`";

function answered(result: GraphResult, status: number, why: string): SendOutcome {
  const version = result.graph_version ?? result.revision?.graph_version;
  if (version === undefined) return { kind: "unclear", why, isAccepted: status === ACCEPTED };
  const graph = graphIn(result.validation?.normalized_graph);
  return { kind: "answered", version, ...graph, updated: result.updated, result };
}

function graphIn(wire: unknown): { readonly graph: Graph | undefined; readonly unreadable?: string } {
  const found = readWire(wire);
  return "problem" in found ? { graph: undefined, unreadable: found.problem } : { graph: found };
}

/** The graph in a revision, if it is that of the newest version: compiling takes a while and may lag. */
export function graphOfVersion(revision: WorkflowRevision, version: number): Graph | undefined {
  return isOfVersion(revision, version) ? graphFromWire(revision.compiled_graph) : undefined;
}

function isOfVersion({ compiled_graph: compiled, compilation_status }: WorkflowRevision, version: number): boolean {
  if (!compiled) return false;
  const made = "graph_version" in compiled ? compiled.graph_version : undefined;
  return made === undefined ? DONE.test(compilation_status ?? "") : made === version;
}

/** The names of states aren't documented; a graph without a version is only trusted after one of these. */
const DONE = /^(succeeded|success|completed?|compiled|done|finished|ready)$/i;

const REFUSALS: ReadonlySet<PlatformErrorKind> = new Set(["conflict", "invalid", "not-found", "refused"]);

/** Errors that occur before anything is sent. */
const NEVER_LEFT: ReadonlySet<PlatformErrorKind> = new Set(["no-connection", "untrusted-workspace"]);

function notSent(error: PlatformError): SendOutcome {
  const { kind, message, detail, status, why = message } = error;
  if (kind === "unreadable") return { kind: "unclear", why, isAccepted: status === ACCEPTED };
  if (NEVER_LEFT.has(kind)) return { kind: "not-sent", message };
  if (kind === "unauthorized" || kind === "forbidden") return { kind: "unauthorized", message };
  if (REFUSALS.has(kind)) {
    const aboutVersion = kind === "conflict" || detail.some(({ loc }) => loc.includes("base_version"));
    return { kind: "refused", message, detail, aboutVersion };
  }
  return { kind: "unknown", ...failure(error) };
}

function notRead(error: PlatformError): ReadOutcome {
  const { kind, message } = error;
  if (kind === "unauthorized") return { kind, message };
  if (isHidden(error)) return { kind: "unavailable", message };
  return { kind: "failed", ...failure(error) };
}

/** A key may have write access only; whether it does shows when it writes. */
export function isHidden({ kind, status }: PlatformError): boolean {
  return kind === "forbidden" || REFUSALS.has(kind) || status === 501;
}

/** Errors that prove that the platform answered; after any other it may be unreachable. */
const REACHED: ReadonlySet<PlatformErrorKind> = new Set(["rate-limited", "server", "unreadable", "too-large"]);

function failure({ kind, message, retryAfterMs }: PlatformError): Failure {
  return { message, retryAfterMs, reached: REACHED.has(kind), isRefusedSite: kind === "site" };
}

function platformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  throw error;
}
