/**
 * The bodies of answers. Those of a long chain of batches are hundreds of megabytes, of which hardly anything is read; were
 * each piece memory of its own, collecting it would cost more than receiving it. So what is large is copied into blocks, and
 * the blocks of a body that nobody needs any more take the next one.
 */

const BLOCK_LENGTH = 1_048_576;
/** So much of a body stays in the pieces it came in: most bodies are small. */
const SMALL = 65_536;

/** Blocks that no body needs. They are held weakly: where no large answer follows soon, the memory is given back. */
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
  /** How much of the last block is taken. */
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

  /** Its first and its last bytes, at most so many of each. */
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

  /** Nobody reads it any more. */
  drop(): void {
    this.free.giveBack(this.#blocks);
    this.#pieces = [];
    this.#blocks = [];
    this.#isDropped = true;
  }

  get #parts(): readonly Uint8Array[] {
    if (this.#isDropped) throw new Error("The answer was dropped.");
    return [
      ...this.#pieces,
      ...this.#blocks.slice(0, -1),
      ...this.#blocks.slice(-1).map((block) => block.subarray(0, this.#taken)),
    ];
  }
}
