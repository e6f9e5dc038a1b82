/** Text cut to the width it has, measured in the font it is drawn in. */

const context = document.createElement("canvas").getContext("2d");
const known = new Map<string, string>();
let family = "";

/** `weight` and `size` are those of the style sheet. */
export function fit(text: string, width: number, size: number, weight = 400): string {
  if (!context) return text;
  const now = getComputedStyle(document.body).fontFamily;
  if (now !== family) {
    family = now;
    known.clear();
  }
  const key = `${width} ${size} ${weight} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  context.font = `${weight} ${size}px ${family}`;
  const cut = shorten(text, (part) => context.measureText(part).width <= width);
  if (known.size > 20_000) known.clear();
  known.set(key, cut);
  return cut;
}

function shorten(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  let low = 0;
  let high = Math.min(text.length, 200);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(`${text.slice(0, middle).trimEnd()}…`)) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).trimEnd()}…`;
}
