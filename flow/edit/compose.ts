/** Combines two consecutive lists of edits into one that refers to the first text. */
import type { TextEdit } from "../text";

/** A remaining range of the first text, or new text. */
type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

export function composeEdits(first: readonly TextEdit[], second: readonly TextEdit[], length: number): TextEdit[] {
  if (second.length === 0) return [...first];
  const pieces = toPieces(first, length).reverse();
  const result: Piece[] = [];
  /** Removes the pieces of the next `size` characters. */
  const take = (size: number): Piece[] => {
    const taken: Piece[] = [];
    let left = size;
    while (left > 0 && pieces.length > 0) {
      const piece = pieces.pop() as Piece;
      const width = "text" in piece ? piece.text.length : piece.end - piece.start;
      if (width > left) {
        const [head, tail] = split(piece, left);
        taken.push(head);
        pieces.push(tail);
        left = 0;
      } else {
        taken.push(piece);
        left -= width;
      }
    }
    return taken;
  };
  let at = 0;
  for (const edit of inOrder(second)) {
    for (const piece of take(edit.start - at)) result.push(piece);
    result.push({ text: edit.text });
    take(edit.end - edit.start);
    at = edit.end;
  }
  return toEdits([...result, ...pieces.reverse()], length);
}

function toPieces(edits: readonly TextEdit[], length: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const edit of inOrder(edits)) {
    pieces.push({ start: at, end: edit.start }, { text: edit.text });
    at = edit.end;
  }
  return [...pieces, { start: at, end: length }];
}

function toEdits(pieces: readonly Piece[], length: number): TextEdit[] {
  const edits: TextEdit[] = [];
  let at = 0;
  let added = "";
  const flush = (start: number) => {
    if (added !== "" || start > at) edits.push({ start: at, end: start, text: added });
    added = "";
  };
  for (const piece of pieces) {
    if ("text" in piece) added += piece.text;
    else if (piece.end > piece.start) {
      flush(piece.start);
      at = piece.end;
    }
  }
  flush(length);
  return edits;
}

function split(piece: Piece, at: number): [Piece, Piece] {
  if ("text" in piece) return [{ text: piece.text.slice(0, at) }, { text: piece.text.slice(at) }];
  return [
    { start: piece.start, end: piece.start + at },
    { start: piece.start + at, end: piece.end },
  ];
}

function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}
