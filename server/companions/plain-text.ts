/** The live text of a companion file. Lines end at `\n`, `\r\n` or a lone `\r`. */
import { applyEdits, lastAtMost, lineStartsOf, type Position, type Span, type TextEdit } from "../../flow";
import type { Places } from "../protocol/to-protocol";

export class PlainText implements Places {
  #text: string;
  /** The offset of each line; computed on demand after an edit. */
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  get length(): number {
    return this.#text.length;
  }

  edit(edits: readonly TextEdit[]): void {
    this.#text = applyEdits(this.#text, edits);
    this.#starts = undefined;
  }

  slice({ start, end }: Span): string {
    return this.#text.slice(Math.max(0, start), Math.max(0, end));
  }

  positionAt(offset: number): Position {
    const starts = this.#lines();
    const at = Math.min(Math.max(0, offset), this.#text.length);
    const line = lastAtMost(starts, at);
    return { line, character: Math.min(at, this.#endOf(line)) - (starts[line] as number) };
  }

  offsetAt({ line, character }: Position): number {
    const starts = this.#lines();
    if (line < 0) return 0;
    const start = starts[line];
    return start === undefined ? this.#text.length : Math.min(start + Math.max(0, character), this.#endOf(line));
  }

  /** The end of a line, before its line break. */
  #endOf(line: number): number {
    const next = this.#lines()[line + 1];
    if (next === undefined) return this.#text.length;
    return this.#text.startsWith("\r\n", next - 2) ? next - 2 : next - 1;
  }

  #lines(): readonly number[] {
    this.#starts ??= lineStartsOf(this.#text);
    return this.#starts;
  }
}
