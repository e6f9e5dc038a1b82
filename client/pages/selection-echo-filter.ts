/** Recognizes cursor moves in the editor that the graph caused. */

interface Place {
  readonly line: number;
  readonly character: number;
}

/**
 * Selection events arrive late and one by one, after the graph has moved the cursor again (once per arrow key). So all
 * of these positions are remembered, not only the last.
 */
export class SelectionEchoFilter {
  #places: Place[] = [];

  expect(place: Place): void {
    this.#places.push(place);
  }

  /** Whether the graph put the cursor here. Otherwise the user did, and the remembered positions are cleared. */
  isEcho({ line, character }: Place): boolean {
    const at = this.#places.findIndex((place) => place.line === line && place.character === character);
    // Keeps the position itself, because the editor may report it twice: when it becomes active and when the cursor
    // moves.
    this.#places = at < 0 ? [] : this.#places.slice(at);
    return at >= 0;
  }
}
