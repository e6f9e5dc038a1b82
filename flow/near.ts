/** Which known word somebody most likely meant. */

/** The one known word closest to a word, if it is close enough to be a slip and no other is as close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  const allowed = word.length <= 3 ? 0 : word.length <= 7 ? 1 : 2;
  const plainWord = plain(word);
  for (const candidate of known) {
    if (candidate === word) continue;
    if (Math.abs(candidate.length - word.length) > Math.max(allowed, 2)) continue;
    const distance = plain(candidate) === plainWord ? 0.5 : slips(word, candidate, allowed);
    if (distance === undefined || distance > bestDistance) continue;
    if (distance === bestDistance) best = undefined;
    else best = candidate;
    bestDistance = distance;
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, "");
}

/**
 * How many letters were mistyped, left out, added or swapped; undefined beyond the limit. A short word must keep its
 * first letter: `then` is no slip of `when`.
 */
function slips(a: string, b: string, limit: number): number | undefined {
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return undefined;
  if (Math.min(a.length, b.length) <= 5 && a[0] !== b[0] && !(a[0] === b[1] && a[1] === b[0])) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < smallest) smallest = cost;
    }
    if (smallest > limit) return undefined;
    beforeLast = last;
    last = row;
  }
  const distance = last[b.length] ?? limit + 1;
  return distance <= limit ? distance : undefined;
}
