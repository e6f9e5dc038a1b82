/** Plain scalars: the value of unquoted text. */
import type { ScalarValue } from "../values";
import { DASH } from "./characters";

const INTEGER = /^[-+]?[0-9]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const BASED = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/;
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** A plain scalar by YAML 1.2's core schema. */
export function plainValue(source: string): ScalarValue["value"] {
  const code = source.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) {
    if (INTEGER.test(source)) return Number.parseInt(source, 10);
    if (BASED.test(source)) return Number.parseInt(source.slice(2), source[1] === "x" ? 16 : 8);
    return FLOAT.test(source) ? Number.parseFloat(source) : source;
  }
  if (code === 0x2e || code === DASH || code === 0x2b) {
    if (INTEGER.test(source)) return Number.parseInt(source, 10);
    if (FLOAT.test(source)) return Number.parseFloat(source);
    if (!SPECIAL.test(source)) return source;
    return /an$/i.test(source) ? Number.NaN : code === DASH ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (source.length > 5) return source;
  switch (source) {
    case "~":
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
    default:
      return source;
  }
}

/** Longer substrings share memory with the whole text, which they would keep alive. */
const MAX_SHARED = 12;
const shared: string[] = new Array(512).fill("");

/** A substring. Short ones, such as names of fields and types, are interned. */
export function sharedSlice(text: string, start: number, end: number): string {
  const length = end - start;
  if (length > MAX_SHARED || length === 0) return text.slice(start, end);
  const place = (length * 41 + text.charCodeAt(start) * 7 + text.charCodeAt(end - 1)) & 511;
  const known = shared[place] as string;
  if (known.length === length && text.startsWith(known, start)) return known;
  const slice = text.slice(start, end);
  shared[place] = slice;
  return slice;
}
