/** How a flow file differs from a platform, for `drift` and the Flows view. */
import { type FlowDocument, type Graph, graphOf, plan, resolveNames, restoreNames, sameGraph } from "../flow";
import type { FlowEnvironment } from "../flow/project";
import type { StateStore } from "../system";
import { t } from "../text";
import type { Identity, Remote } from "./environment";
import type { Target } from "./host";
import { lookOnly } from "./remote/look-only";
import { SyncSession } from "./session";
import type { SyncState } from "./state";
import { systemEnvironment } from "./system-environment";

/** `ahead`: the file has changes. `behind`: the platform has. `diverged`: both have, or no common version is known. */
export type DriftState = "in-step" | "ahead" | "behind" | "diverged" | "unknown";

export interface Drift {
  readonly state: DriftState;
  readonly operations: number;
  /** Why it is unknown. */
  readonly reason?: string;
  /** The file's graph and the platform's, both with names. */
  readonly graphs?: { readonly from: Graph; readonly to: Graph };
}

/** Compares a file with what its session has seen. */
export function driftOf(
  sync: SyncSession | undefined,
  state: SyncState,
  document: FlowDocument,
  environment: FlowEnvironment | undefined,
): Drift {
  const written = graphOf(document);
  const own = environment ? resolveNames(written, environment.names) : written;
  const theirs = sync?.remoteFor(own);
  const compared = compare(sync, state, own);
  if (!sync || !theirs || compared === "unknown") {
    const reason = "message" in state ? state.message : t("It can't be compared.");
    return { state: "unknown", operations: 0, reason };
  }
  const to = environment ? restoreNames(theirs, written, environment.names) : theirs;
  const outgoing = compared === "in-step" ? 0 : (sync.plan?.ops ?? plan(theirs, own).ops).length;
  const incoming = state.kind === "diverged" ? (state.incoming?.ops.length ?? 0) : 0;
  return { state: compared, operations: outgoing + incoming, graphs: { from: written, to } };
}

function compare(sync: SyncSession | undefined, state: SyncState, own: Graph): DriftState {
  const base = sync?.base;
  switch (state.kind) {
    case "synced":
      return "in-step";
    case "conflict":
      return "diverged";
    case "diverged":
      return base && sameGraph(base.graph, own) ? "behind" : "diverged";
    case "pending":
      // Without a common version it isn't known which side has changed.
      return state.reason === "manual" ? (base ? "ahead" : "diverged") : "unknown";
    default:
      return "unknown";
  }
}

/** Reads the platform and compares; needs no lock and writes nothing. Call `close` on the session afterwards. */
export async function lookAt(
  identity: Identity,
  remote: Remote,
  state: StateStore,
  target: Target,
): Promise<{ readonly sync: SyncSession; readonly state: SyncState }> {
  const sync = new SyncSession(
    identity,
    lookOnly(systemEnvironment(remote, state)),
    {
      files: () => [],
      mergeIntoFile: async () => undefined,
      confirm: async () => false,
      statusChanged: () => undefined,
    },
    "",
  );
  sync.save(target, "manual");
  return { sync, state: (await sync.look()).state };
}
