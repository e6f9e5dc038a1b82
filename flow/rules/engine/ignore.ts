/**
 * `# flow-ignore <code>[, <code>]` on the line of a problem, or in comments directly above it, silences the rule there.
 * A text of several lines can't contain comments, so for it the line of its key counts too.
 */
import { type Comment, commentsOf } from "../../comments";
import type { Block, FlowDocument } from "../../document";
import type { Span, TextEdit } from "../../text";
import type { Value } from "../../values";
import { didYouMean, doesNotExist, nearest, typoOf } from "../../wording";
import type { FlowDiagnostic } from "./diagnostic";
import { eolOf, lineStart } from "./edits";
import type { Fix, Problem } from "./rule";

const WORD = "flow-ignore";

/** Quick check: whether a block may contain such a comment. */
export function mayIgnore(block: Pick<Block, "text">): boolean {
  return block.text.includes(WORD);
}

/** The diagnostics that no comment silences; `blocks` are those with `mayIgnore`. */
export function suppressed(
  document: FlowDocument,
  all: readonly FlowDiagnostic[],
  blocks: readonly Block[],
): readonly FlowDiagnostic[] {
  const lines = ignoringLines(document, blocks);
  if (lines.size === 0) return all;
  const codes = new Set([...lines.values()].flatMap((ignoring) => ignoring.codes));
  return all.filter((found) => {
    if (!codes.has(found.code)) return true;
    const start = found.span.start + (found.block ? document.startOf(found.block) : 0);
    return !silencedBy(document, { code: found.code, span: { start, end: start } }, lines);
  });
}

/** The same for problems that were found elsewhere. */
export function withoutIgnored(document: FlowDocument, problems: Problem[]): Problem[] {
  if (problems.length === 0) return problems;
  const lines = ignoringLines(document, document.blocks.filter(mayIgnore));
  return problems.filter((problem) => !silencedBy(document, problem, lines));
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

/** Whether a comment silences a problem at a top-level key; only comments above the first node count. */
export function isSilenced(document: FlowDocument, problem: Pick<Problem, "code" | "span">): boolean {
  const blocks = [...document.tops, ...document.variables].filter(mayIgnore);
  return silencedBy(document, problem, ignoringLines(document, blocks));
}

/** Adds the comment above the line, or adds the code to an existing comment. */
export function ignoreFix(problem: Problem, document: FlowDocument): Fix {
  const title = `Ignore \`${problem.code}\` on this line`;
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

/** Comments without effect: with an unknown code, or without any. */
export function unknownCodes(
  document: FlowDocument,
  blocks: readonly Block[],
  known: ReadonlySet<string>,
): { readonly message: string; readonly span: Span; readonly data?: string }[] {
  const found: { message: string; span: Span; data?: string }[] = [];
  eachComment(document, blocks, (comment, base) => {
    const match = /^flow-ignore(?::?\s+(.*))?$/s.exec(comment.text.trimEnd());
    if (!match) return;
    const start = base + comment.span.start;
    const source = document.slice({ start, end: start + comment.length });
    const first = source.indexOf(WORD) + WORD.length;
    if (!match[1]?.trim()) {
      const message = "This comment has no effect without a rule. Add the rule's code after it.";
      found.push({ message, span: { start: start + source.indexOf(WORD), end: start + first } });
      return;
    }
    // A code comes first or after a comma; the text after the codes may be a reason.
    for (const each of source.slice(first).matchAll(/(?:^:?\s+|,\s*)([^\s,]+)/g)) {
      const code = each[1] as string;
      if (known.has(code)) continue;
      const near = (each.index > 0 ? typoOf : nearest)(code, known);
      if (each.index > 0 && near === undefined) continue;
      const at = start + first + each.index + each[0].length - code.length;
      found.push({
        message: `${doesNotExist("Rule", code)} ${near ? didYouMean(near) : "Write the code of the diagnostic to ignore."}`,
        span: { start: at, end: at + code.length },
        ...(near ? { data: near } : {}),
      });
    }
  });
  return found;
}

function silenced(lines: ReadonlyMap<number, Ignoring>, line: number, code: string): boolean {
  if (lines.get(line)?.codes.includes(code)) return true;
  for (let above = line - 1; ; above--) {
    const ignoring = lines.get(above);
    if (!ignoring?.alone) return false;
    if (ignoring.codes.includes(code)) return true;
  }
}

function ignoringLines(document: FlowDocument, blocks: readonly Block[]): Map<number, Ignoring> {
  const lines = new Map<number, Ignoring>();
  eachComment(document, blocks, (comment, base) => {
    const codes = codesOf(comment.text);
    if (!codes) return;
    const { line } = document.positionAt(base + comment.span.start);
    lines.set(line, { codes, alone: comment.alone });
  });
  return lines;
}

function eachComment(
  document: FlowDocument,
  blocks: readonly Block[],
  visit: (comment: Comment & { readonly length: number }, base: number) => void,
): void {
  const header = document.header;
  if (header.includes(WORD))
    for (const match of header.matchAll(/^([^\S\r\n]*)#(.*)$/gm)) {
      const start = match.index + (match[1] ?? "").length;
      const text = (match[2] ?? "").trim();
      visit({ text, span: { start, end: start }, alone: true, length: (match[2] ?? "").length + 1 }, 0);
    }
  for (const block of blocks)
    for (const comment of commentsOf(block))
      visit({ ...comment, length: comment.span.end - comment.span.start }, document.startOf(block));
}

function codesOf(comment: string): string[] | undefined {
  const match = /^\s*flow-ignore:?\s+(.*)$/s.exec(comment.trimEnd());
  return match?.[1]?.split(/[\s,]+/).filter(Boolean);
}

/** The start of the innermost key or list item around a place: the line above which a comment can go. */
function anchorOf(document: FlowDocument, offset: number): number {
  const block = document.blockAt(offset);
  if (!block) return offset;
  const start = document.startOf(block);
  const at = offset - start;
  let anchor = 0;
  let value: Value | undefined = block.value;
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
