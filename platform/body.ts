/**
 * Buffers response bodies. A long chain of batches returns hundreds of megabytes that are hardly ever read, and
 * allocating each chunk separately would cost more in garbage collection than receiving it. So large bodies are copied
 * into blocks, which are reused for the next body.
 */

const BLOCK_LENGTH = 1_048_576;
/** Bodies up to this size keep their original chunks: most bodies are small. */
const SMALL = 65_536;

/** A pool of free blocks, held weakly, so that the memory can be reclaimed. */
export class Blocks {
  #free = new WeakRef<Buffer[]>([]);

  take(): Buffer {
    return this.#list.pop() ?? Buffer.allocUnsafeSlow(BLOCK_LENGTH);
  }

  giveBack(blocks: readonly Buffer[]): void {
    this.#list.push(...blocks);
  }

  get #list(): Buffer[] {
    const known = this.#free.deref();
    if (known) return known;
    const list: Buffer[] = [];
    this.#free = new WeakRef(list);
    return list;
  }
}

export class Body {
  #pieces: Uint8Array[] = [];
  #blocks: Buffer[] = [];
  /** The number of bytes used in the last block. */
  #taken = BLOCK_LENGTH;
  #length = 0;
  #isDropped = false;

  constructor(private readonly free: Blocks) {}

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    this.#length += piece.byteLength;
    if (this.#length <= SMALL) this.#pieces.push(piece);
    else for (let at = 0; at < piece.byteLength; ) at += this.#copy(piece, at);
  }

  #copy(piece: Uint8Array, from: number): number {
    if (this.#taken === BLOCK_LENGTH) {
      this.#blocks.push(this.free.take());
      this.#taken = 0;
    }
    const part = piece.subarray(from, from + BLOCK_LENGTH - this.#taken);
    (this.#blocks.at(-1) as Buffer).set(part, this.#taken);
    this.#taken += part.byteLength;
    return part.byteLength;
  }

  get text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#parts));
  }

  /** The first and the last bytes, at most `length` of each. */
  ends(length: number): readonly [Buffer, Buffer] {
    const start: Uint8Array[] = [];
    const end: Uint8Array[] = [];
    const parts = this.#parts;
    for (let at = 0, open = length; at < parts.length && open > 0; at++) {
      const part = (parts[at] as Uint8Array).subarray(0, open);
      start.push(part);
      open -= part.byteLength;
    }
    for (let at = parts.length - 1, open = length; at >= 0 && open > 0; at--) {
      const part = (parts[at] as Uint8Array).subarray(-open);
      end.unshift(part);
      open -= part.byteLength;
    }
    return [Buffer.concat(start), Buffer.concat(end)];
  }

  /** Releases the memory; the body can't be read any more. */
  drop(): void {
    this.free.giveBack(this.#blocks);
    this.#pieces = [];
    this.#blocks = [];
    this.#isDropped = true;
  }

  get #parts(): readonly Uint8Array[] {
    if (this.#isDropped) throw new Error("The response body was dropped.");
    return [
      ...this.#pieces,
      ...this.#blocks.slice(0, -1),
      ...this.#blocks.slice(-1).map((block) => block.subarray(0, this.#taken)),
    ];
  }
}
