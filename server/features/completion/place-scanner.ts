/**
 * Scans the lines before a cursor by indentation to find its map, list, key, value, template or comment. It accepts any
 * text, including invalid YAML.
 */
import type { Span } from "../../../flow";

interface Common {
  readonly path: readonly string[];
  /** The word under the cursor, which an accepted completion replaces. */
  readonly word: Span;
  /** The part of the word before the cursor. */
  readonly typed: string;
}

export interface KeyPlace extends Common {
  readonly kind: "key";
  /** Keys that the map already has. */
  readonly taken: ReadonlySet<string>;
  /** Inside `{…}`, where a key can't be followed by a block. */
  readonly flow: boolean;
  /** Whether a colon follows. */
  readonly hasColon: boolean;
  /** Whether a list item may begin at the cursor: after `edges:` and a new line, without a dash yet. */
  readonly listStart: boolean;
}

export interface ValuePlace extends Common {
  readonly kind: "value";
  /** An item of `[…]`, or the word after a dash. */
  readonly item: boolean;
  /** The cursor is inside quotes. */
  readonly quoted: boolean;
}

export interface TemplatePlace extends Common {
  readonly kind: "template";
  /** The missing part of the `}}` after the word. */
  readonly missing: string;
}

export interface OtherPlace extends Common {
  readonly kind: "comment" | "text";
}

export type Place = KeyPlace | ValuePlace | TemplatePlace | OtherPlace;

/** A map or list around the cursor. */
export interface Frame {
  /** The column of its key or dash; -1 for the file. */
  readonly column: number;
  readonly name: string;
  /** Keys of the map below. */
  readonly keys: Set<string>;
  /** A scalar follows the key, so there can be nothing below it. */
  filled: boolean;
  /** A block scalar starts after the key. */
  text: boolean;
}

export function frame(column: number, name: string): Frame {
  return { column, name, keys: new Set(), filled: false, text: false };
}

const KEY =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*!|>'"%@`{}[\],?:-][^#{}[\],]*?|[^\s#&*!|>'"%@`{}[\],][^\s#{}[\],:]*?)(?<!\s)\s*:(?=\s|$)/;
const MAX_KEY = 1030;
const WORD = /[^\s{}[\],"'#]/;
/** Anchors and tags before a key or a value. */
const MARKS = /^(?:[&!][^\s,{}[\]]*\s+)+/;
/** What can't be continued as a key or a plain value: aliases, half-typed anchors and tags, headers of block scalars, `---`. */
const INDICATOR = /^(?:[*&!|>%@`]|\?(?:\s|$)|---(?:\s|$))/;

export class Scanner {
  #at = 0;
  #flow: { kind: "map" | "list"; keys: Set<string>; key: string | undefined; indent: number }[] = [];
  #container: Frame | undefined;

  constructor(
    readonly frames: Frame[],
    readonly base: number,
    readonly text: string,
    readonly cursor: number,
  ) {}

  /** Scans to the end, because keys below the cursor belong to the same map as those above. */
  run(): Place {
    const cursor = this.cursor - this.base;
    let place: Place | undefined;
    while (this.#at <= this.text.length) {
      const lineBreak = /\r\n|\n|\r/g;
      lineBreak.lastIndex = this.#at;
      const found = lineBreak.exec(this.text);
      const end = found?.index ?? this.text.length;
      const line = this.text.slice(this.#at, end);
      const here = cursor >= this.#at && cursor <= end ? cursor - this.#at : undefined;
      const answer = this.#line(line, here);
      place ??= answer;
      if (place && !(this.#container && this.frames.includes(this.#container))) break;
      if (!found) break;
      this.#at = end + found[0].length;
    }
    return place ?? { kind: "text", path: this.#path(), word: { start: this.cursor, end: this.cursor }, typed: "" };
  }

  #line(line: string, here: number | undefined): Place | undefined {
    let column = line.length - line.trimStart().length;
    const blank = column === line.length;
    const top = this.frames.at(-1) as Frame;
    if (blank && here === undefined) return undefined;
    if (this.#flow.length > 0 && (blank || column > (this.#flow[0]?.indent ?? 0)))
      return this.#flowLine(line, column, here);
    this.#flow = [];
    if (top.text && (column > top.column || (blank && (here ?? 0) > top.column))) {
      if (here !== undefined) return this.#template(line, here) ?? this.#make("text", line, here, here);
      return undefined;
    }
    if (blank) column = here as number;
    else if (line[column] === "#") {
      if (here === undefined) return undefined;
      return here > column ? this.#make("comment", line, column, here) : this.#keyPlace(line, here, here);
    }
    this.#pop(column, line[column] === "-" && (line[column + 1] ?? " ") === " ");
    while (line[column] === "-" && (column + 1 === line.length || line[column + 1] === " ")) {
      if (here !== undefined && here <= column) return this.#keyPlace(line, column, here);
      this.frames.push(frame(column, "-"));
      column++;
      while (line[column] === " " && column < line.length) column++;
      if (here !== undefined && here < column) column = Math.max(here, 0);
      if (column === here && line.slice(column).trim() === "") break;
    }
    // YAML limits the length of keys, and the search must not take longer on a longer line.
    const rest = line.slice(column, column + MAX_KEY);
    const marks = MARKS.exec(rest)?.[0].length ?? 0;
    const match = KEY.exec(rest.slice(marks));
    if (!match) return this.#loose(line, column, here);
    const name = unquote(match[1] as string);
    const colon = column + marks + match[0].length;
    if (marks > 0 && here !== undefined && here < column + marks) return this.#make("text", line, here, here);
    if (here !== undefined && here < colon) return this.#keyPlace(line, column + marks, here, name);
    (this.frames.at(-1) as Frame).keys.add(name);
    const own = frame(column, name);
    this.frames.push(own);
    let value = colon;
    while (line[value] === " ") value++;
    return this.#value(line, Math.min(value, line.length), here, own);
  }

  /** A line without a key: the word being typed, or the continuation of a string. */
  #loose(line: string, column: number, here: number | undefined): Place | undefined {
    if (line[column] === "{" || line[column] === "[") {
      return this.#flowLine(line, column, here);
    }
    if (here === undefined) return undefined;
    const comment = commentStart(line, column);
    if (comment >= 0 && here > comment) return this.#make("comment", line, comment, here);
    const template = this.#template(line, here);
    if (template) return template;
    if (INDICATOR.test(line.slice(column))) return this.#make("text", line, here, here);
    const first = line[column];
    if ((first === '"' || first === "'") && here > column) return this.#quoted(line, column, here, first);
    return this.#keyPlace(line, Math.min(column, here), here);
  }

  /** The part after `key:`. */
  #value(line: string, start: number, here: number | undefined, own: Frame): Place | undefined {
    let at = start;
    at += MARKS.exec(line.slice(at))?.[0].length ?? 0;
    const rest = line.slice(at);
    const comment = commentStart(line, at);
    if (here !== undefined && comment >= 0 && here > comment) return this.#make("comment", line, comment, here);
    if (/^[|>][-+0-9]*\s*(#.*)?$/.test(rest)) {
      own.text = true;
      if (here !== undefined) return this.#make("text", line, here, here);
      return undefined;
    }
    if (rest[0] === "{" || rest[0] === "[") {
      if (here !== undefined && here <= at) return this.#make("text", line, here, here);
      own.filled = true;
      return this.#flowLine(line, at, here, own);
    }
    const empty = rest === "" || comment === at;
    if (!empty) own.filled = true;
    if (here === undefined) return undefined;
    const template = this.#template(line, here);
    if (template) return template;
    if (INDICATOR.test(rest)) return this.#make("text", line, here, here);
    const quote = rest[0] === '"' || rest[0] === "'" ? rest[0] : undefined;
    if (quote && here > at) return this.#quoted(line, at, here, quote);
    return {
      ...this.#make("text", line, empty ? here : Math.min(at, here), here),
      kind: "value",
      item: false,
      quoted: false,
    };
  }

  /** Scans `{…}` and `[…]` from a column; collections open at the end of the line continue on the next. */
  #flowLine(line: string, start: number, here: number | undefined, own?: Frame): Place | undefined {
    const indent = own?.column ?? this.#flow[0]?.indent ?? Math.max(0, start - 1);
    let place: Place | undefined;
    let token = start;
    /** The cursor is in the part that ends here; the place is set once, and the scan continues to collect keys. */
    const decide = (from: number, to: number, answer: () => Place | undefined) => {
      if (here !== undefined && place === undefined && here >= from && here <= to) place = answer();
    };
    const endToken = (end: number, hasColon = false) => {
      decide(token, end, () => this.#flowPlace(line, token, here as number, hasColon));
      const inner = this.#flow.at(-1);
      const word = unquote(line.slice(token, end).trim());
      const typedHere = here !== undefined && here >= token && here <= end;
      if (inner?.kind === "map" && inner.key === undefined && word !== "" && !typedHere) inner.keys.add(word);
      if (inner && hasColon) inner.key = word;
      token = end + 1;
    };
    for (let at = start; at < line.length; at++) {
      const character = line[at] as string;
      const inner = this.#flow.at(-1);
      if (character === "#" && /\s/.test(line[at - 1] ?? " ")) {
        endToken(at);
        decide(at, line.length, () => this.#make("comment", line, at, here as number));
        return place;
      }
      if (character === '"' || character === "'") {
        const close = closeQuote(line, at, character);
        decide(
          at + 1,
          close,
          () => this.#template(line, here as number) ?? this.#quoted(line, at, here as number, character),
        );
        at = close;
      } else if (character === "{" && line[at + 1] === "{") {
        // An unquoted template is invalid YAML, but it is what the user means.
        const close = line.indexOf("}}", at);
        const after = close < 0 ? line.length : close + 2;
        decide(at + 2, after, () => this.#template(line, here as number));
        at = after - 1;
      } else if (character === "{" || character === "[") {
        endToken(at);
        this.#flow.push({ kind: character === "{" ? "map" : "list", keys: new Set(), key: undefined, indent });
      } else if (character === "}" || character === "]") {
        endToken(at);
        this.#flow.pop();
        if (this.#flow.length === 0) return place;
      } else if (character === ",") {
        endToken(at);
        if (inner) inner.key = undefined;
      } else if (
        character === ":" &&
        inner?.kind === "map" &&
        inner.key === undefined &&
        /^[\s,}\]]?$/.test(line[at + 1] ?? "")
      )
        endToken(at, true);
    }
    endToken(line.length);
    return place;
  }

  #flowPlace(line: string, token: number, here: number, hasColon = false): Place | undefined {
    const template = this.#template(line, here);
    if (template) return template;
    const inner = this.#flow.at(-1);
    if (!inner) return this.#make("text", line, here, here);
    let start = token;
    while (start < here && /\s/.test(line[start] as string)) start++;
    start += MARKS.exec(line.slice(start, here))?.[0].length ?? 0;
    if (INDICATOR.test(line.slice(start))) return this.#make("text", line, here, here);
    const common = this.#make("text", line, start, here);
    if (inner.kind === "map" && inner.key === undefined)
      return { ...common, kind: "key", taken: inner.keys, flow: true, hasColon, listStart: false };
    return { ...common, kind: "value", item: inner.kind === "list", quoted: false };
  }

  #keyPlace(line: string, start: number, here: number, ownName?: string): Place | undefined {
    if (line.trim() === "") this.#pop(here, false);
    const top = this.frames.at(-1) as Frame;
    if (top.filled && top.name !== "-") return this.#make("text", line, here, here);
    if (top.text) return this.#make("text", line, here, here);
    this.#container = top;
    const common = this.#make("text", line, Math.min(start, here), here);
    return {
      ...common,
      kind: "key",
      taken: top.keys,
      flow: false,
      hasColon: ownName !== undefined,
      listStart: top.name !== "-" && top.keys.size === 0,
    };
  }

  #quoted(line: string, open: number, here: number, quote: string): Place {
    const close = closeQuote(line, open, quote);
    const word = { start: this.base + this.#at + open + 1, end: this.base + this.#at + Math.max(close, here) };
    const inner = this.#flow.at(-1);
    return {
      kind: "value",
      path: this.#path(),
      word,
      typed: line.slice(open + 1, here),
      item: inner?.kind === "list",
      quoted: true,
    };
  }

  /** The template around the cursor, in any kind of text. */
  #template(line: string, here: number): TemplatePlace | undefined {
    const open = line.lastIndexOf("{{", here - 1);
    if (open < 0 || open + 2 > here || line.slice(open, here).includes("}}")) return undefined;
    const typed = /^\s*([A-Za-z0-9_-]*)$/.exec(line.slice(open + 2, here));
    if (!typed) return undefined;
    const rest = /^[A-Za-z0-9_-]*/.exec(line.slice(here))?.[0].length ?? 0;
    const word = typed[1] as string;
    return {
      kind: "template",
      path: this.#path(),
      word: { start: this.base + this.#at + here - word.length, end: this.base + this.#at + here + rest },
      typed: word,
      missing: "}}".slice(/^\s*(\}{0,2})/.exec(line.slice(here + rest))?.[1]?.length ?? 0),
    };
  }

  #make<Kind extends "comment" | "text">(
    kind: Kind,
    line: string,
    start: number,
    here: number,
  ): OtherPlace & { kind: Kind } {
    let end = here;
    while (end < line.length && WORD.test(line[end] as string) && line[end] !== ":") end++;
    const place = { start: this.base + this.#at + start, end: this.base + this.#at + end };
    return { kind, path: this.#path(), word: place, typed: line.slice(start, here) };
  }

  #path(): string[] {
    const block = this.frames.slice(1).map((each) => each.name);
    // Each collection in `{…}` and `[…]` adds the key it is the value of; a list item adds a dash.
    const flow: string[] = [];
    this.#flow.forEach((each) => {
      if (each.kind === "list") flow.push("-");
      else if (each.key !== undefined) flow.push(each.key);
    });
    return [...block, ...flow];
  }

  /** Leaves frames with at least the indentation of a line; a list may be at the same column as its key. */
  #pop(column: number, dash: boolean): void {
    while (this.frames.length > 1) {
      const top = this.frames.at(-1) as Frame;
      if (top.column < column || (dash && top.column === column && top.name !== "-")) return;
      this.frames.pop();
    }
  }
}

/** The column where a comment starts on a line, outside quotes, from a column on; -1 if there is none. */
function commentStart(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const character = line[at] as string;
    if (character === "#" && (at === 0 || /\s/.test(line[at - 1] as string))) return at;
    if ((character === '"' || character === "'") && at === from) at = closeQuote(line, at, character);
  }
  return -1;
}

/** The column of the closing quote, or the end of the line if there is none. */
function closeQuote(line: string, open: number, quote: string): number {
  for (let at = open + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at++;
    else if (line[at] === quote) {
      if (quote === "'" && line[at + 1] === "'") at++;
      else return at;
    }
  }
  return line.length;
}

function unquote(key: string): string {
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key;
}
