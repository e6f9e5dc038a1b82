/** Where the picture led the editor's cursor. */

interface Place {
  readonly line: number;
  readonly character: number;
}

/**
 * The editor tells where its cursor is one place after the other, and later: by then the picture may have led it on, once for
 * each press of an arrow key. Each of these places is the picture's own, not only the last.
 */
export class SelectionEchoFilter {
  #places: Place[] = [];

  to(place: Place): void {
    this.#places.push(place);
  }

  /** Whether the picture put the cursor here. Elsewhere a person did, who leads from then on. */
  isAt({ line, character }: Place): boolean {
    const at = this.#places.findIndex((place) => place.line === line && place.character === character);
    // Stays itself: the editor may tell of one place twice, when it comes in front and when its cursor is put there.
    this.#places = at < 0 ? [] : this.#places.slice(at);
    return at >= 0;
  }
}
