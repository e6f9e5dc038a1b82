/** `assistant-flow push`. */
import type { Side } from "../../flow";
import type { Expects } from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type Input } from "../command";
import { type FlowFile, readFlowFiles } from "../files/flow-files";
import { type RuleOptions, ruleSettings } from "../files/rule-settings";
import { type FormatOptions, showJson } from "../output";
import { connectionOf, type KeyOptions } from "../platform/cli-connection";
import { exitOf, notKeptWords, stateJson, stateWords, withSyncs, worst } from "../platform/flow-sync";
import type { Terminal } from "../terminal";

interface PushFlags extends RuleOptions, KeyOptions, FormatOptions {
  readonly allowFirstPush?: boolean;
  readonly allowRemovals?: boolean;
  readonly take?: Side;
}

export async function run({ args, options, terminal }: Input<PushFlags>): Promise<number> {
  return pushFiles(await readFlowFiles(args, terminal), options, terminal);
}

/** The same for files that were read already: these texts are pushed, whatever the files say by now. */
export async function pushFiles(
  files: readonly FlowFile[],
  options: PushFlags,
  terminal: Terminal,
  expects?: Expects,
): Promise<number> {
  const rules = await ruleSettings(options, terminal);
  const connection = await connectionOf(terminal, options);
  const allowed = {
    firstPush: options.allowFirstPush === true,
    removals: options.allowRemovals === true,
    ...(options.take ? { take: options.take } : {}),
    ...(expects ? { expects } : {}),
  };
  const results = await withSyncs(files, connection, allowed, rules, terminal, "push");
  if (options.format === "json") showJson({ files: results.map(stateJson) }, terminal);
  else
    for (const result of results) {
      const { file, state, tookIn, status } = result;
      if (tookIn) terminal.out(oneLine`${file.path}: platform changes were merged into the file.\n`);
      for (const note of notKeptWords(result)) terminal.err(oneLine`${file.path}: ${note}\n`);
      const write = state.kind === "synced" ? terminal.out : terminal.err;
      write(`${stateWords(result)}${state.kind === "synced" ? "." : ""}\n`);
      if (status && status.risks.length > 0)
        terminal.err(oneLine`${file.path}: someone changed the platform meanwhile; look at its history.\n`);
    }
  // A file without a revision has nothing to push; among others that do, it is no failure.
  const linked = results.filter(({ state }) => state.kind !== "unlinked");
  return linked.length === 0 ? EXIT.failed : worst(linked.map(exitOf));
}
