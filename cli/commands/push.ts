/** `assistant-flow push` and `pull`. */
import type { Side } from "../../flow";
import type { Expects } from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type Input } from "../command";
import { syncFiles } from "../environments/groups";
import { type FlowFile, readFlowFiles } from "../files/flow-files";
import { type RuleOptions, ruleSettings } from "../files/rule-settings";
import type { KeyOptions } from "../platform/cli-connection";
import { compileJson, waitForCompiles, waitLimit, waitLines } from "../platform/compile";
import { describeState, exitOf, notStoredMessages, type SyncResult, stateJson, worst } from "../platform/flow-sync";
import { type FormatOptions, showJson, type Terminal } from "../terminal";

interface PushFlags extends RuleOptions, KeyOptions, FormatOptions {
  readonly allowFirstPush?: boolean;
  readonly allowRemovals?: boolean;
  readonly take?: Side;
  /** How many seconds to wait for the compile; empty for the default. */
  readonly wait?: string;
}

export async function run({ args, options, terminal }: Input<PushFlags>): Promise<number> {
  return pushFiles(await readFlowFiles(args, terminal), options, terminal);
}

/** Pushes files that were already read, without reading them again. */
export async function pushFiles(
  files: readonly FlowFile[],
  options: PushFlags,
  terminal: Terminal,
  expects?: Expects,
): Promise<number> {
  const limitMs = options.wait === undefined ? undefined : waitLimit(options.wait);
  const rules = await ruleSettings(options, terminal);
  const allowed = {
    firstPush: options.allowFirstPush === true,
    removals: options.allowRemovals === true,
    take: options.take,
    expects,
  };
  const begun = Date.now();
  const results = await syncFiles(files, options, allowed, rules, terminal, "push");
  const waits = limitMs === undefined ? [] : await waitForCompiles(results, limitMs, terminal);
  const waitOf = (result: SyncResult) => waits.find((each) => each.result === result);
  if (options.format === "json")
    showJson(
      {
        files: results.map((result) => {
          const wait = waitOf(result);
          return { ...stateJson(result), ...(wait && { compile: compileJson(wait.compile) }) };
        }),
      },
      terminal,
    );
  else
    for (const result of results) {
      const { file, state, pulled, status } = result;
      if (pulled) terminal.out(oneLine`${file.path}: platform changes were merged into the file.\n`);
      for (const note of notStoredMessages(result)) terminal.err(oneLine`${file.path}: ${note}\n`);
      const write = state.kind === "synced" ? terminal.out : terminal.err;
      write(`${describeState(result)}${state.kind === "synced" ? "." : ""}\n`);
      // A risk of an earlier push was reported by that push.
      if (status?.risks.some(({ at }) => at >= begun))
        terminal.err(oneLine`${file.path}: the platform was changed at the same time; check its history.\n`);
      const wait = waitOf(result);
      if (wait)
        for (const line of waitLines(wait))
          (wait.exit === EXIT.fine ? terminal.out : terminal.err)(oneLine`${file.path}: ${line}\n`);
    }
  // Files without a revision are ignored if others have one.
  const linked = results.filter(({ state }) => state.kind !== "unlinked");
  return linked.length === 0 ? EXIT.failed : worst([...linked.map(exitOf), ...waits.map(({ exit }) => exit)]);
}

interface PullFlags extends KeyOptions, FormatOptions {
  readonly take?: Side;
}

async function runPull({ args, options, terminal }: Input<PullFlags>): Promise<number> {
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

export const pull = { run: runPull };
