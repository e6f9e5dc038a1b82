/**
 * Stores the rules that each platform blocks on, so that what one push taught is known to every editor and command on
 * this computer, and after a restart.
 */
import { checkDocument, type FlowDocument, type Graph, type Problem, type RuleSettings, sameGraph } from "../../flow";
import { type BlockingRules, learnBlocking, type PlatformFinding } from "../../flow/findings";
import type { GraphResult } from "../../platform";
import type { StateStore } from "../../system";
import { view } from "../reconcile";
import { newestKept, readKept } from "../revision/kept-files";
import { turns } from "../turns";
import { addressOf } from "./journal";
import { digest } from "./journal-text";
import type { Known } from "./record";

interface KeptRules {
  /** The platform's address. */
  readonly of: string;
  readonly blocking: BlockingRules;
}

/** What a platform blocks on, or without a connection, what the one that last taught something does. */
export async function blockingRules(state: StateStore, connection: string | undefined): Promise<BlockingRules> {
  const kept =
    connection === undefined
      ? await newestKept(state, ENDING, isWhole)
      : await readKept(state, nameOf(connection), isWhole);
  return kept?.blocking ?? {};
}

/** A saved file, and the platform's graph as last seen. */
export interface Compared {
  readonly document: FlowDocument;
  /** The file's graph as it is pushed. */
  readonly graph: Graph;
  readonly remote: Known | undefined;
  readonly rules: RuleSettings;
}

/** Learns from answers, one after the other. Resolves to what is known then. */
export function blockingKeeper(
  state: StateStore,
  connection: string,
): (result: GraphResult, compared: () => Compared) => Promise<BlockingRules> {
  const inTurn = turns();
  return (result, compared) =>
    inTurn(async () => {
      // Another program may have learned something since.
      const before = await blockingRules(state, connection);
      const findings = result.validation?.findings as readonly PlatformFinding[] | undefined;
      const answer = { findings, errors: result.blocking_error_count };
      const now = learnBlocking(before, answer, findings && ownProblems(result, compared()));
      const kept: KeptRules = { of: addressOf(connection), blocking: now };
      if (now !== before) await state.replace(nameOf(connection), JSON.stringify(kept));
      return now;
    });
}

/** Our problems of the flow that an answer is about; undefined if the file is another version. */
function ownProblems(
  { graph_version }: GraphResult,
  { document, graph, remote, rules }: Compared,
): readonly Problem[] | undefined {
  const isSame = remote !== undefined && remote.version === graph_version && sameGraph(view(remote, graph), graph);
  return isSame ? checkDocument(document, rules) : undefined;
}

function isWhole(kept: Partial<KeptRules> | null): kept is KeptRules {
  const { blocking } = kept ?? {};
  return (
    typeof blocking === "object" &&
    blocking !== null &&
    Object.values(blocking).every((each) => typeof each === "boolean")
  );
}

const ENDING = ".blocking";

function nameOf(connection: string): string {
  return `${digest(addressOf(connection)).slice(0, 32)}${ENDING}`;
}
