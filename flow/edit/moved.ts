/** Converts values from block to file places. */
import { makeList, makeMap, makePair, makeScalar, type ScalarValue, type Value } from "../values";

/** The same value with places relative to the file instead of its block. */
export function moved<T extends Value>(value: T, by: number): T {
  return anyMoved(value, by) as T;
}

function anyMoved(value: Value, by: number): Value {
  const start = value.span.start + by;
  const end = value.span.end + by;
  if (value.kind === "scalar") return makeScalar(value.value, value.style, start, end);
  if (value.kind === "list")
    return makeList(
      value.items.map((item) => moved(item, by)),
      value.flow,
      start,
      end,
    );
  const pairs = value.pairs.map((pair) =>
    makePair(moved<ScalarValue>(pair.key, by), pair.value && moved(pair.value, by), pair.span.end + by),
  );
  return makeMap(pairs, value.flow, start, end);
}
