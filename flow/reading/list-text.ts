/**
 * Reads a file that's mostly one list, such as test and policy files: its top-level keys, and each list item
 * separately, so that an error breaks only its own item and a long file of plain items is fast. Places are offsets in
 * the file.
 */
import { briefly, type Span, shift } from "../text";
import type { Value } from "../values";
import { AliasResolver, type AliasScope } from "./aliases";
import { explainedInAnyFile } from "./cause";
import { findDuplicates } from "./duplicates";
import { moveProblem, type ReadProblem } from "./problem";
import { readQuickly } from "./quick";
import { type Item, type Reading, readYaml } from "./yaml";

/** A value and the offset that its places are relative to. */
export interface Part {
  readonly value: Value | undefined;
  readonly base: number;
  /** It has a syntax error, so its value may not be what is meant. */
  readonly isBroken: boolean;
}

/** The value of a top-level key. */
export interface TopPart extends Part {
  readonly keySpan: Span;
  /** An alias elsewhere refers to something in it. */
  readonly isShared: boolean;
}

export interface ListText {
  readonly tops: ReadonlyMap<string, TopPart>;
  /** The items of the list; undefined if there's no list. */
  readonly items: readonly Part[] | undefined;
  readonly problems: readonly ReadProblem[];
}

/** Such files use more aliases than flows do, but their expansion is limited as well. */
const ALIASES = { aliases: 10_000, values: 500_000 };

/** For how many broken parts of a file the cause is searched, because each search parses the part up to 40 times. */
const MOST_SEARCHES = 20;

/** `list` is the top-level key of the list. */
export function readListText(text: string, list: string): ListText {
  let searches = MOST_SEARCHES;
  const slices = cut(text, list).map((slice) => {
    const part = read(text, slice, searches > 0);
    if (part.reading.problems.length > 0) searches--;
    return part;
  });
  if (slices.some(({ reading }) => reading.hasAliases)) resolveAliases(slices);
  const tops = new Map<string, TopPart>();
  const items: Part[] = [];
  let listed = false;
  const problems: ReadProblem[] = [];
  for (const { kind, base, reading } of slices) {
    for (const each of reading.problems.map((problem) => moved(problem, base))) problems.push(each);
    const isBroken = reading.problems.some(({ code }) => code === "yaml-syntax");
    for (const item of reading.items) {
      const at = base + item.at;
      findDuplicates(item.value, at, problems);
      if (kind === "item") for (const each of itemsOf(item.value, at, isBroken)) items.push(each);
      else if (tops.has(String(item.key.value))) problems.push(twice(item, at));
      else {
        const name = String(item.key.value);
        const isShared = reading.anchors.some((anchor) => isNamed(text, anchor.name));
        tops.set(name, { value: item.value, base: at, isBroken, keySpan: shift(item.key.span, at), isShared });
        if (name === list) for (const each of itemsOf(item.value, at, isBroken)) items.push(each);
        if (name === list) listed = item.value?.kind === "list" || kind === "list";
      }
    }
  }
  problems.sort((a, b) => a.span.start - b.span.start);
  return { tops, items: listed ? items : undefined, problems };
}

interface Slice extends Span {
  /** A top-level key, the key of the list whose items are slices, or one of those items. */
  readonly kind: "top" | "list" | "item";
}

interface ReadSlice {
  readonly kind: Slice["kind"];
  /** The start of the parsed text in the file. */
  readonly base: number;
  reading: Reading;
}

const NOTHING = /^[ \t]*(?:#.*)?\r?$/;
const NO_VALUE = /^[ \t]*:[ \t]*(?:#.*)?\r?$/;

/** Cuts before every top-level key, and before every item of a block list under the given key. */
function cut(text: string, list: string): Slice[] {
  const slices: { kind: Slice["kind"]; start: number; end: number }[] = [];
  let column = -1;
  let inList = false;
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, newline < 0 ? end : newline);
    const indent = line.search(/[^ ]/);
    const isItem = /^-(?:\s|$)/.test(line.slice(Math.max(0, indent)));
    const last = slices.at(-1);
    if (NOTHING.test(line) || (slices.length === 0 && /^---\s*$/.test(line))) {
      if (last) last.end = end;
    } else if (inList && isItem && (column < 0 || indent === column)) {
      column = indent;
      slices.push({ kind: "item", start, end });
    } else if ((indent === 0 && !/^[-\]}](?:\s|$)/.test(line)) || !last) {
      inList = line.startsWith(list) && NO_VALUE.test(line.slice(list.length));
      column = -1;
      slices.push({ kind: inList ? "list" : "top", start, end });
    } else {
      // The value isn't a list, so it's parsed as a whole.
      if (last.kind === "list") {
        inList = false;
        last.kind = "top";
      }
      last.end = end;
    }
    start = end;
  }
  return slices;
}

/** An item is parsed as the value of a key, because all readers expect a key. */
const KEY = "x:\n";

function read(text: string, { kind, start, end }: Slice, searches: boolean): ReadSlice {
  if (kind !== "item") {
    const quick = readQuickly(text, start, end);
    return { kind, base: start, reading: quick ? certain(quick) : readWhole(text.slice(start, end), text, searches) };
  }
  const item = KEY + text.slice(start, end);
  const quick = readQuickly(item, 0, item.length);
  const reading = quick ? certain(quick) : readWhole(item, text, searches);
  return { kind, base: start - KEY.length, reading };
}

/** If it `searches` for the cause, it reports one syntax error at most, because later ones mostly follow from it. */
function readWhole(text: string, file: string, searches: boolean): Reading {
  const reading = readYaml(text, () => false);
  if (!searches) return reading;
  return { ...reading, problems: explainedInAnyFile(text, file, reading.problems) };
}

function certain(item: Item): Reading {
  return { items: [item], problems: [], anchors: [], hasAliases: false };
}

function resolveAliases(slices: readonly ReadSlice[]): void {
  const resolver = new AliasResolver(ALIASES);
  for (const slice of slices) {
    const { reading } = slice;
    const scope: AliasScope = { anchors: reading.anchors };
    if (reading.hasAliases) {
      const problems = [...reading.problems];
      const items = reading.items.map((item) => ({
        ...item,
        value: item.value && resolver.resolve(item.value, scope, problems),
      }));
      slice.reading = { ...reading, items, problems };
    }
    resolver.leave(scope);
  }
}

/** Whether the file has an alias with this name. */
function isNamed(text: string, anchor: string): boolean {
  for (let at = text.indexOf(`*${anchor}`); at >= 0; at = text.indexOf(`*${anchor}`, at + 1))
    if (/^[\s,\]}]?$/.test(text[at + 1 + anchor.length] ?? "")) return true;
  return false;
}

function itemsOf(value: Value | undefined, base: number, isBroken: boolean): Part[] {
  return value?.kind === "list" ? value.items.map((item) => ({ value: item, base, isBroken })) : [];
}

/** A problem of the key that an item is parsed with is at the start of the file. */
function moved(problem: ReadProblem, by: number): ReadProblem {
  const { span, ...rest } = moveProblem(problem, by);
  return { ...rest, span: { start: Math.max(0, span.start), end: Math.max(0, span.end) } };
}

function twice(item: Item, at: number): ReadProblem {
  const message = `\`${briefly(String(item.key.value))}\` is defined twice; only the first is used. Rename or remove one of them.`;
  return { code: "duplicate-key", message, span: shift(item.key.span, at) };
}
