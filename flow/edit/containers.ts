/**
 * Changes maps and lists in place. All functions take values with places in the file, and return edits that keep every
 * other byte. If a container can't be changed piece by piece (merge keys that must lose a field, compact nested lists),
 * they return undefined, and the caller rewrites it.
 *
 * Removing a block element removes from the end of the line above it to its own end; a new one is added at the end of
 * the one before it. So edits of neighbors touch but never overlap.
 */
import { longestIncreasing } from "../sequences";
import { applyEdits, type Span, type TextEdit } from "../text";
import { keyText, type ListValue, type MapValue, type Pair, type Value } from "../values";
import {
  columnOf,
  elementEnd,
  endOfLineBefore,
  isFirstOnLine,
  leadStart,
  lineEnd,
  lineStart,
  nextLine,
  pad,
} from "./lines";
import type { Slot } from "./slot";
import type { Style } from "./style";
import { pairText, writeInline, writeItem, writeKey } from "./write";

/** The target value of a key in a map. */
export interface MapTarget {
  readonly key: string;
  /** The value if the key is new. */
  readonly data: unknown;
  /** Returns the edits inside the pair if the key exists. */
  readonly change: (pair: Pair, slot: Slot) => TextEdit[] | undefined;
  /** Adds an empty line above if the key is new. */
  readonly airy?: boolean;
}

/**
 * Gives a map the keys of `targets`, in place; other keys are removed unless `keep` returns true; `once` removes
 * repeated keys.
 */
export function changeMap(
  text: string,
  map: Pick<MapValue, "pairs" | "flow">,
  targets: readonly MapTarget[],
  keep: (key: string) => boolean,
  style: Style,
  once = false,
): TextEdit[] | undefined {
  const wanted = new Map(targets.map((target) => [target.key, target]));
  const own = map.pairs.filter((pair) => !isForeign(text, pair));
  const first = new Map<string, Pair>();
  for (const pair of own) if (!first.has(keyText(pair))) first.set(keyText(pair), pair);
  const foreign = map.pairs.filter((pair) => isForeign(text, pair) && !first.has(keyText(pair)));
  if (foreign.some((pair) => !wanted.has(keyText(pair)) && !keep(keyText(pair)))) return undefined;
  const stays = own.map((pair) => {
    const key = keyText(pair);
    return (wanted.has(key) || keep(key)) && !(once && first.get(key) !== pair);
  });
  const anchor = own.find((_, i) => stays[i]);
  if (!anchor) return undefined;
  const column = columnOf(text, anchor.key.span.start);

  const edits: TextEdit[] = [];
  const added: { key: string; data: unknown; after: Pair | undefined; airy: boolean }[] = [];
  let before: Pair | undefined;
  for (const target of targets) {
    const pair = first.get(target.key);
    const borrowed = pair ? undefined : foreign.find((candidate) => keyText(candidate) === target.key);
    const at = pair ?? borrowed;
    const from = pair && colonEnd(text, pair);
    if (pair && from === undefined) return undefined;
    const change = at && target.change(at, { from: from ?? at.span.end, column, flow: map.flow, key: target.key });
    if (at && change === undefined) return undefined;
    if (pair) {
      for (const each of change as TextEdit[]) edits.push(each);
      before = pair;
    } else if (!borrowed || (change as TextEdit[]).length > 0)
      added.push({ key: target.key, data: target.data, after: before, airy: target.airy ?? false });
  }
  const removals = map.flow ? removeFromFlow(own, stays) : removeFromBlock(text, own, stays);
  if (!removals) return undefined;
  for (const { key, data, after, airy } of added) {
    if (map.flow) {
      const line = `${writeKey(key, style, true)}: ${writeInline(data, style, true)}`;
      edits.push(insertInFlow(text, own, stays, after, line));
    } else {
      const line = pairText(key, data, column, style);
      const gap = airy ? style.eol : "";
      const at = after ? elementEnd(text, after.span.end, column) : anchor.key.span.start;
      const added = after ? `${style.eol}${gap}${pad(column)}${line}` : `${line}${style.eol}${gap}${pad(column)}`;
      edits.push({ start: at, end: at, text: added });
    }
  }
  return [...edits, ...removals];
}

/** A target item of the list: an existing one, perhaps with edits inside it, or a new one. */
export type ItemPlan = { readonly keep: number; readonly edits: readonly TextEdit[] } | { readonly data: unknown };

export function arrangeList(
  text: string,
  list: ListValue,
  plan: readonly ItemPlan[],
  style: Style,
  flowItems?: boolean,
): TextEdit[] | undefined {
  const kept = plan.flatMap((item) => ("keep" in item ? [item.keep] : []));
  const staying = longestIncreasing(kept);
  const inner = plan.flatMap((item) => ("keep" in item && staying.has(item.keep) ? item.edits : []));
  if (staying.size === list.items.length && plan.length === kept.length) return [...inner];
  if (staying.size === 0 && (list.flow || plan.length === 0)) return undefined;
  const spans = list.flow ? list.items.map((item) => item.span) : blockItems(text, list);
  if (!spans) return undefined;
  const column = columnOf(text, list.span.start);
  const travels = new Set(kept.filter((index) => !staying.has(index)));
  const region = (index: number): Span => {
    const span = spans[index] as Span;
    if (list.flow) return span;
    const start = travels.has(index) ? leadStart(text, span.start) : lineStart(text, span.start);
    return { start, end: elementEnd(text, span.end, column) };
  };
  const textOfItem = (item: ItemPlan): string => {
    if (!("keep" in item)) {
      if (list.flow) return writeInline(item.data, style, true);
      const { head, body } = writeItem(item.data, column, style, flowItems);
      return `${pad(column)}- ${head}${body}`;
    }
    const { start, end } = region(item.keep);
    const edits = item.edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text }));
    return applyEdits(text.slice(start, end), edits);
  };

  const removed = (index: number): TextEdit => {
    const { start, end } = region(index);
    return { start: endOfLineBefore(text, start), end, text: "" };
  };
  if (staying.size === 0) {
    // The first item is replaced where it is, so the comments above it stay, as with any other removal.
    const rest = spans.slice(1).map((_, index) => removed(index + 1));
    return [{ ...region(0), text: plan.map(textOfItem).join(style.eol) }, ...rest];
  }

  const edits = [...inner];
  const firstStaying = spans.findIndex((_, index) => staying.has(index));
  let last: number | undefined;
  for (const item of plan) {
    if ("keep" in item && staying.has(item.keep)) {
      last = item.keep;
      continue;
    }
    if (list.flow) {
      const at = last === undefined ? (spans[firstStaying] as Span).start : (spans[last] as Span).end;
      edits.push({ start: at, end: at, text: last === undefined ? `${textOfItem(item)}, ` : `, ${textOfItem(item)}` });
    } else if (last === undefined) {
      const at = leadStart(text, (spans[firstStaying] as Span).start);
      edits.push({ start: at, end: at, text: textOfItem(item) + style.eol });
    } else {
      const at = region(last).end;
      edits.push({ start: at, end: at, text: style.eol + textOfItem(item) });
    }
  }
  const stays = list.items.map((_, index) => staying.has(index));
  if (list.flow) for (const each of runsToRemove(spans, stays)) edits.push(each);
  else
    spans.forEach((_, index) => {
      if (!stays[index]) edits.push(removed(index));
    });
  return edits;
}

/** The ranges of a block list's items including their dashes; undefined if a dash shares its line with something else. */
export function blockItems(text: string, list: ListValue): Span[] | undefined {
  const column = columnOf(text, list.span.start);
  if (text[list.span.start] !== "-" || !isFirstOnLine(text, list.span.start)) return undefined;
  const spans: Span[] = [];
  let floor = list.span.start;
  for (const item of list.items) {
    if (item.span.end <= item.span.start || item.span.start < floor) return undefined;
    let line = lineStart(text, item.span.start);
    const dashAt = () => line + column + (line === 0 && text[0] === "\uFEFF" ? 1 : 0);
    while (!(text[dashAt()] === "-" && isFirstOnLine(text, dashAt()))) {
      if (line <= floor) return undefined;
      line = lineStart(text, line - 1);
    }
    if (dashAt() < floor) return undefined;
    spans.push({ start: dashAt(), end: item.span.end });
    floor = item.span.end;
  }
  return spans;
}

/** The offset right after the colon of a pair. */
export function colonEnd(text: string, pair: Pair): number | undefined {
  const after = /^\s*:/.exec(text.slice(pair.key.span.end, pair.key.span.end + 80));
  return after ? pair.key.span.end + after[0].length : undefined;
}

/** Whether the value is an alias, so its text belongs to another place of the file. */
export function isAlias(text: string, value: Value | undefined): boolean {
  return value !== undefined && text[value.span.start] === "*";
}

function isForeign(text: string, pair: Pair): boolean {
  return text[pair.key.span.start] === "*";
}

function removeFromBlock(text: string, pairs: readonly Pair[], stays: readonly boolean[]): TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (let index = 0; index < pairs.length; index++) {
    if (stays[index]) continue;
    const { key, span } = pairs[index] as Pair;
    const column = columnOf(text, key.span.start);
    const end = elementEnd(text, span.end, column);
    if (isFirstOnLine(text, key.span.start)) edits.push(withoutGap(text, lineStart(text, key.span.start), end));
    else {
      // The first pair shares its line with a dash or a BOM, so the next remaining pair moves to its place.
      const next = stays.indexOf(true, index);
      const pair = pairs[next];
      if (index !== 0 || !pair) return undefined;
      const last = elementEnd(text, (pairs[next - 1] as Pair).span.end, column);
      const clean = text.slice(last, pair.key.span.start).trim() === "";
      edits.push({ start: key.span.start, end: clean ? pair.key.span.start : last, text: "" });
      index = next - 1;
    }
  }
  return edits;
}

/** Removes whole lines, and one of two empty lines that would become adjacent. */
function withoutGap(text: string, start: number, end: number): TextEdit {
  if (start === 0) return { start, end: nextLine(text, end), text: "" };
  const isBlank = (at: number) => text.slice(at, lineEnd(text, at)).trim() === "";
  let from = start;
  const after = nextLine(text, end);
  if (after >= text.length || isBlank(after))
    while (from > 0 && isBlank(lineStart(text, from - 1))) from = lineStart(text, from - 1);
  if (from === 0) return { start: 0, end: after, text: "" };
  return { start: endOfLineBefore(text, from), end, text: "" };
}

function removeFromFlow(pairs: readonly Pair[], stays: readonly boolean[]): TextEdit[] {
  return runsToRemove(
    pairs.map((pair) => pair.span),
    stays,
  );
}

/** Removes items between commas, each with one comma. At least one item must remain. */
function runsToRemove(spans: readonly Span[], stays: readonly boolean[]): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let index = 0; index < spans.length; index++) {
    if (stays[index]) continue;
    let last = index;
    while (last + 1 < spans.length && !stays[last + 1]) last++;
    const start = index > 0 ? (spans[index - 1] as Span).end : (spans[0] as Span).start;
    const end = index > 0 ? (spans[last] as Span).end : (spans[last + 1] as Span).start;
    edits.push({ start, end, text: "" });
    index = last;
  }
  return edits;
}

function insertInFlow(
  text: string,
  pairs: readonly Pair[],
  stays: readonly boolean[],
  after: Pair | undefined,
  line: string,
): TextEdit {
  if (!after) {
    const at = (pairs[stays.indexOf(true)] as Pair).span.start;
    return { start: at, end: at, text: `${line}, ` };
  }
  // If each pair has its own line, the new one gets one too.
  const ownLine = isFirstOnLine(text, after.span.start);
  const gap = ownLine ? `\n${text.slice(lineStart(text, after.span.start), after.span.start)}` : " ";
  return { start: after.span.end, end: after.span.end, text: `,${gap}${line}` };
}
