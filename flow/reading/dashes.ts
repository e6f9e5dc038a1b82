/** Slips with the dash of a list item: none, another character, two, or a dash that is read as part of a key. */
import { isKnownKey } from "../fields";
import { applyEdits } from "../text";
import type { Value } from "../values";
import type { Cause, ReadProblem } from "./problem";
import { cause, type Line, type Slip } from "./slip";
import type { Item } from "./yaml";

const REPLACE_DASH = "Replace with a dash";
const startsWith = (dash: string) => `A list item starts with a dash (\`-\`), not \`${dash}\`.`;

/** `— to: a`, as a word processor writes a list. */
export const wrongDash: Slip = (line) => {
  const match = /^([ \t]*)([—–−•‣·*+])([ \t\u00a0]*)([A-Za-z_][\w-]*):(?:[ \t]|$)/.exec(line.text);
  if (!match || !isKnownKey(match[4] as string)) return [];
  const start = line.start + (match[1] as string).length;
  const end = start + 1 + (match[3] as string).length;
  return [cause(startsWith(match[2] as string), REPLACE_DASH, start, end, "- ", { start, end: start + 1 })];
};

/** `- - to: a`. */
export const twoDashes: Slip = (line) => {
  const match = /^([ \t]*-[ \t]+)(-[ \t]+)(?:to|when):(?:[ \t]|$)/.exec(line.text);
  if (!match) return [];
  const start = line.start + (match[1] as string).length;
  const end = start + (match[2] as string).length;
  const message = "Two dashes start a list inside the list. Remove one.";
  return [cause(message, "Remove one dash", start, end, "", { start: line.start + line.indent, end })];
};

/** The line of `edges:` directly above, and comments in between. */
const EDGES_ABOVE = /(?:^|\n)( *)edges:[ \t\r]*(?:#[^\n]*)?\n(?:[ \t\r]*(?:#[^\n]*)?\n)*$/;

/** `to: b` where `- to: b` is meant: below another edge, or the first one. */
export const noDash: Slip = (line, text) => {
  if (!/^ *to:(?:\s|$)/.test(line.text)) return [];
  const above = text.slice(0, line.start);
  const start = line.start + line.indent;
  const added = (edits: Cause["edits"]): Cause => ({
    message: "This edge has no dash, so it isn't read as a list item. Add a dash.",
    title: "Add a dash",
    span: { start, end: start + 2 },
    edits,
  });
  const edges = EDGES_ABOVE.exec(above)?.[1]?.length;
  if (edges !== undefined) return line.indent < edges ? [] : firstEdge(line, text, edges).map(added);
  const inBraces = /(?:^|\n)( *)- +\{[^\n]*\}[ \t]*\r?\n$/.exec(above)?.[1]?.length;
  const dash = inBraces ?? [...above.matchAll(/^( *)- /gm)].at(-1)?.[1]?.length;
  if (dash !== line.indent && inBraces !== line.indent - 2) return [];
  return [added([{ start: line.start + (dash as number), end: start, text: "- " }])];
};

/** The dash in the column of `to`, the same with the other lines of the edge moved, or the dash before that column. */
function firstEdge({ start, indent, nextIndent }: Line, text: string, edges: number): Cause["edits"][] {
  const at = start + indent;
  const before = { start: at - 2, end: at, text: "- " };
  const inserted = { start: at, end: at, text: "- " };
  const moved = [...linesOfEdge(text, at, indent)].map((each) => ({ start: each, end: each, text: "  " }));
  if (nextIndent !== indent) return indent - 2 >= edges ? [[inserted], [before]] : [[inserted]];
  return indent - 2 >= edges ? [[before], [inserted, ...moved]] : [[inserted, ...moved]];
}

/** The starts of the lines after a place up to the next item or a line that is indented less. */
function* linesOfEdge(text: string, after: number, indent: number): Generator<number> {
  for (const { index, 0: each } of text.slice(after).matchAll(/(?<=\n)[^\r\n]*\S[^\r\n]*/g)) {
    const column = each.search(/\S/);
    if (column < indent || (column === indent && /^ *-(?:\s|$)/.test(each))) return;
    yield after + index;
  }
}

const DASHED = /^([—–−])[ \t\u00a0]*([A-Za-z_][\w-]*)$/;

/**
 * `— to: b` where YAML accepts it, as a key of the edge or the node above, so that the edge is lost. Reported only with
 * a fix, which is verified by parsing the fixed text; `problemsIn` counts the problems that `yaml` finds.
 */
export function dashedKeys(text: string, items: readonly Item[], problemsIn: (text: string) => number): ReadProblem[] {
  if (!/[—–−]/.test(text)) return [];
  const places = items.flatMap(({ value, at }) => [...dashedIn(value, text.slice(at))].map((place) => move(place, at)));
  const [first] = places;
  if (!first) return [];
  for (const chosen of [places, [first]])
    for (const deeper of [0, 2]) {
      const edits = chosen.map(({ start, back }) => {
        const line = text.lastIndexOf("\n", start - 1) + 1;
        const key = start + 1 + text.slice(start + 1).search(/[A-Za-z_]/);
        return { start: line, end: key, text: `${" ".repeat(start - line - back + (back > 0 ? 0 : deeper))}- ` };
      });
      if (problemsIn(applyEdits(text, edits)) > 0) continue;
      const span = { start: first.start, end: first.start + 1 };
      const message = startsWith(text[first.start] as string);
      return [{ code: "yaml-syntax", message, span, data: { title: REPLACE_DASH, edits } }];
    }
  return [];
}

interface DashedKey {
  readonly start: number;
  /** How far before it the dash of its list item is; 0 if its map isn't a list item. */
  readonly back: number;
}

function move({ start, back }: DashedKey, by: number): DashedKey {
  return { start: start + by, back };
}

/** Such keys in maps with one key per line. */
function* dashedIn(value: Value | undefined, text: string, back = 0): Generator<DashedKey> {
  if (!value || value.kind === "scalar" || value.flow) return;
  if (value.kind === "list")
    for (const item of value.items)
      yield* dashedIn(item, text, item.span.start - text.lastIndexOf("-", item.span.start - 1));
  else
    for (const { key, value: inner } of value.pairs) {
      const dashed = DASHED.exec(text.slice(key.span.start, key.span.end));
      if (dashed && isKnownKey(dashed[2] as string)) yield { start: key.span.start, back };
      else yield* dashedIn(inner, text);
    }
}
