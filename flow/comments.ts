/** The comments of a file, found on request. They carry suppressions (`# flow-ignore <code>`). */
import type { Block } from "./document";
import type { Span } from "./text";
import type { ScalarValue, Value } from "./values";

export interface Comment {
  /** The text after `#`, trimmed. */
  readonly text: string;
  /** From the `#` to the end of the line. */
  readonly span: Span;
  /** True if it's the only text on its line. */
  readonly alone: boolean;
}

const known = new WeakMap<Block, readonly Comment[]>();

/** The comments inside a block, with places relative to it. A comment above a block belongs to the block before it. */
export function commentsOf(block: Block): readonly Comment[] {
  let comments = known.get(block);
  if (comments === undefined) {
    const scalars: ScalarValue[] = [];
    if (block.text.includes("#")) collect(block.value, scalars);
    comments = commentsIn(block.text, [block.keySpan, ...scalars.map((scalar) => covered(scalar, block.text))]);
    known.set(block, comments);
  }
  return comments;
}

/** A `#` starts a comment if no scalar covers it, and whitespace or the start of a line comes before it. */
function commentsIn(text: string, scalars: readonly Span[]): Comment[] {
  const comments: Comment[] = [];
  const spans = [...scalars].sort((a, b) => a.start - b.start);
  let next = 0;
  for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
    while (next < spans.length && (spans[next] as Span).end <= at) next++;
    const span = spans[next];
    if (span && span.start <= at) {
      at = span.end - 1;
      continue;
    }
    if (at > 0 && !/\s/.test(text[at - 1] as string)) continue;
    // Within the line: searching for a missing character would scan the whole text for each comment.
    let [before, end] = [at, at];
    while (before > 0 && !isBreak(text.charCodeAt(before - 1))) before--;
    while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
    comments.push({
      text: text.slice(at + 1, end).trim(),
      span: { start: at, end },
      alone: text.slice(before, at).trim() === "",
    });
    at = end - 1;
  }
  return comments;
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13;
}

function collect(value: Value | undefined, into: ScalarValue[]): void {
  if (value?.kind === "scalar") into.push(value);
  else if (value?.kind === "list") for (const item of value.items) collect(item, into);
  else if (value)
    for (const pair of value.pairs) {
      into.push(pair.key);
      collect(pair.value, into);
    }
}

/** A block scalar may have a comment on its header line, so it only covers its text from the next line on. */
function covered({ style, span }: ScalarValue, text: string): Span {
  if (style !== "literal" && style !== "folded") return span;
  const lineEnd = text.indexOf("\n", span.start);
  return { start: lineEnd < 0 ? span.end : Math.min(lineEnd, span.end), end: span.end };
}
