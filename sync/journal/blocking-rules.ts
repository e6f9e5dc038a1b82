/**
 * Stores the rules that each platform blocks on, so that what one push taught is known to every editor and command on
 * this computer, and after a restart.
 */
import { diagnosticsIn, type FlowDocument, type Graph, type RuleSettings, sameGraph } from "../../flow";
import { type BlockingRules, learnBlocking, type PlatformFinding, readBlocking } from "../../flow/findings";
import type { GraphResult } from "../../platform";
import type { StateStore } from "../../system";
import { turns } from "../../system";
import { view } from "../reconcile";
import { addressOf } from "./journal";
import { digest } from "./journal-text";
import { newestKept, readKept } from "./kept-files";
import type { Known } from "./record";

interface KeptRules {
  /** The platform's address. */
  readonly of: string;
  readonly blocking: BlockingRules;
}

/** What a platform blocks on, or without a connection, what the one that last taught something does. */
export async function blockingRules(state: StateStore, connection: string | undefined): Promise<BlockingRules> {
  const reading =
    connection === undefined
      ? newestKept<KeptRules>(state, ENDING, hasRules)
      : readKept<KeptRules>(state, nameOf(connection), hasRules);
  // It only adds to messages, so flows are checked even if the state can't be read.
  return readBlocking((await reading.catch(() => undefined))?.blocking);
}

/** A saved file, and the platform's graph as last seen. */
export interface Compared {
  readonly document: FlowDocument;
  /** Returns the file's graph as it is pushed. */
  graph(): Graph;
  readonly remote: Known | undefined;
  readonly rules: RuleSettings;
}

/**
 * Learns from answers, one after the other. Resolves to what is known then. `compared` returns undefined if the file's
 * diagnostics aren't known.
 */
export function blockingKeeper(
  state: StateStore,
  connection: string,
): (result: GraphResult, compared: () => Compared | undefined) => Promise<BlockingRules> {
  const inTurn = turns();
  return (result, compared) =>
    inTurn(async () => {
      // Another program may have learned something since.
      const before = await blockingRules(state, connection);
      const findings = result.validation?.findings as readonly PlatformFinding[] | undefined;
      const answer = { findings, errors: result.blocking_error_count };
      const now = learnBlocking(before, answer, (isWanted) => brokenRules(isWanted, result, compared()));
      const kept: KeptRules = { of: addressOf(connection), blocking: now };
      if (now !== before) await state.replace(nameOf(connection), JSON.stringify(kept));
      return now;
    });
}

/** The wanted rules that the flow of an answer breaks; none if the file is another version. */
function brokenRules(
  isWanted: (code: string) => boolean,
  { graph_version }: GraphResult,
  compared: Compared | undefined,
): readonly string[] {
  const remote = compared?.remote;
  if (!remote || remote.version !== graph_version) return [];
  const broken = diagnosticsIn(compared.document, compared.rules).filter(({ code }) => isWanted(code));
  // Comparing large graphs is slow, and few flows break a rule that the platform blocks on.
  if (broken.length === 0) return [];
  const graph = compared.graph();
  return sameGraph(view(remote, graph), graph) ? broken.map(({ code }) => code) : [];
}

function hasRules(kept: Partial<KeptRules> | null): kept is KeptRules {
  return typeof kept?.blocking === "object" && kept.blocking !== null;
}

const ENDING = ".blocking";

function nameOf(connection: string): string {
  return `${digest(addressOf(connection)).slice(0, 32)}${ENDING}`;
}
