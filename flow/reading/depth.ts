/**
 * Estimates the nesting depth from `yaml`'s tokens before it composes anything: composing is recursive, and very deep
 * text can crash the process despite any `catch`.
 */
import { CST, Lexer } from "yaml";

const MAX_DEPTH = 64;

/** How many indicators without meaning are allowed: each is an error, and expensive for `yaml`. */
const MAX_STRAY = 100;

const CLOSES: ReadonlySet<string> = new Set(["flow-map-end", "flow-seq-end"]);

/** Many of these on one line without a comma are as many errors. */
const IN_A_ROW: ReadonlySet<string> = new Set([
  "tag",
  "anchor",
  "alias",
  "explicit-key-ind",
  "single-quoted-scalar",
  "double-quoted-scalar",
]);

/** Where the text first exceeds the depth or the number of stray indicators, if it does. */
export function tooDeepAt(text: string): { readonly at: number; readonly why: "deep" | "stray" } | undefined {
  if (isShallow(text)) return undefined;
  let offset = 0;
  let column = 0;
  let keyColumn = -1;
  let flow = 0;
  let isScalar = false;
  let colons = 0;
  let stray = 0;
  let last = "";
  let inARow = 0;
  // The open block collections, outermost first: twice the column, plus one for a list, which may be in the same column
  // as its key.
  const open: number[] = [];
  for (const token of new Lexer().lex(text)) {
    const type: string = isScalar ? "content" : (CST.tokenType(token) ?? "content");
    if (!isScalar && (type === "doc-mode" || type === "flow-error-end" || type === "scalar")) {
      if (type === "flow-error-end") flow = 0;
      isScalar = type === "scalar";
      continue;
    }
    isScalar = false;
    const opens = type === "flow-map-start" || type === "flow-seq-start";
    const closes = CLOSES.has(type);
    if (type === "newline" || type === "comma") inARow = 0;
    else if (IN_A_ROW.has(type)) inARow++;
    if (flow === 0 && (closes || (opens && CLOSES.has(last)))) stray++;
    if (type === "comma" && last === "comma") stray++;
    if (opens) flow++;
    else if (closes) flow = Math.max(0, flow - 1);
    if (type !== "space") last = type;
    const isItem = type === "seq-item-ind" || type === "explicit-key-ind";
    if (flow === 0 && (isItem || type === "map-value-ind")) {
      const at = 2 * (isItem || keyColumn < 0 ? column : keyColumn) + (type === "seq-item-ind" ? 1 : 0);
      while (open.length > 0 && (open[open.length - 1] as number) > at) open.pop();
      if ((open[open.length - 1] ?? -1) < at) open.push(at);
    }
    // Several on one line nest, in any column.
    if (type === "map-value-ind") colons++;
    else if (type === "newline" || type === "comma") colons = 0;
    if (open.length + flow > MAX_DEPTH || colons > MAX_DEPTH) return { at: offset, why: "deep" };
    if (stray > MAX_STRAY || inARow > MAX_STRAY) return { at: offset, why: "stray" };
    if (isItem || type === "newline") keyColumn = -1;
    else if (keyColumn < 0 && type !== "space" && type !== "comment") keyColumn = column;
    offset += token.length;
    const lastBreak = token.lastIndexOf("\n");
    column = lastBreak < 0 ? column + token.length : token.length - lastBreak - 1;
  }
  return undefined;
}

/** The largest number of indicators on one line without a comma between them. */
function signsInARow(text: string): number {
  let [most, now] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 10 || sign === 44) now = 0;
    else if (MEANING.includes(sign) && ++now > most) most = now;
  }
  return most;
}

const MEANING = [...":&*!?\"'"].map((sign) => sign.charCodeAt(0));

/** A cheap upper bound that's enough for nearly every text: brackets, and the depth that indentation allows. */
function isShallow(text: string): boolean {
  let deepest = 0;
  for (const [start] of text.matchAll(/^[ \t\-?:]+/gm)) if (start.length > deepest) deepest = start.length;
  let [openers, closers] = [0, 0];
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    if (sign === "[" || sign === "{") openers++;
    else closers++;
  }
  const isBalanced = closers <= openers + MAX_STRAY;
  return isBalanced && openers + 2 * deepest + 4 <= MAX_DEPTH && signsInARow(text) < MAX_DEPTH / 2;
}
