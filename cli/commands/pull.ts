/** `assistant-flow pull`. */
import type { Side } from "../../flow";
import { oneLine } from "../../text";
import { EXIT, type Input } from "../command";
import { readFlowFiles } from "../files/flow-files";
import { type FormatOptions, showJson } from "../output";
import { connectionOf, type KeyOptions } from "../platform/cli-connection";
import { exitOf, type SyncResult, stateJson, stateWords, withSyncs, worst } from "../platform/flow-sync";

interface PullFlags extends KeyOptions, FormatOptions {
  readonly take?: Side;
}

export async function run({ args, options, terminal }: Input<PullFlags>): Promise<number> {
  const files = await readFlowFiles(args, terminal);
  const connection = await connectionOf(terminal, options);
  const allowed = options.take ? { take: options.take } : {};
  // Local errors do not keep what others did from coming in.
  const results = await withSyncs(files, connection, allowed, {}, terminal, "pull");
  if (options.format === "json") showJson({ files: results.map(stateJson) }, terminal);
  else
    for (const result of results) {
      const { file, tookIn } = result;
      if (isIn(result))
        terminal.out(
          oneLine`${file.path}: ${tookIn ? "platform changes were merged into the file" : "has everything the platform has"}.\n`,
        );
      else terminal.err(`${stateWords(result)}\n`);
    }
  const linked = results.filter(({ state }) => state.kind !== "unlinked");
  return linked.length === 0 ? EXIT.failed : worst(linked.map((result) => (isIn(result) ? EXIT.fine : exitOf(result))));
}

/** The file has all of the platform; what it has beyond that waits for a push. */
function isIn({ state }: SyncResult): boolean {
  return state.kind === "synced" || (state.kind === "pending" && state.reason === "manual");
}
