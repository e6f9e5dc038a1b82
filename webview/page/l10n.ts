/** Translates a page's strings. The extension passes the translations with the page (client/pages/page.ts). */

/** Workers and tests have no document. */
const { document } = globalThis as { document?: { body: { dataset: { words?: string } } } };
const handed = document?.body.dataset.words;
const translations: Readonly<Record<string, string>> = handed ? JSON.parse(handed) : {};

/** Translates the text and replaces `{0}`, `{1}`, and so on. */
export function t(text: string, ...values: readonly unknown[]): string {
  return (translations[text] ?? text).replace(/\{(\d+)\}/g, (hole, number) => String(values[number] ?? hole));
}
