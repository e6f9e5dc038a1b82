/**
 * The four kinds of `suggested_fix` a client must cope with. The document calls it a string and says no more, so the
 * sandbox sends each kind somewhere: text to put in place of the finding's span, a YAML block, operations as JSON, a
 * sentence for a person.
 */
import type { GraphNode, GraphOp } from "../../flow";
import { isWhole, spanOf } from "./spans";

export function opsFix(...ops: GraphOp[]): string {
  return JSON.stringify(ops);
}

/** The whole node as YAML with a field added; where its text is not known, the field alone. */
export function fieldFix(node: GraphNode, field: string, value: string): string {
  const block = blockOf(node);
  if (!block) return `${field}: ${value}`;
  return `${block.text}\n${block.indent}${field}: ${value}${block.tail}`;
}

/** The whole node as YAML with an edge added at the end; where its text is not known, the list item alone. */
export function edgeFix(node: GraphNode, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const item = (indent: string) => lines.map((line, i) => `${indent}${i === 0 ? "- " : "  "}${line}`).join("\n");
  const block = blockOf(node);
  if (!block) return `edges:\n${item("  ")}`;
  const list = /^([ \t]+)edges:[ \t]*(?:#.*)?$(?:\r?\n(?:[ \t]*#.*|[ \t]*)$)*\r?\n([ \t]+)- /m.exec(block.text);
  if (!list) {
    if (/^[ \t]+edges:/m.test(block.text)) return item("");
    return `${block.text}\n${block.indent}edges:\n${item(`${block.indent}  `)}${block.tail}`;
  }
  // The new item belongs after the last line of the list: the first line after it that is not deeper ends it.
  const rows = block.text.split("\n");
  const first = rows.findIndex((row) => /^[ \t]+edges:/.test(row));
  const depth = list[1]?.length ?? 0;
  let last = first;
  for (let row = first + 1; row < rows.length; row++) {
    const text = rows[row] ?? "";
    const indent = text.length - text.trimStart().length;
    if (text.trim() !== "" && (indent < depth || (indent === depth && !text.trimStart().startsWith("- ")))) break;
    if (text.trim() !== "") last = row;
  }
  return [...rows.slice(0, last + 1), item(list[2] ?? ""), ...rows.slice(last + 1)].join("\n") + block.tail;
}

interface Block {
  readonly text: string;
  readonly indent: string;
  /** The white space the span ends in. */
  readonly tail: string;
}

/** Kept, because nodes never change. */
const blocks = new WeakMap<GraphNode, Block | "none">();

/** A node's own text, if all of it is known and it is written as a block. */
function blockOf(node: GraphNode): Block | undefined {
  let block = blocks.get(node);
  if (block === undefined) {
    block = readBlock(node) ?? "none";
    blocks.set(node, block);
  }
  return block === "none" ? undefined : block;
}

function readBlock(node: GraphNode): Block | undefined {
  const span = spanOf(node);
  if (!span || !isWhole(span)) return undefined;
  const whole = span.raw_text_excerpt ?? "";
  const text = whole.trimEnd();
  const tail = whole.slice(text.length);
  const child = /\r?\n([ \t]+)\S/.exec(text);
  const indent = child?.[1] ?? "";
  return /^[^\n]*:[ \t]*(?:#.*)?\r?\n/.test(text) && indent.length >= span.start_col
    ? { text, indent, tail }
    : undefined;
}
