/** The tools of the demo's revisions, with definitions that fit the example flows. */
import type { Tool } from "../../platform";
import { uuidOf } from "../chance";
import { ORGANIZATION } from "../organization";

type ToolRevision = NonNullable<Tool["active_revision"]>;

interface DemoTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly inputs: readonly [name: string, type: string, required: boolean, description: string][];
  readonly outputs: readonly [path: string, alias: string][];
  readonly staleInputs?: readonly string[];
  readonly compatibility?: { readonly node: string; readonly field: string; readonly detail: string };
}

const ACCOUNT = ["account", "str", true, "The account number."] as const;

const TOOLS: readonly DemoTool[] = [
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003",
    name: "look_up_account",
    description: "Returns the plan of an account.",
    method: "GET",
    path: "/accounts/plan",
    inputs: [[...ACCOUNT]],
    outputs: [["$.plan", "plan"]],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0103",
    name: "find_account_by_phone",
    description: "Finds an account by phone number.",
    method: "GET",
    path: "/accounts",
    inputs: [["channel", "str", true, "How the caller reached us: voice or chat."]],
    outputs: [["$.account.id", "account_id"]],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0104",
    name: "get_account",
    description: "Returns the balance and the payments of an account.",
    method: "GET",
    path: "/accounts/one",
    inputs: [[...ACCOUNT]],
    outputs: [
      ["$.balance.open", "balance"],
      ["$.payments.last.date", "last_payment"],
    ],
    staleInputs: ["customer_number"],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0105",
    name: "create_payment_plan",
    description: "Splits an amount into payments.",
    method: "POST",
    path: "/plans",
    inputs: [
      [...ACCOUNT],
      ["amount", "float", true, "The amount in dollars."],
      ["payments", "int", true, "How many payments, from 2 to 6."],
    ],
    outputs: [],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0106",
    name: "send_bill",
    description: "Sends the latest bill again.",
    method: "POST",
    path: "/bills/send",
    inputs: [[...ACCOUNT], ["by", "str", false, "How to send it: email or letter."]],
    outputs: [],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0107",
    name: "get_outages",
    description: "Returns known outages around a postcode.",
    method: "GET",
    path: "/outages",
    inputs: [["postcode", "str", true, "The caller's postcode."]],
    outputs: [["$.outage.until", "outage_until"]],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0108",
    name: "open_ticket",
    description: "Opens a fault report.",
    method: "POST",
    path: "/tickets",
    inputs: [[...ACCOUNT], ["postcode", "str", false, "Where the fault is."]],
    outputs: [["$.ticket.number", "ticket"]],
  },
  {
    id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0109",
    name: "book_move",
    description: "Moves a line to another address.",
    method: "POST",
    path: "/moves",
    inputs: [
      [...ACCOUNT],
      ["date", "str", true, "The day of the move, as YYYY-MM-DD."],
      ["address", "str", true, "The new address."],
    ],
    outputs: [],
    compatibility: {
      node: "book_move",
      field: "inputs.date",
      detail: "The next version of the tool accepts dates in the future only.",
    },
  },
];

/** `revision` is the workflow revision the tools are listed in. */
export function demoTools(revision: string, assistant: string, created: string): Tool[] {
  return TOOLS.map((tool) => demoTool(tool, revision, assistant, created));
}

function demoTool(tool: DemoTool, workflowRevision: string, assistant: string, created: string): Tool {
  const { id, name, description } = tool;
  const revision = uuidOf(`${id}/revision`);
  return {
    id,
    organization_id: ORGANIZATION.id,
    active_revision_id: revision,
    name,
    description,
    tool_type: "api_call",
    created_at: created,
    updated_at: created,
    active_revision: {
      id: revision,
      tool_id: id,
      name,
      description,
      status: "active",
      created_by: "dana@northwind.example.com",
      created_at: created,
      updated_at: created,
      default_count: 0,
      pinned_count: 0,
      stale_input_fields: [...(tool.staleInputs ?? [])],
      merged_input_preview: {},
      input_defaults: {},
      metadata: {},
      has_secrets: false,
      configuration: {
        url: `https://api.northwind.example.com${tool.path}`,
        method: tool.method,
        headers: [],
        query_params: [],
        body: {},
        timeout: 30,
        variables: tool.inputs.map(([name, type, required, description]) => ({ name, type, required, description })),
        retry: { max_retries: 0, base_delay_seconds: 1, max_delay_seconds: 30, jitter: true },
      },
      response_schema: { field_mappings: tool.outputs.map(([path, alias]) => ({ path, alias })) },
      ...(tool.compatibility && { compatibility: compatibilityOf(tool, workflowRevision, assistant) }),
    },
  };
}

function compatibilityOf(tool: DemoTool, revision: string, assistant: string): ToolRevision["compatibility"] {
  const { node = "", field = "", detail = "" } = tool.compatibility ?? {};
  return {
    tool_id: tool.id,
    old_revision_id: uuidOf(`${tool.id}/revision`),
    new_revision_id: uuidOf(`${tool.id}/next-revision`),
    has_blocking: false,
    active_blocking_count: 0,
    active_blocking_finding_count: 0,
    active_finding_count: 1,
    affected_assistant_count: 1,
    findings: [
      {
        severity: "advisory",
        assistant_id: assistant,
        assistant_revision_id: revision,
        revision_state: "active",
        finding_type: "input_constraint_changed",
        field_path: field,
        detail,
        graph_node_id: node,
      },
    ],
  };
}
