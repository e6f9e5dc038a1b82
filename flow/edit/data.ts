/** Plain data compared, and values moved to their place in the file. */
import { shift } from "../text";
import type { ScalarValue, Value } from "../values";

/** Equal as JSON would have it: the order of keys has no meaning. */
export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameData(item, b[i]));
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameData((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}

/** The same value with places counted from the start of the file instead of the start of its entry. */
export function moved<T extends Value>(value: T, by: number): T {
  const span = shift(value.span, by);
  if (value.kind === "scalar") return { ...value, span };
  if (value.kind === "list") return { ...value, span, items: value.items.map((item) => moved(item, by)) };
  const pairs = value.pairs.map((pair) => ({
    key: moved<ScalarValue>(pair.key, by),
    value: pair.value && moved(pair.value, by),
    span: shift(pair.span, by),
  }));
  return { ...value, span, pairs };
}
