/**
 * Finds the place of the cursor in a file that is being typed: its map, list, key, value, template or comment. It scans
 * the lines of the block around the cursor by indentation, so it works on invalid YAML.
 *
 * A path lists the keys from the top, and `-` for a list item: `nodes`, `greet`, `edges`, `-`.
 */
import { type FlowDocument, lineStartIn, type Span } from "../../../flow";
import { type Frame, frame, type Place, Scanner } from "./place-scanner";
import type { Suggestion, Suggestions } from "./suggestion";

const MAX_SCAN = 100_000;
const MAX_ITEMS = 200;

/** The suggestions at a place of a companion file, with a space where one is missing. */
export function suggestionsAt(
  text: string,
  place: Place,
  items: readonly Suggestion[],
  replace: Span = place.word,
): Suggestions {
  const isTight = place.kind !== "template" && /[:-]/.test(text[replace.start - 1] ?? "");
  return { replace, lead: isTight ? " " : "", items: items.slice(0, MAX_ITEMS), incomplete: items.length > MAX_ITEMS };
}

export function placeAt(document: FlowDocument, offset: number): Place {
  const from = scanStart(document, offset);
  const lineEnd = document.offsetAt({ line: document.positionAt(offset).line, character: Number.MAX_SAFE_INTEGER });
  const end = Math.min(document.length, lineEnd + 4000);
  return new Scanner(from.frames, from.start, document.slice({ start: from.start, end }), offset).run();
}

/**
 * The same for a file with one long list under a key (`tests:`, `policies:`): only the item around the offset is
 * scanned.
 */
export function placeInList(text: string, offset: number, key: string): Place {
  const lineOf = (at: number) => lineStartIn(text, at);
  let top = lineOf(offset);
  while (top > 0 && /^[\s#-]/.test(text[top] ?? " ")) top = lineOf(top - 1);
  const ending = text.indexOf("\n", offset);
  const end = ending < 0 ? text.length : Math.min(text.length, ending + 4000);
  const whole = () => new Scanner([frame(-1, "")], top, text.slice(top, end), offset).run();
  const first = text.startsWith(`${key}:`, top) ? /\n( *)-(?: |\r?\n|$)/.exec(text.slice(top, offset + 2)) : null;
  if (!first) return whole();
  const dash = `${first[1]}-`;
  const isItem = (at: number) => text.startsWith(dash, at) && /^\s?$/.test(text.charAt(at + dash.length));
  let start = lineOf(offset);
  while (start > top && !isItem(start)) start = lineOf(start - 1);
  if (start <= top) return whole();
  const lead = `${key}:\n`;
  return new Scanner([frame(-1, "")], start - lead.length, lead + text.slice(start, end), offset).run();
}

/** The start of the line on which the block around the offset begins, and its frames. */
function scanStart(document: FlowDocument, offset: number): { start: number; frames: Frame[] } {
  const root = frame(-1, "");
  const block = document.blockAt(offset);
  if (!block) return { start: Math.max(0, lineStart(document, Math.max(0, offset - MAX_SCAN))), frames: [root] };
  const start = document.startOf(block);
  const line = lineStart(document, start);
  const column = start - line;
  if (block.section !== "top") {
    if (document.slice({ start: line, end: start }).trim() === "" && offset - line < MAX_SCAN)
      return { start: line, frames: [root, { ...frame(0, block.section), keys: new Set() }] };
    // A section on one line, or in `{…}`, is scanned from its own start.
    const section = document.top(block.section);
    const sectionStart = section ? document.startOf(section) : line;
    if (offset - sectionStart < MAX_SCAN) return { start: sectionStart, frames: [root] };
  }
  return { start: Math.max(start - column, lineStart(document, Math.max(0, offset - MAX_SCAN))), frames: [root] };
}

function lineStart(document: FlowDocument, offset: number): number {
  return document.offsetAt({ line: document.positionAt(offset).line, character: 0 });
}
