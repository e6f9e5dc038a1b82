/**
 * What a revision says about itself, in the platform's field names. Only listed fields are copied: instructions, the
 * configuration of the trigger and the values of defaults can hold secrets.
 */
import type { ModelSettings, WorkflowRevision } from "../../platform";

export interface RevisionDetails {
  readonly description?: string;
  readonly compilation_strategy?: string;
  readonly trigger_type?: string;
  readonly analyzer_model_settings?: Readonly<Record<string, unknown>>;
  readonly router_model_settings?: Readonly<Record<string, unknown>>;
  readonly knowledge_base_ids?: readonly string[];
  readonly policy_ids?: readonly string[];
  /** Names only. */
  readonly tool_input_defaults?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
}

const TEXTS = ["description", "compilation_strategy", "trigger_type"] as const;
const LISTS = ["knowledge_base_ids", "policy_ids"] as const;
const TIMES = ["created_at", "updated_at"] as const;
const SETTINGS = [
  "temperature",
  "max_tokens",
  "top_p",
  "stop_sequences",
  "reasoning_effort",
  "request_timeout_ms",
  "thinking_budget",
] as const;

export function revisionDetails(revision: WorkflowRevision): RevisionDetails {
  const texts = (names: readonly (keyof WorkflowRevision)[]) =>
    names.flatMap((name) => (isText(revision[name]) ? [[name, revision[name]]] : []));
  const { analyzer_model_settings: analyzer, router_model_settings: router, tool_input_defaults: defaults } = revision;
  return {
    ...Object.fromEntries(texts(TEXTS)),
    ...(analyzer && { analyzer_model_settings: settingsOf(analyzer) }),
    ...(router && { router_model_settings: settingsOf(router) }),
    ...Object.fromEntries(
      LISTS.flatMap((name) => (Array.isArray(revision[name]) ? [[name, revision[name].filter(isText)]] : [])),
    ),
    ...(defaults && { tool_input_defaults: Object.keys(defaults) }),
    ...Object.fromEntries(texts(TIMES)),
  };
}

function settingsOf({ model, config }: ModelSettings): Record<string, unknown> {
  const settings = SETTINGS.flatMap((name) => {
    const value = config?.[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return { ...(model !== undefined && { model }), ...Object.fromEntries(settings) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
