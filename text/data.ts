/**
 * The way out for values that leave by a protocol: whatever they are made of, no text in them, names of fields included, has
 * anything unseen in it. What is made visible once stays as it is, so it does no harm to go this way twice.
 */
import { fromVisible, visibleSigns } from "./visible";

/** `keeps` names what the other side needs to the letter, such as the path of a file it opens, by the field it is in. */
export function visibleData<Value>(value: Value, keeps: (field: string) => boolean = () => false): Value {
  return mapped(value, visibleSigns, keeps) as Value;
}

/** A value in which what was made visible is again what it was. */
export function fromVisibleData<Value>(value: Value): Value {
  return mapped(value, fromVisible, () => false) as Value;
}

function mapped(value: unknown, text: (text: string) => string, keeps: (field: string) => boolean): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapped(each, text, keeps));
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => [text(field), keeps(field) ? each : mapped(each, text, keeps)]),
  );
}
