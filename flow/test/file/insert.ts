/** Appends new tests to a file. */
import { eolOf, type TextEdit } from "../../text";
import type { TestFile } from "./test-file";

/** `blocks` are list items, indented by two. Undefined if the file can't be parsed, or its list isn't a block. */
export function addTests({ text, tests, problems }: TestFile, blocks: readonly string[]): TextEdit | undefined {
  const last = tests.at(-1);
  if (!last || problems.length > 0) return undefined;
  const lineStart = text.lastIndexOf("\n", last.span.start - 1) + 1;
  const dash = /^( *)- *$/.exec(text.slice(lineStart, last.span.start));
  if (!dash) return undefined;
  const end = last.span.start + text.slice(last.span.start, last.span.end).trimEnd().length;
  // A comment after the last value stays on its line.
  const place = end + text.slice(end).search(/\r?\n|$/);
  const eol = eolOf(text);
  const indented = blocks.map((each) => each.replace(/^ {2}/gm, dash[1] ?? "").replaceAll("\n", eol));
  return { start: place, end: place, text: indented.map((each) => `${eol}${eol}${each}`).join("") };
}
