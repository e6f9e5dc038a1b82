/** `assistant-flow plan`. */

import { createHash } from "node:crypto";
import { openState } from "../../files";
import { FlowDocument, graphOf, type Span } from "../../flow";
import { problemsBeforePush } from "../../flow/findings";
import { resolveNames } from "../../flow/project";
import { changesBetween } from "../../flow/review";
import { stateDirectory } from "../../platform";
import { blockingRules } from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type ExitCode, type Input } from "../command";
import { syncFiles } from "../environments/groups";
import { type FlowFile, readFlowFiles } from "../files/flow-files";
import { type RuleOptions, ruleSettings } from "../files/rule-settings";
import type { KeyOptions } from "../platform/cli-connection";
import { describeState, exitOf, type SyncResult, stateJson, worst } from "../platform/flow-sync";
import { changesText } from "../review/review-text";
import { count, type FormatOptions, showJson, type Terminal } from "../terminal";

type PlanFlags = RuleOptions & KeyOptions & FormatOptions;

export async function run({ args, options, terminal }: Input<PlanFlags>): Promise<number> {
  return planFiles(await readFlowFiles(args, terminal), options, terminal);
}

/** Plans the push of files that were already read, without reading them again. */
export async function planFiles(files: readonly FlowFile[], options: PlanFlags, terminal: Terminal): Promise<number> {
  const rules = await ruleSettings(options, terminal);
  const results = await syncFiles(files, options, {}, rules, terminal, "look");
  const state = openState(stateDirectory(terminal.env));
  const shown: Record<string, unknown>[] = [];
  for (const result of results) {
    const { file, sync, connection } = result;
    const document = FlowDocument.read(file.text);
    const isEmpty = (sync?.plan?.ops.length ?? 0) === 0;
    const problems = isEmpty ? [] : problemsBeforePush(document, rules, await blockingRules(state, connection.baseUrl));
    const blocking = problems.map(({ code, message, span }) => ({ line: lineOf(document, span), code, message }));
    if (options.format === "json") shown.push({ ...planJson(result), blocking });
    else showPlan(result, blocking, terminal);
  }
  if (options.format === "json") showJson({ files: shown }, terminal);
  const linked = results.filter(({ state }) => state.kind !== "unlinked");
  return worst(linked.map(planExit));
}

/** A pending push is the expected state of a plan; the exit code tells whether there are changes. */
function planExit(result: SyncResult): ExitCode {
  const { state, sync } = result;
  if (state.kind !== "pending" || state.reason !== "manual") return exitOf(result);
  return (sync?.plan?.ops.length ?? 0) > 0 ? EXIT.changes : EXIT.fine;
}

/** A problem that prevents the flow from running on the platform, although it doesn't hold up the push. */
interface BlockingLine {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

function lineOf(document: FlowDocument, { start }: Span): number {
  return document.positionAt(start).line + 1;
}

function showPlan(result: SyncResult, blocking: readonly BlockingLine[], terminal: Terminal): void {
  const { file, sync, state } = result;
  const wanted = sync?.plan;
  if (state.kind !== "pending" || state.reason !== "manual" || !wanted || !sync?.remote) {
    const write = state.kind === "synced" ? terminal.out : terminal.err;
    write(`${describeState(result)}${state.kind === "synced" ? "; nothing to push." : ""}\n`);
    return;
  }
  const batches = `${count(wanted.ops.length, "operation")} in ${count(wanted.batches.length, "batch").replace(/batchs$/, "batches")}`;
  terminal.out(oneLine`${file.path}: ${wanted.summary.text} (${batches}, onto version ${sync.remote.version})\n`);
  const written = graphOf(FlowDocument.read(file.text));
  const graph = file.environment ? resolveNames(written, file.environment.names) : written;
  const seen = sync.remoteFor(graph) ?? graph;
  const changes = changesText({ from: seen, to: graph }, changesBetween(seen, graph), terminal.color);
  terminal.out(changes.replace(/^(?=.)/gm, "  "));
  for (const { line, code, message } of blocking)
    terminal.out(oneLine`  ${file.path}:${line}: ${message} This prevents the flow from running on the platform. (${code})
`);
}

function planJson(result: SyncResult): Record<string, unknown> {
  const { sync, file, connection } = result;
  const wanted = sync?.plan;
  const { took_in: _, ...state } = stateJson(result);
  const batches = wanted?.batches.map((batch) => batch.map(({ op }) => op));
  const planned = {
    ...state,
    base_version: sync?.remote?.version,
    summary: wanted?.summary.text,
    removed_nodes: wanted?.summary.removedNodes,
    renames: wanted?.renames,
    batches,
  };
  if (!wanted) return planned;
  const { environment, absolute, text } = file;
  return { ...planned, fingerprint: fingerprintOf([connection.baseUrl, environment?.link, absolute, text, planned]) };
}

/** Identifies a plan: equal only for the same file with the same text, for the same version of the same revision. */
function fingerprintOf(plan: unknown): string {
  return createHash("sha256").update(JSON.stringify(plan)).digest("hex");
}
