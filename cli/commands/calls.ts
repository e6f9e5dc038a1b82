/** `assistant-flow calls list|get` and `call create`. */

import { CALL_ENDED_REASONS, type CallEndedReason, type CreateCallRequest } from "../../platform";
import { oneLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { atMost, numberOf } from "../limits";
import { type FormatOptions, showRecord, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;
type Filters = { status?: string; tag?: string; ended?: string; limit: string };

export async function list({ options, terminal }: Input<Common & Filters>): Promise<number> {
  const { status, tag, ended } = options;
  if (ended !== undefined && !CALL_ENDED_REASONS.some((reason) => reason === ended))
    throw new Stop(`--ended must be one of ${CALL_ENDED_REASONS.join(", ")}.`, EXIT.usage);
  const limit = numberOf("--limit", options.limit, 1, 10_000);
  const client = await clientOf(terminal, options);
  const query = {
    ...(status === undefined ? {} : { status }),
    ...(tag === undefined ? {} : { tag }),
    ...(ended === undefined ? {} : { callEndedReason: ended as CallEndedReason }),
  };
  const calls = await atMost(limit, client.calls(query));
  showRows(calls, options, terminal, "No calls found.", {
    ID: (call) => call.id,
    WHO: (call) => [call.firstName, call.lastName].filter(Boolean).join(" ") || call.phone,
    STATUS: (call) => call.status,
    ENDED: (call) => call.callEndedReason,
    SECONDS: (call) => call.callDuration,
    CREATED: (call) => call.createdAt,
  });
  return 0;
}

export async function get({ args, options, terminal }: Input<Common>): Promise<number> {
  const call = await (await clientOf(terminal, options)).getCall(args[0] as string);
  if (options.format === "json") showRecord(call, options, terminal);
  else {
    const { transcript = [], ...facts } = call;
    showRecord(facts, options, terminal);
    if (transcript.length > 0) terminal.out("\n");
    for (const { user, text } of transcript) terminal.out(oneLine`${user ?? "?"}: ${text ?? ""}\n`);
  }
  return 0;
}

export async function create({
  options,
  terminal,
}: Input<Common & Partial<Record<keyof CreateCallRequest, string>>>): Promise<number> {
  const { format, keyStdin, ...inquiry } = options;
  const answer = await (await clientOf(terminal, { keyStdin: keyStdin === true })).createCall(inquiry);
  if (format === "json") showRecord(answer, options, terminal);
  else terminal.out(oneLine`Call inquiry ${answer.id ?? "(no ID)"} is ${answer.status ?? "created"}.\n`);
  return 0;
}
