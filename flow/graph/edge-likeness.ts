/** Similarity of edges, used to recognize an edge after it was changed. */
import { type GraphEdge, sameJson } from "./graph";

export function isNone(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The content of an edge regardless of its ID: equal for two edges exactly if `sameElement` holds without their IDs. */
export function wordsOf(edge: GraphEdge): string {
  const fields = Object.keys(edge).filter((name) => name !== "id" && name !== "source" && name !== "source_span");
  const said = fields.map((name) => [name, inOrder(edge[name])] as const);
  return JSON.stringify(said.filter(([, value]) => JSON.stringify(value ?? null) !== "null").sort(byName));
}

/** The value with sorted map keys. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return {
    map: Object.entries(value)
      .map(([key, member]) => [key, inOrder(member)] as const)
      .sort(byName),
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * How likely two edges to the same target are the same edge. A shared value counts more than a shared absence, and a
 * condition more than a label; the numbers are coarse, so that small differences in text don't decide.
 */
export function likeness(a: GraphEdge, b: GraphEdge): number {
  const on = isNone(a.on) && isNone(b.on) ? 3 : sameJson(a.on, b.on) ? 6 : 0;
  const when =
    isNone(a.when) && isNone(b.when) ? 5 : sameJson(a.when, b.when) ? 12 : 2 * Math.floor(4 * shared(a.when, b.when));
  const label =
    isNone(a.label) && isNone(b.label) ? 2 : sameJson(a.label, b.label) ? 8 : Math.floor(4 * shared(a.label, b.label));
  return on + when + label;
}

/** Whether two edges have more in common than their target. */
export function isLike(a: GraphEdge, b: GraphEdge): boolean {
  const isSaid = (name: "on" | "when" | "label") => !isNone(a[name]) && sameJson(a[name], b[name]);
  const isDefault = ({ on, when }: GraphEdge) => isNone(on) && isNone(when);
  return (
    isSaid("on") ||
    isSaid("when") ||
    isSaid("label") ||
    (isDefault(a) && isDefault(b)) ||
    shared(a.when, b.when) >= 0.5 ||
    shared(a.label, b.label) >= 0.5
  );
}

/** The share of words that two strings have in common, 0 to 1. */
function shared(a: unknown, b: unknown): number {
  const [mine, theirs] = [wordsIn(a), wordsIn(b)];
  if (mine.length === 0 || theirs.length === 0) return 0;
  const left = counts(theirs);
  let both = 0;
  for (const word of mine) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    both++;
  }
  // If a condition was only extended, it still counts as a whole.
  const isWhole = both === Math.min(mine.length, theirs.length);
  return Math.max((2 * both) / (mine.length + theirs.length), isWhole ? 0.5 : 0);
}

/** Longer strings are compared by their beginning. */
const MOST_WORDS = 200;

function wordsIn(value: unknown): string[] {
  const text = typeof value === "string" ? value : isNone(value) ? "" : JSON.stringify(value);
  return (
    text
      .slice(0, 10 * MOST_WORDS)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.slice(0, MOST_WORDS) ?? []
  );
}

export function counts<Key>(keys: readonly Key[]): Map<Key, number> {
  const found = new Map<Key, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}
