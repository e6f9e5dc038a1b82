/** Graph responses: the result of a batch (2.5) and the revision it belongs to (2.6). */
import * as z from "zod/mini";
import { span } from "./ops";
import {
  anyObject,
  datetime,
  flag,
  type Infer,
  list,
  named,
  number,
  open,
  optional,
  text,
  texts,
  uuid,
  whole,
} from "./schema";
import { tool } from "./tool";

export const finding = named("Finding", () =>
  optional({
    severity: open("error", "warning", "suggestion"),
    rule_id: text(),
    category: text(),
    message: text(),
    node_id: text(),
    edge_id: text(),
    related_node_ids: texts(),
    related_edge_ids: texts(),
    source_span: span(),
    suggested_fix: text(),
    related_spans: list(span()),
  }),
);
export type Finding = Infer<typeof finding>;

export const validationResult = named("ValidationResult", () =>
  optional({
    valid: flag(),
    error_count: whole(),
    warning_count: whole(),
    suggestion_count: whole(),
    blocking_error_count: whole(),
    findings: list(finding()),
    normalized_graph: anyObject(),
  }),
);
export type ValidationResult = Infer<typeof validationResult>;

export const modelSettings = named("ModelSettings", () =>
  optional({
    model: text(),
    config: optional({
      temperature: number(),
      max_tokens: whole(),
      top_p: number(),
      stop_sequences: texts(),
      reasoning_effort: open("none"),
      request_timeout_ms: whole(),
      thinking_budget: whole(),
    }),
  }),
);
export type ModelSettings = Infer<typeof modelSettings>;

export const workflowRevision = named("WorkflowRevision", () =>
  optional({
    id: uuid(),
    workflow_id: uuid(),
    router_config_id: uuid(),
    name: text(),
    instructions: text(),
    description: text(),
    compilation_strategy: text(),
    compilation_status: text(),
    trigger_type: text(),
    created_by: text(),
    compilation_task_id: text(),
    compilation_input_hash: text(),
    trigger_config: anyObject(),
    compiled_graph: anyObject(),
    executable_graph: anyObject(),
    quality_report: anyObject(),
    tool_input_defaults: anyObject(),
    created_at: datetime(),
    updated_at: datetime(),
    compilation_errors: texts(),
    warnings: texts(),
    analyzer_model_settings: modelSettings(),
    router_model_settings: modelSettings(),
    policy_ids: z.array(z.unknown()),
    tools: list(optional({ tool: tool() })),
    knowledge_base_ids: list(uuid()),
    graph_version: whole(),
  }),
);
export type WorkflowRevision = Infer<typeof workflowRevision>;

export const graphResult = named("GraphResult", () =>
  optional({
    updated: flag(),
    validation: validationResult(),
    workflow_enabled: flag(),
    revision: workflowRevision(),
    graph_version: whole(),
    blocking_error_count: whole(),
  }),
);
export type GraphResult = Infer<typeof graphResult>;
