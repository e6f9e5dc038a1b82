/** The server's words in the language of the editor, where the client hands over translations when it starts the server. */
let translations: Readonly<Record<string, string>> = {};

/** There is one client in a process. */
export function speak(words: Readonly<Record<string, string>>): void {
  translations = words;
}

/** The text, translated, with values in place of `{0}`, `{1}` and so on. */
export function t(text: string, ...values: readonly unknown[]): string {
  const said = Object.hasOwn(translations, text) ? String(translations[text]) : text;
  return said.replace(/\{(\d+)\}/g, (hole, number) => String(values[number] ?? hole));
}
