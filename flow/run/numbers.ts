/** Lists of whole numbers that grow. Searches of large flows go through them, and numbers in objects would be slow to. */
export class Numbers {
  /** Behind `length` there may be room. Another array once the list has grown beyond it. */
  values: Int32Array;
  length = 0;

  constructor(room = 64) {
    this.values = new Int32Array(room);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.values = longer(this.values, 2 * this.length);
    this.values[this.length] = value;
    this.length++;
  }

  clear(): void {
    this.length = 0;
  }
}

/** What a search came by, in order: places, the step before each (-1 at the start), and the way between. */
export class Trail {
  readonly places: Numbers;
  readonly before: Numbers;
  readonly by: Numbers;

  constructor(room?: number) {
    this.places = new Numbers(room);
    this.before = new Numbers(room);
    this.by = new Numbers(room);
  }

  get length(): number {
    return this.places.length;
  }

  push(place: number, before: number, by: number): void {
    this.places.push(place);
    this.before.push(before);
    this.by.push(by);
  }
}

/** A copy with room for more, all of it 0. */
export function longer(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(values);
  return copy;
}
