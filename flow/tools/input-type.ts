/**
 * Whether a value can be of the type that a tool declares for an input. Tools convert what they get, so text that reads as a
 * number is a number. Type names that aren't listed here are never checked.
 */
import { onlyVariable } from "../grammar";
import { parsedJson } from "../json";
import type { ScalarValue, Value } from "../values";

type Type = "scalar" | "int" | "float" | "bool" | "list" | "dict";

const TYPES: ReadonlyMap<string, Type> = new Map([
  ["str", "scalar"],
  ["int", "int"],
  ["integer", "int"],
  ["float", "float"],
  ["number", "float"],
  ["bool", "bool"],
  ["boolean", "bool"],
  ["list", "list"],
  ["array", "list"],
  ["dict", "dict"],
  ["object", "dict"],
]);

/** Which inputs a context variable of a declared type can't fill. */
const UNFIT: ReadonlyMap<string, ReadonlySet<Type>> = new Map([
  // A string can hold JSON, so it fits a list or an object.
  ["string", new Set<Type>(["int", "float", "bool"])],
  ["number", new Set<Type>(["bool", "list", "dict"])],
  ["integer", new Set<Type>(["bool", "list", "dict"])],
  ["boolean", new Set<Type>(["int", "float", "list", "dict"])],
  ["date", new Set<Type>(["int", "float", "bool", "list", "dict"])],
]);

export interface DeclaredVariable {
  readonly type: string | undefined;
  readonly enumValues: readonly string[] | undefined;
}

/** Whether a written value can't be of the declared type; false wherever that can't be known. */
export function isTypeMismatch(
  value: Value | undefined,
  declaredType: string | undefined,
  variable: (name: string) => DeclaredVariable | undefined,
): boolean {
  const type = TYPES.get(declaredType?.trim().toLowerCase() ?? "");
  if (!type || !value) return false;
  if (value.kind === "list") return type !== "list";
  if (value.kind === "map") return type !== "dict";
  if (typeof value.value === "string") {
    const name = onlyVariable(value.value.trim());
    if (name !== undefined) return !canVariableBe(variable(name), type);
    // A template inside a longer text can become anything.
    if (value.value.includes("{{")) return false;
  }
  return !canScalarBe(value.value, type);
}

function canVariableBe(variable: DeclaredVariable | undefined, type: Type): boolean {
  if (!variable?.type || !UNFIT.get(variable.type.trim().toLowerCase())?.has(type)) return true;
  const { enumValues } = variable;
  return enumValues !== undefined && enumValues.length > 0 && enumValues.every((each) => canScalarBe(each, type));
}

function canScalarBe(value: ScalarValue["value"], type: Type): boolean {
  if (value === null || type === "scalar") return true;
  const source = String(value).trim();
  switch (type) {
    case "int":
      return typeof value !== "boolean" && source !== "" && Number.isInteger(Number(source));
    case "float":
      return typeof value !== "boolean" && isNumber(source);
    case "bool":
      return /^(true|false|yes|no|on|off|y|n|t|f|[01](\.0*)?)$/i.test(source);
    default:
      return typeof value === "string" && /^[[{]/.test(source) && parsedJson(source) !== undefined;
  }
}

function isNumber(source: string): boolean {
  return source !== "" && (!Number.isNaN(Number(source)) || /^[-+]?(inf|infinity|nan)$/i.test(source));
}
