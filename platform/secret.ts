/** A key that cannot be shown by accident: printing, logging, inspecting or serializing it gives a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The one way to the value; call it where the key is used, and keep the result nowhere. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return HIDDEN;
  }
}

const HIDDEN = "[secret]";

/**
 * Takes every secret out of an answer, also where its JSON, a page or an address spells it in other signs, which would
 * give the secret once they are read. A string that holds one so is hidden whole; so is a text that is no JSON.
 */
export function redactAnswer(body: string, secrets: readonly Secret[]): string {
  const clean = redact(body, secrets);
  const values = secrets.map((secret) => secret.reveal()).filter((value) => value !== "");
  const isPlain = values.every((value) => !value.includes("\\"));
  const slashed = values.map((value) => new RegExp([...value].map(literal).join("\\\\*")));
  const holds = (text: string) => {
    // An answer has megabytes of text and hardly any escape but a backslash before a sign.
    if (isPlain && !CODED.some((start) => text.includes(start))) return slashed.some((form) => form.test(text));
    // What is quoted inside a quoted text is escaped once more each time.
    let read = text;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const inner = readEscapes(read);
      if (values.some((value) => inner.includes(value))) return true;
      if (inner === read) return false;
      read = inner;
    }
    return false;
  };
  if (!holds(clean)) return clean;
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return values.some((each) => value.includes(each)) || holds(value) ? HIDDEN : value;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [walk(name), walk(each)]));
  };
  try {
    return JSON.stringify(walk(JSON.parse(clean)));
  } catch {
    return HIDDEN;
  }
}

/** So often a text may be escaped over and over; nobody reads more than that back. */
const MAX_DEPTH = 4;

const literal = (sign: string) => sign.replace(/[^\w]/, "\\$&");

/** How escapes begin that spell a sign by its number. */
const CODED = ["\\u", "\\U", "\\x", "\\X", "%", "&#"];

/** A text with the escapes of JSON, JavaScript, addresses and pages read. */
function readEscapes(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  const signs = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\(.)/gi;
  return text.replace(signs, (_, unit, byte, percent, hex, decimal, sign) => {
    const code = Number.parseInt(unit ?? byte ?? percent ?? hex ?? "", 16);
    const point = Number.isNaN(code) ? Number(decimal) : code;
    return sign ?? (point <= 0x10ffff ? String.fromCodePoint(point) : "");
  });
}

/** Takes every secret out of a text, also where it was escaped for JSON or an address. */
export function redact(text: string, secrets: Iterable<Secret>): string {
  const spelled = [...secrets].flatMap((secret) => {
    const value = secret.reveal();
    return value === ""
      ? []
      : [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.replace(/\p{Cs}/gu, ""))];
  });
  const forms = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  return forms.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}
