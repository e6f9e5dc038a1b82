/**
 * The four kinds of `suggested_fix` that a client must handle. The contract only says that it is a string, so the
 * sandbox sends all of them: replacement text for the span, a YAML block, operations as JSON, and a sentence.
 */
import type { GraphNode, GraphOp } from "../../flow";
import { isWhole, spanOf } from "./spans";

export function opsFix(ops: GraphOp | readonly GraphOp[]): string {
  return JSON.stringify([ops].flat());
}

/** The whole node as YAML with an added field, or only the field if its text isn't known. */
export function fieldFix(node: GraphNode, field: string, value: string): string {
  const block = blockOf(node);
  if (!block) return `${field}: ${value}`;
  return `${block.text}\n${block.indent}${field}: ${value}${block.tail}`;
}

/** The whole node as YAML with an appended edge, or only the list item if its text isn't known. */
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
  // The list ends before the first line that isn't indented deeper.
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
  /** The trailing whitespace of the span. */
  readonly tail: string;
}

/** The text of a node, if it is completely known and written as a block. */
function blockOf(node: GraphNode): Block | undefined {
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
