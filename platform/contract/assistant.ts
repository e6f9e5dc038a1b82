/** An assistant and its active revision (2.8). */
import { modelSettings } from "./graph";
import {
  anyObject,
  datetime,
  flag,
  type Infer,
  list,
  named,
  open,
  optional,
  resource,
  text,
  texts,
  uuid,
  whole,
} from "./schema";

export const assistantRevision = named("AssistantRevision", () =>
  optional({
    id: uuid(),
    agent_id: uuid(),
    router_config_id: uuid(),
    name: text(),
    description: text(),
    persona: text(),
    system_prompt: text(),
    created_by: text(),
    created_at: datetime(),
    updated_at: datetime(),
    published_at: datetime(),
    system_context_variables: list(
      optional({ name: text(), type: open("string"), enum_values: texts(), description: text() }),
    ),
    context_variables: list(
      optional({
        name: text(),
        type: open("string"),
        source: open("derived"),
        enum_values: texts(),
        reask_cap: whole(),
        description: text(),
      }),
    ),
    variable_defaults: anyObject(),
    platform_tools: anyObject(),
    channel_specific_config: anyObject(),
    voice_call_settings: anyObject(),
    tool_refs: list(anyObject()),
    knowledge_base_refs: list(anyObject()),
    policy_refs: list(anyObject()),
    policies_enabled: flag(),
    workflow_enabled: flag(),
    memory_enabled: flag(),
    continue_after_flow: flag(),
    model_settings: modelSettings(),
    analyzer_model_settings: modelSettings(),
    current_time: optional({ enabled: flag(), timezone: text() }),
    kb_clearance_level: whole(),
    kb_audience_tags: texts(),
  }),
);
export type AssistantRevision = Infer<typeof assistantRevision>;

export const assistant = named("Assistant", () =>
  resource(
    { id: uuid() },
    {
      organization_id: uuid(),
      active_revision_id: uuid(),
      release_suite_id: uuid(),
      name: text(),
      description: text(),
      created_at: datetime(),
      updated_at: datetime(),
      active_revision: assistantRevision(),
      metadata: anyObject(),
      platform_tools: anyObject(),
      knowledge_gap_analysis_enabled: flag(),
      release_gate_mode: open("off", "advisory"),
      release_gate_max_failures: whole(),
      max_active_calls: whole(),
    },
  ),
);
export type Assistant = Infer<typeof assistant>;
