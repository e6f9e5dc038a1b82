/** `assistant-flow workflows list|get|execute`. */
import type { CreateExecutionRequest } from "../../platform";
import { oneLine } from "../../text";
import type { Input } from "../command";
import { atMost, numberOf } from "../limits";
import { type FormatOptions, showRecord, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;

export async function list({
  options,
  terminal,
}: Input<Common & { active?: "true" | "false"; limit: string }>): Promise<number> {
  const limit = numberOf("--limit", options.limit, 1, 10_000);
  const client = await clientOf(terminal, options);
  const query = { limit: String(Math.min(100, limit)), ...(options.active ? { active: options.active } : {}) };
  const workflows = await atMost(limit, client.workflows(query));
  showRows(workflows, options, terminal, "There are no calling workflows.", {
    ID: (workflow) => workflow.id,
    NAME: (workflow) => workflow.name,
    ACTIVE: (workflow) => (workflow.active ? "yes" : "no"),
    STEPS: (workflow) => workflow.steps?.length,
    CALLS: (workflow) => workflow.totalCalls,
    TAG: (workflow) => workflow.tag,
  });
  return 0;
}

export async function get({ args, options, terminal }: Input<Common>): Promise<number> {
  showRecord(await (await clientOf(terminal, options)).getWorkflow(args[0] as string), options, terminal);
  return 0;
}

type Lead = Partial<Record<Exclude<keyof CreateExecutionRequest, "referenceURL" | "sourceID" | "campaignID">, string>>;
type LeadOptions = Lead & { referenceUrl?: string; sourceId?: string; campaignId?: string };

export async function execute({ args, options, terminal }: Input<Common & LeadOptions>): Promise<number> {
  const { format, keyStdin, referenceUrl, sourceId, campaignId, ...lead } = options;
  const execution = await (await clientOf(terminal, { keyStdin: keyStdin === true })).createExecution(
    args[0] as string,
    {
      ...lead,
      ...(referenceUrl === undefined ? {} : { referenceURL: referenceUrl }),
      ...(sourceId === undefined ? {} : { sourceID: sourceId }),
      ...(campaignId === undefined ? {} : { campaignID: campaignId }),
    },
  );
  if (format === "json") showRecord(execution, options, terminal);
  else terminal.out(oneLine`Execution ${execution.id} is ${execution.status ?? "started"}.\n`);
  return 0;
}
