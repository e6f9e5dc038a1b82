/** A key that can't be shown by accident: printing, logging, inspecting or serializing it yields a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value. Call it where the key is used, and don't store the result. */
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
 * Redacts secrets in a response, even if they are escaped as JSON, HTML or in a URL. A string that contains an escaped
 * secret is redacted completely; so is a response that isn't JSON.
 */
export function redactAnswer(body: string, secrets: readonly Secret[]): string {
  const clean = redact(body, secrets);
  const values = secrets.map((secret) => secret.reveal()).filter((value) => value !== "");
  const isPlain = values.every((value) => !value.includes("\\"));
  const holds = (text: string) => {
    // Fast path: a response has megabytes of text, and hardly any escapes other than backslashes.
    if (isPlain && !CODED.some((start) => text.includes(start))) {
      const unslashed = text.replaceAll("\\", "");
      return values.some((value) => unslashed.includes(value));
    }
    // Nested strings are escaped once per level.
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

/** The maximum number of nested escapes that are resolved. */
const MAX_DEPTH = 4;

/** The prefixes of numeric escapes. */
const CODED = ["\\u", "\\U", "\\x", "\\X", "%", "&#"];

/** Resolves the escapes of JSON, JavaScript, URLs and HTML. */
function readEscapes(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  const signs = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\(.)/gi;
  return text.replace(signs, (_, unit, byte, percent, hex, decimal, sign) => {
    const code = Number.parseInt(unit ?? byte ?? percent ?? hex ?? "", 16);
    const point = Number.isNaN(code) ? Number(decimal) : code;
    return sign ?? (point <= 0x10ffff ? String.fromCodePoint(point) : "");
  });
}

/** Redacts secrets in a string, even if they are escaped for JSON or a URL. */
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
