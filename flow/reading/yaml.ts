/** Reads a slice with `yaml`: any YAML, with exact places and all errors. The quick reader handles the common case. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLError } from "yaml";
import { briefly, type Span } from "../text";
import type { ListValue, MapValue, Pair, ScalarStyle, ScalarValue, Value } from "../values";
import { makeList, makeMap, makePair, makeScalar } from "../values";
import { tooDeepAt } from "./depth";
import type { ReadProblem } from "./problem";

/** A key and its value. Places in both are relative to the key's start, which is at `at` in the slice. */
export interface Item {
  readonly key: ScalarValue;
  readonly value: Value | undefined;
  readonly at: number;
  /** The child keys, each relative to itself, if `split` requested them. */
  readonly items?: readonly Item[];
}

/** A placeholder for an anchored value until aliases are resolved (aliases.ts). */
export interface AliasMark extends ScalarValue {
  readonly alias: string;
  /** Its place in the slice. */
  readonly at: number;
}

export interface Anchor {
  readonly name: string;
  readonly value: Value | undefined;
  /** The anchored value's place in the slice. */
  readonly span: Span;
}

export interface Reading {
  readonly items: readonly Item[];
  readonly problems: readonly ReadProblem[];
  readonly anchors: readonly Anchor[];
  readonly hasAliases: boolean;
  /** The outermost map is in flow style. */
  readonly isFlow?: boolean;
}

/** `yaml` reads about 3 MB per second; a longer piece would be noticeable at every keystroke. */
export const MAX_YAML_LENGTH = 256 * 1024;

/** `split` selects the keys whose children are returned as items. */
export function readYaml(text: string, split: (key: string) => boolean): Reading {
  if (text.length > MAX_YAML_LENGTH) return refuse({ start: 0, end: lineEnd(text) }, TOO_LONG);
  const deep = tooDeepAt(text);
  if (deep)
    return refuse({ start: deep.at, end: Math.min(deep.at + 1, text.length) }, deep.why === "deep" ? TOO_DEEP : STRAY);
  const parsed = parsedOf(text);
  if (!parsed) return refuse({ start: 0, end: lineEnd(text) }, TOO_DEEP);
  // YAML limits the length of keys, but these are read anyway: the platform may have such names, and `invalid-id`
  // reports their length.
  const errors = parsed.errors.filter(({ code }) => code !== "KEY_OVER_1024_CHARS");
  const problems = errors.slice(0, MAX_PROBLEMS).map((error): ReadProblem => {
    const start = Math.min(error.pos[0], text.length);
    return {
      code: "yaml-syntax",
      message: explain(error, text),
      span: { start, end: Math.min(Math.max(error.pos[1], start), text.length) },
    };
  });
  return new Conversion(text, problems).read(parsed.contents as Node | null, split);
}

/** A line of stray brackets gives as many errors; more than this isn't useful. */
const MAX_PROBLEMS = 50;

/** Undefined if the nesting is deeper than the estimate allowed. */
function parsedOf(text: string): Document.Parsed | undefined {
  // Every problem is an Error, and collecting unused stack traces would cost more than parsing.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, {
      uniqueKeys: false,
      keepSourceTokens: true,
      prettyErrors: false,
      logLevel: "silent",
    }) as Document.Parsed;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const TOO_LONG =
  "Too long to parse at once. Write `nodes` and `context_variables` as indented keys, and keep each node and variable short.";
const STRAY = "Too many consecutive brackets or quotes to parse. Quote the text.";
const TOO_DEEP = "Nested more than 64 levels deep. Reduce the nesting.";

function refuse(span: Span, message: string): Reading {
  return { items: [], problems: [{ code: "limit", message, span }], anchors: [], hasAliases: false };
}

interface SourceToken {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}

class Conversion {
  readonly #anchors: Anchor[] = [];
  #hasAliases = false;

  constructor(
    readonly text: string,
    readonly problems: ReadProblem[],
  ) {}

  read(root: Node | null, split: (key: string) => boolean): Reading {
    let items: Item[] = [];
    if (isMap(root)) items = this.#items(root.items as YamlPair[], split);
    else if (isScalar(root) && typeof root.value === "string" && root.value !== "") {
      const word = this.#word(root as Node);
      if (word) items = [word];
    } else if (root && !(isScalar(root) && root.value === null)) this.#complain(root.range?.[0] ?? 0, NO_KEYS);
    const isFlow = isMap(root) && Boolean(root.flow);
    return { items, problems: this.problems, anchors: this.#anchors, hasAliases: this.#hasAliases, isFlow };
  }

  /** A bare word in the place of a key is a half-typed key. */
  #word(root: Node): Item | undefined {
    const at = root.range?.[0] ?? 0;
    const key = this.#value(root, at);
    if (key?.kind !== "scalar" || this.text.slice(at, at + key.span.end).includes("\n")) {
      if (this.problems.length === 0) this.#complain(at, NO_KEYS);
      return undefined;
    }
    if (this.problems.length === 0) {
      const message = `\`${briefly(String(key.value))}\` looks like a key. Add a colon after it.`;
      this.problems.push({ code: "yaml-syntax", message, span: { start: at, end: at + key.span.end } });
    }
    return { key, value: undefined, at };
  }

  #complain(at: number, message: string): void {
    this.problems.push({ code: "yaml-syntax", message, span: { start: at, end: lineEnd(this.text, at) } });
  }

  /** `!important call`: without this, the first word would be lost. */
  #checkTag(tag: string | undefined, end: number): void {
    if (tag === undefined || tag.startsWith(CORE_TAG)) return;
    // The tag itself may be spelled in other ways, but each has an exclamation mark.
    let start = this.text.lastIndexOf("!", end);
    while (start > 0 && /[^\s[\]{},]/.test(this.text[start - 1] as string)) start--;
    const word = /^\S*/.exec(this.text.slice(start, end))?.[0] ?? "";
    const message = `YAML reads \`${briefly(word)}\` as a tag, so it isn't part of the text. Quote the text.`;
    this.problems.push({ code: "yaml-syntax", message, span: { start, end: start + word.length } });
  }

  /** Reports a pair whose key isn't a scalar, so it can't be stored. */
  #complainOfKey(pair: YamlPair, key: Value | undefined): void {
    const start = (key ? pair.key?.range?.[0] : colonOf(pair)) ?? pair.value?.range?.[0] ?? 0;
    if (this.problems.some(({ span }) => span.start === start)) return;
    this.#complain(start, key ? NO_WORD : NO_KEY);
  }

  #items(pairs: readonly YamlPair[], split: (key: string) => boolean): Item[] {
    return pairs.flatMap((pair): Item[] => {
      const at = pair.key?.range?.[0] ?? colonOf(pair) ?? 0;
      const key = pair.key ? this.#value(pair.key, at) : undefined;
      if (key?.kind !== "scalar") {
        this.#complainOfKey(pair, key);
        return [];
      }
      if (isMap(pair.value) && split(String(key.value))) {
        if (pair.value.anchor) this.#value(pair.value, at);
        const known = this.#anchors.length;
        const items = this.#items(pair.value.items as YamlPair[], () => false);
        if (pair.value.anchor) this.#anchors.length = known;
        const start = (items[0]?.at ?? pair.value.range?.[0] ?? at) - at;
        const value = makeMap([], Boolean(pair.value.flow), start, start);
        return [{ key, value, at, items }];
      }
      return [{ key, value: this.#value(pair.value, at), at }];
    });
  }

  #value(node: Node | null | undefined, base: number): Value | undefined {
    if (!node) return undefined;
    const range = node.range ?? [base, base, base];
    const span = { start: range[0] - base, end: range[1] - base };
    if (isAlias(node)) {
      this.#hasAliases = true;
      const mark: AliasMark = { kind: "scalar", value: null, style: "plain", span, alias: node.source, at: range[0] };
      return mark;
    }
    if (isScalar(node)) this.#checkTag(node.tag, range[0]);
    const anchor = (node as { anchor?: string }).anchor;
    // An anchor is registered where its value starts, so that an alias inside the value finds it.
    const index = anchor ? this.#anchors.push({ name: anchor, value: undefined, span: { start: 0, end: 0 } }) - 1 : -1;
    const value = isMap(node)
      ? this.#map(node.items as YamlPair[], Boolean(node.flow), span, base)
      : isSeq(node)
        ? this.#list(node.items as (Node | null)[], Boolean(node.flow), span, base)
        : isScalar(node)
          ? this.#scalar(node.value, node.type, span, base)
          : undefined;
    if (anchor) this.#anchors[index] = { name: anchor, value, span: { start: range[0], end: range[1] } };
    return value;
  }

  #map(items: readonly YamlPair[], flow: boolean, span: Span, base: number): MapValue {
    const pairs: Pair[] = [];
    for (const item of items) {
      const key = this.#value(item.key, base);
      const value = this.#value(item.value, base);
      if (key?.kind !== "scalar") {
        this.#complainOfKey(item, key);
        continue;
      }
      const colon = colonOf(item);
      const end = value?.span.end ?? (colon === undefined ? key.span.end : colon + 1 - base);
      pairs.push(makePair(key, value, end));
    }
    if (flow || pairs.length === 0) return makeMap(pairs, flow, span.start, span.end);
    return makeMap(pairs, flow, (pairs[0] as Pair).span.start, (pairs[pairs.length - 1] as Pair).span.end);
  }

  #list(nodes: readonly (Node | null)[], flow: boolean, span: Span, base: number): ListValue {
    const items = nodes.map((node): Value => {
      // `[a: b]` is a list of one map.
      if (node && (node as { key?: unknown }).key !== undefined && !("range" in node))
        return this.#map([node as unknown as YamlPair], true, span, base);
      const at = (node?.range?.[0] ?? span.end + base) - base;
      return this.#value(node, base) ?? makeScalar(null, "plain", at, at);
    });
    const last = items[items.length - 1];
    return makeList(items, flow, span.start, flow || !last ? span.end : Math.max(span.start, last.span.end));
  }

  #scalar(value: unknown, type: string | undefined, span: Span, base: number): ScalarValue | undefined {
    if (value === null && span.start === span.end) return undefined;
    const style = styles[type ?? ""] ?? "plain";
    const plain =
      value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    const isBlock = style === "literal" || style === "folded";
    const end = isBlock ? endOfBlock(this.text, base + span.start, base + span.end) - base : span.end;
    return makeScalar(plain ? value : String(value), style, span.start, end);
  }
}

const CORE_TAG = "tag:yaml.org,2002:";
const NO_KEY = "Expected a key before this colon. Write one, such as `instructions:`.";
const NO_WORD = "A key can't be a list or a map. If this is text, quote it.";
const NO_KEYS = "Expected keys, such as `entry:` and `nodes:`. Write each as `key: value`.";

interface YamlPair {
  readonly key: Node | null;
  readonly value: Node | null;
  readonly srcToken?: { readonly sep?: readonly SourceToken[] };
}

function colonOf(pair: YamlPair): number | undefined {
  return pair.srcToken?.sep?.find((token) => token.type === "map-value-ind")?.offset;
}

const styles: Record<string, ScalarStyle> = {
  QUOTE_SINGLE: "single",
  QUOTE_DOUBLE: "double",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

/** The end of a block scalar without trailing line breaks and blank lines. */
export function endOfBlock(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) === 10) {
    at--;
    if (text.charCodeAt(at - 1) === 13) at--;
    let blank = at;
    while (blank > start && (text.charCodeAt(blank - 1) === 32 || text.charCodeAt(blank - 1) === 9)) blank--;
    if (text.charCodeAt(blank - 1) === 10) at = blank;
  }
  return at;
}

function lineEnd(text: string, from = 0): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : text.charCodeAt(end - 1) === 13 ? Math.max(from, end - 1) : end;
}

/** Explains errors of `yaml` in plain words, with a fix. */
function explain(error: YAMLError, text: string): string {
  const at = error.pos[0];
  const written = excerpt(text, at);
  switch (error.code) {
    case "MISSING_CHAR":
      if (/closing "/.test(error.message))
        return "Unterminated double-quoted string. Add the closing quote, or remove this one.";
      if (/closing '/.test(error.message))
        return "Unterminated single-quoted string. Add the closing quote, and write an apostrophe inside as `''`.";
      if (/map values/.test(error.message)) return `${written}looks like a key. Add a colon after it.`;
      if (/Comments must/.test(error.message))
        return "A comment needs a space before `#`. Add one, or quote the text if `#` is part of it.";
      if (/leading empty lines/.test(error.message))
        return "The leading empty lines are indented more than the text. Remove their spaces.";
      if (/explicit indentation/.test(error.message))
        return "The first lines of this text have different indentation. Indent them equally.";
      if (/flow (map|sequence|collection)|\]|\}|,/.test(error.message))
        return "Missing comma or closing bracket in this `[…]` or `{…}`.";
      return "Missing colon, comma, quote, or bracket.";
    case "BAD_INDENT": {
      const closing = /must be sufficiently indented and end with a ([\]}])/.exec(error.message)?.[1];
      if (closing !== undefined && text[at] !== closing)
        return `The \`${closing === "]" ? "[" : "{"}\` before this isn't closed. Add \`${closing}\`.`;
      if (/Flow end|flow collection/i.test(error.message))
        return "The closing bracket isn't indented enough. Indent it more than its key.";
      if (/Block scalar/.test(error.message)) return "This text isn't indented enough. Indent it more than its key.";
      return "Inconsistent indentation. Align this line with the lines it belongs to.";
    }
    case "TAB_AS_INDENT":
      return "YAML doesn't allow tabs for indentation. Use spaces.";
    case "BLOCK_AS_IMPLICIT_KEY":
      // The second key is on this line, or on the next line below this text.
      return /:(?:\s|$)/.test(text.slice(at, lineEnd(text, at)))
        ? 'Unexpected second colon on this line. Quote the text: `"…: …"`.'
        : "The next line is indented too deep for a key below this text. Indent the lines of both keys equally.";
    case "BLOCK_IN_FLOW":
      return "Indented lists and texts aren't allowed inside `[…]` and `{…}`. Use brackets and quotes.";
    case "MULTILINE_IMPLICIT_KEY":
      return `${written}has no colon. Add a colon after the key, or indent the line if it belongs to the text above.`;
    case "BAD_SCALAR_START":
      return `An unquoted text can't start with \`${text[at] ?? ""}\`. Quote the text.`;
    case "BAD_DQ_ESCAPE":
      return `\`${text.slice(at, at + 2)}\` isn't a valid escape in double quotes. Double the backslash, or use single quotes.`;
    case "BAD_ALIAS":
      return "An anchor or alias needs a name, such as `&base` or `*base`.";
    case "ALIAS_PROPS":
      return "An alias can't have an anchor or a tag. Remove it.";
    case "MULTIPLE_ANCHORS":
      return "A value can have only one anchor. Remove the others.";
    case "MULTIPLE_TAGS":
      return "A value can have only one tag. Remove the others.";
    case "TAG_RESOLVE_FAILED":
      return "The tag doesn't match its value. Remove the tag.";
    case "BAD_PROP_ORDER":
      return "Anchors and tags go between the colon and the value, on the same line.";
    case "BAD_COLLECTION_TYPE":
      return "The tag doesn't match its value. Remove the tag.";
    case "MULTIPLE_DOCS":
      return "A flow file must be a single YAML document. Remove this line, or move the rest to another file.";
    case "BAD_DIRECTIVE":
      return "Unknown directive. Remove this line.";
    case "UNEXPECTED_TOKEN":
      return unexpected(error.message, written);
    case "RESOURCE_EXHAUSTION":
      return "Nested too deeply. Reduce the nesting.";
    default:
      return `${written}can't be parsed here. Check the quotes, brackets, colons, and indentation around it.`;
  }
}

function unexpected(message: string, written: string): string {
  if (/block scalar header/i.test(message))
    return "Text after `|` or `>` must start on the next line. Move it there and indent it.";
  if (/flow-(map|seq)-end|\]|\}/.test(message)) return "Unmatched closing bracket. Remove it, or quote the text.";
  if (/seq-item-ind|block-seq/.test(message))
    return "A list item (`- `) can't start here. Move it to its own line below the key.";
  return `${written}isn't allowed here. Check the quotes, brackets, and indentation around it, and quote text with special characters.`;
}

/** The text at a place, short enough for a sentence. */
function excerpt(text: string, at: number): string {
  const word = /^[^\s]{1,40}/.exec(text.slice(at, at + 40))?.[0];
  return word ? `\`${word}\` ` : "This ";
}
