/**
 * A parsed YAML value, with the place of every part. Places are relative to the start of the block that contains the
 * value (see document.ts), so an edit elsewhere in the file never changes them.
 *
 * In a value reached through an alias or a merge key, every place is that of the alias token: no place is ever outside
 * the block.
 */
import type { Span } from "./text";

export type Value = ScalarValue | MapValue | ListValue;

export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

export interface ScalarValue {
  readonly kind: "scalar";
  /** The value by YAML 1.2's core schema: `yes` and `no` are strings, `1e3` is a number, an empty value is null. */
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** The scalar as written, with its quotes or its block header, without the trailing line breaks of a block scalar. */
  readonly span: Span;
}

export interface MapValue {
  readonly kind: "map";
  readonly pairs: readonly Pair[];
  /** True for `{…}`. */
  readonly flow: boolean;
  readonly span: Span;
}

export interface Pair {
  readonly key: ScalarValue;
  /** Undefined if there's nothing after the colon. */
  readonly value: Value | undefined;
  /** From the start of the key to the end of the value (or of the colon). */
  readonly span: Span;
}

export interface ListValue {
  readonly kind: "list";
  readonly items: readonly Value[];
  /** True for `[…]`. */
  readonly flow: boolean;
  readonly span: Span;
}

export function makeScalar(value: ScalarValue["value"], style: ScalarStyle, start: number, end: number): ScalarValue {
  return new Scalar(value, style, start, end);
}

export function makeMap(pairs: readonly Pair[], flow: boolean, start: number, end: number): MapValue {
  return new MapRecord(pairs, flow, start, end);
}

export function makeList(items: readonly Value[], flow: boolean, start: number, end: number): ListValue {
  return new ListRecord(items, flow, start, end);
}

/** A pair whose key is a plain string. */
export function makePlainPair(key: string, start: number, value: Value | undefined, end: number): Pair {
  return new PlainPair(key, start, value, end);
}

/** The start and end of a part, without creating a span. */
export function startOf(part: Value | Pair): number {
  return (part as { readonly start?: number }).start ?? part.span.start;
}

export function endOf(part: Value | Pair): number {
  return (part as { readonly end?: number }).end ?? part.span.end;
}

/** A pair from the start of its key to `end`. */
export function makePair(key: ScalarValue, value: Value | undefined, end: number): Pair {
  const { start } = key.span;
  const isPlainText =
    typeof key.value === "string" && key.style === "plain" && key.value.length === key.span.end - start;
  return isPlainText && !("alias" in key)
    ? new PlainPair(key.value as string, start, value, end)
    : new PairRecord(key, value, end);
}

// A large file has hundreds of thousands of these, and most places are never used, so they're stored as two numbers.
// The kind is a property of the class, not of each object.

class Scalar implements ScalarValue {
  declare readonly kind: "scalar";
  static {
    setKind(Scalar, "scalar");
  }
  constructor(
    readonly value: ScalarValue["value"],
    readonly style: ScalarStyle,
    readonly start: number,
    readonly end: number,
  ) {}
  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

class MapRecord implements MapValue {
  declare readonly kind: "map";
  static {
    setKind(MapRecord, "map");
  }
  constructor(
    readonly pairs: readonly Pair[],
    readonly flow: boolean,
    readonly start: number,
    readonly end: number,
  ) {}
  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

class ListRecord implements ListValue {
  declare readonly kind: "list";
  static {
    setKind(ListRecord, "list");
  }
  constructor(
    readonly items: readonly Value[],
    readonly flow: boolean,
    readonly start: number,
    readonly end: number,
  ) {}
  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

/** A pair with a plain string key, as nearly all are. */
class PlainPair implements Pair {
  constructor(
    readonly name: string,
    readonly start: number,
    readonly value: Value | undefined,
    readonly end: number,
  ) {}
  get key(): ScalarValue {
    return new Scalar(this.name, "plain", this.start, this.start + this.name.length);
  }
  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

class PairRecord implements Pair {
  constructor(
    readonly key: ScalarValue,
    readonly value: Value | undefined,
    readonly end: number,
  ) {}
  get span(): Span {
    return { start: this.key.span.start, end: this.end };
  }
}

function setKind(of: { readonly prototype: object }, kind: Value["kind"]): void {
  Object.defineProperty(of.prototype, "kind", { value: kind });
}

/** The pair of a key; the first if the key is repeated. */
export function pairOf(value: Value | undefined, key: string): Pair | undefined {
  if (value?.kind !== "map") return undefined;
  // An index loop, here and in all code that visits every field: a file is opened before its code is optimized, and
  // until then `for … of` allocates an object for each step.
  const { pairs } = value;
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] as Pair;
    if (keyText(pair) === key) return pair;
  }
  return undefined;
}

/** The pairs of a map; the first if a key is repeated. */
export function pairsByKey(value: Value | undefined): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  if (value?.kind === "map")
    for (const pair of value.pairs) if (!pairs.has(keyText(pair))) pairs.set(keyText(pair), pair);
  return pairs;
}

export function keyText(pair: Pair): string {
  return pair instanceof PlainPair ? pair.name : scalarText(pair.key);
}

/** A scalar as text; an empty value is the empty string. */
export function scalarText(scalar: ScalarValue): string {
  return scalar.value === null ? "" : String(scalar.value);
}

/** Whether there's no value, or null. */
export function isNull(value: Value | undefined): boolean {
  return value === undefined || (value.kind === "scalar" && value.value === null);
}

/** The text of a scalar, or undefined for anything else. */
export function textOf(value: Value | undefined): string | undefined {
  return value?.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
}

/** The value as plain data, for the wire. Keys typed by users are safe: `__proto__` becomes an own property. */
export function toData(value: Value | undefined): unknown {
  if (value === undefined) return null;
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map(toData);
  const data: Record<string, unknown> = {};
  for (const pair of value.pairs) {
    const key = keyText(pair);
    if (!Object.hasOwn(data, key)) setOwn(data, key, toData(pair.value));
  }
  return data;
}

/** Keys come from users: `__proto__` must become an own property like any other. All others are simply set, which is far faster. */
export function setOwn(data: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
  else data[key] = value;
}

/** Every scalar value below a value, without keys. */
export function* scalarsIn(value: Value | undefined): Generator<ScalarValue> {
  if (value === undefined) return;
  if (value.kind === "scalar") yield value;
  else if (value.kind === "list") for (const item of value.items) yield* scalarsIn(item);
  else for (const pair of value.pairs) yield* scalarsIn(pair.value);
}
