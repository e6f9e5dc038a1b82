/** `assistant-flow calls report` and `calls trace`. */
import { type CallReport, CallTally, type CallTrace, CallTracer, traceJson } from "../../flow/calls";
import { codeSpan, inCell, oneLine, visibleLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import type { KeyOptions } from "../platform/cli-connection";
import { showJson, type Terminal, table } from "../terminal";
import { loadCallFlow, testedEdges } from "./flow";
import { callsIn, callsSince, oneCall } from "./input";

export interface ReportFlags extends KeyOptions {
  readonly flow?: string;
  readonly calls?: string;
  readonly since?: string;
  readonly format: string;
}

const DAY = 86_400_000;

export async function run({ options, terminal }: Input<ReportFlags>): Promise<number> {
  const report = await callReport(options, terminal);
  if (options.format === "json") showJson(report, terminal);
  else if (options.format === "markdown") terminal.out(markdownOf(report));
  else showReport(report, terminal);
  return EXIT.fine;
}

export async function callReport(options: Omit<ReportFlags, "format">, terminal: Terminal): Promise<CallReport> {
  if (options.calls !== undefined && options.since !== undefined)
    throw new Stop("--calls and --since can't be combined.", EXIT.usage);
  const flow = await loadCallFlow(options.flow, terminal.cwd);
  const tracer = new CallTracer(flow.program, flow.flowOf);
  const tally = new CallTally();
  const since = options.since ?? new Date(Date.now() - 30 * DAY).toISOString();
  const calls =
    options.calls === undefined ? callsSince(since, flow, options, terminal) : callsIn(options.calls, terminal);
  for await (const call of calls) tally.add(tracer.trace(call));
  const tested = await testedEdges(flow, terminal.cwd);
  return tally.report(flow.path, flow.program, (edge) => tested.has(edge));
}

function headline({ calls, placed, partly, unplaced, not_checked }: CallReport): string {
  const counts = `${calls} calls: ${placed} placed, ${partly} partly, ${unplaced} unplaced.`;
  return not_checked === undefined ? counts : `${counts} Not checked: ${not_checked} too large.`;
}

function nodeRows(report: CallReport): string[][] {
  const known = report.placed + report.partly;
  return Object.entries(report.nodes).map(([id, { calls, certain, left }]) => [
    id,
    String(calls),
    known === 0 ? "0%" : `${Math.round((100 * calls) / known)}%`,
    String(certain),
    String(left),
  ]);
}

function edgeRows(report: CallReport): string[][] {
  return Object.entries(report.edges).map(([id, { calls, certain, tested }]) => [
    id,
    String(calls),
    String(certain),
    tested ? "yes" : "no",
  ]);
}

const NODE_COLUMNS = ["NODE", "CALLS", "SHARE", "CERTAIN", "LEFT"];
const EDGE_COLUMNS = ["EDGE", "CALLS", "CERTAIN", "TESTED"];

function counts(record: Readonly<Record<string, number>>, format = visibleLine): string {
  return Object.entries(record)
    .map(([name, count]) => `${format(name)} ${count}`)
    .join(", ");
}

function showReport(report: CallReport, terminal: Terminal): void {
  terminal.out(`${headline(report)}\n\n${table(NODE_COLUMNS, nodeRows(report), terminal)}\n`);
  terminal.out(table(EDGE_COLUMNS, edgeRows(report), terminal));
  terminal.out(`\nEnds: ${counts(report.ends) || "none known"}\n`);
  terminal.out(`Reasons: ${counts(report.reasons) || "none"}\n`);
}

function markdownOf(report: CallReport): string {
  const rows = (columns: readonly string[], cells: readonly (readonly string[])[]) => [
    `| ${columns.map((name) => name.charAt(0) + name.slice(1).toLowerCase()).join(" | ")} |`,
    `|${columns.map(() => "---").join("|")}|`,
    ...cells.map(([id = "", ...rest]) => `| ${codeSpan(inCell(id))} | ${rest.join(" | ")} |`),
  ];
  const lines = [
    `## Calls of ${codeSpan(report.flow)}`,
    "",
    headline(report),
    "",
    ...rows(NODE_COLUMNS, nodeRows(report)),
    "",
    ...rows(EDGE_COLUMNS, edgeRows(report)),
    "",
    `Ends: ${counts(report.ends, codeSpan) || "none known"}`,
    "",
    `Reasons: ${counts(report.reasons, codeSpan) || "none"}`,
  ];
  return `${lines.join("\n")}\n`;
}

interface TraceFlags extends KeyOptions {
  readonly flow?: string;
  readonly call?: string;
  readonly calls?: string;
  readonly format: string;
}

async function runTrace({ options, terminal }: Input<TraceFlags>): Promise<number> {
  if ((options.call === undefined) === (options.calls === undefined))
    throw new Stop("Pass either --call with a file or an ID, or --calls FILE.jsonl.", EXIT.usage);
  const flow = await loadCallFlow(options.flow, terminal.cwd);
  const tracer = new CallTracer(flow.program, flow.flowOf);
  if (options.call !== undefined) {
    const trace = tracer.trace(await oneCall(options.call, options, terminal));
    if (options.format === "json") showJson(traceJson(flow.path, trace), terminal);
    else showTrace(trace, terminal);
    return EXIT.fine;
  }
  for await (const call of callsIn(options.calls as string, terminal)) {
    const trace = tracer.trace(call);
    if (options.format === "json") terminal.out(`${JSON.stringify(traceJson(flow.path, trace))}\n`);
    else showTrace(trace, terminal);
  }
  return EXIT.fine;
}

function showTrace({ call, verdict, steps, unexplainedTurns, end, isTooLarge }: CallTrace, terminal: Terminal): void {
  terminal.out(oneLine`${call || "(no ID)"}: ${isTooLarge ? "not checked: too large" : verdict}\n`);
  if (isTooLarge) return;
  for (const { node, certainty, turns } of steps) {
    const said = turns.length > 0 ? `, turns ${turns.join(", ")}` : "";
    terminal.out(`  ${visibleLine(node)} (${certainty}${said})\n`);
  }
  if (end && verdict !== "placed") terminal.out(`  … ${visibleLine(end.node)} (${end.certainty} end)\n`);
  if (unexplainedTurns.length > 0) terminal.out(`  Unexplained turns: ${unexplainedTurns.join(", ")}\n`);
}

export const trace = { run: runTrace };
