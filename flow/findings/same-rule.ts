/**
 * Whether a platform rule and one of ours report the same issue. The platform's rule IDs aren't documented, so their
 * words are compared, regardless of order, spelling and plurals: `edge.duplicate`, `DuplicateEdge`, and `duplicate-edge` are the
 * same, and so are `tool.no-error-path` and `tool-without-error-edge`.
 */
export function isSameRule(code: string, ruleId: string | undefined): boolean {
  const ours = ruleWords(code);
  return ours !== "" && ours === ruleWords(ruleId ?? "");
}

const known = new Map<string, string>();

/** The words of a rule name, equal for names of the same rule. */
export function ruleWords(id: string): string {
  const found = known.get(id);
  if (found !== undefined) return found;
  const words = id
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word))
    .map((word) => synonyms.get(word) ?? word)
    .filter((word) => word !== "");
  const sorted = [...new Set(words)].sort().join(" ");
  known.set(id, sorted);
  return sorted;
}

/** Synonyms in rule names; an empty one is ignored. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["graph", ""],
  ["flow", ""],
  ["node", ""],
  ["unknown", "undefined"],
  ["no", "missing"],
  ["without", "missing"],
  ["path", "edge"],
]);
