/**
 * Small edits that fixes are made of. Each keeps the style around it: block or flow, indentation, line ends. Unlike the
 * operations in edit/, which read the whole file, they read only a few lines: a file can have thousands of findings and
 * syntax errors, and the light bulb updates while the user types.
 */
import { type Block, type FlowDocument, isNode, type NodeBlock, type VariableBlock } from "../../document";
import { nodeType } from "../../fields";
import { unquoted } from "../../model";
import type { Span, TextEdit } from "../../text";
import { keyText, type MapValue, type Pair, scalarsIn, type Value } from "../../values";

/** The key and value of a new field; the value is already YAML. */
export type Written = readonly [key: string, value: string];

export function eolOf(document: FlowDocument): string {
  const end = document.offsetAt({ line: 0, character: Number.MAX_SAFE_INTEGER });
  return document.slice({ start: end, end: end + 2 }).startsWith("\r\n") ||
    document.slice({ start: end - 1, end }) === "\r"
    ? "\r\n"
    : "\n";
}

export function lineStart(document: FlowDocument, offset: number): number {
  return document.offsetAt({ line: document.positionAt(offset).line, character: 0 });
}

/** The end of the line, before its line break. */
export function lineEnd(document: FlowDocument, offset: number): number {
  const next = nextLineStart(document, offset);
  const start = lineStart(document, offset);
  return start + document.slice({ start, end: next }).replace(/(?<![\r\n])[\r\n]+$/, "").length;
}

export function nextLineStart(document: FlowDocument, offset: number): number {
  const { line } = document.positionAt(offset);
  return line + 1 < document.lineCount ? document.offsetAt({ line: line + 1, character: 0 }) : document.length;
}

export function columnOf(document: FlowDocument, offset: number): number {
  return document.positionAt(offset).character;
}

/** A text as a double-quoted YAML string. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A name as YAML: in quotes unless it is certainly read as text without them. */
export function plainOrQuoted(name: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(name) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(name);
  return isPlain ? name : quoted(name);
}

/** The pairs written in this map, without merged or aliased ones. */
function ownPairs(block: Block, map: MapValue): Pair[] {
  return map.pairs.filter((pair) => {
    const written = unquoted(pair.key);
    return block.text.slice(written.start, written.end) === keyText(pair) && !isAliased(block, pair.value);
  });
}

function isAliased(block: Block, value: Value | undefined): boolean {
  return value !== undefined && /^[*&<]/.test(block.text.slice(value.span.start, value.span.start + 1));
}

/** The innermost map around a place. */
export function mapAt(block: Block, at: Span): MapValue | undefined {
  let found: MapValue | undefined;
  let value: Value | undefined = block.value;
  const around = (span: Span) => span.start <= at.start && at.end <= span.end;
  while (value && value.kind !== "scalar") {
    if (value.kind === "map") {
      const pair: Pair | undefined = value.pairs.find((each) => around(each.span) || around(each.key.span));
      if (value.pairs.length > 0 || around(value.span)) found = value;
      value = pair?.value;
    } else value = value.items.find((item) => around(item.span));
  }
  return found;
}

export function removePair(document: FlowDocument, block: Block, map: MapValue, pair: Pair): TextEdit {
  const base = document.startOf(block);
  const index = map.pairs.indexOf(pair);
  const next = map.pairs[index + 1];
  const start = base + pair.key.span.start;
  const end = trimmedEnd(document, base, pair.span);
  if (map.flow) return removeBetween(base, start, end, map.pairs[index - 1]?.span, next?.key.span);
  const from = lineStart(document, start);
  if (document.slice({ start: from, end: start }).trim() === "")
    return { start: from, end: nextLineStart(document, end), text: "" };
  return { start, end: next ? base + next.key.span.start : end, text: "" };
}

/** Removes an item from a list; the only item is removed together with the list's key. */
export function removeItem(
  document: FlowDocument,
  block: Block,
  owner: MapValue,
  pair: Pair,
  index: number,
): TextEdit | undefined {
  const list = pair.value;
  if (list?.kind !== "list") return undefined;
  if (list.items.length === 1) return removePair(document, block, owner, pair);
  const base = document.startOf(block);
  const item = list.items[index];
  if (!item) return undefined;
  const start = base + item.span.start;
  const end = trimmedEnd(document, base, item.span);
  if (list.flow) return removeBetween(base, start, end, list.items[index - 1]?.span, list.items[index + 1]?.span);
  const dash = dashBefore(document, start);
  const from = lineStart(document, dash);
  if (document.slice({ start: from, end: dash }).trim() !== "") return undefined;
  return { start: from, end: nextLineStart(document, end), text: "" };
}

/** Removes an edge of the node at an offset, by its index. */
export function removeEdge(document: FlowDocument, offset: number, index: number): TextEdit | undefined {
  const node = document.blockAt(offset);
  if (!node || !isNode(node) || !node.edgesPair || node.value?.kind !== "map") return undefined;
  return removeItem(document, node, node.value, node.edgesPair, index);
}

/** Removes a node or a variable from its section. */
export function removeBlock(document: FlowDocument, block: NodeBlock | VariableBlock): TextEdit {
  const siblings: readonly Block[] = block.section === "nodes" ? document.nodes : document.variables;
  const section = document.top(block.section);
  const index = siblings.indexOf(block);
  const start = document.startOf(block);
  const end = endOfBlock(document, block);
  if (siblings.length === 1 && section) {
    const head = document.startOf(section);
    return {
      start: lineStart(document, head),
      end: nextLineStart(document, document.extentOf(section).end - 1),
      text: "",
    };
  }
  if (inFlow(document, block)) {
    const next = siblings[index + 1];
    const previous = siblings[index - 1];
    if (next) return { start, end: document.startOf(next), text: "" };
    return { start: previous ? endOfBlock(document, previous) : start, end, text: "" };
  }
  return { start: lineStart(document, start), end: nextLineStart(document, end), text: "" };
}

/** Writes the value of a key, in place of the one it has. */
export function putValue(document: FlowDocument, block: Block, { key, value }: WrittenPair, text: string): TextEdit {
  if (value) return { ...document.absolute(block, value.span), text };
  const colon = /^\s*:/.exec(block.text.slice(key.span.end))?.[0].length ?? 0;
  return insert(document.startOf(block) + key.span.end + colon, ` ${text}`);
}

interface WrittenPair {
  readonly key: { readonly span: Span };
  readonly value: Value | undefined;
}

/** Adds fields to a map, after the pair `after` or at the end. */
export function addPairs(
  document: FlowDocument,
  block: Block,
  map: MapValue | undefined,
  fields: readonly Written[],
  after?: Pair,
): TextEdit | undefined {
  const base = document.startOf(block);
  const own = map ? ownPairs(block, map) : [];
  const last = after && own.includes(after) ? after : own.at(-1);
  if (map?.flow) {
    const text = fields.map(([key, value]) => `${key}: ${value}`).join(", ");
    if (last) return insert(trimmedEnd(document, base, last.span), `, ${text}`);
    return insert(base + map.span.start + 1, map.pairs.length > 0 ? `${text}, ` : text);
  }
  const indent = " ".repeat(last ? columnOf(document, base + last.key.span.start) : columnOf(document, base) + 2);
  const text = fields.map(([key, value]) => `${eolOf(document)}${indent}${key}: ${value}`).join("");
  if (last) return insert(lineEnd(document, trimmedEnd(document, base, last.span)), text);
  if (map || inFlow(document, block)) return undefined;
  return insert(lineEnd(document, base + block.keySpan.end), text);
}

/** Adds an edge in the style of the list: before the edge at `before`, or at the end. */
export function addEdge(
  document: FlowDocument,
  node: NodeBlock,
  fields: readonly Written[],
  before?: number,
): TextEdit | undefined {
  const flowText = `{${fields.map(([key, value]) => `${key}: ${value}`).join(", ")}}`;
  const list = node.edgesPair?.value;
  const base = document.startOf(node);
  if (list?.kind === "list" && !isAliased(node, list)) {
    const last = list.items.at(-1);
    const following = before === undefined ? undefined : list.items[before];
    if (list.flow) {
      if (following) return insert(base + following.span.start, `${flowText}, `);
      if (!last) return insert(base + list.span.start + 1, flowText);
      return insert(trimmedEnd(document, base, last.span), `, ${flowText}`);
    }
    if (!last) return undefined;
    const indent = " ".repeat(columnOf(document, dashBefore(document, base + last.span.start)));
    const eol = eolOf(document);
    const text =
      last.kind === "map" && last.flow
        ? flowText
        : fields.map(([key, value]) => `${key}: ${value}`).join(`${eol}${indent}  `);
    if (following) {
      const dash = dashBefore(document, base + following.span.start);
      const start = lineStart(document, dash);
      if (document.slice({ start, end: dash }).trim() !== "") return undefined;
      return insert(start, `${indent}- ${text}${eol}`);
    }
    return insert(lineEnd(document, trimmedEnd(document, base, last.span)), `${eol}${indent}- ${text}`);
  }
  if (node.edgesPair) return undefined;
  const map = node.value?.kind === "map" ? node.value : undefined;
  if (map?.flow) return addPairs(document, node, map, [["edges", `[${flowText}]`]]);
  const own = map ? ownPairs(node, map).at(-1) : undefined;
  const indent = " ".repeat(own ? columnOf(document, base + own.key.span.start) : columnOf(document, base) + 2);
  const lines = fields.map(([key, value]) => `${key}: ${value}`).join(`${eolOf(document)}${indent}    `);
  const edit = addPairs(document, node, map, [["edges", `${eolOf(document)}${indent}  - ${lines}`]]);
  return edit && { ...edit, text: edit.text.replace("edges: ", "edges:") };
}

/** Declares a string variable, in the style of the existing ones. */
export function declareVariable(document: FlowDocument, name: string, description?: string): TextEdit {
  const eol = eolOf(document);
  const last = document.variables.at(-1);
  const fields = ["type: string", ...(description === undefined ? [] : [`description: ${quoted(description)}`])];
  const flowText = `${name}: {${fields.join(", ")}}`;
  if (last && inFlow(document, last)) return insert(endOfBlock(document, last), `, ${flowText}`);
  if (last) {
    const indent = " ".repeat(columnOf(document, document.startOf(last)));
    const flow = last.value?.kind === "map" && last.value.flow;
    const text = flow ? flowText : [`${name}:`, ...fields].join(`${eol}${indent}  `);
    return insert(lineEnd(document, endOfBlock(document, last)), `${eol}${indent}${text}`);
  }
  const body = `context_variables:${eol}  ${[`${name}:`, ...fields].join(`${eol}    `)}`;
  const empty = document.top("context_variables");
  if (empty) {
    const start = document.startOf(empty);
    return { start, end: lineEnd(document, start), text: body };
  }
  const before = document.top("nodes") ?? document.tops[0];
  return insert(before ? lineStart(document, document.startOf(before)) : document.length, `${body}${eol}${eol}`);
}

/** Adds a node after the last one. */
export function addNode(document: FlowDocument, id: string, fields: readonly Written[]): TextEdit | undefined {
  const last = document.nodes.at(-1);
  if (!last) return undefined;
  const flowText = `${id}: {${fields.map(([key, value]) => `${key}: ${value}`).join(", ")}}`;
  if (inFlow(document, last)) return insert(endOfBlock(document, last), `, ${flowText}`);
  const eol = eolOf(document);
  const indent = " ".repeat(columnOf(document, document.startOf(last)));
  const text =
    last.value?.kind === "map" && last.value.flow
      ? flowText
      : [`${id}:`, ...fields.map(([key, value]) => `${indent}  ${key}: ${value}`)].join(eol);
  return insert(lineEnd(document, endOfBlock(document, last)), `${eol}${indent}${text}`);
}

/** Replaces part of a text with a template, and quotes a plain scalar where that becomes necessary. */
export function putTemplate(document: FlowDocument, block: Block, span: Span, name: string): TextEdit | undefined {
  const base = document.startOf(block);
  const at = { start: span.start - base, end: span.end - base };
  for (const scalar of scalarsIn(block.value)) {
    if (scalar.span.start > at.start || at.end > scalar.span.end) continue;
    if (scalar.style !== "plain") return { ...span, text: `{{${name}}}` };
    const before = block.text.slice(scalar.span.start, at.start);
    const text = `${before}{{${name}}}${block.text.slice(at.end, scalar.span.end)}`;
    return { ...document.absolute(block, scalar.span), text: quoted(text.replace(/(?<!\s)\s*\n\s*/g, " ")) };
  }
  return undefined;
}

/** Removes the top-level key or field at a place, with its value. */
export function removeKey(document: FlowDocument, key: Span): TextEdit | undefined {
  const block = document.blockAt(key.start);
  if (!block) return undefined;
  const base = document.startOf(block);
  const at = { start: key.start - base, end: key.end - base };
  if (at.start === block.keySpan.start) {
    if (block.section !== "top") return undefined;
    const start = lineStart(document, base);
    return start === base ? { start, end: nextLineStart(document, endOfBlock(document, block)), text: "" } : undefined;
  }
  const map = mapAt(block, at);
  const pair = map && ownPairs(block, map).find((each) => each.key.span.start === at.start);
  return map && pair ? removePair(document, block, map, pair) : undefined;
}

/** The first nodes that end the conversation, which new edges can lead to. */
export function endNodes(document: FlowDocument, most = 3): NodeBlock[] {
  return document.nodes.filter((node) => nodeType(node.type)?.terminal).slice(0, most);
}

/** Sorts edits by start. */
export function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start);
}

function insert(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

function removeBetween(base: number, start: number, end: number, previous?: Span, next?: Span): TextEdit {
  if (next) return { start, end: base + next.start, text: "" };
  return { start: previous ? base + previous.end : start, end, text: "" };
}

/** The end of a value without trailing whitespace, which block values may include. */
function trimmedEnd(document: FlowDocument, base: number, span: Span): number {
  const text = document.slice({ start: base + span.start, end: base + span.end });
  return base + span.start + text.trimEnd().length;
}

function dashBefore(document: FlowDocument, offset: number): number {
  const start = Math.max(0, offset - 200);
  const text = document.slice({ start, end: offset });
  return start + Math.max(0, text.lastIndexOf("-"));
}

function endOfBlock(document: FlowDocument, block: Block): number {
  const span = { start: 0, end: block.value?.span.end ?? block.keySpan.end };
  return trimmedEnd(document, document.startOf(block), span);
}

/** True if the block's section is written as `{…}`. */
function inFlow(document: FlowDocument, block: Block): boolean {
  const section = block.section === "top" ? undefined : document.top(block.section);
  if (!section) return false;
  return /^[^#\r\n]*\{/.test(section.text.slice(section.keySpan.end));
}
