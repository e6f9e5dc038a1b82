/** Stores the platform's findings from the last answer next to the journal, so they can be shown without a request. */
import type { Graph } from "../../flow";
import type { PlatformFinding, Since } from "../../flow/findings";
import type { GraphResult } from "../../platform";
import type { StateStore } from "../../system";
import type { Identity } from "../environment";
import { view } from "../reconcile";
import { knownVersion } from "./journal";
import { KeptFiles, latestOnly, type MaybeConnected } from "./kept-files";
import type { Known } from "./record";

export interface LastFindings {
  /** The flow they belong to. */
  readonly of: Identity;
  /** The version that the findings are for. */
  readonly version: number | undefined;
  readonly findings: readonly PlatformFinding[];
  readonly blocking_error_count?: number;
  readonly workflow_enabled?: boolean;
}

/** How a file with this graph differs from the version of the findings. */
export function sinceVersion(version: number | undefined, known: Known | undefined, graph: Graph): Since {
  return { version, before: known && view(known, graph), now: graph };
}

/** The graph that the findings are for, if the journal still has it. */
export function graphOfFindings(state: StateStore, { of, version }: LastFindings): Promise<Known | undefined> {
  return knownVersion(state, of, version);
}

const files = new KeptFiles<LastFindings>(".findings", (kept): kept is LastFindings => Array.isArray(kept?.findings));

/** Stores the findings of each answer. */
export function findingsKeeper(state: StateStore, identity: Identity): (result: GraphResult) => Promise<void> {
  return latestOnly(({ graph_version, blocking_error_count, workflow_enabled, validation }) => {
    const findings = (validation?.findings ?? []) as readonly PlatformFinding[];
    const kept: LastFindings = {
      of: identity,
      version: graph_version,
      blocking_error_count,
      workflow_enabled,
      findings,
    };
    return state.replace(files.nameFor(identity), JSON.stringify(kept));
  });
}

/**
 * The platform's last findings, or without a connection, those of any platform. Undefined if this flow was never sent
 * from here, or if the file can't be read.
 */
export function lastFindings(state: StateStore, identity: MaybeConnected): Promise<LastFindings | undefined> {
  return files.read(state, identity);
}
