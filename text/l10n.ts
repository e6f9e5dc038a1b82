/** Translations of our own strings, when the editor provides them. The command line is in English. */
let translations: Readonly<Record<string, string>> = {};

/** Sets the translations, keyed by the English string. Called once, at startup. */
export function setTranslations(bundle: Readonly<Record<string, string>> | undefined): void {
  translations = bundle ?? {};
}

/** Translates a string and fills its placeholders `{0}`, `{1}` and so on. */
export function t(text: string, ...values: readonly unknown[]): string {
  const translated = Object.hasOwn(translations, text) ? String(translations[text]) : text;
  return translated.replace(/\{(\d+)\}/g, (hole, number) => String(values[number] ?? hole));
}
