/**
 * Tool definitions as the flow language uses them. A revision's JSON is reduced to this model on arrival: URLs, headers,
 * query parameters, bodies, default values and transfer destinations can hold secrets, so they are never copied here.
 */
import { isRecord } from "../json";

export interface ToolInput {
  readonly name: string;
  /** The platform's name of the type, such as `str`. Absent if the platform doesn't give one. */
  readonly type?: string;
  readonly required: boolean;
  /** Whether the platform fills the input in when the flow leaves it out. */
  readonly hasDefault: boolean;
  readonly description?: string;
}

/** One mapped value of a tool's response. */
export interface ToolOutput {
  readonly path: string;
  readonly alias?: string;
}

/** A finding of the platform's compatibility check. */
export interface ToolCompatibility {
  readonly isBlocking: boolean;
  readonly detail: string;
  readonly node?: string;
  readonly fieldPath?: string;
}

export interface ToolDefinition {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** Undefined if the platform doesn't list them; an empty list means that the tool takes no inputs. */
  readonly inputs?: readonly ToolInput[];
  readonly outputs: readonly ToolOutput[];
  readonly transfer?: { readonly mode?: string; readonly dynamic: boolean };
  /** Inputs that an earlier version of the tool had. Only a live revision lists them. */
  readonly staleInputs: readonly string[];
  /** Findings for the revision the definition was read from. Only a live revision has them. */
  readonly compatibility: readonly ToolCompatibility[];
}

/** The name of a tool in messages, in quotes. */
export function toolName(tool: ToolDefinition | undefined): string {
  return `"${tool?.name || tool?.id || ""}"`;
}

export interface ToolDefinitions {
  readonly tools: readonly ToolDefinition[];
  readonly knowledgeBaseIds: readonly string[];
}

/** Far more inputs or outputs than a tool has. Each node of the tool is checked against all of them. */
export const MAX_FIELDS = 1000;

/** A misspelled name is compared with at most this many others, because that takes long. */
export const MAX_COMPARED = 200;

/** The platform's sentences are shown up to this length. */
const MAX_DETAIL = 5000;

/**
 * Reads the tools of a workflow revision from the platform. Anything malformed is left out, never thrown. `linked` is the
 * ID in the flow, which may be that of the assistant's revision.
 */
export function toolsOfRevision(revision: unknown, linked?: string): ToolDefinitions {
  const source = record(revision);
  const defaults = record(source.tool_input_defaults);
  const revisionIds = [text(source.id), linked].flatMap((id) => id?.toLowerCase() ?? []);
  const tools = new Map<string, ToolDefinition>();
  for (const item of list(source.tools)) {
    const tool = record(record(item).tool);
    const id = text(tool.id);
    if (!id || tools.has(id.toLowerCase())) continue;
    tools.set(id.toLowerCase(), toolDefinition(id, tool, defaults, revisionIds));
  }
  return { tools: [...tools.values()], knowledgeBaseIds: texts(source.knowledge_base_ids) };
}

function toolDefinition(
  id: string,
  tool: JsonRecord,
  revisionDefaults: JsonRecord,
  revisionIds: readonly string[],
): ToolDefinition {
  const active = record(tool.active_revision);
  const { variables } = record(active.configuration);
  const { field_mappings: mappings } = record(active.response_schema);
  const hasDefault = defaultsOf(id, revisionDefaults, record(active.input_defaults));
  const target = record(active.transfer_target);
  const mode = text(target.mode);
  return {
    id,
    name: text(tool.name) ?? text(active.name) ?? "",
    description: text(tool.description) ?? text(active.description) ?? "",
    type: text(tool.tool_type) ?? "",
    ...(isUsableList(variables) && { inputs: variables.flatMap((each) => toolInput(record(each), hasDefault)) }),
    outputs: isUsableList(mappings) ? mappings.flatMap((each) => toolOutput(record(each))) : [],
    ...(isRecord(active.transfer_target) && {
      transfer: { ...(mode !== undefined && { mode }), dynamic: isRecord(target.destination_source) },
    }),
    staleInputs: texts(active.stale_input_fields),
    compatibility: list(record(active.compatibility).findings).flatMap((each) =>
      compatibilityFinding(record(each), revisionIds),
    ),
  };
}

/** What is in a list that is too long isn't known. */
function isUsableList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_FIELDS;
}

/** `tool_input_defaults` is keyed by tool ID or flat; the document doesn't say which, so both count. */
function defaultsOf(id: string, ofRevision: JsonRecord, ofTool: JsonRecord): (input: string) => boolean {
  const keyed = Object.entries(ofRevision).find(([key]) => key.toLowerCase() === id.toLowerCase())?.[1];
  const sources = [ofRevision, record(keyed), ofTool];
  return (input) => sources.some((source) => Object.hasOwn(source, input));
}

export function toolInput(variable: JsonRecord, hasDefault: (input: string) => boolean): ToolInput[] {
  const name = text(variable.name);
  if (!name) return [];
  const type = text(variable.type);
  const description = text(variable.description);
  return [
    {
      name,
      ...(type !== undefined && { type }),
      required: variable.required === true,
      hasDefault: hasDefault(name),
      ...(description !== undefined && { description }),
    },
  ];
}

export function toolOutput(mapping: JsonRecord): ToolOutput[] {
  const alias = text(mapping.alias);
  const path = text(mapping.path) ?? (alias && `$.${alias}`);
  return path ? [{ path, ...(alias && { alias }) }] : [];
}

/**
 * A tool is shared by many assistants, so its findings may concern others. A finding belongs to this revision by one of
 * its revision IDs; one without either has to name a node, and the rule looks for it.
 */
function compatibilityFinding(finding: JsonRecord, revisionIds: readonly string[]): ToolCompatibility[] {
  const owners = [finding.assistant_revision_id, finding.workflow_revision_id].flatMap((id) => text(id) || []);
  const node = text(finding.graph_node_id) || undefined;
  const isOurs = owners.length > 0 ? owners.some((id) => revisionIds.includes(id.toLowerCase())) : node !== undefined;
  if (!isOurs) return [];
  const fieldPath = text(finding.field_path);
  return [
    {
      isBlocking: text(finding.severity)?.trim().toLowerCase() === "blocking",
      detail: (text(finding.detail) || text(finding.finding_type) || "").slice(0, MAX_DETAIL),
      ...(node !== undefined && { node }),
      ...(fieldPath && { fieldPath }),
    },
  ];
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((each): each is string => typeof each === "string");
}
