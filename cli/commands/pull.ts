/** `assistant-flow pull`. */
import type { Side } from "../../flow";
import { oneLine } from "../../text";
import { EXIT, type Input } from "../command";
import { syncFiles } from "../environments/groups";
import { readFlowFiles } from "../files/flow-files";
import type { KeyOptions } from "../platform/cli-connection";
import { describeState, exitOf, type SyncResult, stateJson, worst } from "../platform/flow-sync";
import { type FormatOptions, showJson } from "../terminal";

interface PullFlags extends KeyOptions, FormatOptions {
  readonly take?: Side;
}

export async function run({ args, options, terminal }: Input<PullFlags>): Promise<number> {
  const files = await readFlowFiles(args, terminal);
  // Local errors don't prevent a pull.
  const results = await syncFiles(files, options, { take: options.take }, {}, terminal, "pull");
  if (options.format === "json") showJson({ files: results.map(stateJson) }, terminal);
  else
    for (const result of results) {
      const { file, pulled } = result;
      if (isIn(result))
        terminal.out(
          oneLine`${file.path}: ${pulled ? "platform changes were merged into the file" : "already up to date"}.\n`,
        );
      else terminal.err(`${describeState(result)}\n`);
    }
  const linked = results.filter(({ state }) => state.kind !== "unlinked");
  return linked.length === 0 ? EXIT.failed : worst(linked.map((result) => (isIn(result) ? EXIT.fine : exitOf(result))));
}

/** The file contains all platform changes; its own changes wait for a push. */
function isIn({ state }: SyncResult): boolean {
  return state.kind === "synced" || (state.kind === "pending" && state.reason === "manual");
}
