/**
 * Completion in test, policy and project files: only the item around the cursor is scanned and tried, since these files
 * are one long list under a key (`tests:`, `policies:`).
 */
import { applyEdits, FlowDocument, lineStartIn, type Span, shift } from "../../../flow";
import { isInGap } from "./gap";
import { insertionOf, type Suggestion, type Suggestions } from "./insertion";
import { frame, type Place, Scanner } from "./place-scanner";

const MAX_ITEMS = 200;
/** In a longer item, suggestions aren't tried. */
const MAX_TRIED = 10_000;
/** How much is scanned after the line of the cursor. */
const SCAN_AFTER = 4000;

/** The part of a file around an offset. */
export interface Part {
  /** The whole file. */
  readonly whole: string;
  /** An item of the list, below the key of the list. */
  readonly text: string;
  /** The offset of the text in the file. */
  readonly base: number;
}

/** `list` is the key of the long list, if the file has one. */
export function partAround(whole: string, offset: number, list?: string): Part {
  const lineOf = (at: number) => lineStartIn(whole, at);
  let top = lineOf(offset);
  while (top > 0 && /^[\s#-]/.test(whole[top] ?? " ")) top = lineOf(top - 1);
  const ending = whole.indexOf("\n", offset);
  const end = ending < 0 ? whole.length : Math.min(whole.length, ending + SCAN_AFTER);
  const all: Part = { whole, text: whole.slice(top, end), base: top };
  if (list === undefined || !whole.startsWith(`${list}:`, top)) return all;
  const first = /\n( *)-(?: |\r?\n|$)/.exec(whole.slice(top, offset + 2));
  if (!first) return all;
  const dash = `${first[1]}-`;
  const isItem = (at: number) => whole.startsWith(dash, at) && /^\s?$/.test(whole.charAt(at + dash.length));
  let start = lineOf(offset);
  while (start > top && !isItem(start)) start = lineOf(start - 1);
  if (start <= top) return all;
  const lead = `${list}:\n`;
  return { whole, text: lead + whole.slice(start, end), base: start - lead.length };
}

export function placeIn({ whole, text, base }: Part, offset: number): Place {
  const place = new Scanner([frame(-1, "")], base, text, offset).run();
  if (place.kind !== "key" || place.path.length > 0 || place.flow) return place;
  // The keys of the file are in other parts, too.
  const keys = [...whole.matchAll(/^([\w-]+):(?=\s|$)/gm)].filter(({ index }) => index !== place.word.start);
  return { ...place, taken: new Set(keys.map(([, key = ""]) => key)) };
}

/** The suggestions that keep the file parseable, with a space where one is missing. */
export function suggestionsAt(
  part: Part,
  place: Place,
  items: readonly Suggestion[],
  replace: Span = place.word,
): Suggestions {
  const { whole } = part;
  const isTight = place.kind !== "template" && /[:-]/.test(whole[replace.start - 1] ?? "");
  const found: Suggestions = {
    replace,
    lead: isTight ? " " : "",
    items: isInGap(part.text, -part.base, place)
      ? []
      : items.slice(0, MAX_ITEMS).map((item) => insideQuotes(whole, place, item)),
    incomplete: items.length > MAX_ITEMS,
  };
  return { ...found, items: sound(part, found) };
}

/** Removes the quotes of an inserted value if the cursor is already inside quotes. */
function insideQuotes(whole: string, place: Place, item: Suggestion): Suggestion {
  if (place.kind !== "value" || !place.quoted || !/^".*"$/.test(item.insert)) return item;
  const isSingle = whole[place.word.start - 1] === "'";
  const words = item.insert.slice(1, -1);
  return { ...item, insert: isSingle ? String(JSON.parse(item.insert)).replaceAll("'", "''") : words };
}

/** Names differ only in their letters and quotes, so one is tried for all. */
function sound({ text, base }: Part, found: Suggestions): readonly Suggestion[] {
  if (found.items.length === 0 || text.length > MAX_TRIED) return found.items;
  const document = FlowDocument.read(text);
  const here = { ...found, replace: shift(found.replace, -base) };
  const known = new Map<string, boolean>();
  return found.items.filter((item) => {
    const { kind, label, insert } = item;
    const shape = kind === "key" || kind === "snippet" ? `${kind} ${label}` : `${kind} ${/\W*$/.exec(insert)?.[0]}`;
    let isSound = known.get(shape);
    if (isSound === undefined) {
      const inserted = insertionOf(document, here, item, { snippets: false, adjusts: false });
      const after = FlowDocument.read(applyEdits(text, [{ ...here.replace, text: inserted.text }]));
      isSound = after.problems.length <= document.problems.length;
      known.set(shape, isSound);
    }
    return isSound;
  });
}
