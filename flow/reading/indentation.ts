/**
 * Finds the wrongly indented line of a piece with errors. Every line up to the problem is moved, alone or with its
 * children, to the indentation of the lines around it; the smallest move after which the piece is valid, with every key
 * where it belongs, wins.
 */
import { edgeFields, isKnownKey, topFields } from "../fields";
import { keyText, scalarsIn, type Value } from "../values";
import type { Cause } from "./problem";
import type { Item, Reading } from "./yaml";

const MAX_TRIES = 48;
const MAX_LENGTH = 8_000;

interface Line {
  readonly start: number;
  readonly text: string;
  readonly indent: number;
}

/** Checks the lines from around the first problem up to the last one. */
export function wrongIndent(
  text: string,
  from: number,
  to: number,
  read: (text: string) => Reading,
): Cause | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const lines = [...text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)]
    .map((match): Line => {
      const line = match[0].replace(/(?<![\r\n])[\r\n]+$/, "");
      return { start: match.index, text: line, indent: line.search(/[^ ]|$/) };
    })
    .filter((line) => !/^\s*(?:#.*)?$/.test(line.text));
  const lineAt = (at: number) => lines.findLastIndex((line) => line.start <= at);
  const near = new Set([0, lineAt(to), lineAt(to) + 1]);
  for (let index = lineAt(from) - 2; index <= lineAt(from) + 1; index++) near.add(index);
  const moves = [...near]
    .filter((index) => lines[index])
    .flatMap((index) => movesOf(lines, index))
    .filter((move) => !hidesKey(lines, move));
  // A small move of few lines, near the problem, is the most likely.
  const rank = new Map(moves.map((move) => [move, isUsual(lines, move) ? 0 : 1]));
  moves.sort(
    (a, b) =>
      Math.abs(a.by) - Math.abs(b.by) ||
      (rank.get(a) ?? 0) - (rank.get(b) ?? 0) ||
      a.count - b.count ||
      b.index - a.index,
  );
  const before = textsWithEdges(read(text).items);
  let best: { readonly move: Move; readonly odd: number } | undefined;
  for (const move of moves.slice(0, MAX_TRIES)) {
    if (best && Math.abs(move.by) > Math.abs(best.move.by) && best.odd === 0) break;
    const other = moved(text, lines, move);
    const tried = read(other);
    // Edges that would become part of a text hide the mistake.
    if (tried.problems.length > 0 || textsWithEdges(tried.items) > before) continue;
    const odd = tried.items.reduce(
      (sum, item) => sum + oddKeys(item.value) + (isOddTop(other, item) ? 1 : 0),
      oddFields(tried.items),
    );
    if (!best || odd < best.odd) best = { move, odd };
  }
  if (!best) return undefined;
  const { index, by, count } = best.move;
  const line = lines[index] as Line;
  const spaces = `${Math.abs(by)} ${Math.abs(by) === 1 ? "space" : "spaces"}`;
  const message =
    by > 0
      ? `This line is ${spaces} too far left, so it isn't read as part of the text or key above. Add ${spaces}.`
      : `This line is ${spaces} too deep, so it isn't read as part of the text or key above. Remove ${spaces}.`;
  return {
    message,
    span: { start: line.start + line.indent, end: line.start + line.text.trimEnd().length },
    title: "Fix indentation",
    edits: lines.slice(index, index + count).map((each) => ({
      start: each.start,
      end: each.start + Math.max(0, -by),
      text: " ".repeat(Math.max(0, by)),
    })),
  };
}

interface Move {
  readonly index: number;
  readonly by: number;
  /** The number of lines, including the first. */
  readonly count: number;
}

function movesOf(lines: readonly Line[], index: number): Move[] {
  const { indent } = lines[index] as Line;
  const depths = new Set<number>();
  for (let other = Math.max(0, index - 40); other < Math.min(lines.length, index + 40); other++) {
    if (other === index) continue;
    const { text, indent: depth } = lines[other] as Line;
    depths.add(depth);
    const behindDash = /^ *(?:- +)+/.exec(text)?.[0].length;
    if (behindDash !== undefined) depths.add(behindDash);
    // The line above opens a block, or has a text that this line may continue.
    if (other === index - 1 && /:(?:\s*(?:[|>][-+]?\s*)?(?:#.*)?$|\s+[^\s"'[{|>&*!#])/.test(text))
      depths.add((behindDash ?? depth) + 2);
  }
  let hanging = index + 1;
  while (hanging < lines.length && (lines[hanging] as Line).indent > indent) hanging++;
  // All items of a list, from this one on.
  const isItem = (line: Line | undefined) => /^ *- /.test(line?.text ?? "");
  let items = hanging;
  while (isItem(lines[index]) && (lines[items]?.indent ?? -1) >= indent && isItem(lines[items])) {
    items++;
    while (items < lines.length && (lines[items] as Line).indent > indent) items++;
  }
  const counts = [...new Set([1, hanging - index, items - index])];
  return [...depths]
    .filter((depth) => depth !== indent)
    .flatMap((depth) => counts.map((count) => ({ index, by: depth - indent, count })));
}

/** A key would become part of the text above, which hides its mistake. */
function hidesKey(lines: readonly Line[], { index, by }: Move): boolean {
  const { text, indent } = lines[index] as Line;
  const key = /^ *(?:- +)*([\w-]+):(?:\s|$)/.exec(text)?.[1];
  if (key === undefined || !isKnownKey(key)) return false;
  let depth = indent + by;
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] as Line;
    if (line.indent >= depth) continue;
    if (/(?:^|\s)[|>][-+0-9]*\s*(?:#.*)?$/.test(line.text)) return true;
    depth = line.indent;
  }
  return false;
}

/** Two spaces deeper than its parent, like nearly all lines. */
function isUsual(lines: readonly Line[], { index, by }: Move): boolean {
  const depth = (lines[index] as Line).indent + by;
  for (let above = index - 1; above >= 0; above--) {
    const { text, indent } = lines[above] as Line;
    const column = /^ *(?:- +)*/.exec(text)?.[0].length ?? indent;
    if (indent < depth) return column === depth || depth - column === 2 || depth - indent === 2;
  }
  return depth === 0 || depth === 2;
}

function moved(text: string, lines: readonly Line[], { index, by, count }: Move): string {
  let result = "";
  let at = 0;
  for (const { start } of lines.slice(index, index + count)) {
    result += text.slice(at, start) + " ".repeat(Math.max(0, by));
    at = start + Math.max(0, -by);
  }
  return result + text.slice(at);
}

const topNames = new Set(topFields.map(({ name }) => name));

/** A node or a variable without indentation. */
function isOddTop(text: string, { key, value, at }: Item): boolean {
  return (at === 0 || text[at - 1] === "\n") && !topNames.has(String(key.value)) && value?.kind === "map";
}

/** Fields at the level of their block. */
function oddFields(items: readonly Item[]): number {
  return items.slice(1).filter(({ key, value }) => isKnownKey(String(key.value)) && value?.kind !== "map").length * 2;
}

const edgeNames = new Set(edgeFields.map(({ name }) => name));

const ONLY_EDGES = new Set(["to", "when", "on", "label", "id"]);

/** The number of texts with lines of edges. */
function textsWithEdges(items: readonly Item[]): number {
  const texts = items.flatMap(({ value }) => [...scalarsIn(value)]);
  return texts.filter(({ value }) => typeof value === "string" && /^[ \t]*- +(?:to|when):\s/m.test(value)).length;
}

/** Keys in the wrong place: those of edges outside `edges`, or others inside. */
function oddKeys(value: Value | undefined): number {
  if (value?.kind !== "map") return value === undefined ? 0 : 3;
  let odd = 0;
  for (const pair of value.pairs) {
    const key = keyText(pair);
    if (!isKnownKey(key) || ONLY_EDGES.has(key)) odd++;
    if (key !== "edges") continue;
    if (pair.value?.kind !== "list") odd++;
    else
      for (const item of pair.value.items) {
        if (item.kind !== "map") odd++;
        else for (const inner of item.pairs) if (!edgeNames.has(keyText(inner))) odd++;
      }
  }
  return odd;
}
