/**
 * What a piece of YAML says, with the place of every part. Places are relative to the start of the entry the value
 * belongs to (see document.ts), so an edit elsewhere in the file never touches them.
 *
 * A value reached through an alias or a merge key has every place set to the alias token: nothing ever points outside
 * the entry that was read.
 */
import type { Span } from "./text";

export type Value = ScalarValue | MapValue | ListValue;

export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

export interface ScalarValue {
  readonly kind: "scalar";
  /** The value by YAML 1.2's core schema: `yes` and `no` are text, `1e3` is a number, an empty value is null. */
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** The scalar as written, with its quotes or its block header, without trailing line breaks of a block scalar. */
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
  /** Undefined where nothing is written after the colon. */
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

/** The pair of a key; the first one where the key is written twice. */
export function pairOf(value: Value | undefined, key: string): Pair | undefined {
  if (value?.kind !== "map") return undefined;
  for (const pair of value.pairs) if (pair.key.value === key || keyText(pair) === key) return pair;
  return undefined;
}

export function keyText(pair: Pair): string {
  return scalarText(pair.key);
}

/** A scalar as the text a person means by it; an empty value is the empty text. */
export function scalarText(scalar: ScalarValue): string {
  return scalar.value === null ? "" : String(scalar.value);
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
    if (Object.hasOwn(data, key)) continue;
    Object.defineProperty(data, key, {
      value: toData(pair.value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return data;
}

/** Every scalar below a value, keys left out. */
export function* scalarsIn(value: Value | undefined): Generator<ScalarValue> {
  if (value === undefined) return;
  if (value.kind === "scalar") yield value;
  else if (value.kind === "list") for (const item of value.items) yield* scalarsIn(item);
  else for (const pair of value.pairs) yield* scalarsIn(pair.value);
}
