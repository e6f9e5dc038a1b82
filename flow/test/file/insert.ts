/** Puts new tests behind those of a file. */
import type { TextEdit } from "../../text";
import type { TestFile } from "./test-file";

/** `blocks` are items of a list, indented by two. Undefined where the file can't be read, or its list isn't a block. */
export function addTests({ text, tests, problems }: TestFile, blocks: readonly string[]): TextEdit | undefined {
  const last = tests.at(-1);
  if (!last || problems.length > 0) return undefined;
  const lineStart = text.lastIndexOf("\n", last.span.start - 1) + 1;
  const dash = /^( *)- *$/.exec(text.slice(lineStart, last.span.start));
  if (!dash) return undefined;
  const end = last.span.start + text.slice(last.span.start, last.span.end).trimEnd().length;
  // A comment behind the last value stays on its line.
  const place = end + text.slice(end).search(/\r?\n|$/);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const indented = blocks.map((each) => each.replace(/^ {2}/gm, dash[1] ?? "").replaceAll("\n", eol));
  return { start: place, end: place, text: indented.map((each) => `${eol}${eol}${each}`).join("") };
}
