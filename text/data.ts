/**
 * Makes values safe to send over a protocol: every string in them, field names included, has its invisible characters
 * escaped. Escaping twice changes nothing.
 */
import { fromVisible, visibleSigns } from "./visible";

/** `keeps` selects the fields whose value must stay exact, such as the path of a file that the other side opens. */
export function visibleData<Value>(value: Value, keeps: (field: string) => boolean = () => false): Value {
  return mapped(value, visibleSigns, keeps) as Value;
}

/** Undoes `visibleData`. */
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
