/** The platform's side of a comparison. */
import type { Graph } from "../../flow";
import { oneLine } from "../../text";
import { EXIT, Stop } from "../command";
import { readFlowFiles } from "../files/flow-files";
import { connectionOf, type KeyOptions } from "../platform/cli-connection";
import { exitOf, stateWords, withSyncs } from "../platform/flow-sync";
import type { Terminal } from "../terminal";

/** What the platform stores, and how a file with some graph would have it written. */
export async function lookedAt(
  name: string,
  options: KeyOptions,
  terminal: Terminal,
): Promise<{ stored: Graph; asIn(file: Graph): Graph; behind?: string }> {
  const files = await readFlowFiles([name], terminal);
  if (files.length !== 1) throw new Stop(`${name}: name one flow file.`, EXIT.usage);
  const connection = await connectionOf(terminal, options);
  const [result] = await withSyncs(files, connection, {}, {}, terminal, "look");
  const sync = result?.sync;
  const stored = sync?.remote?.graph;
  if (result && stored) {
    // The same as `plan` says and exits with.
    const behind = exitOf(result) === EXIT.behind ? { behind: stateWords(result, name) } : {};
    return { stored, asIn: (file) => sync?.remoteFor(file) ?? stored, ...behind };
  }
  throw new Stop(
    result ? stateWords(result, name) : oneLine`${name}: cannot be compared`,
    result ? exitOf(result) || EXIT.failed : EXIT.failed,
  );
}
