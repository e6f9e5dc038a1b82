/** A page's words in the language of VS Code: its host hands the translations over with the page (client/pages/page.ts). */

/** Workers and tests have no document. */
const { document } = globalThis as { document?: { body: { dataset: { words?: string } } } };
const handed = document?.body.dataset.words;
const translations: Readonly<Record<string, string>> = handed ? JSON.parse(handed) : {};

/** The text, translated, with values in place of `{0}`, `{1}` and so on. */
export function t(text: string, ...values: readonly unknown[]): string {
  return (translations[text] ?? text).replace(/\{(\d+)\}/g, (hole, number) => String(values[number] ?? hole));
}
