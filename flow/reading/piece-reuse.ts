/**
 * Finds pieces of a similar document to reuse. Most of the text is in the same order in both, so the piece after the
 * last match is tried first, by comparing texts; only moved pieces are looked up by key.
 */
import type { Piece } from "./piece";
import { type Cut, type Known, type Slice, type SliceSection, type State, sameCut, sameState } from "./slices";

export interface ReuseSource {
  readonly pieces: readonly Piece[];
  /** The piece that contains a key. */
  readonly find: (section: SliceSection, key: string) => Piece | undefined;
}

export class PieceReuse {
  /** The index of the piece to try next. */
  #next = 0;
  /** The piece that matches at the start of the slice being cut. */
  #found: Piece | undefined;
  readonly #isTaken: Uint8Array;

  constructor(
    private readonly text: string,
    private readonly like: ReuseSource,
  ) {
    this.#isTaken = new Uint8Array(like.pieces.length);
  }

  /**
   * The text at a slice's start, if it equals the piece to try next. Whether the slice ends with the piece is only
   * known after it.
   */
  at(start: number, cut: Cut, before: State): Known | undefined {
    const piece = this.like.pieces[this.#next];
    const behind = this.like.pieces[this.#next + 1];
    this.#found = undefined;
    if (!piece || !behind || !this.#stands(piece, start, cut, before)) return undefined;
    this.#found = piece;
    return { length: piece.text.length, breaks: piece.breaks, after: behind.before };
  }

  /** An unused piece equal to this slice; each is returned once. */
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
    // This piece was changed, but the next ones mostly follow it.
    this.#next = named.index + 1;
    return undefined;
  }

  #given(piece: Piece): true {
    this.#next = piece.index + 1;
    this.#isTaken[piece.index] = 1;
    return true;
  }

  /** Comparing substrings is faster than `startsWith` at an offset. */
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
