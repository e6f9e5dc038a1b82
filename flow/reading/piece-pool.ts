/** Parsed pieces, for reuse if the same slice occurs in a text. */
import type { Piece } from "./piece";
import { type Slice, sameCut, sameState } from "./slices";

export class PiecePool {
  readonly #byText = new Map<string, Piece[]>();

  constructor(pieces: readonly Piece[]) {
    for (const piece of pieces) {
      const same = this.#byText.get(piece.text);
      if (same) same.push(piece);
      else this.#byText.set(piece.text, [piece]);
    }
  }

  /** An unused piece equal to this slice; each is returned once. */
  take(text: string, { cut, before, start, end }: Slice): Piece | undefined {
    const same = this.#byText.size === 0 ? undefined : this.#byText.get(text.slice(start, end));
    const index = same?.findIndex((piece) => sameCut(piece.cut, cut) && sameState(piece.before, before)) ?? -1;
    return same && index >= 0 ? same.splice(index, 1)[0] : undefined;
  }

  /** The unused pieces. */
  get left(): Piece[] {
    return [...this.#byText.values()].flat();
  }
}
