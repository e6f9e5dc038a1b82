/**
 * The pieces of a document that another text is like. Most of the text stands in the same order in both, so the piece behind
 * the last one found is tried first, by comparing texts; only what is elsewhere is looked up by its key.
 */
import type { Piece } from "./piece";
import { type Cut, type Known, type Slice, type SliceSection, type State, sameCut, sameState } from "./slices";

export interface ReuseSource {
  readonly pieces: readonly Piece[];
  /** The piece in which a key stands. */
  readonly find: (section: SliceSection, key: string) => Piece | undefined;
}

export class PieceReuse {
  /** The number of the piece that is tried next. */
  #next = 0;
  /** The piece that stands where the slice starts that is being cut. */
  #found: Piece | undefined;
  readonly #isTaken: Uint8Array;

  constructor(
    private readonly text: string,
    private readonly like: ReuseSource,
  ) {
    this.#isTaken = new Uint8Array(like.pieces.length);
  }

  /** What stands where a slice starts, if it is the piece that is tried next. Whether the slice ends with it is seen behind it. */
  at(start: number, cut: Cut, before: State): Known | undefined {
    const piece = this.like.pieces[this.#next];
    const behind = this.like.pieces[this.#next + 1];
    this.#found = undefined;
    if (!piece || !behind || !this.#stands(piece, start, cut, before)) return undefined;
    this.#found = piece;
    return { length: piece.text.length, breaks: piece.breaks, after: behind.before };
  }

  /** A piece that reads as this slice would; it is given once. */
  take({ cut, before, start, end }: Slice): Piece | undefined {
    const found = this.#found;
    this.#found = undefined;
    if (found?.text.length === end - start) {
      this.#given(found);
      return found;
    }
    const isTwin = (piece: Piece) =>
      piece.text.length === end - start && this.#stands(piece, start, cut, before) && this.#given(piece);
    const expected = this.like.pieces[this.#next];
    if (expected && isTwin(expected)) return expected;
    const named = this.#named(start, cut.section);
    if (!named || isTwin(named)) return named;
    // It was changed, and what follows it mostly follows it still.
    this.#next = named.index + 1;
    return undefined;
  }

  #given(piece: Piece): true {
    this.#next = piece.index + 1;
    this.#isTaken[piece.index] = 1;
    return true;
  }

  /** The slice of a slice is quicker to compare than to look for the piece's text at its place. */
  #stands(piece: Piece, start: number, cut: Cut, before: State): boolean {
    return (
      this.#isTaken[piece.index] === 0 &&
      sameCut(piece.cut, cut) &&
      sameState(piece.before, before) &&
      piece.isAlone &&
      this.text.slice(start, start + piece.text.length) === piece.text
    );
  }

  #named(start: number, section: SliceSection): Piece | undefined {
    KEY.lastIndex = start;
    const key = KEY.exec(this.text)?.[1];
    return key === undefined ? undefined : this.like.find(section, key);
  }
}

const KEY = / *([A-Za-z_][\w-]*):/y;
