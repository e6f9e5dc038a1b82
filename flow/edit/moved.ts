/** Values moved to their place in the file. */
import { shift } from "../text";
import type { ScalarValue, Value } from "../values";

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
