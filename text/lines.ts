/**
 * Lines of a stream of bytes. They end at `\n` and nowhere else: Node's own reader ends them at U+2028 and U+2029 too, which
 * are letters like others inside JSON.
 */

export interface LineReader {
  line(text: string): void;
  /** A line that was too long to keep, by its beginning and its end. */
  tooLong?(start: string, end: string): void;
}

/** How much of a line that is too long is kept at either end. */
const KEPT = 1000;

export class Lines {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Of a line that is passed over: its beginning, and its end so far. */
  #over: { readonly start: Buffer; end: Buffer } | undefined;

  constructor(
    private readonly reader: LineReader,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      this.#ended();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (this.#over) {
      this.#over.end = Buffer.concat([this.#over.end, part]).subarray(-KEPT);
      return;
    }
    this.#chunks.push(part);
    this.#length += part.length;
    if (this.#length <= this.limit) return;
    const whole = Buffer.concat(this.#chunks);
    // Copies: a part of a buffer would keep all of it.
    this.#over = { start: Buffer.from(whole.subarray(0, KEPT)), end: Buffer.from(whole.subarray(-KEPT)) };
    this.#chunks = [];
    this.#length = 0;
  }

  #ended(): void {
    const over = this.#over;
    const text = Buffer.concat(this.#chunks).toString("utf8");
    this.#over = undefined;
    this.#chunks = [];
    this.#length = 0;
    if (over) this.reader.tooLong?.(over.start.toString("utf8"), over.end.toString("utf8"));
    else this.reader.line(text.replace(/\r$/, ""));
  }
}
