/**
 * Shared wording of messages, so that one fact always reads the same, and suggestions for misspelled names. The
 * convention is in CONTRIBUTING.md: a message states the fact, then the fix; names are in double quotes, keys and code
 * in backticks.
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

/**
 * The known name that an unknown one most likely means: the closest one (see `typoOf`), or the only one that begins
 * with it.
 */
export function nearest(name: string, known: Iterable<string>, few = false): string | undefined {
  return closest(name, known, few, !few && name.length >= 3);
}

/**
 * The closest known word, if it's close enough to be a typo and no other is as close. Among few known words, a short
 * one may be a typo too (`tol`), or the beginning of one (`bool`). For words that may be valid although they aren't known.
 */
export function typoOf(word: string, known: Iterable<string>, few = false): string | undefined {
  return closest(word, known, few, false);
}

/** Whether a name is a typo of another one, rather than its beginning, so that it may be replaced without asking. */
export function isTypo(name: string, of: string): boolean {
  return typoOf(name, [of]) !== undefined;
}

function closest(word: string, known: Iterable<string>, few: boolean, completes: boolean): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  let begun: string | undefined;
  let isAmbiguous = false;
  const least = few ? 2 : 3;
  const allowed = word.length <= least ? 0 : word.length <= 7 ? 1 : 2;
  const plainWord = plain(word);
  for (const candidate of known) {
    if (candidate === word) continue;
    if (completes && (candidate.startsWith(word) || candidate.startsWith(word.toLowerCase()))) {
      isAmbiguous ||= begun !== undefined && begun !== candidate;
      begun = candidate;
    }
    const isStart = few && word.length >= 2 && candidate.startsWith(word.toLowerCase());
    if (!isStart && Math.abs(candidate.length - word.length) > Math.max(allowed, 2)) continue;
    const isSame = mayBePlain(word, candidate) && plain(candidate) === plainWord;
    const distance = isSame ? 0.5 : (slips(word, candidate, allowed) ?? (isStart ? 1 : undefined));
    if (distance === undefined || distance > bestDistance) continue;
    if (distance === bestDistance) best = undefined;
    else best = candidate;
    bestDistance = distance;
  }
  return bestDistance === Number.POSITIVE_INFINITY && !isAmbiguous ? begun : best;
}

/** A cheap check of the last characters, because most of thousands of names end differently. */
function mayBePlain(a: string, b: string): boolean {
  const [lastA, lastB] = [lastCode(a), lastCode(b)];
  return lastA === lastB || !isLetterOrDigit(lastA) || !isLetterOrDigit(lastB);
}

function lastCode(word: string): number {
  return word.charCodeAt(word.length - 1) | 32;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, "");
}

/**
 * The number of mistyped, missing, added, or swapped letters; undefined beyond the limit. A short word must keep its
 * first letter: `then` isn't a typo of `when`.
 */
function slips(a: string, b: string, limit: number): number | undefined {
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return undefined;
  if (Math.min(a.length, b.length) <= 5 && a[0] !== b[0] && !(a[0] === b[1] && a[1] === b[0])) return undefined;
  // Common prefixes and suffixes cost nothing; the rest is nearly always short.
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  return distanceOf(a.slice(start, endA), b.slice(start, endB), limit);
}

function distanceOf(a: string, b: string, limit: number): number | undefined {
  if (a.length === 0 || b.length === 0) return Math.max(a.length, b.length);
  if (a.length === 1 && b.length === 1) return 1;
  if (b.length >= WIDTH - 1) return undefined;
  // Three rows of one table, reused for every pair of words: this runs for thousands of names at a keystroke.
  let [beforeLast, last, row] = [0, WIDTH, 2 * WIDTH];
  for (let j = 0; j <= b.length; j++) rows[last + j] = j;
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1);
    let smallest = i;
    // Cells further from the diagonal are beyond the limit.
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    rows[row + from - 1] = from === 1 ? i : limit + 1;
    for (let j = from; j <= to; j++) {
      const same = code === b.charCodeAt(j - 1) ? 0 : 1;
      let cost = Math.min(at(last + j) + 1, at(row + j - 1) + 1, at(last + j - 1) + same);
      const isSwap = i > 1 && j > 1 && code === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) cost = Math.min(cost, at(beforeLast + j - 2) + 1);
      rows[row + j] = cost;
      if (cost < smallest) smallest = cost;
    }
    if (smallest > limit) return undefined;
    rows[row + to + 1] = limit + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  const distance = at(last + b.length);
  return distance <= limit ? distance : undefined;
}

const WIDTH = 256;
const rows = new Uint16Array(3 * WIDTH);

function at(index: number): number {
  return rows[index] as number;
}
