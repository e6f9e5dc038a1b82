/** The platform's version of a flow, for comparisons. */
import { FlowDocument, type Graph, graphOf } from "../../flow";
import { resolveNames, restoreNames } from "../../flow/project";
import { oneLine } from "../../text";
import { EXIT, Stop } from "../command";
import { syncFiles } from "../environments/groups";
import { readFlowFiles } from "../files/flow-files";
import type { KeyOptions } from "../platform/cli-connection";
import { describeState, exitOf, type SyncResult } from "../platform/flow-sync";
import type { Terminal } from "../terminal";

/** The stored graph, and how the platform would store the graph of a file. */
export async function platformVersion(
  name: string,
  options: KeyOptions,
  terminal: Terminal,
): Promise<{ stored: Graph; normalized(file: Graph): Graph; behind?: string }> {
  const files = await readFlowFiles([name], terminal);
  if (files.length !== 1) throw new Stop(`${name}: pass one flow file.`, EXIT.usage);
  const [result] = await syncFiles(files, options, {}, {}, terminal, "look");
  const sync = result?.sync;
  const stored = sync?.remote?.graph;
  if (result && stored && isSeen(result)) {
    // The same as `plan` says and exits with.
    const behind = exitOf(result) === EXIT.behind ? { behind: describeState(result, name) } : {};
    const { environment, text } = result.file;
    if (!environment) return { stored, normalized: (file) => sync?.remoteFor(file) ?? stored, ...behind };
    const { names } = environment;
    const written = graphOf(FlowDocument.read(text));
    return {
      stored: restoreNames(stored, written, names),
      normalized: (file) => restoreNames(sync?.remoteFor(resolveNames(file, names)) ?? stored, written, names),
      ...behind,
    };
  }
  throw new Stop(
    result ? describeState(result, name) : oneLine`${name} can't be compared.`,
    result ? exitOf(result) || EXIT.failed : EXIT.failed,
  );
}

/** What the journal knows is only compared with where the platform was seen: it may be something else by now. */
function isSeen(result: SyncResult): boolean {
  const { state } = result;
  return exitOf(result) !== EXIT.unreachable && !(state.kind === "blocked" && state.reason === "unreadable");
}
