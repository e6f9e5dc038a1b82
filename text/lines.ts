/**
 * Splits a byte stream into lines at `\n` only. Node's readline also splits at U+2028 and U+2029, which JSON strings
 * may contain.
 */

export interface LineReader {
  line(text: string): void;
  /** Called with the beginning and the end of a line that exceeded the limit. */
  tooLong?(start: string, end: string): void;
}

/** Bytes kept from each end of a line that is too long. */
const KEPT = 1000;

export class Lines {
  #chunks: Buffer[] = [];
  #length = 0;
  /** The beginning, and the end so far, of the line that is being skipped. */
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
    // Copied, because a slice would keep the whole buffer alive.
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
