/**
 * One layout for every flow file: two spaces for each level, dashes below their key, one space after a colon and between
 * the parts of `{}` and `[]`, at most one empty line in a row, no spaces at line ends, one line end at the end.
 *
 * Nothing else changes. Words, quotes, comments, line breaks inside text and the order of things stay as they are, so
 * the graph is the same before and after. A file with syntax errors is left alone: there the layout is all there is to
 * tell what was meant.
 */
import type { Entry, FlowDocument } from "../document";
import { isInFlow, open, type Page, valueIn } from "../edit/page";
import { guarded } from "../guard";
import type { Span, TextEdit } from "../text";
import { collectLayout, INDENT, type Layout } from "./layout";
import { formatLines } from "./lines";

export function formatDocument(document: FlowDocument): readonly TextEdit[] {
  if (!isReadable(document)) return [];
  const page = open(document);
  const entries = [...document.tops, ...document.variables, ...document.nodes];
  return unchanging(
    document,
    formatLines(page.text, { start: 0, end: page.text.length }, layoutOf(page, entries, false)),
  );
}

/** Formats the nodes, variables and top-level keys that a range touches; they stay in the column they stand in. */
export function formatRange(document: FlowDocument, range: Span): readonly TextEdit[] {
  if (!isReadable(document)) return [];
  const entries = [...document.tops, ...document.variables, ...document.nodes].filter((entry) => {
    const start = document.startOf(entry);
    return start <= range.end && start + entry.text.length > range.start;
  });
  if (entries.length === 0) return [];
  const page = open(document);
  const starts = entries.map((entry) => document.startOf(entry));
  const ends = entries.map((entry) => document.startOf(entry) + entry.text.length);
  const start = page.text.lastIndexOf("\n", Math.min(...starts) - 1) + 1;
  const last = Math.max(...ends);
  // An entry ends where the key of the next one starts: that key's own line is not part of the range.
  const end = last === page.text.length ? last : page.text.lastIndexOf("\n", last - 1) + 1;
  return unchanging(document, formatLines(page.text, { start, end }, layoutOf(page, entries, true)));
}

function unchanging(document: FlowDocument, edits: readonly TextEdit[]): readonly TextEdit[] {
  return guarded(document, edits, { changes: "nothing" });
}

function isReadable(document: FlowDocument): boolean {
  return document.tops.length > 0 && document.problems.every((problem) => problem.code === "duplicate-key");
}

function layoutOf(page: Page, entries: readonly Entry[], inPlace: boolean): Layout {
  const layout: Layout = { columns: new Map(), regions: [], gaps: [] };
  const flow = new Map<string, boolean>();
  for (const entry of entries) {
    if (!flow.has(entry.section)) flow.set(entry.section, isInFlow(page, entry));
    if (flow.get(entry.section)) continue;
    const column = inPlace ? undefined : entry.section === "top" ? 0 : INDENT;
    collectLayout(page, entry, valueIn(page, entry), column, layout);
  }
  layout.regions.sort((a, b) => a.start - b.start);
  return layout;
}
