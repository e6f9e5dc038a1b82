/** Writes plain data as natural YAML: quotes only where needed, long text as block literals. */

import { isRecord } from "../json";
import type { ScalarStyle } from "../values";
import { pad } from "./lines";
import { defaultStyle, type Style } from "./style";

/** The text after a key or a dash: the rest of its line, and the lines below it (each with its line break before it). */
export interface Written {
  readonly head: string;
  readonly body: string;
}

/** A value after a key in `column`. `key` is used to write edges in the style of the file. */
export function writeValue(data: unknown, column: number, style: Style, key?: string, prefer?: ScalarStyle): Written {
  if (typeof data === "string") return writeText(data, column + style.indent, style, prefer);
  if (Array.isArray(data) && data.length > 0 && (key === "edges" || !isSmall(data, style))) {
    const dash = column + style.dash;
    const items = data.map((item) => {
      const { head, body } = writeItem(item, dash, style, key === "edges" ? style.flowEdges : undefined);
      return `${style.eol}${pad(dash)}- ${head}${body}`;
    });
    return { head: "", body: items.join("") };
  }
  // Nodes and variables, which have a type, always get one line per field.
  if (isRecord(data) && (Object.hasOwn(data, "type") || !isSmall(data, style))) {
    const inner = column + style.indent;
    const pairs = Object.entries(data).map(
      ([name, value]) => `${style.eol}${pad(inner)}${pairText(name, value, inner, style)}`,
    );
    if (pairs.length > 0) return { head: "", body: pairs.join("") };
  }
  return { head: writeInline(data, style), body: "" };
}

/** A value after a dash in `column`. A map starts on the line of the dash. */
export function writeItem(data: unknown, column: number, style: Style, flow?: boolean): Written {
  if (typeof data === "string") return writeText(data, column + 2, style);
  const entries = isRecord(data) ? Object.entries(data) : [];
  if (entries.length === 0 || !(flow === undefined ? !isSmall(data, style) : !flow || !isShallow(data)))
    return { head: writeInline(data, style), body: "" };
  const [first, ...rest] = entries as [[string, unknown], ...[string, unknown][]];
  const start = writeValue(first[1], column + 2, style, first[0]);
  return {
    head: joinPair(first[0], start.head, style),
    body:
      start.body +
      rest.map(([name, value]) => `${style.eol}${pad(column + 2)}${pairText(name, value, column + 2, style)}`).join(""),
  };
}

/** `key: value` of a block map whose keys are in `column`. */
export function pairText(key: string, data: unknown, column: number, style: Style): string {
  const { head, body } = writeValue(data, column, style, key);
  return joinPair(key, head, style) + body;
}

/** Any data on one line, in flow style. */
export function writeInline(data: unknown, style: Style, inFlow = false): string {
  if (typeof data === "string") return writeLine(data, style, inFlow);
  if (Array.isArray(data)) return `[${data.map((item) => writeInline(item, style, true)).join(", ")}]`;
  if (isRecord(data)) {
    const pairs = Object.entries(data).map(
      ([key, value]) => `${writeKey(key, style, true)}: ${writeInline(value, style, true)}`,
    );
    return `{${pairs.join(", ")}}`;
  }
  return data === undefined || (typeof data === "number" && !Number.isFinite(data)) ? "null" : String(data);
}

export function writeKey(key: string, style: Style, inFlow = false): string {
  if (style.quoteKeys) return doubleQuoted(key);
  // `on` is a common key of edges: as keys, words that YAML 1.1 reads as booleans stay plain.
  return /^(?:yes|no|on|off|y|n)$/i.test(key) ? key : writeLine(key, style, inFlow);
}

/** Text on one line: plain if that parses as the same text, else in quotes. */
export function writeLine(text: string, style: Style, inFlow = false, prefer?: ScalarStyle): string {
  const quote = prefer === "single" || prefer === "double" ? prefer : style.quote;
  if (prefer !== "single" && prefer !== "double" && !(style.quoteKeys && inFlow) && isPlain(text, inFlow)) return text;
  const printable = !UNPRINTABLE.test(text) && !text.includes("\n");
  return quote === "single" && printable ? `'${text.replaceAll("'", "''")}'` : doubleQuoted(text);
}

/** A name that's valid anywhere: quoted if it would be parsed as something else. */
export function yamlWord(text: string): string {
  return writeLine(text, defaultStyle, true);
}

function writeText(text: string, column: number, style: Style, prefer?: ScalarStyle): Written {
  const wantsBlock = text.trimEnd().includes("\n") || prefer === "literal" || prefer === "folded";
  if (!wantsBlock || !isLiteral(text)) return { head: writeLine(text, style, false, prefer), body: "" };
  const content = text.endsWith("\n") ? text.slice(0, -1) : text;
  const chomp = text.endsWith("\n") ? "" : "-";
  const foldable = prefer === "folded" && !content.includes("\n") && !content.includes("  ");
  const lines = foldable ? wrap(content, Math.max(40, 100 - column)) : content.split("\n");
  return {
    head: (foldable ? ">" : "|") + chomp,
    body: lines.map((line) => style.eol + (line === "" ? "" : pad(column) + line)).join(""),
  };
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Text that fits a block literal, and that trimming trailing spaces wouldn't change. */
function isLiteral(text: string): boolean {
  return !UNPRINTABLE.test(text) && !/^\s|[ \t](?:\n|$)|\n\n$/.test(text) && text !== "";
}

/** Whether plain style parses as the same text, by YAML 1.2 and, for words like `yes`, by YAML 1.1. */
export function isPlain(text: string, inFlow: boolean): boolean {
  if (text === "" || text !== text.trim() || UNPRINTABLE.test(text) || /[\n\t]/.test(text)) return false;
  if (/^[-?:,[\]{}#&*!|>'"%@`=<~]/.test(text) || /: |:$| #/.test(text)) return false;
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text)) return false;
  if (
    /^[-+]?(?:\.\d|\d)/.test(text) &&
    /^[-+]?(?:0o[0-7]+|0x[\da-f]+|(?:\.\d+|\d[\d_]*(?:\.\d*)?)(?:e[-+]?\d+)?)$/i.test(text)
  )
    return false;
  if (/^[-+]?\.(?:inf|nan)$/i.test(text)) return false;
  return !inFlow || !/[,[\]{}]/.test(text);
}

// Line breaks and tabs have their own rules; everything here must be escaped in double quotes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for.
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF\uD800-\uDFFF]/u;

function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function joinPair(key: string, head: string, style: Style): string {
  return `${writeKey(key, style)}:${head === "" ? "" : ` ${head}`}`;
}

/** Fits on the line of its key: a few plain values, no multi-line text. */
function isSmall(data: unknown, style: Style): boolean {
  if (!isShallow(data)) return false;
  const size = Array.isArray(data) ? 1 : Object.keys(data as object).length;
  return size <= 4 && writeInline(data, style).length <= 80;
}

function isShallow(data: unknown): boolean {
  if (data === null || typeof data !== "object") return true;
  return Object.values(data).every((value) =>
    typeof value === "string" ? !value.includes("\n") : value === null || typeof value !== "object",
  );
}
