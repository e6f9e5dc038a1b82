/** The tools a flow may call (2.7). */
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

const keyValue = () => optional({ key: text(), value: text(), secure: flag() });

const toolConfiguration = named("ToolConfiguration", () =>
  optional({
    url: text(),
    method: open("GET"),
    headers: list(keyValue()),
    query_params: list(keyValue()),
    body: anyObject(),
    timeout: whole(),
    variables: list(optional({ name: text(), type: open("str"), description: text(), required: flag() })),
    retry: optional({
      max_retries: whole(),
      base_delay_seconds: number(),
      max_delay_seconds: number(),
      jitter: flag(),
    }),
  }),
);

const transferTarget = named("TransferTarget", () =>
  optional({
    destination: text(),
    destination_source: optional({
      tool_id: text(),
      response_path: text(),
      type: open("api_tool"),
      input_mapping: anyObject(),
    }),
    mode: open("cold"),
  }),
);

const responseSchema = named("ToolResponseSchema", () =>
  optional({ field_mappings: list(optional({ path: text(), alias: text() })) }),
);

const toolCompatibility = named("ToolCompatibility", () =>
  optional({
    tool_id: uuid(),
    old_revision_id: uuid(),
    new_revision_id: uuid(),
    has_blocking: flag(),
    active_blocking_count: whole(),
    active_blocking_finding_count: whole(),
    active_finding_count: whole(),
    affected_assistant_count: whole(),
    findings: list(
      optional({
        severity: open("blocking"),
        assistant_id: uuid(),
        assistant_revision_id: uuid(),
        revision_state: open("active"),
        finding_type: text(),
        field_path: text(),
        detail: text(),
        configuration_scope: open("assistant_tool_default"),
        workflow_id: uuid(),
        workflow_revision_id: uuid(),
        component_node_id: text(),
        graph_node_id: text(),
        graph_node_name: text(),
        step_id: text(),
        tool_ref_index: whole(),
      }),
    ),
  }),
);

const toolRevision = named("ToolRevision", () =>
  optional({
    id: uuid(),
    tool_id: uuid(),
    name: text(),
    description: text(),
    status: text(),
    created_by: text(),
    created_at: datetime(),
    updated_at: datetime(),
    default_count: whole(),
    pinned_count: whole(),
    stale_input_fields: texts(),
    merged_input_preview: anyObject(),
    input_defaults: anyObject(),
    metadata: anyObject(),
    has_secrets: flag(),
    configuration: toolConfiguration(),
    transfer_target: transferTarget(),
    response_schema: responseSchema(),
    compatibility: toolCompatibility(),
  }),
);

export const tool = named("Tool", () =>
  optional({
    id: uuid(),
    organization_id: uuid(),
    active_revision_id: uuid(),
    name: text(),
    description: text(),
    tool_type: open("api_call"),
    created_at: datetime(),
    updated_at: datetime(),
    active_revision: toolRevision(),
  }),
);
export type Tool = Infer<typeof tool>;
