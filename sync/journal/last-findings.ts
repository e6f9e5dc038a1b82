/** Stores the platform's findings from the last answer next to the journal, so they can be shown without a request. */
import type { Graph } from "../../flow";
import type { PlatformFinding, Since } from "../../flow/findings";
import type { GraphResult } from "../../platform";
import type { StateStore } from "../../system";
import type { Identity } from "../environment";
import { view } from "../reconcile";
import { newestOf, readKept } from "../revision/kept-files";
import { fileNameOf, knownVersion } from "./journal";
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

/**
 * Stores the findings of each answer, one write at a time. A long chain of batches is answered faster than thousands of
 * findings can be written, so only the latest answer is written then.
 */
export function findingsKeeper(state: StateStore, identity: Identity): (result: GraphResult) => Promise<void> {
  let latest: GraphResult | undefined;
  let writing: Promise<void> | undefined;
  const write = async () => {
    while (latest) {
      const result = latest;
      latest = undefined;
      await keepFindings(state, identity, result);
    }
  };
  return (result) => {
    latest = result;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
}

async function keepFindings(state: StateStore, identity: Identity, result: GraphResult): Promise<void> {
  const { blocking_error_count, workflow_enabled } = result;
  const kept: LastFindings = {
    of: identity,
    version: result.graph_version,
    ...(blocking_error_count === undefined ? {} : { blocking_error_count }),
    ...(workflow_enabled === undefined ? {} : { workflow_enabled }),
    findings: (result.validation?.findings ?? []) as readonly PlatformFinding[],
  };
  await state.replace(nameOf(identity), JSON.stringify(kept));
}

/**
 * The platform's last findings, or without a connection, those of any platform. Undefined if this flow was never sent
 * from here, or if the file can't be read.
 */
export async function lastFindings(
  state: StateStore,
  { connection, assistant, revision }: Omit<Identity, "connection"> & { readonly connection: string | undefined },
): Promise<LastFindings | undefined> {
  if (connection !== undefined) return readKept(state, nameOf({ connection, assistant, revision }), isWhole);
  return newestOf(state, ENDING, { assistant, revision }, isWhole);
}

function isWhole(kept: Partial<LastFindings> | null): kept is LastFindings {
  return Array.isArray(kept?.findings);
}

const ENDING = ".findings";

function nameOf(identity: Identity): string {
  return `${fileNameOf(identity)}${ENDING}`;
}
