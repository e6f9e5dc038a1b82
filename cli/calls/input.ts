/** Calls from files: one call as the API returns it, or many, one per line. Their text is never part of a message. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { checkAllowed, readLines } from "../../files";
import { readCall, type TracedCall } from "../../flow/calls";
import { type PlatformClient, PlatformError } from "../../platform";
import { oneLine } from "../../text";
import { EXIT, Stop } from "../command";
import { flowsByWorkflow } from "../files/workspace-settings";
import { clientOf, type KeyOptions } from "../platform/cli-connection";
import type { Terminal } from "../terminal";
import type { CallFlow } from "./flow";

/** Reads calls from a file with one call per line. A line that isn't a call is skipped and reported by its number. */
export async function* callsIn(file: string, terminal: Terminal): AsyncGenerator<TracedCall, void, undefined> {
  await checkFile(file, terminal);
  for await (const { number, text } of readLines(path.resolve(terminal.cwd, file))) {
    if (text?.trim() === "") continue;
    const call = text === undefined ? undefined : parsed(text);
    if (call) yield call;
    else terminal.err(oneLine`${file}:${number}: skipped, because this line isn't a call.\n`);
  }
}

/** A call from a file, or from the platform by its ID. */
export async function oneCall(name: string, options: KeyOptions, terminal: Terminal): Promise<TracedCall> {
  const absolute = path.resolve(terminal.cwd, name);
  if (await stat(absolute).catch(() => undefined)) {
    const lines: string[] = [];
    for await (const { text } of readLines(absolute)) lines.push(text ?? "");
    const call = parsed(lines.join("\n"));
    if (call) return call;
    throw new Stop(`${name} isn't a call. It must contain one call as JSON, as the platform returns it.`);
  }
  if (/[\\/]|\.json$/i.test(name)) throw new Stop(`${name}: no such file.`);
  const call = readCall(await (await clientOf(terminal, options)).getCall(name));
  if (!call) throw new Stop("The platform's response isn't a call.");
  return call;
}

/**
 * Calls of a flow on the platform, created since a day. The settings say which workflow runs the flow, or else the
 * workflow's prompt.
 */
export async function* callsSince(
  since: string,
  { ids, path: flow }: Pick<CallFlow, "ids" | "path">,
  options: KeyOptions,
  terminal: Terminal,
): AsyncGenerator<TracedCall, void, undefined> {
  const from = Date.parse(since);
  if (Number.isNaN(from)) throw new Stop("--since must be a date, such as 2026-01-31.", EXIT.usage);
  const client = await clientOf(terminal, options);
  const mapped = await flowsByWorkflow(terminal.cwd);
  const isOwn = new Map([...mapped].map(([id, file]) => [id, file === path.resolve(terminal.cwd, flow)]));
  for await (const call of client.calls()) {
    if (call.createdAt !== undefined && Date.parse(call.createdAt) < from) return;
    const { workflowId } = call;
    if (!workflowId) continue;
    if (!isOwn.has(workflowId)) {
      const promptId = await promptOf(workflowId, client);
      isOwn.set(workflowId, promptId !== undefined && ids.has(promptId.toLowerCase()));
    }
    const read = isOwn.get(workflowId) ? readCall(call) : undefined;
    if (read) yield read;
  }
}

async function promptOf(workflow: string, client: PlatformClient): Promise<string | undefined> {
  try {
    return (await client.getWorkflow(workflow)).promptId;
  } catch (error) {
    // A workflow that was deleted still has calls.
    if (error instanceof PlatformError && error.kind === "not-found") return undefined;
    throw error;
  }
}

async function checkFile(file: string, terminal: Terminal): Promise<void> {
  const absolute = path.resolve(terminal.cwd, file);
  // Checked first, so that an agent can't find out whether a file outside its folders exists.
  await checkAllowed(absolute);
  if (!(await stat(absolute).catch(() => undefined))) throw new Stop(`${file}: no such file.`);
}

function parsed(text: string): TracedCall | undefined {
  try {
    return readCall(JSON.parse(text));
  } catch {
    // A syntax error would quote the text.
    return undefined;
  }
}
