/** Recognizes cursor moves in the editor that the graph caused. */
import type { TextPosition } from "../../server/messages";

/**
 * Selection events arrive late and one by one, after the graph has moved the cursor again (once per arrow key). So all
 * of these positions are remembered, not only the last.
 */
export class SelectionEchoFilter {
  #places: TextPosition[] = [];

  expect(place: TextPosition): void {
    this.#places.push(place);
  }

  /** Whether the graph put the cursor here. Otherwise the user did, and the remembered positions are cleared. */
  isEcho({ line, character }: TextPosition): boolean {
    const at = this.#places.findIndex((place) => place.line === line && place.character === character);
    // Keeps the position itself, because the editor may report it twice: when it becomes active and when the cursor
    // moves.
    this.#places = at < 0 ? [] : this.#places.slice(at);
    return at >= 0;
  }
}
