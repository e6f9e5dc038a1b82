/** A call as the API returns it, reduced to what tracing uses. Every field may be missing, null, or of another type. */

export interface TracedCall {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** Final values; undefined if the call has no `variables` object, which proves nothing. */
  readonly variables: ReadonlyMap<string, unknown> | undefined;
  /**
   * How the run ended. `transfer`: at a transfer node. `end`: at an end node. `cut`: anywhere, but not at a transfer.
   * `open`: anywhere, because the call is still running or doesn't say.
   */
  readonly ending: "transfer" | "end" | "cut" | "open";
  /** `callEndedReason`, or undefined. */
  readonly reason: string | undefined;
}

export interface Turn {
  readonly speaker: "assistant" | "caller" | "system";
  readonly text: string;
}

const ASSISTANTS: ReadonlySet<string> = new Set(["agent", "assistant", "ai", "bot"]);

/** End reasons of unanswered calls, which are no evidence about a run. */
const UNANSWERED: ReadonlySet<string> = new Set(["NO_ANSWER", "LEFT_VOICEMAIL", "BAD_NUMBER", "LINE_BUSY"]);

/** Undefined if the data isn't a call. */
export function readCall(data: unknown): TracedCall | undefined {
  const record = asRecord(data);
  if (!record) return undefined;
  // `GET /calls/{id}` returns a page with one call.
  if (Array.isArray(record.calls) && record.transcript === undefined) return readCall(record.calls[0]);
  if (!["id", "transcript", "variables", "workflowId", "status"].some((field) => field in record)) return undefined;
  const transcript = Array.isArray(record.transcript) ? record.transcript : [];
  const variables = asRecord(record.variables);
  const reason = textIn(record.callEndedReason);
  return {
    id: textIn(record.id) ?? "",
    turns: transcript.map(readTurn),
    variables: variables && new Map(Object.entries(variables).filter(([, value]) => value !== null)),
    ending: endingOf(record, reason),
    reason,
  };
}

function endingOf(record: Readonly<Record<string, unknown>>, reason: string | undefined): TracedCall["ending"] {
  if (reason === "WARM_TRANSFER") return "transfer";
  if (reason === undefined) return "open";
  if (UNANSWERED.has(reason)) return "cut";
  const by = textIn(record.callEndedBy)?.toLowerCase();
  return by !== undefined && ASSISTANTS.has(by) ? "end" : "cut";
}

function readTurn(data: unknown): Turn {
  const record = asRecord(data);
  const user = (textIn(record?.user) ?? "").trim().toLowerCase();
  const speaker = ASSISTANTS.has(user) ? "assistant" : user === "system" || !record ? "system" : "caller";
  return { speaker, text: textIn(record?.text) ?? "" };
}

function asRecord(data: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof data === "object" && data !== null && !Array.isArray(data)
    ? (data as Readonly<Record<string, unknown>>)
    : undefined;
}

function textIn(data: unknown): string | undefined {
  return typeof data === "string" ? data : typeof data === "number" ? String(data) : undefined;
}
