/**
 * `# flow-ignore <code>[, <code>]` on the line of a problem, or in comments directly above it, silences the rule there.
 * Inside a text of several lines no comment can stand, so there the line of the text's key counts too.
 */
import { type Comment, commentsOf } from "../comments";
import type { Entry, FlowDocument } from "../document";
import type { TextEdit } from "../text";
import type { Value } from "../values";
import { eolOf, lineStart } from "./edits";
import type { Found } from "./found";
import type { Fix, Problem } from "./rule";

const WORD = "flow-ignore";

/** True for an entry that has to be looked at for comments. */
export function mayIgnore(entry: Entry): boolean {
  return entry.text.includes(WORD);
}

/** What no comment silences; `entries` are those with `mayIgnore`. */
export function suppressed(document: FlowDocument, all: readonly Found[], entries: readonly Entry[]): readonly Found[] {
  const lines = ignoringLines(document, entries);
  if (lines.size === 0) return all;
  const near = entriesNear(document, lines);
  return all.filter((found) => {
    if (found.entry && !near.has(found.entry)) return true;
    const start = found.span.start + (found.entry ? document.startOf(found.entry) : 0);
    return !silencedBy(document, { code: found.code, span: { start, end: start } }, lines);
  });
}

/** The entries in which something stands on a line that a comment silences: its own, or the first one below it. */
function entriesNear(document: FlowDocument, lines: ReadonlyMap<number, Ignoring>): Set<Entry> {
  const { entries } = document;
  const near = new Set<Entry>();
  const addThoseIn = (line: number) => {
    const start = document.offsetAt({ line, character: 0 });
    const end = document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
    let low = 0;
    for (let high = entries.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (document.startOf(entries[middle] as Entry) <= start) low = middle;
      else high = middle - 1;
    }
    for (let at = low; at < entries.length; at++) {
      const entry = entries[at] as Entry;
      if (document.startOf(entry) > end) break;
      near.add(entry);
    }
  };
  for (const [line, { alone }] of lines) {
    addThoseIn(line);
    let below = line + 1;
    while (lines.get(below)?.alone) below++;
    if (alone) addThoseIn(below);
  }
  return near;
}

function silencedBy(
  document: FlowDocument,
  { code, span }: Pick<Problem, "code" | "span">,
  lines: ReadonlyMap<number, Ignoring>,
): boolean {
  if (lines.size === 0) return false;
  const line = document.positionAt(span.start).line;
  const anchor = document.positionAt(anchorOf(document, span.start)).line;
  return silenced(lines, line, code) || (anchor !== line && silenced(lines, anchor, code));
}

/** Whether a comment silences a problem at a top-level key; such a comment stands above the first node. */
export function isSilenced(document: FlowDocument, problem: Pick<Problem, "code" | "span">): boolean {
  const entries = [...document.tops, ...document.variables].filter(mayIgnore);
  return silencedBy(document, problem, ignoringLines(document, entries));
}

/** Writes the comment: above the line, or behind the codes of a comment that stands there already. */
export function ignoreFix(problem: Problem, document: FlowDocument): Fix {
  const title = `Ignore ${problem.code} on this line`;
  const anchor = anchorOf(document, problem.span.start);
  const line = document.positionAt(anchor).line;
  const above = document.slice({
    start: document.offsetAt({ line: line - 1, character: 0 }),
    end: lineStart(document, anchor),
  });
  if (line > 0 && codesOf(above.replace(/^\s*#/, "")) && /^\s*#/.test(above)) {
    const at = document.offsetAt({ line: line - 1, character: above.trimEnd().length });
    return { title, edits: [{ start: at, end: at, text: `, ${problem.code}` }] };
  }
  return { title, edits: [commentAbove(document, anchor, `# ${WORD} ${problem.code}`)] };
}

function commentAbove(document: FlowDocument, anchor: number, comment: string): TextEdit {
  let start = lineStart(document, anchor);
  if (start === 0 && document.slice({ start: 0, end: 1 }) === "\uFEFF") start = 1;
  const indent = /^[ \t]*/.exec(document.slice({ start, end: Math.max(start, anchor) }))?.[0] ?? "";
  return { start, end: start, text: `${indent}${comment}${eolOf(document)}` };
}

interface Ignoring {
  readonly codes: readonly string[];
  readonly alone: boolean;
}

function silenced(lines: ReadonlyMap<number, Ignoring>, line: number, code: string): boolean {
  if (lines.get(line)?.codes.includes(code)) return true;
  for (let above = line - 1; ; above--) {
    const ignoring = lines.get(above);
    if (!ignoring?.alone) return false;
    if (ignoring.codes.includes(code)) return true;
  }
}

function ignoringLines(document: FlowDocument, entries: readonly Entry[]): Map<number, Ignoring> {
  const lines = new Map<number, Ignoring>();
  const take = (comment: Comment, base: number) => {
    const codes = codesOf(comment.text);
    if (!codes) return;
    const { line } = document.positionAt(base + comment.span.start);
    lines.set(line, { codes, alone: comment.alone });
  };
  const header = document.header;
  if (header.includes(WORD))
    for (const match of header.matchAll(/^([^\S\r\n]*)#(.*)$/gm))
      take({ text: (match[2] ?? "").trim(), span: { start: match.index, end: match.index }, alone: true }, 0);
  for (const entry of entries) for (const comment of commentsOf(entry)) take(comment, document.startOf(entry));
  return lines;
}

function codesOf(comment: string): string[] | undefined {
  const match = /^\s*flow-ignore:?\s+(.*)$/s.exec(comment.trimEnd());
  return match?.[1]?.split(/[\s,]+/).filter(Boolean);
}

/** The start of the innermost key or list item around a place: the line a comment about it can stand on. */
function anchorOf(document: FlowDocument, offset: number): number {
  const entry = document.entryAt(offset);
  if (!entry) return offset;
  const start = document.startOf(entry);
  const at = offset - start;
  let anchor = 0;
  let value: Value | undefined = entry.value;
  while (value && value.kind !== "scalar") {
    let inner: Value | undefined;
    if (value.kind === "map") {
      const pair = value.pairs.find((each) => each.span.start <= at && at <= each.span.end);
      if (pair) anchor = Math.max(anchor, pair.key.span.start);
      inner = pair?.value;
    } else {
      inner = value.items.find((each) => each.span.start <= at && at <= each.span.end);
      if (inner) anchor = Math.max(anchor, inner.span.start);
    }
    value = inner;
  }
  return start + Math.min(anchor, at);
}
