/** Commands for other resources of the platform. */
import { type CommandDefinition, EXIT, type OptionDefinition } from "../command";
import { keyOptions, textOrJson } from "./shared";

const common = [textOrJson, ...keyOptions];
const exits = [EXIT.failed, EXIT.unreachable, EXIT.undecided];

/** The fields of a lead, each an option: `--first-name` becomes `firstName`. */
const lead: readonly OptionDefinition[] = [
  { flags: "--lead-id <id>", about: "lead ID" },
  { flags: "--first-name <name>", about: "the lead's first name" },
  { flags: "--last-name <name>", about: "the lead's last name" },
  { flags: "--email <address>", about: "the lead's e-mail address" },
  { flags: "--primary-phone <number>", about: "the phone number to call" },
  { flags: "--zipcode <code>", about: "the lead's zip code" },
  { flags: "--city <name>", about: "the lead's city" },
  { flags: "--state <code>", about: "the lead's state" },
];

const limit: OptionDefinition = { flags: "--limit <number>", about: "show at most this many", default: "50" };

export const platformCommands: readonly CommandDefinition[] = [
  {
    name: "keys list",
    summary: "List the active API keys",
    options: common,
    examples: [{ run: "assistant-flow keys list", about: "name, prefix, scopes, last use" }],
    exits,
  },
  {
    name: "keys create",
    summary: "Create an API key and print it once",
    about:
      "Only the key is written to standard output, so that you can pipe it into a password manager. Messages are written to standard error.",
    args: [{ name: "name", about: "the name of the key", required: true }],
    options: [
      {
        flags: "--scope <scope>",
        about: "such as agents:read; may be repeated (default: all your permissions)",
        many: true,
      },
      { flags: "--expires-at <time>", about: "expiration time, such as 2027-01-31T00:00:00Z (default: never)" },
      ...common,
    ],
    examples: [
      {
        run: "assistant-flow keys create ci --scope agents:read | pass insert -m ci-key",
        about: "pipe the key into a password manager",
      },
    ],
    exits,
  },
  {
    name: "keys revoke",
    summary: "Revoke an API key immediately and permanently",
    args: [{ name: "id", about: "the key's ID", required: true }],
    options: common,
    examples: [{ run: "assistant-flow keys revoke key_123", about: "by the ID that keys list shows" }],
    exits,
  },
  {
    name: "reviews list",
    summary: "List identity review requests",
    about: "If the platform doesn't support listing reviews, the command reports this.",
    options: common,
    examples: [{ run: "assistant-flow reviews list --format json", about: "with the evidence" }],
    exits,
  },
  {
    name: "reviews reject",
    summary: "Reject an identity review request",
    args: [{ name: "id", about: "the request's ID", required: true }],
    options: [{ flags: "--note <text>", about: "the reason" }, ...common],
    examples: [{ run: 'assistant-flow reviews reject rr_1 --note "two people, one phone"', about: "with a note" }],
    exits,
  },
  {
    name: "workflows list",
    summary: "List calling workflows",
    options: [
      { flags: "--active <flag>", about: "only active or only inactive workflows", choices: ["true", "false"] },
      limit,
      ...common,
    ],
    examples: [{ run: "assistant-flow workflows list --active true", about: "active workflows" }],
    exits,
  },
  {
    name: "workflows get",
    summary: "Show a calling workflow",
    args: [{ name: "id", about: "the workflow's ID", required: true }],
    options: common,
    examples: [{ run: "assistant-flow workflows get wf_1", about: "with its steps" }],
    exits,
  },
  {
    name: "workflows execute",
    summary: "Start a calling workflow for a lead",
    args: [{ name: "id", about: "the workflow's ID", required: true }],
    options: [
      ...lead,
      { flags: "--reference-url <address>", about: "where the lead came from" },
      { flags: "--source-id <id>", about: "the source's ID" },
      { flags: "--campaign-id <id>", about: "the campaign's ID" },
      { flags: "--phone-agent-extension <number>", about: "the agent's extension" },
      { flags: "--phone-agent-direct-dial <number>", about: "the agent's direct number" },
      { flags: "--text-content <text>", about: "the text message" },
      { flags: "--forwarding-phone-number <number>", about: "the number to forward to" },
      ...common,
    ],
    examples: [
      {
        run: "assistant-flow workflows execute wf_1 --first-name Ada --primary-phone +15550100",
        about: "for one lead",
      },
    ],
    exits,
  },
  {
    name: "calls list",
    summary: "List calls",
    options: [
      { flags: "--status <status>", about: "such as INITIATED" },
      { flags: "--tag <tag>", about: "such as SINGLE" },
      { flags: "--ended <reason>", about: "the reason the call ended, such as NO_ANSWER" },
      limit,
      ...common,
    ],
    examples: [{ run: "assistant-flow calls list --ended NO_ANSWER --limit 10", about: "unanswered calls" }],
    exits,
  },
  {
    name: "calls get",
    summary: "Show a call with its transcript",
    args: [{ name: "id", about: "the call's ID", required: true }],
    options: common,
    examples: [{ run: "assistant-flow calls get call_1", about: "with the transcript" }],
    exits,
  },
  {
    name: "calls trace",
    summary: "Show the path of a call through a flow",
    about:
      "A call record doesn't contain nodes, so the path is inferred from the final variables, the end of the call, and the transcript. Works offline for files. A step is certain if every run that agrees with the call has it, and likely if the best run has it. See docs/calls.md.",
    options: [
      { flags: "--flow <file>", about: "the flow file" },
      { flags: "--call <file>", about: "a call as JSON, or the ID of a call on the platform" },
      { flags: "--calls <file>", about: "calls as JSON, one per line" },
      ...common,
    ],
    examples: [
      { run: "assistant-flow calls trace --flow billing.flow.yaml --call call.json", about: "one call" },
      {
        run: "assistant-flow calls trace --flow billing.flow.yaml --calls calls.jsonl --format json",
        about: "one JSON object per line",
      },
    ],
    exits,
  },
  {
    name: "calls report",
    summary: "Count the calls of each node and edge of a flow",
    about:
      "Shows which paths callers take, where they drop off, and which edges no test covers. The report contains IDs of the flow and counts, but no data about callers. Without --calls, it uses the calls on the platform whose workflow is linked to the flow's assistant. See docs/calls.md.",
    options: [
      { flags: "--flow <file>", about: "the flow file" },
      { flags: "--calls <file>", about: "calls as JSON, one per line" },
      { flags: "--since <date>", about: "calls on the platform since this day (default: 30 days ago)" },
      {
        flags: "--format <kind>",
        about: "output format",
        choices: ["text", "json", "markdown"],
        default: "text",
      },
      ...keyOptions,
    ],
    examples: [
      { run: "assistant-flow calls report --flow billing.flow.yaml --calls calls.jsonl", about: "from a file" },
      { run: "assistant-flow calls report --flow billing.flow.yaml --since 2026-01-01", about: "from the platform" },
    ],
    exits,
  },
  {
    name: "call create",
    summary: "Create a call inquiry",
    options: [{ flags: "--workflow-id <id>", about: "the calling workflow" }, ...lead, ...common],
    examples: [
      {
        run: "assistant-flow call create --workflow-id wf_1 --first-name Ada --primary-phone +15550100",
        about: "one call",
      },
    ],
    exits,
  },
  {
    name: "assistants restore",
    summary: "Restore an archived assistant",
    args: [{ name: "id", about: "the assistant's ID", required: true }],
    options: common,
    examples: [{ run: "assistant-flow assistants restore $ASSISTANT", about: "by its ID" }],
    exits,
  },
  {
    name: "webhooks catalog",
    summary: "List the webhook events you may subscribe to",
    options: common,
    examples: [{ run: "assistant-flow webhooks catalog", about: "type, group, sensitivity" }],
    exits,
  },
  {
    name: "analytics embeddings",
    summary: "Show the embedding spend of each knowledge base",
    options: [
      { flags: "--from <date>", about: "first day, such as 2026-01-01 (default: 30 days ago)" },
      { flags: "--to <date>", about: "last day (default: today)" },
      { flags: "--source <source>", about: "only this source" },
      { flags: "--type <type>", about: "only this embedding type" },
      { flags: "--limit <number>", about: "show at most this many, 1 to 100", default: "20" },
      ...common,
    ],
    examples: [{ run: "assistant-flow analytics embeddings --from 2026-01-01 --to 2026-01-31", about: "a month" }],
    exits,
  },
];
