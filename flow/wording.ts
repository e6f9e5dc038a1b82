/**
 * Shared wording of messages, so that one fact always reads the same. The convention is in CONTRIBUTING.md: a message states the
 * fact, then the fix; names are in double quotes, keys and code in backticks.
 */

function quote(name: string): string {
  return `"${name}"`;
}

/** `doesNotExist("Node", "x")` is `Node "x" doesn't exist.` */
export function doesNotExist(kind: string, name: string): string {
  return `${kind} ${quote(name)} doesn't exist.`;
}

export function didYouMean(name: string): string {
  return `Did you mean ${quote(name)}?`;
}

const MAX_LISTED = 6;

/** `"a", "b", and 2 more`: the first names of a list, and how many are left out. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(quote).join(", ");
  return names.length > MAX_LISTED ? `${shown}, and ${names.length - MAX_LISTED} more` : shown;
}

/** `3 more nodes`, for use inside a sentence. */
export function countMore(count: number, singular: string): string {
  return `${count} more ${singular}${count === 1 ? "" : "s"}`;
}
