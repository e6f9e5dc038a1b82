import { stringify } from "yaml";

/** Deeper values are cut: the writer is recursive. */
const MAX_DEPTH = 50;

/** JSON data from elsewhere as YAML to read. */
export function yamlText(data: unknown): string {
  return stringify(cut(data, MAX_DEPTH), { lineWidth: 0, aliasDuplicateObjects: false });
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.map((each) => cut(each, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each, depth - 1)]));
}
