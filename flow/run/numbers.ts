/** Growing lists of integers, for searches of large flows, where objects would be slow. */
export class Numbers {
  /** May be longer than `length`. Replaced by another array when the list grows. */
  values: Int32Array;
  length = 0;

  constructor(capacity = 64) {
    this.values = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.values = longer(this.values, 2 * this.length);
    this.values[this.length] = value;
    this.length++;
  }
}

/** The trail of a search, in order: places, the previous step of each (-1 at the start), and the passage between. */
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

/** A longer copy, filled with 0. */
export function longer(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(values);
  return copy;
}
