/** The demo's assistants, each with one revision. */
import { uuidOf } from "../chance";
import { isoTime } from "../clock";
import { ORGANIZATION } from "../organization";
import type { AssistantRecord, FlowRecord } from "../storage/records";
import { demoTools } from "./tools";

const DAY = 86_400_000;

export function demoAssistant(options: {
  readonly id: string;
  readonly revision: string;
  readonly name: string;
  readonly description: string;
  readonly now: number;
  readonly archived?: boolean;
}): AssistantRecord {
  const { id, revision, name, description, now } = options;
  const created = isoTime(now - 90 * DAY);
  const updated = isoTime(now - 2 * DAY);
  return {
    archived: options.archived ?? false,
    assistant: {
      id,
      organization_id: ORGANIZATION.id,
      active_revision_id: revision,
      release_suite_id: uuidOf(`${id}/release-suite`),
      name,
      description,
      created_at: created,
      updated_at: updated,
      active_revision: {
        id: revision,
        agent_id: id,
        router_config_id: uuidOf(`${id}/router`),
        name: `${name}, revision 4`,
        description,
        system_prompt: "Follow the flow. Never invent facts about an account.",
        created_by: "dana@northwind.example.com",
        created_at: created,
        updated_at: updated,
        published_at: updated,
        system_context_variables: [
          {
            name: "channel",
            type: "string",
            enum_values: ["voice", "chat"],
            description: "How the caller reached us.",
          },
        ],
        variable_defaults: {},
        platform_tools: {},
        channel_specific_config: {},
        voice_call_settings: { language: "en-US" },
        tool_refs: [],
        knowledge_base_refs: [{ id: uuidOf("demo/kb/1") }],
        policy_refs: [],
        policies_enabled: true,
        workflow_enabled: true,
        memory_enabled: false,
        continue_after_flow: false,
        model_settings: modelSettings("general-large", 0.4),
        analyzer_model_settings: modelSettings("general-small", 0),
        current_time: { enabled: true, timezone: "America/New_York" },
        kb_clearance_level: 1,
        kb_audience_tags: ["customers"],
      },
      metadata: { team: "customer-care" },
      platform_tools: {},
      knowledge_gap_analysis_enabled: true,
      release_gate_mode: "advisory",
      release_gate_max_failures: 2,
      max_active_calls: 20,
    },
  };
}

export function demoFlow(assistant: AssistantRecord["assistant"], now: number): FlowRecord {
  const created = isoTime(now - 90 * DAY);
  return {
    id: assistant.active_revision_id,
    agent_id: assistant.id,
    workflow_enabled: true,
    graph_version: 0,
    updated_at: isoTime(now - 2 * DAY),
    revision: {
      workflow_id: uuidOf(`${assistant.id}/workflow`),
      router_config_id: uuidOf(`${assistant.id}/router`),
      name: `${assistant.name}, flow`,
      description: assistant.description ?? "",
      instructions: "Keep to the flow; leave it only to answer a question from the knowledge base.",
      compilation_strategy: "graph",
      trigger_type: "conversation_started",
      trigger_config: {},
      created_by: "dana@northwind.example.com",
      created_at: created,
      quality_report: {},
      tool_input_defaults: {},
      analyzer_model_settings: modelSettings("general-small", 0),
      router_model_settings: modelSettings("general-small", 0),
      policy_ids: [],
      tools: demoTools(assistant.active_revision_id, assistant.id, created).map((tool) => ({ tool })),
      knowledge_base_ids: [uuidOf("demo/kb/1")],
    },
  };
}

const modelSettings = (model: string, temperature: number) => ({
  model,
  config: {
    temperature,
    max_tokens: 800,
    top_p: 1,
    stop_sequences: [],
    reasoning_effort: "none",
    request_timeout_ms: 20_000,
    thinking_budget: 0,
  },
});
