/** The lines and scalars of the quick reader (quick.ts): where the next line's content is, and what a scalar says. */
import { makeScalar, type ScalarStyle, type ScalarValue } from "../values";
import {
  APOSTROPHE,
  BACKSLASH,
  COLON,
  DASH,
  GREATER,
  HASH,
  KEY,
  kinds,
  NEWLINE,
  NO_PLAIN_START,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
} from "./characters";
import { plainValue, sharedSlice } from "./plain";
import { endOfBlock } from "./yaml";

/** Returned when the fast path can't decide; callers propagate it. */
export const UNSURE = undefined;

/** `protected` rather than `#`: the brand check of private names costs a tenth of the time to open a large file. */
export class QuickScalars {
  /** The next character to read; between lines it is a line's start. */
  protected at: number;
  /** The indentation of the line that `toContent` found. */
  protected indent = 0;
  constructor(
    readonly text: string,
    /** Places are relative to this. */
    readonly base: number,
    readonly to: number,
  ) {
    this.at = base;
  }

  /** Skips blank lines and comments to the content of a line; false at the end. */
  protected toContent(): boolean {
    const { text, to } = this;
    let line = this.at;
    while (line < to) {
      let at = line;
      let code = text.charCodeAt(at);
      while (code === SPACE && at < to) code = text.charCodeAt(++at);
      if (at >= to) return false;
      if (code === RETURN && text.charCodeAt(at + 1) === NEWLINE) {
        line = at + 2;
        continue;
      }
      if (code === NEWLINE) {
        line = at + 1;
        continue;
      }
      if (code === HASH) {
        const end = text.indexOf("\n", at);
        line = end < 0 ? to : end + 1;
        continue;
      }
      this.at = at;
      this.indent = at - line;
      return true;
    }
    this.at = to;
    return false;
  }

  /** The end of the plain key that starts here, or -1. */
  protected keyEnd(): number {
    const { text, to } = this;
    const start = this.at;
    let at = start;
    let code = text.charCodeAt(at);
    if (code >= 128 || ((kinds[code] as number) & NO_PLAIN_START) !== 0) return -1;
    while (at < to && code < 128 && ((kinds[code] as number) & KEY) !== 0) code = text.charCodeAt(++at);
    return at === start || at - start > 200 ? -1 : at;
  }

  /** Skips spaces and a comment to the next line; false if there's anything else. */
  protected endLine(): boolean {
    const { text, to } = this;
    let at = this.at;
    while (at < to && text.charCodeAt(at) === SPACE) at++;
    if (at < to) {
      const code = text.charCodeAt(at);
      if (code === HASH) {
        if (at === this.at) return false;
      } else if (code !== NEWLINE && !(code === RETURN && text.charCodeAt(at + 1) === NEWLINE)) return false;
    }
    this.toNextLine(at);
    return true;
  }

  protected toNextLine(from: number): void {
    const end = this.text.indexOf("\n", from);
    this.at = end < 0 || end >= this.to ? this.to : end + 1;
  }

  protected plainToLineEnd(): ScalarValue | undefined {
    const { text, to } = this;
    const start = this.at;
    if (!this.startsPlain(start)) return UNSURE;
    let end = start;
    let at = start;
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code === SPACE) {
        if (text.charCodeAt(at + 1) === HASH) break;
        continue;
      }
      if (code === NEWLINE) break;
      if (code === RETURN) {
        if (text.charCodeAt(at + 1) === NEWLINE) break;
        return UNSURE;
      }
      if (code === COLON) {
        const next = at + 1 < to ? text.charCodeAt(at + 1) : NEWLINE;
        if (next === SPACE || next === NEWLINE || next === RETURN || next === TAB) return UNSURE;
      } else if (code === TAB) return UNSURE;
      end = at + 1;
    }
    this.at = end;
    return this.plain(start, end);
  }

  /** A digit after a dash is a number; any other indicator at the start is left to `yaml`. */
  protected startsPlain(at: number): boolean {
    const code = this.text.charCodeAt(at);
    if (code >= 128) return code !== 0xfeff;
    if (((kinds[code] as number) & NO_PLAIN_START) === 0) return true;
    if (code !== DASH && code !== 0x2b && code !== 0x2f) return false;
    const next = this.text.charCodeAt(at + 1);
    return code === 0x2f
      ? next > SPACE && next < 128 && ((kinds[next] as number) & KEY) !== 0
      : next >= 0x30 && next <= 0x39;
  }

  protected plain(start: number, end: number): ScalarValue {
    return this.scalar(plainValue(sharedSlice(this.text, start, end)), "plain", start, end);
  }

  protected scalar(value: ScalarValue["value"], style: ScalarStyle, start: number, end: number): ScalarValue {
    return makeScalar(value, style, start - this.base, end - this.base);
  }

  /** A quoted scalar on one line, without escapes except the doubled apostrophe. */
  protected quoted(quote: number): ScalarValue | undefined {
    const { text, to } = this;
    const start = this.at;
    let at = start + 1;
    let doubled = false;
    for (; ; at++) {
      if (at >= to) return UNSURE;
      const code = text.charCodeAt(at);
      if (code === NEWLINE || code === RETURN || code === TAB || (code === BACKSLASH && quote === QUOTE)) return UNSURE;
      if (code !== quote) continue;
      if (quote === QUOTE || text.charCodeAt(at + 1) !== APOSTROPHE || at + 1 >= to) break;
      doubled = true;
      at++;
    }
    this.at = at + 1;
    const source = text.slice(start + 1, at);
    const value = doubled ? source.replaceAll("''", "'") : source;
    return this.scalar(value, quote === QUOTE ? "double" : "single", start, at + 1);
  }

  /** `|`, `|-`, `>` or `>-` and its lines. */
  protected blockScalar(indent: number): ScalarValue | undefined {
    const { text, to } = this;
    const start = this.at;
    const folded = text.charCodeAt(start) === GREATER;
    let strip = false;
    this.at = start + 1;
    if (text.charCodeAt(this.at) === DASH) {
      strip = true;
      this.at++;
    }
    const afterHeader = this.at;
    if (!this.endLine()) return UNSURE;
    const headerEnd = this.at;
    if (text.charCodeAt(headerEnd - 1) !== NEWLINE || headerEnd >= to) return UNSURE;
    let depth = -1;
    // Joined at the end: concatenated strings stay trees of their parts until they're read.
    const bits: string[] = [];
    let blanks = 0;
    let line = headerEnd;
    let end = afterHeader;
    while (line < to) {
      let at = line;
      while (at < to && text.charCodeAt(at) === SPACE) at++;
      const found = text.indexOf("\n", at);
      const next = found < 0 || found >= to ? to : found + 1;
      let lineEnd = found < 0 || found >= to ? to : found;
      if (found >= 0 && found < to && text.charCodeAt(lineEnd - 1) === RETURN) lineEnd--;
      if (at >= lineEnd) {
        // A blank line. One that's indented more than the text, or without a line break, has special rules.
        if (next === to && found !== to - 1) return UNSURE;
        if (depth < 0 ? at - line > 0 : at - line > depth) return UNSURE;
        blanks++;
        line = next;
        continue;
      }
      const column = at - line;
      if (depth < 0) {
        if (column <= indent) return UNSURE;
        if (blanks > 0) return UNSURE;
        depth = column;
      } else if (column < depth) {
        break;
      }
      // A line that starts with whitespace isn't folded; a tab counts as well.
      if (folded && (column > depth || text.charCodeAt(at) === TAB)) return UNSURE;
      if (bits.length > 0) {
        const ends = folded ? blanks : blanks + 1;
        bits.push(ends === 0 ? " " : "\n".repeat(ends));
      }
      bits.push(text.slice(line + depth, lineEnd));
      blanks = 0;
      end = lineEnd;
      line = next;
    }
    if (depth < 0) return UNSURE;
    this.at = line;
    const span = endOfBlock(text, start, end);
    if (!strip) bits.push("\n");
    return this.scalar(bits.join(""), folded ? "folded" : "literal", start, span);
  }

  protected skipSpaces(): void {
    while (this.at < this.to && this.text.charCodeAt(this.at) === SPACE) this.at++;
  }
}
