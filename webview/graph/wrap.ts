/** Wraps text into a few lines of a given width. */

/** Longer strings never fit, and measuring them is slow. */
const LONGEST = 400;

/** Breaks `text` between words; the last line ends with an ellipsis if the rest doesn't fit. */
export function wrap(text: string, lines: number, fits: (part: string) => boolean): string[] {
  const made: string[] = [];
  let rest = text.slice(0, LONGEST).trim();
  while (rest !== "" && made.length < lines - 1 && !fits(rest)) {
    const length = lengthOfLine(rest, fits);
    made.push(rest.slice(0, length).trimEnd());
    rest = rest.slice(length).trimStart();
  }
  if (rest !== "") made.push(fits(rest) && text.length <= LONGEST ? rest : shortened(rest, fits));
  return made;
}

/** A line may end before a space, or after a character that joins the words of an ID; longer words break anywhere. */
function lengthOfLine(text: string, fits: (part: string) => boolean): number {
  const longest = Math.max(1, longestFitting(text, fits));
  for (let end = longest; end > longest / 4; end--)
    if (/\s/.test(text[end] ?? "") || /[-_./,;:]/.test(text[end - 1] ?? "")) return end;
  return longest;
}

function shortened(text: string, fits: (part: string) => boolean): string {
  return `${text
    .slice(
      0,
      longestFitting(text, (part) => fits(`${part.trimEnd()}…`)),
    )
    .trimEnd()}…`;
}

/** The length of the longest prefix that fits, without splitting a surrogate pair. */
function longestFitting(text: string, fits: (part: string) => boolean): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return /[\uD800-\uDBFF]/.test(text[low - 1] ?? "") ? Math.max(low - 1, 2) : low;
}
