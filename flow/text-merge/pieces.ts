/** The pieces that a merged text is put together from, and the markers around those that a person decides. */
import { applyEdits, type TextEdit } from "../text";

export interface TextMerge {
  readonly text: string;
  /** How many places are marked for a person to decide. */
  readonly conflicts: number;
}

export interface MarkerStyle {
  readonly ours: string;
  readonly theirs: string;
  /** How many times a marker's character stands in it. */
  readonly size: number;
}

export const plainMarkers: MarkerStyle = { ours: "ours", theirs: "theirs", size: 7 };

/** Lines to keep, or the two sides of a conflict; `shown` stands for it while the result is checked. */
export type Piece = string | { readonly ours: string; readonly theirs: string; readonly shown: string };

export function shownText(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.shown;
}

/** A conflict, or the lines between two of them, with where it starts in what is shown. */
interface Part {
  readonly start: number;
  readonly text: string;
  readonly conflict?: Exclude<Piece, string>;
}

/**
 * Edits of what is shown, made in the pieces they fall into; undefined where one falls into several. Of a conflict only what
 * stands for it is edited: its two sides have what each wrote.
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
    // At the border of a conflict and what is none, the latter is edited.
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

/** The text with a marker around each conflict; lines that both sides of one share stand outside of it. */
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
  const shorter = Math.min(o.length, t.length);
  let head = 0;
  while (head < shorter && o[head] === t[head]) head++;
  let tail = 0;
  while (tail < shorter - head && o.at(-1 - tail) === t.at(-1 - tail)) tail++;
  const middle = (lines: string[]) => lines.slice(head, lines.length - tail).join("");
  return [o.slice(0, head).join(""), middle(o), middle(t), o.slice(o.length - tail).join("")];
}

/** Each with its line break. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n/g) ?? [];
}
