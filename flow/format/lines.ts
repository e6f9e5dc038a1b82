/** Moves lines to the columns of a layout. */

import { lineEnd, lineStart, nextLine, pad } from "../edit/lines";
import type { Span, TextEdit } from "../text";
import type { Layout, Region } from "./layout";
import { INDENT } from "./layout";

interface Line {
  readonly start: number;
  /** The first character that is not a space. */
  readonly first: number;
  readonly end: number;
}

/** The old and new column of an element that the next line may belong to. */
interface Open {
  readonly old: number;
  readonly now: number;
}

export function formatLines(text: string, range: Span, layout: Layout): TextEdit[] {
  const edits: TextEdit[] = layout.gaps.filter((gap) => gap.start >= range.start && gap.end <= range.end);
  const open: Open[] = [];
  const comments: Line[] = [];
  let region = 0;
  let delta = 0;
  let blanks: Line[] = [];
  /** There's text above, so an empty line here isn't at the start of the file. */
  let written = range.start > 0;

  const move = (line: Line, column: number) => {
    if (line.first - line.start !== column || text.slice(line.start, line.first).includes("\t"))
      edits.push({ start: line.start, end: line.first, text: pad(column) });
  };
  const trim = (line: Line) => {
    const end = line.start + text.slice(line.start, line.end).trimEnd().length;
    if (end < line.end && end >= line.first) edits.push({ start: end, end: line.end, text: "" });
  };
  /** Keeps one of several empty lines, and none at the start of the file. */
  const flushBlanks = (atStart: boolean) => {
    blanks.forEach((line, index) => {
      if (index > 0 || atStart) edits.push({ start: line.start, end: nextLine(text, line.start), text: "" });
      else if (line.end > line.start) edits.push({ start: line.start, end: line.end, text: "" });
    });
    blanks = [];
  };
  const flushComments = (next: Open) => {
    for (const line of comments.splice(0)) {
      const old = line.first - line.start;
      const around = [next, ...open.toReversed()];
      const same =
        around.find((each) => each.old === old) ??
        (old > next.old ? around.slice(1).find((each) => each.old <= old) : undefined);
      move(line, (same ?? next).now);
    }
  };

  for (let at = range.start; at < range.end; at = nextLine(text, at)) {
    const start = at === 0 && text[0] === "\uFEFF" ? 1 : at;
    const end = lineEnd(text, start);
    const found = text.slice(start, end).search(/[^ \t]/);
    const line: Line = { start, first: found < 0 ? end : start + found, end };

    while (region < layout.regions.length && (layout.regions[region] as Region).end <= start) region++;
    if (found < 0) {
      blanks.push(line);
      continue;
    }
    flushBlanks(!written);
    written = true;
    if (text[line.first] === "#") {
      comments.push(line);
      trim(line);
      continue;
    }
    const old = line.first - start;
    const known = layout.columns.get(line.first);
    const column = known ?? unknownColumn(open, old);
    flushComments({ old, now: column });
    while (open.length > 0 && (open.at(-1) as Open).old >= old) open.pop();
    open.push({ old, now: column });
    const dash = /^(?:-[ \t]+)+/.exec(text.slice(line.first, end))?.[0];
    if (dash) open.push({ old: old + dash.length, now: column + 2 * dash.replace(/[ \t]/g, "").length });
    delta = column - old;
    move(line, column);

    const owner = regionBelow(layout.regions, region, end);
    if (!owner || lineStart(text, owner.end) <= start) {
      trim(line);
      continue;
    }
    if (owner.content) trim(line);
    at = moveRegion(text, line, owner, delta, edits);
  }
  const last = range.end === text.length;
  if (last) {
    // The file ends with one line break, unless it's empty.
    for (const line of blanks) edits.push({ start: line.start, end: nextLine(text, line.start), text: "" });
    const textEnd = blanks[0]?.start ?? text.length;
    if (textEnd > 0 && text[textEnd - 1] !== "\n") edits.push({ start: text.length, end: text.length, text: "\n" });
  } else flushBlanks(false);
  flushComments({ old: 0, now: 0 });
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** A line without a layout, such as a merge key: a sibling of the open element in its column, else a child. */
function unknownColumn(open: readonly Open[], old: number): number {
  const sibling = open.findLast((each) => each.old === old);
  const parent = open.findLast((each) => each.old < old);
  return sibling?.now ?? (parent ? parent.now + INDENT : old);
}

/** The region that starts on a line and continues below it; of several, the one that ends last. */
function regionBelow(regions: readonly Region[], from: number, end: number): Region | undefined {
  let owner: Region | undefined;
  for (let index = from; index < regions.length; index++) {
    const region = regions[index] as Region;
    if (region.start > end) break;
    if (!owner || region.end > owner.end) owner = region;
  }
  return owner;
}

/** Moves the lines of a region after its first one. Returns an offset in its last line. */
function moveRegion(text: string, line: Line, region: Region, delta: number, edits: TextEdit[]): number {
  const { content } = region;
  const indent = content ? indentOf(text, nextLine(text, line.start), region.end) : 0;
  const by = content && !content.explicit ? content.column - indent : delta;
  let at = line.start;
  for (let start = nextLine(text, line.start); start < text.length; start = nextLine(text, start)) {
    const end = lineEnd(text, start);
    const spaces = text.slice(start, end).search(/[^ ]/);
    const width = spaces < 0 ? end - start : spaces;
    const words = text.slice(start, end).trim() !== "";
    // In a block scalar, a tab is text. After its last line, empty lines are text if it keeps them, and so is
    // whitespace beyond its indentation.
    const blank = content ? spaces < 0 : !words;
    const beyond = width > indent || (!blank && width === indent);
    if (start >= region.end && !(content && !words && (content.keep || beyond))) break;
    at = start;
    if (blank && content && !content.explicit && width <= indent) {
      if (width > 0) edits.push({ start, end: start + width, text: "" });
    } else if (by !== 0 && !(blank && !content)) edits.push({ start, end: start + width, text: pad(width + by) });
  }
  return at;
}

/** The indentation of a block scalar: that of its first line with text. */
function indentOf(text: string, from: number, end: number): number {
  for (let start = from; start < end; start = nextLine(text, start)) {
    const spaces = text.slice(start, lineEnd(text, start)).search(/[^ ]/);
    if (spaces >= 0) return spaces;
  }
  return 0;
}
