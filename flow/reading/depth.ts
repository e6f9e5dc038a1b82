/**
 * How deep a text nests, counted on `yaml`'s tokens before it builds anything: building is recursive, and very deep
 * text can end the whole process there, past any `catch`.
 */
import { CST, Lexer } from "yaml";

export const MAX_DEPTH = 64;

/** Where the text first nests deeper than allowed, if it does. */
export function tooDeepAt(text: string): number | undefined {
  if (isShallow(text)) return undefined;
  let offset = 0;
  let column = 0;
  let keyColumn = -1;
  let flow = 0;
  let isScalar = false;
  // The open block collections, outermost first: twice the column, plus one for a list, which may stand in the same
  // column as the key it belongs to.
  const open: number[] = [];
  for (const token of new Lexer().lex(text)) {
    const type: string = isScalar ? "content" : (CST.tokenType(token) ?? "content");
    if (!isScalar && (type === "doc-mode" || type === "flow-error-end" || type === "scalar")) {
      if (type === "flow-error-end") flow = 0;
      isScalar = type === "scalar";
      continue;
    }
    isScalar = false;
    if (type === "flow-map-start" || type === "flow-seq-start") flow++;
    else if (type === "flow-map-end" || type === "flow-seq-end") flow = Math.max(0, flow - 1);
    const isItem = type === "seq-item-ind" || type === "explicit-key-ind";
    if (flow === 0 && (isItem || type === "map-value-ind")) {
      const at = 2 * (isItem || keyColumn < 0 ? column : keyColumn) + (type === "seq-item-ind" ? 1 : 0);
      while (open.length > 0 && (open[open.length - 1] as number) > at) open.pop();
      if ((open[open.length - 1] ?? -1) < at) open.push(at);
    }
    if (open.length + flow > MAX_DEPTH) return offset;
    if (isItem || type === "newline") keyColumn = -1;
    else if (keyColumn < 0 && type !== "space" && type !== "comment") keyColumn = column;
    offset += token.length;
    const lastBreak = token.lastIndexOf("\n");
    column = lastBreak < 0 ? column + token.length : token.length - lastBreak - 1;
  }
  return undefined;
}

/** A cheap upper bound, for nearly every text: brackets, and the depth that the starts of the lines leave room for. */
function isShallow(text: string): boolean {
  let deepest = 0;
  for (const [start] of text.matchAll(/^[ \t\-?:]+/gm)) if (start.length > deepest) deepest = start.length;
  let brackets = 0;
  for (const _ of text.matchAll(/[[{]/g)) brackets++;
  return brackets + 2 * deepest + 4 <= MAX_DEPTH;
}
