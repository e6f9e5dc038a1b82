/** `assistant-flow calls trace`. */
import { type CallTrace, CallTracer, traceJson } from "../../flow/calls";
import { oneLine, visibleLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import type { KeyOptions } from "../platform/cli-connection";
import { showJson, type Terminal } from "../terminal";
import { loadCallFlow } from "./flow";
import { callsIn, oneCall } from "./input";

interface Flags extends KeyOptions {
  readonly flow?: string;
  readonly call?: string;
  readonly calls?: string;
  readonly format: string;
}

export async function run({ options, terminal }: Input<Flags>): Promise<number> {
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
