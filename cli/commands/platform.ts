/** The commands for resources of the platform: API keys, reviews, workflows, calls, assistants, webhooks and analytics. */
import {
  CALL_ENDED_REASONS,
  type CallEndedReason,
  type CreateCallRequest,
  type PlatformClient,
  PlatformError,
  type ReviewRequest,
} from "../../platform";
import { oneLine } from "../../text";
import { type CommandModule, EXIT, type Input, Stop } from "../command";
import { atMost, numberOf } from "../limits";
import { clientOf, type KeyOptions } from "../platform/cli-connection";
import { showJson, showRecord, showRows, type Terminal } from "../terminal";

type Options = KeyOptions & { readonly format?: string };
const COMMON = ["format", "keyStdin", "allowNewOrigin", "env"];
/** `values` are the options of the command itself, without those that all of them have. */
type Work<Values> = (
  client: PlatformClient,
  given: { readonly id: string; readonly values: Values; readonly options: Options; readonly terminal: Terminal },
) => Promise<void>;

/** A command that runs with a client of the platform. Its first argument is the ID, or the name of what is created. */
function command<Values extends object = object>(work: Work<Values>) {
  return {
    run: async ({ args, options, terminal }: Input<Options>) => {
      const client = await clientOf(terminal, options);
      const values = Object.fromEntries(Object.entries(options).filter(([name]) => !COMMON.includes(name))) as Values;
      await work(client, { id: args[0] ?? "", values, options, terminal });
      return EXIT.fine;
    },
  };
}

/** Prints a record as JSON, or a sentence about it. */
function show(record: object, sentence: string, { format }: Options, terminal: Terminal): void {
  if (format === "json") showJson(record, terminal);
  else terminal.out(sentence);
}

export const platformCommands: Readonly<Record<string, CommandModule>> = {
  "keys list": command(async (client, { options, terminal }) =>
    showRows(await client.listApiKeys(), options, terminal, "No active API keys.", {
      ID: (key) => key.id,
      NAME: (key) => key.name,
      PREFIX: (key) => key.key_prefix,
      SCOPES: (key) => key.scopes,
      "LAST USED": (key) => key.last_used_at ?? "never",
      EXPIRES: (key) => key.expires_at ?? "never",
    }),
  ),
  "keys create": command<{ scope: string[]; expiresAt?: string }>(
    async (client, { id: name, values: { scope, expiresAt }, options, terminal }) => {
      const { secret, ...key } = await client.createApiKey({
        name,
        scopes: scope.length > 0 ? scope : undefined,
        expires_at: expiresAt,
      });
      if (options.format !== "json")
        terminal.err(oneLine`Created API key ${key.name ?? key.id} (${key.id}). It is only shown once:\n`);
      show({ ...key, plain_text_key: secret.reveal() }, oneLine`${secret.reveal()}\n`, options, terminal);
    },
  ),
  "keys revoke": command(async (client, { id, options, terminal }) => {
    await client.revokeApiKey(id);
    show({ id, revoked: true }, oneLine`Revoked API key ${id}.\n`, options, terminal);
  }),
  "reviews list": command(async (client, { options, terminal }) => {
    const reviews = await client.listReviewRequests().catch((error: unknown) => {
      if (error instanceof PlatformError && [403, 404, 405].includes(error.status ?? 0))
        throw new Stop("This platform doesn't list review requests. To reject one by its ID, use `reviews reject`.");
      throw error;
    });
    const about = (review: ReviewRequest) =>
      review.request_type === "update"
        ? `${review.proposed_identifier_type ?? "?"} of ${review.target_end_user_id ?? "?"}`
        : `${review.left_end_user_id ?? "?"} and ${review.right_end_user_id ?? "?"}`;
    showRows(reviews, options, terminal, "No review requests.", {
      ID: (review) => review.id,
      KIND: (review) => review.request_type,
      STATUS: (review) => review.status,
      ABOUT: about,
      REASON: (review) => review.reason,
    });
  }),
  "reviews reject": command<{ note?: string }>(async (client, { id, values: { note }, options, terminal }) => {
    const review = await client.rejectReviewRequest(id, note);
    const status = review.status ? ` (${review.status})` : "";
    show(review, oneLine`Rejected review request ${review.id}${status}.\n`, options, terminal);
  }),
  "workflows list": command<{ active?: "true" | "false"; limit: string }>(
    async (client, { values, options, terminal }) => {
      const limit = numberOf("--limit", values.limit, 1, 10_000);
      const query = { limit: String(Math.min(100, limit)), active: values.active };
      showRows(await atMost(limit, client.workflows(query)), options, terminal, "There are no calling workflows.", {
        ID: (workflow) => workflow.id,
        NAME: (workflow) => workflow.name,
        ACTIVE: (workflow) => (workflow.active ? "yes" : "no"),
        STEPS: (workflow) => workflow.steps?.length,
        CALLS: (workflow) => workflow.totalCalls,
        TAG: (workflow) => workflow.tag,
      });
    },
  ),
  "workflows get": command(async (client, { id, options, terminal }) =>
    showRecord(await client.getWorkflow(id), options, terminal),
  ),
  "workflows execute": command<{ referenceUrl?: string; sourceId?: string; campaignId?: string }>(
    async (client, { id, values: { referenceUrl, sourceId, campaignId, ...lead }, options, terminal }) => {
      const execution = await client.createExecution(id, {
        ...lead,
        referenceURL: referenceUrl,
        sourceID: sourceId,
        campaignID: campaignId,
      });
      show(execution, oneLine`Execution ${execution.id} is ${execution.status ?? "started"}.\n`, options, terminal);
    },
  ),
  "calls list": command<{ status?: string; tag?: string; ended?: string; limit: string }>(
    async (client, { values: { limit, status, tag, ended }, options, terminal }) => {
      if (ended !== undefined && !CALL_ENDED_REASONS.some((reason) => reason === ended))
        throw new Stop(`--ended must be one of ${CALL_ENDED_REASONS.join(", ")}.`, EXIT.usage);
      const query = { status, tag, callEndedReason: ended as CallEndedReason | undefined };
      const calls = await atMost(numberOf("--limit", limit, 1, 10_000), client.calls(query));
      showRows(calls, options, terminal, "No calls found.", {
        ID: (call) => call.id,
        WHO: (call) => [call.firstName, call.lastName].filter(Boolean).join(" ") || call.phone,
        STATUS: (call) => call.status,
        ENDED: (call) => call.callEndedReason,
        SECONDS: (call) => call.callDuration,
        CREATED: (call) => call.createdAt,
      });
    },
  ),
  "calls get": command(async (client, { id, options, terminal }) => {
    const call = await client.getCall(id);
    if (options.format === "json") return showJson(call, terminal);
    const { transcript = [], ...facts } = call;
    showRecord(facts, options, terminal);
    if (transcript.length > 0) terminal.out("\n");
    for (const { user, text } of transcript) terminal.out(oneLine`${user ?? "?"}: ${text ?? ""}\n`);
  }),
  "call create": command<CreateCallRequest>(async (client, { values, options, terminal }) => {
    const inquiry = await client.createCall(values);
    const sentence = oneLine`Call inquiry ${inquiry.id ?? "(no ID)"} is ${inquiry.status ?? "created"}.\n`;
    show(inquiry, sentence, options, terminal);
  }),
  "assistants restore": command(async (client, { id, options, terminal }) => {
    const assistant = await client.restoreAssistant(id);
    show(assistant, oneLine`Restored assistant ${assistant.name ?? id}.\n`, options, terminal);
  }),
  "webhooks catalog": command(async (client, { options, terminal }) =>
    showRows(await client.eventCatalog(), options, terminal, "No webhook events available.", {
      TYPE: (event) => event.type,
      GROUP: (event) => event.group,
      SENSITIVITY: (event) => event.sensitivity,
      DESCRIPTION: (event) => event.description,
    }),
  ),
  "analytics embeddings": command<{ from?: string; to?: string; source?: string; type?: string; limit: string }>(
    async (client, { values: { from, to, source, type, limit }, options, terminal }) => {
      const rows = await client.embeddingCostByKb({
        start_date: dayOf("--from", from, 30),
        end_date: dayOf("--to", to, 0),
        limit: numberOf("--limit", limit, 1, 100),
        source,
        embedding_type: type,
      });
      showRows(rows, options, terminal, "No spending in this period.", {
        "KNOWLEDGE BASE": (row) => row.kb_id,
        USD: (row) => row.total_cost_usd.toFixed(4),
        TOKENS: (row) => row.input_tokens,
        CALLS: (row) => row.invocations,
        FAILED: (row) => row.failed,
      });
    },
  ),
};

/** Returns the value of a date option; without one, the date this many days ago. */
function dayOf(flag: string, given: string | undefined, daysAgo: number): string {
  if (given === undefined) return new Date(Date.now() - daysAgo * 24 * 3600 * 1000).toISOString().slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))) return given;
  throw new Stop(`${flag} must be a date such as 2026-01-31.`, EXIT.usage);
}
