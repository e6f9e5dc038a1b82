/**
 * Interpretations of a `suggested_fix`: graph operations as JSON, a fragment of YAML, or prose. The platform doesn't
 * say which; fixes.ts tries those found here.
 */
import { FlowDocument } from "../document";
import { edgeFields, nodeTypes, topFields, variableFields } from "../fields";
import type { GraphOp } from "../graph/ops";
import { isRecord, parsedJson } from "../json";
import { tooDeepAt } from "../reading/depth";
import { toData } from "../values";

/** A fix for one finding is short. Longer or more deeply nested text is neither a fix nor useful advice. */
export function isTooMuch(text: string): boolean {
  return text.length > MAX_FIX || tooDeepAt(text) !== undefined;
}

const MAX_FIX = 100_000;

/** The fix as operations. */
export function readOps(text: string): GraphOp[] | undefined {
  if (!/^[[{]/.test(text) || isTooMuch(text)) return undefined;
  const data = parsedJson(text);
  if (data === undefined) return undefined; // Not JSON; it may still be YAML in flow style.
  const list = isRecord(data) && Array.isArray(data.ops) ? data.ops : Array.isArray(data) ? data : [data];
  return list.length > 0 && list.every((item) => isRecord(item) && typeof item.op === "string")
    ? (list as GraphOp[])
    : undefined;
}

/**
 * The fix as a map or a list of maps; undefined if it's plain text. It's parsed like a flow file, within the same
 * limits.
 */
export function readYaml(text: string): Record<string, unknown> | readonly Record<string, unknown>[] | undefined {
  const document = FlowDocument.read(`fix:\n${text.replace(/^(?=.)/gm, "  ")}`);
  if (document.problems.length > 0) return undefined;
  const data = toData(document.top("fix")?.value);
  if (Array.isArray(data)) return data.length > 0 && data.every(isRecord) ? data : undefined;
  if (!isRecord(data)) return undefined;
  // "Note: tools can fail" is a sentence to readers and a map to YAML: a pair of strings must have a known key.
  const isField = ([key, value]: [string, unknown]) =>
    isKnown(key) || (isRecord(value) && /^[A-Za-z][\w-]*$/.test(key));
  return Object.entries(data).every(isField) ? data : undefined;
}

const knownKeys = new Set(
  [...topFields, ...variableFields, ...edgeFields, ...nodeTypes.flatMap((type) => type.fields)].map(
    (field) => field.name,
  ),
);

export function isKnown(key: string | undefined): boolean {
  return key !== undefined && (key === "type" || knownKeys.has(key));
}

/** Prose: several words, or a sentence ending. */
export function isProse(text: string): boolean {
  return text.split(/\s+/).length >= 3 || /[.!?]$/.test(text);
}

export function describeOps(ops: readonly GraphOp[]): string {
  const first = ops[0] as GraphOp;
  const more = ops.length > 1 ? ` and ${ops.length - 1} more` : "";
  switch (first.op) {
    case "upsert_node":
      return `Set node "${first.node.id}"${more}`;
    case "remove_node":
      return `Remove node "${first.node_id}"${more}`;
    case "update_node_fields":
      return `Change ${Object.keys(first.fields).join(", ")} of "${first.node_id}"${more}`;
    case "add_edge":
      return `Add edge from "${first.edge.source}" to "${first.edge.target}"${more}`;
    case "remove_edge":
      return `Remove edge "${first.edge_id}"${more}`;
    case "set_entry_node":
      return `Set \`entry\` to "${first.node_id}"${more}`;
    case "upsert_context_variable":
      return `Declare variable "${first.variable.name}"${more}`;
    case "remove_context_variable":
      return `Remove variable "${first.name}"${more}`;
    case "set_persona":
      return `Set the persona${more}`;
    case "set_component_outputs":
      return `Set the component outputs${more}`;
  }
}

export function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > 50 ? `${line.slice(0, 49)}…` : line}"`;
}
