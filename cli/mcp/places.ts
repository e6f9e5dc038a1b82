/** Places as agents get them: lines and characters count from 1 in every answer, whatever the command line's JSON has. */

/** A value with every position in it (`line` and `character`, as editors count) counted from 1. */
export function fromOne<Value>(value: Value): Value {
  return shifted(value) as Value;
}

function shifted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shifted);
  if (typeof value !== "object" || value === null) return value;
  const { line, character } = value as { line?: unknown; character?: unknown };
  if (typeof line === "number" && typeof character === "number") return { line: line + 1, character: character + 1 };
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, shifted(each)]));
}
