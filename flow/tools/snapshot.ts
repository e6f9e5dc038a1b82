/**
 * `assistant-flow.tools.json`: the tool definitions of a revision, committed with the flows so that CI and editors without
 * a connection know the tools. Equal definitions always give the same bytes.
 */

import { isRecord, parsedJson } from "../json";
import {
  type JsonRecord,
  list,
  MAX_FIELDS,
  record,
  type ToolDefinition,
  type ToolDefinitions,
  type ToolInput,
  text,
  toolInput,
  toolOutput,
} from "./definition";

/** A revision with a thousand tools takes about 1 MB. */
const MAX_SNAPSHOT_LENGTH = 5 * 1024 * 1024;

/** Far more than a revision has. More would make each lookup of a misspelled ID slow. */
const MAX_TOOLS = 10_000;

const VERSION = 1;

/** One tool in the shape of the snapshot, which the command line prints as well. */
export interface SnapshotTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly inputs?: readonly SnapshotInput[];
  readonly outputs: readonly { readonly path: string; readonly alias?: string }[];
  readonly transfer: { readonly mode: string | null; readonly dynamic: boolean } | null;
}

interface SnapshotInput {
  readonly name: string;
  readonly type?: string;
  readonly required: boolean;
  readonly has_default: boolean;
  readonly description?: string;
}

export interface Snapshot {
  readonly version: typeof VERSION;
  readonly tools: readonly SnapshotTool[];
  readonly knowledge_base_ids: readonly string[];
}

export function snapshotOf({ tools, knowledgeBaseIds }: ToolDefinitions): Snapshot {
  return {
    version: VERSION,
    tools: tools.map(snapshotTool).sort((a, b) => compare(a.id.toLowerCase(), b.id.toLowerCase())),
    knowledge_base_ids: [...new Set(knowledgeBaseIds)].sort(compare),
  };
}

export function snapshotText(definitions: ToolDefinitions): string {
  return `${JSON.stringify(snapshotOf(definitions), undefined, 2)}\n`;
}

export function snapshotTool({ id, name, description, type, inputs, outputs, transfer }: ToolDefinition): SnapshotTool {
  return {
    id,
    name,
    description,
    type,
    ...(inputs && { inputs: inputs.map(snapshotInput) }),
    outputs: outputs.map(({ path, alias }) => ({ path, ...(alias !== undefined && { alias }) })),
    transfer: transfer ? { mode: transfer.mode ?? null, dynamic: transfer.dynamic } : null,
  };
}

function snapshotInput({ name, type, required, hasDefault, description }: ToolInput): SnapshotInput {
  return {
    name,
    ...(type !== undefined && { type }),
    required,
    has_default: hasDefault,
    ...(description !== undefined && { description }),
  };
}

/** By code units, so that the order doesn't depend on the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The problem of a file that can't be read, for this reason. */
export function unreadableSnapshot(why: string): { readonly problem: string } {
  return { problem: `The tool definitions can't be read: ${why}` };
}

/** The definitions in a snapshot, or the reason it can't be used. Nothing is known from an unusable snapshot. */
export function readSnapshot(source: string): ToolDefinitions | { readonly problem: string } {
  if (source.length > MAX_SNAPSHOT_LENGTH)
    return { problem: "The tool definitions are larger than 5 MB and weren't read. Save them again." };
  const data = parsedJson(source.replace(/^\uFEFF/, ""));
  if (data === undefined) return { problem: "The tool definitions aren't valid JSON. Save them again." };
  if (!isRecord(data) || !Array.isArray(data.tools) || data.version === undefined)
    return { problem: "This file doesn't contain tool definitions. Save them again." };
  if (data.version !== VERSION)
    return {
      problem: "The tool definitions have a version that isn't supported. Update Assistant Flow, or save them again.",
    };
  if (data.tools.length > MAX_TOOLS)
    return { problem: "The tool definitions list more than 10,000 tools and weren't read. Save them again." };
  if (!isTexts(data.knowledge_base_ids))
    return { problem: "`knowledge_base_ids` of the tool definitions must be a list of strings. Save them again." };
  const tools: ToolDefinition[] = [];
  const ids = new Set<string>();
  for (const [index, item] of data.tools.entries()) {
    const tool = snapshotDefinition(record(item));
    if (!tool) return { problem: `Tool ${index + 1} of the tool definitions has no ID. Save them again.` };
    const wrong = wrongField(item as JsonRecord);
    if (wrong !== undefined)
      return { problem: `Tool ${index + 1} of the tool definitions has an invalid \`${wrong}\`. Save them again.` };
    if (Math.max(tool.inputs?.length ?? 0, tool.outputs.length) > MAX_FIELDS)
      return {
        problem: `Tool ${index + 1} of the tool definitions has more than 1,000 inputs or outputs. Save them again.`,
      };
    if (ids.has(tool.id.toLowerCase())) continue;
    ids.add(tool.id.toLowerCase());
    tools.push(tool);
  }
  return { tools, knowledgeBaseIds: list(data.knowledge_base_ids).flatMap((id) => text(id) ?? []) };
}

/** A field of a tool with another type than the snapshot's. Fields that are missing or not known are fine. */
function wrongField({ name, description, type, inputs, outputs, transfer }: JsonRecord): string | undefined {
  const isText = (value: unknown) => value === undefined || value === null || typeof value === "string";
  const isFlag = (value: unknown) => value === undefined || value === null || typeof value === "boolean";
  const isListOf = (value: unknown, isItem: (item: JsonRecord) => boolean) =>
    value === undefined ||
    value === null ||
    (Array.isArray(value) && value.every((each) => isRecord(each) && isItem(each)));
  const isInput = (input: JsonRecord) =>
    Boolean(text(input.name)) &&
    [input.type, input.description].every(isText) &&
    [input.required, input.has_default].every(isFlag);
  const isOutput = (output: JsonRecord) =>
    [output.path, output.alias].every(isText) && Boolean(output.path || output.alias);
  const isTransfer =
    transfer === undefined ||
    transfer === null ||
    (isRecord(transfer) && isText(transfer.mode) && isFlag(transfer.dynamic));
  const fields: Readonly<Record<string, boolean>> = {
    name: isText(name),
    description: isText(description),
    type: isText(type),
    inputs: isListOf(inputs, isInput),
    outputs: isListOf(outputs, isOutput),
    transfer: isTransfer,
  };
  return Object.keys(fields).find((field) => !fields[field]);
}

function isTexts(value: unknown): boolean {
  return (
    value === undefined || value === null || (Array.isArray(value) && value.every((each) => text(each) !== undefined))
  );
}

function snapshotDefinition(tool: JsonRecord): ToolDefinition | undefined {
  const id = text(tool.id);
  if (!id) return undefined;
  const transfer = record(tool.transfer);
  const mode = text(transfer.mode);
  return {
    id,
    name: text(tool.name) ?? "",
    description: text(tool.description) ?? "",
    type: text(tool.type) ?? "",
    ...(Array.isArray(tool.inputs) && {
      inputs: tool.inputs.map(record).flatMap((each) => toolInput(each, () => each.has_default === true)),
    }),
    outputs: list(tool.outputs).flatMap((each) => toolOutput(record(each))),
    ...(isRecord(tool.transfer) && {
      transfer: { ...(mode !== undefined && { mode }), dynamic: transfer.dynamic === true },
    }),
    staleInputs: [],
    compatibility: [],
  };
}
