/** Places where inserted text would join what follows, or become its parent. */
import type { Place } from "./place-scanner";

/**
 * Whether a place is in the whitespace before other text, at the dash of an item, or above lines that would become the
 * value of a new key. `text` is the text around it, and `shift` is added to the offsets of the place.
 */
export function isInGap(text: string, shift: number, place: Place): boolean {
  const [start, end] = [place.word.start + shift, place.word.end + shift];
  const word = text.slice(start, end);
  const lines = text.slice(end, end + SCANNED).split(/\r\n|\n|\r/);
  const rest = lines[0] as string;
  if ((word === "" || word === "-") && /^[ \t]+[^\s#}\],]/.test(rest)) return true;
  if (place.kind !== "key" || place.flow || place.hasColon) return false;
  const next = lines.slice(1).find((line) => /^\s*[^\s#]/.test(line));
  const before = text.slice(Math.max(0, start - MAX_COLUMN), start);
  const column = before.length - 1 - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"));
  return next !== undefined && next.length - next.trimStart().length > column;
}

const MAX_COLUMN = 1000;
/** How much of the text after a place is looked at. */
const SCANNED = 2000;
