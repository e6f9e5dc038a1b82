/**
 * One layout for every flow file: two spaces per level, dashes below their key, one space after a colon and between the
 * parts of `{}` and `[]`, at most one empty line in a row, no trailing spaces, one line break at the end.
 *
 * Nothing else changes: text, quotes, comments, line breaks inside text, and the order stay as they are, so the graph
 * is the same before and after. A file with syntax errors isn't formatted, because its layout is the only hint at what
 * was meant.
 */
import type { Block, FlowDocument } from "../document";
import { isInFlow, open, type Page, valueIn } from "../edit/page";
import { guarded } from "../guard";
import type { Span, TextEdit } from "../text";
import { collectLayout, INDENT, type Layout } from "./layout";
import { formatLines } from "./lines";

export function formatDocument(document: FlowDocument): readonly TextEdit[] {
  if (!isReadable(document)) return [];
  const page = open(document);
  const blocks = [...document.tops, ...document.variables, ...document.nodes];
  return unchanging(
    document,
    formatLines(page.text, { start: 0, end: page.text.length }, layoutOf(page, blocks, false)),
  );
}

/** Formats the nodes, variables, and top-level keys in a range; they keep their column. */
export function formatRange(document: FlowDocument, range: Span): readonly TextEdit[] {
  if (!isReadable(document)) return [];
  const blocks = [...document.tops, ...document.variables, ...document.nodes].filter((block) => {
    const start = document.startOf(block);
    return start <= range.end && start + block.text.length > range.start;
  });
  if (blocks.length === 0) return [];
  const page = open(document);
  const starts = blocks.map((block) => document.startOf(block));
  const ends = blocks.map((block) => document.startOf(block) + block.text.length);
  const start = page.text.lastIndexOf("\n", starts.reduce((first, each) => Math.min(first, each)) - 1) + 1;
  const last = ends.reduce((most, each) => Math.max(most, each));
  // A block ends where the key of the next one starts, but that key's line isn't part of the range.
  const end = last === page.text.length ? last : page.text.lastIndexOf("\n", last - 1) + 1;
  return unchanging(document, formatLines(page.text, { start, end }, layoutOf(page, blocks, true)));
}

function unchanging(document: FlowDocument, edits: readonly TextEdit[]): readonly TextEdit[] {
  return guarded(document, edits, { changes: "nothing" });
}

function isReadable(document: FlowDocument): boolean {
  return document.tops.length > 0 && document.problems.every((problem) => problem.code === "duplicate-key");
}

function layoutOf(page: Page, blocks: readonly Block[], inPlace: boolean): Layout {
  const layout: Layout = { columns: new Map(), regions: [], gaps: [] };
  const flow = new Map<string, boolean>();
  for (const block of blocks) {
    if (!flow.has(block.section)) flow.set(block.section, isInFlow(page, block));
    if (flow.get(block.section)) continue;
    const column = inPlace ? undefined : block.section === "top" ? 0 : INDENT;
    collectLayout(page, block, valueIn(page, block), column, layout);
  }
  layout.regions.sort((a, b) => a.start - b.start);
  return layout;
}
