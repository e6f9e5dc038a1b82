/** Fits text into lines of a given width, measured in the font it is drawn in. */
import { wrap } from "./wrap";

const context = document.createElement("canvas").getContext("2d");
const known = new Map<string, readonly string[]>();
let family = "";

export interface TextSize {
  readonly width: number;
  /** In pixels, matching the style sheet; `weight` too. */
  readonly size: number;
  readonly weight?: number;
}

export function fit(text: string, size: TextSize): string {
  return fitLines(text, 1, size)[0] ?? "";
}

export function fitLines(text: string, lines: number, { width, size, weight = 400 }: TextSize): readonly string[] {
  if (!context) return [text];
  const now = getComputedStyle(document.body).fontFamily;
  if (now !== family) {
    family = now;
    known.clear();
  }
  const key = `${lines} ${width} ${size} ${weight} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  context.font = `${weight} ${size}px ${family}`;
  const made = wrap(text, lines, (part) => context.measureText(part).width <= width);
  if (known.size > 20_000) known.clear();
  known.set(key, made);
  return made;
}

/** The width of the widest line; unlimited if it can't be measured. */
export function widthOf(lines: readonly string[], size: number): number {
  if (!context) return Number.POSITIVE_INFINITY;
  context.font = `400 ${size}px ${getComputedStyle(document.body).fontFamily}`;
  let widest = 0;
  for (const line of lines) widest = Math.max(widest, context.measureText(line).width);
  return widest;
}
