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

/** Takes every secret out of a text, also where it was escaped for JSON or an address. */
export function redact(text: string, secrets: Iterable<Secret>): string {
  const forms = [...secrets].flatMap((secret) => {
    const value = secret.reveal();
    return value === ""
      ? []
      : [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.replace(/\p{Cs}/gu, ""))];
  });
  forms.sort((a, b) => b.length - a.length);
  return forms.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}
