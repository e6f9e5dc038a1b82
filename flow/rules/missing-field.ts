import { type FlowDocument, isNode, type NodeBlock } from "../document";
import { type Field, habitOf, nodeType, nodeTypes } from "../fields";
import type { Span } from "../text";
import { isNull, keyText, type Pair, pairOf, textOf } from "../values";
import { typoOf } from "../wording";
import { addPairs, endNodes, putValue, removeEdge } from "./engine/edits";
import { type Fix, fixWith, type Rule } from "./engine/rule";
import { type Element, elementsOf } from "./engine/walk";

interface Data {
  readonly field: string;
  /** The key that looks like a typo of the field. */
  readonly slip?: string;
  readonly edge?: number;
}

const advice: Readonly<Record<string, string>> = {
  type: `Write ${nodeTypes.map(({ name }) => `\`${name}\``).join(", ")}.`.replace(/, (?=[^,]*$)/, ", or "),
  to: "Set it to the ID of a node, or remove the edge.",
  instructions: "Write what the assistant says or does here.",
  variable: "Set it to the name of a context variable.",
  tool: "Set it to the ID of the tool.",
  component: "Set it to the ID of the component's flow.",
  destination: "Set it to a phone number or an address.",
};

function adviceFor({ name, doc }: Field): string {
  return advice[name] ?? doc;
}

export const missingField: Rule = {
  code: "missing-field",
  severity: "error",
  title: "Missing required field",
  checkBlock(block, report) {
    if (!isNode(block) || (block.value && block.value.kind !== "map")) return;
    const elements = elementsOf(block);
    for (let index = 0; index < elements.length; index++) {
      const element = elements[index] as Element;
      const edge = element.kind === "edge" ? element.index : undefined;
      // `wrong-type` reports a list item that isn't a map, unless it's empty.
      if (edge !== undefined && !element.map) {
        const item = block.edges[edge];
        if (isEmptyItem(block, edge))
          report({
            message: `Edge ${edge + 1} of node "${block.id}" is empty and isn't sent. Set \`to\` to the ID of a node, or remove the edge.`,
            span: dashBefore(block, item?.span.start ?? 0),
            data: { field: "to", edge } satisfies Data,
          });
        continue;
      }
      const fields = needed(element);
      for (let number = 0; number < fields.length; number++) {
        const field = fields[number] as Field;
        const pair = pairOf(element.map, field.name);
        if (pair && !isEmpty(pair)) continue;
        // `empty-instructions` reports empty instructions.
        if (pair && field.name === "instructions") continue;
        const slip = pair ? undefined : slipOf(field, element);
        const { title } = element;
        const what = `${title[0]?.toUpperCase()}${title.slice(1)}`;
        const message = pair
          ? `\`${field.name}\` of ${title} is empty. ${adviceFor(field)}`
          : slip
            ? `${what} requires \`${field.name}\`. Rename \`${keyText(slip)}\` if that's what it means.`
            : `${what} requires \`${field.name}\`. ${adviceFor(field)}`;
        const place = pair?.key.span ?? slip?.key.span ?? edgePlace(block, edge) ?? block.keySpan;
        const data: Data = {
          field: field.name,
          ...(slip && { slip: keyText(slip) }),
          ...(edge !== undefined && { edge }),
        };
        // Only the platform knows which fields a node can lack, so that's a warning. An edge without a target isn't
        // sent.
        const isSent = edge === undefined || block.edges[edge]?.wire !== undefined;
        report({ message, span: place, data, ...(isSent ? { severity: "warning" } : {}) });
      }
    }
  },
  fixes(problem, document) {
    const block = document.blockAt(problem.span.start);
    const data = problem.data as Data | undefined;
    if (!block || !isNode(block) || !data) return [];
    if (data.slip !== undefined)
      return [
        { title: `Rename to \`${data.field}\``, edits: [{ ...problem.span, text: data.field }], preferred: true },
      ];
    return data.edge === undefined ? nodeFixes(document, block, data.field) : edgeFixes(document, block, data.edge);
  },
};

/** The required fields of an element; every node needs a type, and its type decides the others. */
export function needed(element: Element): readonly Field[] {
  const type = element.kind === "node" ? pairOf(element.map, "type") : undefined;
  if (element.kind === "node" && (!type || isEmpty(type))) return [typeField];
  return element.known?.required ?? [];
}

const typeField: Field = {
  name: "type",
  kind: "text",
  doc: "What the node does: `message`, `collect`, `decision`, `tool`, `component`, `transfer`, or `end`.",
};

/** An unknown key of the element that's similar to the field. */
export function slipOf(field: Field, element: Element): Pair | undefined {
  const known = new Set([...(element.known?.fields ?? []).map((each) => each.name), "type"]);
  return element.map?.pairs.find(
    (pair) =>
      !known.has(keyText(pair)) &&
      (habitOf(element.kind, keyText(pair)) === field.name ||
        typoOf(keyText(pair), [field.name], field.name === "type") !== undefined),
  );
}

function isEmptyItem(block: NodeBlock, edge: number): boolean {
  const list = block.edgesPair?.value;
  const item = list?.kind === "list" ? list.items[edge] : undefined;
  return item !== undefined && isNull(item);
}

/** The dash of an empty list item. */
function dashBefore(block: NodeBlock, at: number): Span {
  const dash = block.text.lastIndexOf("-", Math.max(0, at));
  return dash < 0 ? { start: at, end: at } : { start: dash, end: dash + 1 };
}

export function isEmpty({ value }: Pair): boolean {
  return isNull(value) || textOf(value) === "";
}

function edgePlace(block: NodeBlock, edge: number | undefined) {
  const map = edge === undefined ? undefined : block.edges[edge]?.value;
  return map?.pairs[0]?.key.span ?? map?.span;
}

function nodeFixes(document: FlowDocument, node: NodeBlock, field: string): Fix[] {
  const map = node.value?.kind === "map" ? node.value : undefined;
  const written = node.fields.get(field);
  const value = field === "type" ? typeOf(node) : exampleOf(document, node, field);
  if (value === undefined) return [];
  if (written) return fixWith(`Fill in \`${field}\``, putValue(document, node, written, value));
  const edit = addPairs(document, node, map, [[field, value]], node.fields.get("type"));
  return fixWith(`Add \`${field}: ${value}\``, edit);
}

/** The type that matches the fields of a node. */
function typeOf(node: NodeBlock): string {
  for (const [field, type] of [
    ["tool", "tool"],
    ["component", "component"],
    ["variable", "collect"],
    ["destination", "transfer"],
  ])
    if (node.fields.has(field as string)) return type as string;
  if (node.edges.length === 0) return "end";
  return node.fields.has("instructions") ? "message" : "decision";
}

function exampleOf(document: FlowDocument, node: NodeBlock, field: string): string | undefined {
  if (field === "instructions") return "Say what the assistant does here.";
  if (field === "tool" || field === "component") return "00000000-0000-0000-0000-000000000000";
  if (field === "variable") return document.variables[0]?.name;
  return nodeType(node.type)?.fields.find((each) => each.name === field)?.example;
}

function edgeFixes(document: FlowDocument, node: NodeBlock, index: number): Fix[] {
  const edge = node.edges[index];
  const empty = edge?.value?.pairs.find((pair) => keyText(pair) === "to");
  const fixes = endNodes(document).flatMap(({ id }) => {
    const title = `Set \`to\` to "${id}"`;
    if (empty) return fixWith(title, putValue(document, node, empty, id));
    return edge?.value ? fixWith(title, addPairs(document, node, edge.value, [["to", id]])) : [];
  });
  return [...fixes, ...fixWith("Remove edge", removeEdge(document, document.startOf(node), index))];
}
