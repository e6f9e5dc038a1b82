/**
 * Takes what tells of a person out of the words and values of a call: names, phone numbers, emails, identifiers. The same
 * thing becomes the same stand-in everywhere, and values that conditions ask about stay, so the run stays the same.
 */
import { UUID } from "../grammar";
import { partsOf } from "../run/conditions";
import type { Program } from "../run/program";
import { pairOf, textOf, toData } from "../values";

/** What a call itself says of the person and of its own identity. */
export interface CallPerson {
  readonly names: readonly string[];
  readonly phones: readonly string[];
  readonly emails: readonly string[];
  readonly ids: readonly string[];
}

const NAMES = ["Alex", "Morgan", "Robin", "Kim", "Jamie", "Casey"];
const EMAIL = /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const SPOKEN_EMAIL =
  /[\p{L}\p{N}._-]+(?:\s+(?:dot|underscore|dash)\s+[\p{L}\p{N}._-]+)*\s+at\s+[\p{L}\p{N}-]+(?:\s+dot\s+\p{L}+)+/giu;
const ADDRESS = /https?:\/\/\S+/gi;
const UUIDS = new RegExp(String.raw`\b${UUID}\b`, "gi");
/** Three digits and more, however they are set apart; and codes of letters and digits. */
const DIGITS = /\+?\(?\d(?:[\s().,/-]{0,2}\d){2,}/g;
const CODE = /\b(?=[\p{L}\d-]*\d{2})(?=[\p{L}\d-]*\p{L})[\p{L}\d]+(?:-[\p{L}\d]+)*\b/gu;
const DIGIT_WORD = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)";
const SPOKEN_DIGITS = new RegExp(`\\b${DIGIT_WORD}(?:[\\s,-]+${DIGIT_WORD}){2,}\\b`, "gi");
const LONGEST = 400;

/** One sign for each stand-in while the rest of a text is looked through; none of them is a letter or a digit. */
const SIGNS = /[\uE000-\uF8FF]/g;
const FIRST_SIGN = 0xe000;
const MOST_SIGNS = 0xf8ff - FIRST_SIGN;

export class Redaction {
  readonly #standIns = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly program: Program,
    { names, phones, emails, ids }: CallPerson,
    variables: ReadonlyMap<string, unknown>,
  ) {
    for (const name of names) this.#name(name);
    for (const phone of phones) this.#put(phone, "+1 555 0100");
    for (const email of emails) this.#put(email, "caller@example.com");
    for (const id of ids) this.#put(id, this.#identifier(id));
    for (const [name, value] of variables) this.value(name, value);
  }

  /** The value of a variable, or what stands for it. */
  value(variable: string, value: unknown): unknown {
    if (typeof value === "boolean" || value === null || value === undefined || this.#isAskedAbout(variable, value))
      return value;
    if (typeof value === "number")
      return Math.abs(value) < 10_000 ? value : Number(this.#standIn(variable, String(value)));
    if (typeof value === "string") return this.#standIn(variable, value);
    if (Array.isArray(value)) return value.map((item) => this.value(variable, item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.value(key, item)]));
  }

  /** One line of text. */
  text(text: string): string {
    const made: string[] = [];
    const keep = (standIn: string) =>
      made.length < MOST_SIGNS ? String.fromCharCode(FIRST_SIGN + made.push(standIn) - 1) : "…";
    let line = text.slice(0, 10 * LONGEST).replace(SIGNS, "");
    const known = [...this.#standIns].sort(([a], [b]) => b.length - a.length);
    for (const [original, standIn] of known) line = line.replace(wholeWords(original), () => keep(standIn));
    line = line
      .replace(ADDRESS, () => keep("https://example.com"))
      .replace(EMAIL, () => keep("caller@example.com"))
      .replace(SPOKEN_EMAIL, () => keep("caller at example dot com"))
      .replace(UUIDS, () => keep("an ID"))
      .replace(SPOKEN_DIGITS, () => keep("one two three"))
      .replace(CODE, (found) => keep(counted(found.replace(/\p{L}/gu, "X"))))
      .replace(DIGITS, (found) => keep(counted(found)))
      .replace(SIGNS, (sign) => made[sign.charCodeAt(0) - FIRST_SIGN] ?? "");
    line = line.replace(/\s+/g, " ").trim();
    return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).trimEnd()}…` : line;
  }

  #name(name: string): void {
    // Each part may be spoken alone.
    const parts = name.split(/[\s,]+/).filter((part) => part.length > 1);
    for (const part of parts) this.#put(part, NAMES[this.#count("name") % NAMES.length] as string);
    if (parts.length > 1) this.#put(name, parts.map((part) => this.#standIns.get(part.toLowerCase())).join(" "));
  }

  #standIn(variable: string, value: string): string {
    const text = value.trim();
    const known = this.#standIns.get(text.toLowerCase());
    if (known !== undefined || text === "") return known ?? value;
    const type = textOf(this.program.document.variable(variable)?.fields.get("type")?.value);
    if (type === "date" || /^\d{4}-\d\d-\d\d/.test(text)) this.#put(text, "2026-01-15");
    else if (text.search(EMAIL) === 0) this.#put(text, "caller@example.com");
    else if (/name/i.test(variable) && !/\d/.test(text)) this.#name(text);
    else if (/^\+?[\d\s().-]+$/.test(text) && /phone|mobile|number_to|caller_id/i.test(variable))
      this.#put(text, "+1 555 0100");
    else if (/\d/.test(text)) this.#put(text, this.#identifier(text));
    else this.#put(text, `some ${variable.replace(/[_-]+/g, " ")}`);
    return this.#standIns.get(text.toLowerCase()) ?? value;
  }

  #put(original: string, standIn: string): void {
    const key = original.trim().toLowerCase();
    if (key.length > 1 && !this.#standIns.has(key)) this.#standIns.set(key, standIn);
  }

  #identifier(id: string): string {
    const count = this.#count("id") + 1;
    const digits = id.replace(/\D/g, "");
    if (digits === id && digits.length > 0) return String(10 ** (Math.min(digits.length, 15) - 1) + count);
    return `id-${count}`;
  }

  #count(what: string): number {
    const count = this.#counts.get(what) ?? 0;
    this.#counts.set(what, count + 1);
    return count;
  }

  /** A value that the flow itself knows, or that a condition compares: it tells of the flow, not of a person. */
  #isAskedAbout(variable: string, value: unknown): boolean {
    const listed = pairOf(this.program.document.variable(variable)?.value, "enum_values")?.value;
    if (listed?.kind === "list" && listed.items.map(toData).includes(value)) return true;
    for (const node of this.program.nodes.values())
      for (const { condition } of node.edges)
        for (const part of condition ? partsOf(condition) : []) {
          if (part.kind !== "clause" || part.variable !== variable) continue;
          if (part.test.kind === "compares" && typeof value === "number") return true;
          if (part.test.kind === "equals" && part.test.literals.some(({ text }) => text === String(value))) return true;
        }
    return false;
  }
}

/** Digits become 1, 2, 3…; what sets them apart stays. */
function counted(text: string): string {
  let count = 0;
  return text.replace(/\d/g, () => String(++count % 10));
}

function wholeWords(words: string): RegExp {
  const pattern = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "giu");
}
