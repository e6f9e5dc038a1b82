/** A revision, its quality report and its tools as text: read-only YAML documents, and the hover of `revision`. */
import { yamlText } from "../../flow";
import { snapshotTool, type ToolDefinition } from "../../flow/tools";
import { compileText, type RevisionRecord } from "../../sync";
import { codeSpan, escapeMarkdown, t, visible } from "../../text";

export function revisionYaml({ of, version, name, details, compile, workflowEnabled, tools }: RevisionRecord): string {
  const { state, status, version: compiled, errors, warnings } = compile;
  const { created_at, updated_at, ...rest } = details ?? {};
  return document(t("The revision as the platform last described it. This document is read-only."), {
    name,
    id: of.revision,
    assistant_id: of.assistant,
    graph_version: version,
    workflow_enabled: workflowEnabled,
    compile: { state, status, graph_version: compiled, errors, warnings },
    ...rest,
    tools: tools?.tools.map(({ id, name, inputs }) => {
      const defaults = inputs?.filter(({ hasDefault }) => hasDefault).map((input) => input.name);
      return { name, id, ...(defaults?.length && { defaults }) };
    }),
    created_at,
    updated_at,
  });
}

/** Undefined if the report is missing or empty. */
export function reportYaml(report: unknown): string | undefined {
  if (typeof report !== "object" || report === null || Object.keys(report).length === 0) return undefined;
  return document(t("The platform's quality report for this revision. This document is read-only."), report);
}

export function toolYaml(tool: ToolDefinition): string {
  const { staleInputs, compatibility } = tool;
  return document(t("The tool as far as it is known here. This document is read-only."), {
    ...snapshotTool(tool),
    ...(staleInputs.length > 0 && { stale_inputs: staleInputs }),
    ...(compatibility.length > 0 && {
      compatibility: compatibility.map(({ isBlocking, detail, node, fieldPath }) => ({
        detail,
        blocking: isBlocking,
        node,
        field: fieldPath,
      })),
    }),
  });
}

function document(about: string, data: object): string {
  return visible(`# ${about}\n\n${yamlText(data)}`);
}

/** The hover of `revision`, in Markdown. */
export function aboutRevision({ name, version, compile, details, workflowEnabled }: RevisionRecord): string {
  const { errors, warnings, ...result } = compile;
  const words = compileText({ ...result, errors: errors.length });
  const model = (settings: Readonly<Record<string, unknown>> | undefined) =>
    typeof settings?.model === "string" ? codeSpan(settings.model) : undefined;
  const analyzer = model(details?.analyzer_model_settings);
  const router = model(details?.router_model_settings);
  return [
    [t("**revision** {0}", escapeMarkdown(name ?? "")), version !== undefined && `v${version}`]
      .filter(Boolean)
      .join(" · "),
    words === undefined ? "" : escapeMarkdown(words),
    workflowEnabled === false ? t("The flow is turned off for this revision: it is stored, but not executed.") : "",
    analyzer ? t("Analyzer: {0}", analyzer) : "",
    router ? t("Router: {0}", router) : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
