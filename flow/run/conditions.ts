/**
 * What a `when` says, for rules, runs and policies alike. A condition is a tree of clauses that are decided offline and of
 * prose that is left to the model. Reading never fails: what isn't a clause is prose. `docs/testing-flows.md` has the
 * table of clauses.
 */
import { TEMPLATE } from "../grammar";
import type { Span } from "../text";

/** True, false, or undefined where only a model can tell. */
export type Truth = boolean | undefined;

export type Condition = Clause | Prose | Not | Joined;

/** A comparison of one variable. Places are offsets in the text of the condition, here and below. */
export interface Clause {
  readonly kind: "clause";
  readonly span: Span;
  readonly variable: string;
  readonly test: ClauseTest;
}

export type ClauseTest =
  | { readonly kind: "known"; readonly negated: boolean }
  /** Equal to one of the literals. */
  | { readonly kind: "equals"; readonly negated: boolean; readonly literals: readonly Literal[] }
  | { readonly kind: "compares"; readonly operator: "<" | "<=" | ">" | ">="; readonly number: number };

export interface Literal {
  /** As written, without its quotes. */
  readonly text: string;
  /** Set where it is written as a number, without quotes. */
  readonly number?: number;
  /** The place of the text inside the quotes. */
  readonly span: Span;
}

/** Prose, which the model decides. */
export interface Prose {
  readonly kind: "prose";
  readonly span: Span;
  readonly reason: string;
  /** Text in it that looks like a comparison (`if {{plan}} is gold`), for the typo rules. */
  readonly comparisons: readonly Comparison[];
}

export interface Comparison {
  readonly variable: string;
  readonly literal: Literal;
  /** Quoted, a number, or after `==`, `!=` or `=`: it can only be a value. */
  readonly certain: boolean;
}

export interface Not {
  readonly kind: "not";
  readonly span: Span;
  readonly part: Condition;
}

export interface Joined {
  readonly kind: "and" | "or";
  readonly span: Span;
  readonly parts: readonly Condition[];
}

export const ALWAYS_TRUE: Condition = { kind: "and", span: { start: 0, end: 0 }, parts: [] };
export const NEVER_TRUE: Condition = { kind: "or", span: { start: 0, end: 0 }, parts: [] };

/** The values an enumerated variable may take; undefined for any other variable. */
export type ValuesOf = (variable: string) => readonly string[] | undefined;

export function readCondition(text: string, valuesOf: ValuesOf = () => undefined): Condition {
  return new Reader(text, valuesOf).read();
}

/** Kleene's logic: prose is unknown, and the rest may decide all the same. */
export function evaluate(condition: Condition, value: (variable: string) => unknown): Truth {
  return evaluateBy(condition, ({ variable, test }) => holds(test, value(variable)));
}

/** The same with another way to decide a clause. */
export function evaluateBy(condition: Condition, decide: (clause: Clause) => Truth): Truth {
  switch (condition.kind) {
    case "prose":
      return undefined;
    case "clause":
      return decide(condition);
    case "not": {
      const truth = evaluateBy(condition.part, decide);
      return truth === undefined ? undefined : !truth;
    }
    default: {
      // `and` is decided by a false part, `or` by a true one.
      const deciding = condition.kind === "or";
      let truth: Truth = !deciding;
      for (const part of condition.parts) {
        const each = evaluateBy(part, decide);
        if (each === deciding) return deciding;
        if (each === undefined) truth = undefined;
      }
      return truth;
    }
  }
}

/** Whether a clause holds for a value; undefined and null are no value. */
export function holds(test: ClauseTest, value: unknown): boolean {
  const unset = value === undefined || value === null;
  switch (test.kind) {
    case "known":
      return unset === test.negated;
    case "equals":
      return (!unset && test.literals.some((literal) => equalsLiteral(value, literal))) !== test.negated;
    case "compares":
      return typeof value === "number" && compares(value, test.operator, test.number);
  }
}

/** Two numbers compare by value, everything else by its exact text. */
export function equalsLiteral(value: unknown, literal: Literal): boolean {
  if (typeof value === "number" && literal.number !== undefined) return value === literal.number;
  return typeof value === "object" ? false : String(value) === literal.text;
}

function compares(value: number, operator: "<" | "<=" | ">" | ">=", number: number): boolean {
  if (operator === "<") return value < number;
  if (operator === "<=") return value <= number;
  return operator === ">" ? value > number : value >= number;
}

/** The clauses and the prose of a condition, in the order of the text. */
export function partsOf(condition: Condition): (Clause | Prose)[] {
  if (condition.kind === "clause" || condition.kind === "prose") return [condition];
  return condition.kind === "not" ? partsOf(condition.part) : condition.parts.flatMap(partsOf);
}

/** Deeper nesting is read as prose, so that no text can exhaust the stack. */
const MAX_DEPTH = 50;

const VARIABLE = new RegExp(String.raw`${TEMPLATE}\s*`, "y");
const KNOWN = /is\s+(?:(not\s+)?(known|unknown|missing)|(not\s+)?(set))(?![\p{L}\p{N}_'-])/iuy;
const ONE_OF = /is\s+(not\s+)?one\s+of\s+/iuy;
const EQUALS = /(?:is\s+(not)|is|equals)\s+|(==|!=|=)\s*/iuy;
const COMPARES = /(<=|>=|<|>)\s*/y;
const NUMBER = /[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?/iuy;
const SEPARATOR = /\s*(?:,\s*or(?![\p{L}\p{N}_'-])|,|\sor(?![\p{L}\p{N}_'-]))\s*/iuy;
const JOIN = /(and|or)(?=$|[\s({])/iuy;
const JOIN_STARTS = new Set([..."aAoO"].map((letter) => letter.charCodeAt(0)));
const NEGATION = /not(?=[\s({])\s*/iuy;
const WORD = /[\p{L}\p{N}_'-]/u;
const COMPARED = new RegExp(
  String.raw`${TEMPLATE}\s*(?:(?:is\s+not|isn't|is|equals)\s+|(==|!=|=)\s*)(?:"([^"]*)"|'([^']*)'|([\p{L}\p{N}_-]+))`,
  "giu",
);

/** What was read at a place, and where it ends. */
interface Read<What> {
  readonly what: What;
  readonly end: number;
}

class Reader {
  readonly #end: number;
  /** The end of the quotation or parenthesis that starts at an offset. */
  readonly #quotes = new Map<number, number>();
  readonly #groups = new Map<number, number>();
  #at = 0;
  #depth = 0;

  constructor(
    readonly text: string,
    readonly valuesOf: ValuesOf,
  ) {
    const trimmed = text.trimEnd();
    this.#end = trimmed.endsWith(".") ? trimmed.slice(0, -1).trimEnd().length : trimmed.length;
    this.#pairUp();
  }

  read(): Condition {
    this.#skipBlanks();
    if (this.#at >= this.#end)
      return { kind: "prose", span: { start: 0, end: this.#end }, reason: "The condition is empty.", comparisons: [] };
    return this.#or(this.#end);
  }

  /**
   * Finds quotations and parentheses in one pass. An apostrophe inside a word isn't a quote; an unpaired one is a
   * letter.
   */
  #pairUp(): void {
    const open: number[] = [];
    const hopeless = new Set<string>();
    for (let at = 0; at < this.#end; at++) {
      const letter = this.text[at] as string;
      if (letter === "(") open.push(at);
      else if (letter === ")") {
        const start = open.pop();
        if (start !== undefined) this.#groups.set(start, at + 1);
      } else if ((letter === '"' || letter === "'") && !hopeless.has(letter) && !this.#isWord(at - 1)) {
        let end = at;
        do end = this.text.indexOf(letter, end + 1);
        while (end >= 0 && end < this.#end && this.#isWord(end + 1));
        if (end < 0 || end >= this.#end) hopeless.add(letter);
        else {
          this.#quotes.set(at, end + 1);
          at = end;
        }
      }
    }
  }

  #or(end: number): Condition {
    return this.#joined("or", end, () => this.#joined("and", end, () => this.#part(end)));
  }

  #joined(kind: "and" | "or", end: number, read: () => Condition): Condition {
    const parts = [read()];
    while (this.#at < end && this.#joinAt(this.#at) === kind) {
      this.#at += kind.length;
      parts.push(read());
    }
    const [first] = parts as [Condition];
    if (parts.length === 1) return first;
    return { kind, span: { start: first.span.start, end: (parts.at(-1) as Condition).span.end }, parts };
  }

  /** A clause, a group, a negation of one, or prose. Afterwards the reader is at a join or at the end. */
  #part(end: number): Condition {
    this.#skipBlanks();
    const start = this.#at;
    let negated = false;
    for (let not = this.#match(NEGATION, this.#at); not; not = this.#match(NEGATION, this.#at)) {
      negated = !negated;
      this.#at += not[0].length;
    }
    const part = this.#group(end) ?? this.#clause(end) ?? this.#prose(start, end);
    // Prose keeps its own `not`: it's unknown either way.
    return negated && part.kind !== "prose" ? { kind: "not", span: { start, end: part.span.end }, part } : part;
  }

  #group(end: number): Condition | undefined {
    const start = this.#at;
    const close = this.#groups.get(start) ?? end + 1;
    if (close > end || this.#depth >= MAX_DEPTH || !this.#isPartEnd(close, end)) return undefined;
    this.#at = start + 1;
    this.#depth++;
    const inside = this.#or(close - 1);
    this.#depth--;
    this.#at = close;
    this.#skipBlanks();
    return { ...inside, span: { start, end: close } };
  }

  #clause(end: number): Condition | undefined {
    const start = this.#at;
    const variable = this.#match(VARIABLE, start);
    if (!variable) return undefined;
    const [braces, name = ""] = variable;
    const from = start + braces.length;
    const values = this.valuesOf(name);
    const read = this.#known(from, end) ?? this.#oneOf(from, end, values) ?? this.#comparison(from, end, values);
    if (!read) return this.#prose(start, end, name);
    this.#at = read.end;
    const span = { start, end: read.end };
    this.#skipBlanks();
    return { kind: "clause", span, variable: name, test: read.what };
  }

  #known(from: number, end: number): Read<ClauseTest> | undefined {
    const match = this.#match(KNOWN, from);
    if (!match || !this.#isPartEnd(from + match[0].length, end)) return undefined;
    const means = (match[2] ?? match[4] ?? "").toLowerCase();
    const isNot = match[1] !== undefined || match[3] !== undefined;
    const negated = (means === "known" || means === "set") === isNot;
    return { what: { kind: "known", negated }, end: from + match[0].length };
  }

  #oneOf(from: number, end: number, values: readonly string[] | undefined): Read<ClauseTest> | undefined {
    const match = this.#match(ONE_OF, from);
    if (!match) return undefined;
    const literals: Literal[] = [];
    let at = from + match[0].length;
    let last = at;
    for (let next = this.#literal(at, values); next && next.end <= end; next = this.#literal(at, values)) {
      literals.push(next.what);
      last = next.end;
      const separator = this.#match(SEPARATOR, last);
      if (!separator) break;
      at = last + separator[0].length;
    }
    if (literals.length === 0 || !this.#isPartEnd(last, end)) return undefined;
    return { what: { kind: "equals", negated: match[1] !== undefined, literals }, end: last };
  }

  #comparison(from: number, end: number, values: readonly string[] | undefined): Read<ClauseTest> | undefined {
    const equals = this.#match(EQUALS, from);
    if (equals) {
      const read = this.#equalTo(from + equals[0].length, end, values, Boolean(equals[1]) || equals[2] === "!=");
      if (read || !equals[1]) return read;
      // `is not sure`, where "not sure" is a value.
      const is = /is\s+/iy.exec(this.text.slice(from)) as RegExpExecArray;
      return this.#equalTo(from + is[0].length, end, values, false);
    }
    const compares = this.#match(COMPARES, from);
    const at = from + (compares?.[0].length ?? 0);
    const number = compares && this.#match(NUMBER, at);
    if (!number || !this.#isPartEnd(at + number[0].length, end)) return undefined;
    const operator = compares[1] as "<";
    return { what: { kind: "compares", operator, number: Number(number[0]) }, end: at + number[0].length };
  }

  #equalTo(at: number, end: number, values: readonly string[] | undefined, negated: boolean) {
    const literal = this.#literal(at, values);
    if (!literal || literal.end > end || !this.#isPartEnd(literal.end, end)) return undefined;
    return { what: { kind: "equals", negated, literals: [literal.what] } as const, end: literal.end };
  }

  /** A quoted text, or the longest of: a number, true, false, a value of the variable. */
  #literal(at: number, values: readonly string[] | undefined): Read<Literal> | undefined {
    const quoted = this.#quotes.get(at);
    if (quoted !== undefined) {
      const span = { start: at + 1, end: quoted - 1 };
      return { what: { text: this.text.slice(span.start, span.end), span }, end: quoted };
    }
    const number = this.#match(NUMBER, at)?.[0] ?? "";
    const fits = (word: string) => this.text.startsWith(word, at) && !this.#isWord(at + word.length);
    let text = fits(number) ? number : "";
    for (const word of ["true", "false", ...(values ?? [])]) if (word.length > text.length && fits(word)) text = word;
    if (text === "" || at + text.length > this.#end) return undefined;
    const span = { start: at, end: at + text.length };
    return { what: text === number ? { text, number: Number(text), span } : { text, span }, end: span.end };
  }

  /** Everything up to the next join outside quotes and parentheses. */
  #prose(start: number, end: number, variable?: string): Prose {
    let at = start;
    const isPlain = this.#quotes.size === 0 && this.#groups.size === 0;
    while (at < end) {
      const after = isPlain ? undefined : (this.#quotes.get(at) ?? this.#groups.get(at));
      if (after !== undefined && after <= end) at = after;
      else if (at > start && this.#joinAt(at)) break;
      else at++;
    }
    this.#at = at;
    const text = this.text.slice(start, at).trimEnd();
    const comparisons = text.includes("{{")
      ? [...text.matchAll(COMPARED)].map((match) => comparison(match, start))
      : [];
    const reason = variable === undefined ? "It's prose." : this.#whyNoClause(start, text, variable, comparisons);
    return { kind: "prose", span: { start, end: start + text.length }, reason, comparisons };
  }

  #whyNoClause(start: number, text: string, variable: string, [first]: readonly Comparison[]): string {
    if (text.indexOf("{{", 2) > 0) return "It compares two variables.";
    if (!first) return `What it says of "${variable}" isn't a comparison.`;
    const values = this.valuesOf(variable);
    const words = text.slice(first.literal.span.start - start);
    if (first.certain || values?.includes(first.literal.text)) return `More words follow "${first.literal.text}".`;
    return values
      ? `"${words}" isn't a value of "${variable}".`
      : `"${words}" is neither quoted nor a number, and "${variable}" has no enum_values.`;
  }

  #isPartEnd(at: number, end: number): boolean {
    let next = at;
    while (next < end && /\s/.test(this.text[next] as string)) next++;
    return next >= end || this.#joinAt(next) !== undefined;
  }

  /** The word that joins two parts at an offset, if there is one. */
  #joinAt(at: number): "and" | "or" | undefined {
    // Asked at every letter of thousands of conditions.
    if (!JOIN_STARTS.has(this.text.charCodeAt(at))) return undefined;
    if (at > 0 && !/[\s)"'}]/.test(this.text[at - 1] as string)) return undefined;
    return this.#match(JOIN, at)?.[1]?.toLowerCase() as "and" | "or" | undefined;
  }

  #skipBlanks(): void {
    while (this.#at < this.#end && /\s/.test(this.text[this.#at] as string)) this.#at++;
  }

  #isWord(at: number): boolean {
    return at >= 0 && at < this.#end && WORD.test(this.text[at] as string);
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }
}

function comparison(match: RegExpExecArray, base: number): Comparison {
  const [whole, variable = "", operator, double, single, bare] = match;
  const text = double ?? single ?? bare ?? "";
  const end = base + match.index + whole.length - (bare === undefined ? 1 : 0);
  const certain = bare === undefined || operator !== undefined || /^\d+$/.test(bare);
  return { variable, literal: { text, span: { start: end - text.length, end } }, certain };
}
