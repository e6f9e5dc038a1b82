/**
 * Reads the frames of the debug protocol, each a header and a body. The library keeps whatever a header announces in
 * memory and believes any length, so it only gets complete frames of a limited size.
 */
import { Transform, type TransformCallback } from "../system";

/** The largest body that is read, in bytes; a flow with all of its tests is far smaller. */
const MAX_BODY = 10_000_000;
const MAX_HEADER = 4_000;
const END = "\r\n\r\n";

export class Frames extends Transform {
  #chunks: Buffer[] = [];
  #size = 0;
  /** How many bytes are needed before it's worth looking again. */
  #needed = 0;
  #isSkipping = false;

  constructor(private readonly complain: (problem: string) => void) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= this.#needed) this.#read();
    done();
  }

  #read(): void {
    let rest: Buffer = Buffer.concat(this.#chunks);
    this.#needed = 0;
    for (;;) {
      const end = rest.indexOf(END);
      if (end < 0 || end > MAX_HEADER) {
        if (rest.length <= MAX_HEADER) break;
        rest = this.#skip(rest.subarray(1), `Invalid message: the header is longer than ${MAX_HEADER} bytes.`);
        if (end < 0) break;
        continue;
      }
      const length = lengthIn(rest.toString("latin1", 0, end));
      if (length === undefined) {
        rest = this.#skip(rest.subarray(end + END.length), "Invalid message: the header has no valid Content-Length.");
        continue;
      }
      if (length > MAX_BODY) {
        rest = this.#skip(rest.subarray(end + END.length), "Invalid message: the body is larger than 10 MB.");
        continue;
      }
      const start = end + END.length;
      this.#isSkipping = false;
      this.#needed = start + length;
      if (rest.length < this.#needed) break;
      this.push(Buffer.concat([Buffer.from(`Content-Length: ${length}${END}`), rest.subarray(start, this.#needed)]));
      rest = rest.subarray(this.#needed);
      this.#needed = 0;
    }
    this.#chunks = [rest];
    this.#size = rest.length;
  }

  /** Drops everything before the next header, which may still be incomplete; reports it once. */
  #skip(rest: Buffer, problem: string): Buffer {
    if (!this.#isSkipping) this.complain(problem);
    this.#isSkipping = true;
    const next = rest.indexOf("Content-Length:");
    return rest.subarray(next < 0 ? Math.max(0, rest.length - "Content-Length:".length) : next);
  }
}

/** The announced length; undefined without one. A header may follow bytes that belong to no message. */
function lengthIn(header: string): number | undefined {
  const at = header.toLowerCase().lastIndexOf("content-length:");
  const found =
    at < 0
      ? undefined
      : /^[ \t]{0,20}(\d{1,15})[ \t]{0,20}(?:\r\n|$)/.exec(header.slice(at + "content-length:".length));
  return found ? Number(found[1]) : undefined;
}
