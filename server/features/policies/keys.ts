/** The valid keys at a path of a policy file. */
import type { FileKey } from "../../../flow";
import { policyKeys } from "../../../flow/policy";

const EXAMPLES: ReadonlySet<string> = new Set(["holds", "breaks"]);
const SELECTORS: ReadonlySet<string> = new Set(["every_path_to", "passes", "after", "always", "from", "to", "without"]);

/** `kinds` are the kinds a policy may still be. */
export function keysAt(path: readonly string[], kinds: readonly FileKey[]): readonly FileKey[] {
  const [top, item, part, ...inner] = path;
  if (top === undefined) return policyKeys.file;
  if (top !== "policies" || item !== "-") return [];
  if (part === undefined) {
    const needs: Readonly<Record<string, readonly FileKey[]>> = policyKeys.with;
    const needed = kinds.flatMap(({ name }) => needs[name] ?? []);
    return [...policyKeys.common.slice(0, 1), ...kinds, ...needed, ...policyKeys.common.slice(1)];
  }
  if (part === "never" && inner.length === 0) return policyKeys.never;
  if (part === "except") return inner.length === 1 && inner[0] === "-" ? policyKeys.exception : [];
  if (EXAMPLES.has(part)) return isStep(path) ? [...policyKeys.selector, ...policyKeys.by] : [];
  const name = part === "never" ? inner[0] : part;
  if (inner.length > (part === "never" ? 1 : 0) || name === undefined || !SELECTORS.has(name)) return [];
  return name === "passes" ? [...policyKeys.selector, ...policyKeys.by] : policyKeys.selector;
}

export function isSelector(path: readonly string[]): boolean {
  const [, , part, ...inner] = path;
  const name = part === "never" ? inner[0] : part;
  return name !== undefined && SELECTORS.has(name) && inner.length === (part === "never" ? 1 : 0);
}

/** A node of an example, written as a map. */
export function isStep([, , part, ...inner]: readonly string[]): boolean {
  return part !== undefined && EXAMPLES.has(part) && inner.length === 2 && inner.every((each) => each === "-");
}
