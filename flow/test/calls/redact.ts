/**
 * Redacts a call for use in a test. A list of what to remove can't be complete, so only text that the flow itself
 * contains is kept, and everything else is replaced by a placeholder of the same shape. Conditions evaluate the same
 * for a placeholder as for the value, so the run stays the same.
 */
import { type ClauseTest, equalsLiteral, holds } from "../../run/conditions";
import type { Program } from "../../run/program";
import { pairOf, textOf, toData } from "../../values";
import { clausesIn, valuesFor } from "../generate/candidates";
import { determiners, functionWords, introductions, neverWords, shortAnswers } from "./function-words";

/** Longer strings are truncated: they are prose, and their length doesn't matter to a test. */
const LONGEST = 60;
const LONGEST_SAID = 400;

/** How many placeholders of a shape are tried until one fits. */
const TRIES = 200;

export class Redaction {
  /** Placeholders by value, so that the same value has the same one everywhere. */
  readonly #standIns = new Map<string, unknown>();
  readonly #used = new Set<string>();
  readonly #clauses: ReadonlyMap<string, readonly ClauseTest[]>;
  /** Words that the flow writes in lower case, since others are names or start a sentence; and names in paths of `saves`. */
  readonly #words: ReadonlySet<string>;
  readonly #keys: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;

  constructor(
    private readonly program: Program,
    /** The caller's names on the platform, which are always replaced, even if the flow contains them. */
    names: readonly string[] = [],
  ) {
    const clauses = new Map<string, ClauseTest[]>();
    for (const { variable, test } of clausesIn(program))
      clauses.set(variable, [...(clauses.get(variable) ?? []), test]);
    this.#clauses = clauses;
    this.#names = new Set(wordsIn(names.join(" ")).map((word) => word.toLowerCase()));
    this.#words = new Set(wordsIn(program.document.text).filter((word) => /^[^\p{N}\p{Lu}]+$/u.test(word)));
    const paths = [...program.nodes.values()].flatMap(({ saves }) => saves.flatMap(({ path }) => path ?? []));
    this.#keys = new Set(paths.map(String));
  }

  /** The value of a variable, or its placeholder. */
  value(variable: string, value: unknown): unknown {
    if (typeof value === "boolean" || value === null || value === undefined) return value;
    if (Array.isArray(value)) return value.map((item) => this.value(variable, item));
    if (typeof value === "object")
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          this.#keys.has(key) ? key : String(this.value("", key)),
          this.value(key, item),
        ]),
      );
    if ((typeof value !== "string" && typeof value !== "number") || this.#isOfTheFlow(variable, value)) return value;
    const tests = this.#clauses.get(variable) ?? [];
    const key = JSON.stringify([tests.length > 0 ? variable : "", typeof value, value]);
    if (!this.#standIns.has(key)) this.#standIns.set(key, this.#standIn(variable, value, tests));
    return this.#standIns.get(key);
  }

  /** What the caller said, a line for each turn: keeps function words, and nouns that the flow contains. */
  text(text: string): string {
    const said = text.slice(0, 4 * LONGEST_SAID);
    const tokens = [...said.matchAll(/[\p{L}\p{N}\p{M}'’]+|[.,?!\n]/gu)].map(([token]) => token.replaceAll("’", "'"));
    const kept = sentencesOf(tokens).flatMap((sentence) => this.#keptIn(sentence));
    const joined = kept.reduce((whole, token) => {
      if (token === "\n") return whole;
      if (isMark(token)) return whole === "" || /[.,?!]$/.test(whole) ? whole : whole + token;
      if (token === "…" && whole.endsWith("…")) return whole;
      return whole === "" ? token : `${whole} ${token}`;
    }, "");
    if (!/\p{L}/u.test(joined)) return "";
    return joined.length > LONGEST_SAID ? `${joined.slice(0, LONGEST_SAID - 1).trimEnd()}…` : joined;
  }

  #keptIn(sentence: readonly string[]): string[] {
    const isShort = sentence.filter((token) => !isMark(token)).length <= 2;
    let isIntroduced = false;
    return sentence.map((token, index) => {
      if (isMark(token)) {
        isIntroduced = false;
        return token;
      }
      const lower = token.toLowerCase();
      const mayBeName = isIntroduced || (isShort && !shortAnswers.has(lower));
      isIntroduced ||= introductions.has(lower);
      // Single letters in a row spell something.
      const isSpelled = isLetter(token) && (isLetter(sentence[index - 1]) || isLetter(sentence[index + 1]));
      return !mayBeName && !isSpelled && this.#isKept(token, sentence[index - 1]) ? token : "…";
    });
  }

  /** A capitalized word may be a name ("Can", "An"), unless it starts a sentence. */
  #isKept(token: string, before: string | undefined): boolean {
    const lower = token.toLowerCase();
    if (neverWords.has(lower) || this.#names.has(lower)) return false;
    if (functionWords.has(lower)) return before === undefined || token === lower || /^I(?:'|$)/.test(token);
    return this.#words.has(token) && before !== undefined && determiners.has(before.toLowerCase());
  }

  /** Whether the flow lists the value or compares with it. */
  #isOfTheFlow(variable: string, value: string | number): boolean {
    const listed = pairOf(this.program.document.variable(variable)?.value, "enum_values")?.value;
    if (listed?.kind === "list" && listed.items.map(toData).includes(value)) return true;
    return (this.#clauses.get(variable) ?? []).some(
      (test) => test.kind === "equals" && test.literals.some((literal) => equalsLiteral(value, literal)),
    );
  }

  #standIn(variable: string, value: string | number, tests: readonly ClauseTest[]): unknown {
    const truth = (each: unknown) => tests.map((test) => Number(holds(test, each))).join("");
    const wanted = truth(value);
    const fits = (each: unknown) =>
      each !== value && truth(each) === wanted && !shares(String(each), String(value)) && !this.#used.has(String(each));
    for (let number = 0; number < TRIES; number++) {
      const text = this.#shaped(variable, String(value), number);
      const made = typeof value === "number" ? Number(text) : text;
      if (!fits(made)) continue;
      this.#used.add(String(made));
      return made;
    }
    if (tests.length === 0) return typeof value === "number" ? 0 : "…";
    // Conditions may allow few values; a value that they determine reveals only the flow.
    const clauses = clausesIn(this.program).filter((clause) => clause.variable === variable);
    const others = valuesFor(this.program, variable, clauses, 0).filter((each) => typeof each === typeof value);
    const near = typeof value === "number" ? [value + 0.5, value - 0.5, value + 0.25, value - 0.25] : [];
    return [...others, ...near].find((each) => each !== value && truth(each) === wanted) ?? value;
  }

  /** Another text with digits for digits and letters for letters. */
  #shaped(variable: string, value: string, number: number): string {
    const type = textOf(this.program.document.variable(variable)?.fields.get("type")?.value);
    if (type === "date" || /^\d{4}-\d\d-\d\d$/.test(value))
      return new Date(Date.UTC(2026, 0, 15 + number)).toISOString().slice(0, 10);
    return shaped(value, number);
  }
}

/** A placeholder reveals nothing but the shape of a value: its characters depend on their positions and on `number`. */
function shaped(value: string, number: number): string {
  let at = number;
  const signs = [...value.normalize("NFC").replace(/\p{M}/gu, "")].slice(0, LONGEST).map((sign, index) => {
    if (/\p{N}/u.test(sign)) return digitAt(number, index);
    // Consecutive letters are easy to read; a long text may need others to differ everywhere.
    const letter = number < 26 ? at % 26 : scattered(number, index) % 26;
    if (/\p{L}/u.test(sign)) at++;
    if (/\p{Lu}/u.test(sign)) return String.fromCharCode(65 + letter);
    if (/\p{L}/u.test(sign)) return String.fromCharCode(97 + letter);
    return /^[\x20-\x7e]$/.test(sign) ? sign : /\s/u.test(sign) ? " " : ".";
  });
  return signs.join("");
}

/** A number doesn't start with 0. */
function digitAt(number: number, index: number): string {
  return String(index === 0 ? 1 + (scattered(number, index) % 9) : scattered(number, index) % 10);
}

/** Spreads the characters, so that one of many tries differs from the value at every position. */
function scattered(number: number, index: number): number {
  return Math.imul(Math.imul(number + 1, 0x9e3779b1) ^ (index + 1), 0x85ebca6b) >>> 16;
}

/**
 * Whether two strings have an equal letter or digit at the same position, an equal word, or three equal characters in a
 * row.
 */
function shares(a: string, b: string): boolean {
  const [one, other] = [a, b].map((each) => each.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")) as [string, string];
  const signs = [...b.toLowerCase()];
  if ([...a.toLowerCase()].some((sign, at) => sign === signs[at] && /[\p{L}\p{N}]/u.test(sign))) return true;
  const words = new Set(wordsIn(b.toLowerCase()));
  if (wordsIn(a.toLowerCase()).some((word) => words.has(word))) return true;
  const length = Math.min(3, one.length, other.length);
  if (length === 0) return false;
  for (let at = 0; at + length <= one.length; at++) if (other.includes(one.slice(at, at + length))) return true;
  return false;
}

function isMark(token: string): boolean {
  return /^[.,?!\n]$/.test(token);
}

function isLetter(token: string | undefined): boolean {
  return token !== undefined && /^\p{L}$/u.test(token);
}

/** Each with the mark that ends it. */
function sentencesOf(tokens: readonly string[]): string[][] {
  const sentences: string[][] = [[]];
  for (const token of tokens) {
    sentences.at(-1)?.push(token);
    if (/^[.?!\n]$/.test(token)) sentences.push([]);
  }
  return sentences;
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? [];
}
