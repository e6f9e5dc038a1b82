/** Our own words in the language of the editor, where it hands over translations. The command line speaks English. */
let translations: Readonly<Record<string, string>> = {};

/** Called once, when the program starts; the translations are by the English text. */
export function speak(words: Readonly<Record<string, string>> | undefined): void {
  translations = words ?? {};
}

/** The text, translated, with values in place of `{0}`, `{1}` and so on. */
export function t(text: string, ...values: readonly unknown[]): string {
  const said = Object.hasOwn(translations, text) ? String(translations[text]) : text;
  return said.replace(/\{(\d+)\}/g, (hole, number) => String(values[number] ?? hole));
}
