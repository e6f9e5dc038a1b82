/** The documentation of a node, a variable, a field or a type, as Markdown. User text is escaped (`text/`). */

import {
  type Field,
  type FlowDocument,
  isNode,
  type NodeBlock,
  nodeType,
  nodeTypes,
  textOf,
  topText,
  type VariableBlock,
} from "../../../flow";
import { type Condition, whoDecides } from "../../../flow/run";
import type { ToolDefinition, ToolInput } from "../../../flow/tools";
import { codeSpan, escapeMarkdown, t } from "../../../text";
import type { Component } from "../completion/completion";
import { fieldsAt } from "../completion/field-table";
import type { About } from "../completion/insertion";
import { crossReferences, type VariableUse } from "../names/cross-references";
import { edgeWords, firstWords } from "./describe";

const MAX_LISTED = 8;

/** A flow of the workspace that another one uses. */
export function aboutComponent({ file, inputs, outputs }: Component): string {
  const list = (names: readonly string[]) => names.map(codeSpan).join(", ");
  return [
    t("**component** in {0}", codeSpan(file)),
    inputs.length > 0 ? t("Inputs: {0}", list(inputs)) : t("It takes no inputs."),
    outputs.length > 0 ? t("Outputs: {0}", list(outputs)) : t("It has no outputs."),
  ].join("\n\n");
}

/** A tool of the revision. */
export function aboutTool({ name, description, inputs, outputs, transfer }: ToolDefinition): string {
  const input = ({ name, type, required, hasDefault }: ToolInput) =>
    [codeSpan(name), type && escapeMarkdown(type), required && !hasDefault && t("required")].filter(Boolean).join(" ");
  return [
    t("**tool** {0}", escapeMarkdown(name)),
    escapeMarkdown(description),
    inputs === undefined
      ? ""
      : inputs.length > 0
        ? t("Inputs: {0}", inputs.map(input).join(", "))
        : t("It takes no inputs."),
    outputs.length > 0 ? t("Outputs: {0}", outputs.map(({ path }) => codeSpan(path)).join(", ")) : "",
    transfer?.mode ? t("Transfer: {0}", escapeMarkdown(transfer.mode)) : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

export function documentationOf(document: FlowDocument, about: About): string | undefined {
  switch (about.kind) {
    case "node": {
      const node = document.node(about.name);
      return node && aboutNode(document, node);
    }
    case "variable":
      return aboutVariable(document, about.name);
    case "field": {
      const field = fieldsAt(document, about.path ?? [])?.find((candidate) => candidate.name === about.name);
      return field && aboutField(field);
    }
    case "type": {
      const type = nodeType(about.name);
      return type && `**${type.name}** node\n\n${type.doc}`;
    }
  }
}

export function aboutNode(document: FlowDocument, node: NodeBlock): string {
  const incoming = crossReferences(document).incoming(node.id);
  const isEntry = topText(document, "entry") === node.id;
  const parts = [
    [`**${escapeMarkdown(node.id)}**`, node.type && escapeMarkdown(node.type), node.name && escapeMarkdown(node.name)]
      .filter(Boolean)
      .join(" · "),
  ];
  const words = firstWords(node.instructions, 300);
  if (words) parts.push(escapeMarkdown(words));
  const ways = incoming.map(({ block, edge }) => `← ${codeSpan(block.id)} ${escapeMarkdown(edgeWords(edge, block))}`);
  if (isEntry) ways.unshift(t("← every conversation starts here"));
  // What text with a syntax error contains isn't known.
  parts.push(list(ways, document.mayHold(node.id) ? "" : t("No edge leads here.")));
  const out = node.edges.map((edge) => `→ ${codeSpan(edge.to ?? "?")} ${escapeMarkdown(edgeWords(edge, node))}`);
  const noneOut = nodeType(node.type)?.terminal ? t("The conversation ends here.") : t("No edge leaves here.");
  parts.push(list(out, node.isBroken ? "" : noneOut));
  return parts.filter((part) => part !== "").join("\n\n");
}

/** `isReported`: a problem next to it already says that it isn't declared. */
export function aboutVariable(document: FlowDocument, name: string, { isReported = false } = {}): string {
  const variable = document.variable(name);
  const uses = crossReferences(document).uses(name);
  const title = [`**${escapeMarkdown(name)}**`, t("context variable"), variable && typeWords(variable)]
    .filter(Boolean)
    .join(" · ");
  const parts = [title];
  const description = textOf(variable?.fields.get("description")?.value);
  if (description) parts.push(escapeMarkdown(firstWords(description, 300)));
  const isKnown = !document.mayHold(name);
  if (!variable && !isReported && isKnown) parts.push(t("Not declared under `context_variables`."));
  const setters = uses.filter(({ ref }) => ref.kind !== "template");
  const readers = uses.filter(({ ref }) => ref.kind === "template");
  if (setters.length > 0) parts.push(t("Set in {0}.", places(setters)));
  else if (isKnown) parts.push(t("Not set by any node."));
  if (readers.length > 0) parts.push(t("Read in {0}.", places(readers)));
  else if (isKnown) parts.push(t("Not read anywhere."));
  return parts.join("\n\n");
}

/** How a condition is decided when a flow runs without a model. */
export function aboutCondition(condition: Condition): string {
  const { decided, reasons } = whoDecides(condition);
  if (decided === "offline") return t("**Decided offline.** Tests and policies read this condition without a model.");
  const title = decided === "partly" ? t("**Partly left to the model.**") : t("**Left to the model.**");
  return `${title} ${escapeMarkdown(reasons.join(" "))}`;
}

export function aboutField(field: Field): string {
  const parts = [`**${field.name}**${field.required ? " · required" : ""}`, field.doc];
  if (field.name === "type" && field.values?.includes("message"))
    parts.push(nodeTypes.map((type) => `- \`${type.name}\`: ${type.doc}`).join("\n"));
  else if (field.values) parts.push(`Values: ${field.values.map((value) => `\`${value}\``).join(", ")}.`);
  if (field.example) parts.push(t("For example `{0}: {1}`.", field.name, field.example));
  return parts.join("\n\n");
}

function typeWords(variable: VariableBlock): string {
  const values = variable.fields.get("enum_values")?.value;
  const type = textOf(variable.fields.get("type")?.value);
  const enumerated = values?.kind === "list" ? values.items.map((item) => textOf(item) ?? "").join(", ") : "";
  return escapeMarkdown([type, enumerated && t("one of {0}", firstWords(enumerated, 80))].filter(Boolean).join(", "));
}

function places(uses: readonly VariableUse[]): string {
  const names = [...new Set(uses.map(({ block }) => (isNode(block) ? block.id : block.key)))];
  const shown = names.slice(0, MAX_LISTED).map((name) => codeSpan(name));
  return names.length > MAX_LISTED
    ? t("{0} and {1} more", shown.join(", "), names.length - MAX_LISTED)
    : shown.join(", ");
}

function list(lines: readonly string[], none: string): string {
  if (lines.length === 0) return none;
  const shown = lines.slice(0, MAX_LISTED).map((line) => `- ${line}`);
  if (lines.length > MAX_LISTED) shown.push(`- ${t("and {0} more", lines.length - MAX_LISTED)}`);
  return shown.join("\n");
}
