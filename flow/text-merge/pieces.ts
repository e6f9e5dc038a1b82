/** The pieces of a merged text, and the markers around conflicts. */
import { applyEdits, commonEnds, type TextEdit } from "../text";

export interface TextMerge {
  readonly text: string;
  /** The number of conflicts in the text. */
  readonly conflicts: number;
}

export interface MarkerStyle {
  readonly ours: string;
  readonly theirs: string;
  /** The length of a marker. */
  readonly size: number;
}

export const plainMarkers: MarkerStyle = { ours: "ours", theirs: "theirs", size: 7 };

/** Lines to keep, or the two sides of a conflict; `shown` is used while the result is checked. */
export type Piece = string | { readonly ours: string; readonly theirs: string; readonly shown: string };

export function shownText(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.shown;
}

/** A conflict, or the lines between two of them, with its offset in the shown text. */
interface Part {
  readonly start: number;
  readonly text: string;
  readonly conflict?: Exclude<Piece, string>;
}

/**
 * Applies edits of the shown text to its pieces; undefined if an edit spans several. In a conflict only `shown` is
 * edited: its two sides stay as written.
 */
export function editPieces(pieces: readonly Piece[], edits: readonly TextEdit[]): Piece[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (typeof piece === "string" && last && !last.conflict) parts.splice(-1, 1, { ...last, text: last.text + piece });
    else if (typeof piece === "string") parts.push({ start: at, text: piece });
    else parts.push({ start: at, text: piece.shown, conflict: piece });
    at += shownText(piece).length;
  }
  const own = new Map<Part, TextEdit[]>();
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let first = 0;
  for (const edit of sorted) {
    const holds = ({ start, text }: Part) => edit.start >= start && edit.end <= start + text.length;
    while (first < parts.length - 1 && (parts[first + 1] as Part).start < edit.start) first++;
    // At the border of a conflict, the part outside is edited.
    let part: Part | undefined;
    for (let at = first; at < parts.length && (parts[at] as Part).start <= edit.start; at++) {
      const here = parts[at] as Part;
      if (holds(here) && (!part || part.conflict)) part = here;
    }
    if (!part) return undefined;
    const edited = own.get(part) ?? [];
    edited.push({ ...edit, start: edit.start - part.start, end: edit.end - part.start });
    own.set(part, edited);
  }
  return parts.map((part) => {
    const text = applyEdits(part.text, own.get(part) ?? []);
    return part.conflict ? { ...part.conflict, shown: text } : text;
  });
}

/** The text with markers around each conflict; common lines of both sides are outside the markers. */
export function render(pieces: readonly Piece[], markers: MarkerStyle, eol: string): TextMerge {
  let conflicts = 0;
  const sign = (character: string, name = "") => `${character.repeat(markers.size)}${name && ` ${name}`}${eol}`;
  const text = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const [before, ours, theirs, after] = trimCommon(piece.ours, piece.theirs);
    conflicts++;
    const marked = `${sign("<", markers.ours)}${ours}${sign("=")}${theirs}${sign(">", markers.theirs)}`;
    return before + marked + after;
  });
  return { text: text.join(""), conflicts };
}

function trimCommon(ours: string, theirs: string): [string, string, string, string] {
  const [o, t] = [linesOf(ours), linesOf(theirs)];
  const { head, tail } = commonEnds(o, t);
  const middle = (lines: string[]) => lines.slice(head, lines.length - tail).join("");
  return [o.slice(0, head).join(""), middle(o), middle(t), o.slice(o.length - tail).join("")];
}

/** Splits into lines, each with its line break. */
export function linesOf(text: string): string[] {
  return text.match(/(?<![^\n])[^\n]*\n/g) ?? [];
}
