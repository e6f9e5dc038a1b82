/**
 * The pieces of a file in order, with their offsets. Offsets are kept in two flat tables, so that an edit that doesn't
 * change the number of pieces only adds a number to the rest.
 */
import { lastAtMost, type Position, type Span } from "../text";
import type { Piece } from "./piece";

export class PieceList {
  /** The first piece is the header, which may be empty. */
  #pieces: Piece[] = [];
  /** For each piece and for the end: its start offset, and the line it starts in. */
  #starts = new Int32Array(1);
  #lines = new Int32Array(1);

  get all(): readonly Piece[] {
    return this.#pieces;
  }

  get length(): number {
    return this.startOf(this.#pieces.length);
  }

  get lineCount(): number {
    return (this.#lines[this.#pieces.length] as number) + 1;
  }

  /** Replaces the pieces `from` to `to`. True if the remaining pieces keep their lines and columns. */
  replace(from: number, to: number, pieces: readonly Piece[]): boolean {
    const count = this.#pieces.length - (to - from) + pieces.length;
    const sameCount = pieces.length === to - from && this.#starts.length > count;
    if (sameCount) for (let index = from; index < to; index++) this.#pieces[index] = pieces[index - from] as Piece;
    else this.#pieces = this.#pieces.slice(0, from).concat(pieces, this.#pieces.slice(to));
    const end = sameCount ? to : count;
    const oldStart = this.startOf(to);
    const oldLine = this.#lines[to] as number;
    if (!sameCount && this.#starts.length <= count) {
      this.#starts = grown(this.#starts, count + 1);
      this.#lines = grown(this.#lines, count + 1);
    }
    const starts = this.#starts;
    const lines = this.#lines;
    // From the third piece on, a piece starts right after a line break.
    let isInPlace = sameCount && from > 1;
    for (let index = from; index < end; index++) {
      const piece = this.#pieces[index] as Piece;
      const line = (lines[index] as number) + piece.breaks;
      isInPlace &&= line === lines[index + 1] && (piece.index === index || piece.index < 0);
      piece.index = index;
      starts[index + 1] = (starts[index] as number) + piece.text.length;
      lines[index + 1] = line;
    }
    if (!sameCount) return isInPlace;
    const byOffset = (starts[to] as number) - oldStart;
    const byLine = (lines[to] as number) - oldLine;
    for (let index = to + 1; index <= count; index++) starts[index] = (starts[index] as number) + byOffset;
    if (byLine !== 0)
      for (let index = to + 1; index <= count; index++) lines[index] = (lines[index] as number) + byLine;
    return isInPlace;
  }

  /** The start of a piece; after the last one, the end of the file. */
  startOf(index: number): number {
    return this.#starts[index] as number;
  }

  /** The line that a piece starts in. */
  lineOf(index: number): number {
    return this.#lines[index] as number;
  }

  /** The index of the piece that contains an offset; the last one at the end of the file. */
  indexAt(offset: number): number {
    return Math.min(lastAtMost(this.#starts, offset, this.#pieces.length), this.#pieces.length - 1);
  }

  textOf(from: number, to: number): string {
    if (to - from === 1) return (this.#pieces[from] as Piece).text;
    let text = "";
    for (let index = from; index < to; index++) text += (this.#pieces[index] as Piece).text;
    return text;
  }

  slice(span: Span): string {
    const start = Math.max(0, span.start);
    const end = Math.min(span.end, this.length);
    if (start >= end) return "";
    const first = this.indexAt(start);
    const last = this.indexAt(end - 1);
    const base = this.startOf(first);
    return this.textOf(first, last + 1).slice(start - base, end - base);
  }

  /** The line and column of an offset; one inside a line break counts as the end of its line. */
  positionAt(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.length));
    const index = this.indexAt(at);
    const piece = this.#pieces[index] as Piece;
    const within = at - this.startOf(index);
    const number = lastAtMost(piece.lineStarts, within);
    const line = (this.#lines[index] as number) + number;
    const start = number > 0 ? (piece.lineStarts[number] as number) : this.#lineStart(line) - this.startOf(index);
    const inBreak = piece.text.charCodeAt(within) === 10 && piece.text.charCodeAt(within - 1) === 13;
    return { line, character: within - start - (inBreak ? 1 : 0) };
  }

  offsetAt(position: Position): number {
    if (position.line < 0) return 0;
    if (position.line >= this.lineCount) return this.length;
    const start = this.#lineStart(position.line);
    return Math.min(start + Math.max(0, position.character), this.#lineEnd(position.line));
  }

  #lineStart(line: number): number {
    if (line === 0) return 0;
    // The piece that contains the break before the line: the last one that starts in an earlier line.
    const index = lastAtMost(this.#lines, line - 1, this.#pieces.length);
    const piece = this.#pieces[index] as Piece;
    return this.startOf(index) + (piece.lineStarts[line - (this.#lines[index] as number)] as number);
  }

  /** The end of a line, before its line break. */
  #lineEnd(line: number): number {
    if (line + 1 >= this.lineCount) return this.length;
    const next = this.#lineStart(line + 1);
    return this.slice({ start: next - 2, end: next }) === "\r\n" ? next - 2 : next - 1;
  }
}

/** Over-allocates, so that typing new blocks doesn't copy the tables each time. */
function grown(table: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size + (size >> 2) + 16);
  larger.set(table);
  return larger;
}
