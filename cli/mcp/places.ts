/** Positions in tool responses are 1-based, unlike in the command line's JSON. */

/** Converts every position (`line` and `character`) in a value to 1-based. */
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
