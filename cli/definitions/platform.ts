/** Commands for other resources of the platform. */
import { EXIT } from "../command";
import { type CommandTable, format, keyOptions, type Options } from "./shared";

const common: Options = { ...format("text", "json"), ...keyOptions };

type PlatformCommand = Omit<CommandTable[string], "exits">;

/** Adds what all of these commands have: their exit codes, and options for the format and the key. */
function withCommon(table: Readonly<Record<string, PlatformCommand>>): CommandTable {
  return Object.fromEntries(
    Object.entries(table).map(([name, { options, ...command }]) => [
      name,
      // An option of the command itself replaces the common one.
      {
        ...command,
        options: { ...options, ...common, ...options },
        exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
      },
    ]),
  );
}

/** The fields of a lead, each an option: `--first-name` becomes `firstName`. */
const lead: Options = {
  "--lead-id <id>": "lead ID",
  "--first-name <name>": "the lead's first name",
  "--last-name <name>": "the lead's last name",
  "--email <address>": "the lead's e-mail address",
  "--primary-phone <number>": "the phone number to call",
  "--zipcode <code>": "the lead's zip code",
  "--city <name>": "the lead's city",
  "--state <code>": "the lead's state",
};

const limit: Options = { "--limit <number>": { about: "show at most this many", default: "50" } };

export const platformCommands = withCommon({
  "keys list": {
    summary: "List the active API keys",
    examples: { "assistant-flow keys list": "name, prefix, scopes, last use" },
  },
  "keys create": {
    summary: "Create an API key and print it once",
    about:
      "Only the key is written to standard output, so that you can pipe it into a password manager. Messages are written to standard error.",
    args: [{ name: "name", about: "the name of the key", required: true }],
    options: {
      "--scope <scope>": {
        about: "such as agents:read; may be repeated (default: all your permissions)",
        many: true,
      },
      "--expires-at <time>": "expiration time, such as 2027-01-31T00:00:00Z (default: never)",
    },
    examples: {
      "assistant-flow keys create ci --scope agents:read | pass insert -m ci-key":
        "pipe the key into a password manager",
    },
  },
  "keys revoke": {
    summary: "Revoke an API key immediately and permanently",
    args: [{ name: "id", about: "the key's ID", required: true }],
    examples: { "assistant-flow keys revoke key_123": "by the ID that keys list shows" },
  },
  "reviews list": {
    summary: "List identity review requests",
    about: "If the platform doesn't support listing reviews, the command reports this.",
    examples: { "assistant-flow reviews list --format json": "with the evidence" },
  },
  "reviews reject": {
    summary: "Reject an identity review request",
    args: [{ name: "id", about: "the request's ID", required: true }],
    options: { "--note <text>": "the reason" },
    examples: { 'assistant-flow reviews reject rr_1 --note "two people, one phone"': "with a note" },
  },
  "workflows list": {
    summary: "List calling workflows",
    options: {
      "--active <flag>": {
        about: "only active or only inactive workflows",
        choices: ["true", "false"],
      },
      ...limit,
    },
    examples: { "assistant-flow workflows list --active true": "active workflows" },
  },
  "workflows get": {
    summary: "Show a calling workflow",
    args: [{ name: "id", about: "the workflow's ID", required: true }],
    examples: { "assistant-flow workflows get wf_1": "with its steps" },
  },
  "workflows execute": {
    summary: "Start a calling workflow for a lead",
    args: [{ name: "id", about: "the workflow's ID", required: true }],
    options: {
      ...lead,
      "--reference-url <address>": "where the lead came from",
      "--source-id <id>": "the source's ID",
      "--campaign-id <id>": "the campaign's ID",
      "--phone-agent-extension <number>": "the agent's extension",
      "--phone-agent-direct-dial <number>": "the agent's direct number",
      "--text-content <text>": "the text message",
      "--forwarding-phone-number <number>": "the number to forward to",
    },
    examples: {
      "assistant-flow workflows execute wf_1 --first-name Ada --primary-phone +15550100": "for one lead",
    },
  },
  "calls list": {
    summary: "List calls",
    options: {
      "--status <status>": "such as INITIATED",
      "--tag <tag>": "such as SINGLE",
      "--ended <reason>": "the reason the call ended, such as NO_ANSWER",
      ...limit,
    },
    examples: { "assistant-flow calls list --ended NO_ANSWER --limit 10": "unanswered calls" },
  },
  "calls get": {
    summary: "Show a call with its transcript",
    args: [{ name: "id", about: "the call's ID", required: true }],
    examples: { "assistant-flow calls get call_1": "with the transcript" },
  },
  "calls trace": {
    summary: "Show the path of a call through a flow",
    about:
      "A call record doesn't contain nodes, so the path is inferred from the final variables, the end of the call, and the transcript. Works offline for files. A step is certain if every run that agrees with the call has it, and likely if the best run has it. See docs/calls.md.",
    options: {
      "--flow <file>": "the flow file",
      "--call <file>": "a call as JSON, or the ID of a call on the platform",
      "--calls <file>": "calls as JSON, one per line",
    },
    examples: {
      "assistant-flow calls trace --flow billing.flow.yaml --call call.json": "one call",
      "assistant-flow calls trace --flow billing.flow.yaml --calls calls.jsonl --format json":
        "one JSON object per line",
    },
  },
  "calls report": {
    summary: "Count the calls of each node and edge of a flow",
    about:
      "Shows which paths callers take, where they drop off, and which edges no test covers. The report contains IDs of the flow and counts, but no data about callers. Without --calls, it uses the calls on the platform whose workflow is linked to the flow's assistant. See docs/calls.md.",
    options: {
      "--flow <file>": "the flow file",
      "--calls <file>": "calls as JSON, one per line",
      "--since <date>": "calls on the platform since this day (default: 30 days ago)",
      ...format("text", "json", "markdown"),
    },
    examples: {
      "assistant-flow calls report --flow billing.flow.yaml --calls calls.jsonl": "from a file",
      "assistant-flow calls report --flow billing.flow.yaml --since 2026-01-01": "from the platform",
    },
  },
  "call create": {
    summary: "Create a call inquiry",
    options: { "--workflow-id <id>": "the calling workflow", ...lead },
    examples: {
      "assistant-flow call create --workflow-id wf_1 --first-name Ada --primary-phone +15550100": "one call",
    },
  },
  "assistants restore": {
    summary: "Restore an archived assistant",
    args: [{ name: "id", about: "the assistant's ID", required: true }],
    examples: { "assistant-flow assistants restore $ASSISTANT": "by its ID" },
  },
  "webhooks catalog": {
    summary: "List the webhook events you may subscribe to",
    examples: { "assistant-flow webhooks catalog": "type, group, sensitivity" },
  },
  "analytics embeddings": {
    summary: "Show the embedding spend of each knowledge base",
    options: {
      "--from <date>": "first day, such as 2026-01-01 (default: 30 days ago)",
      "--to <date>": "last day (default: today)",
      "--source <source>": "only this source",
      "--type <type>": "only this embedding type",
      "--limit <number>": {
        about: "show at most this many, 1 to 100",
        default: "20",
      },
    },
    examples: { "assistant-flow analytics embeddings --from 2026-01-01 --to 2026-01-31": "a month" },
  },
});
