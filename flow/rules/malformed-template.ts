import { quoted } from "./edits";
import type { Rule } from "./rule";
import { eachScalar } from "./walk";

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** A template, or what looks like one: braces in pairs at least on one side. */
const BRACES = /\{\{+([^{}\r\n]*)\}*|(?<![{\w])\{([A-Za-z][\w-]*)\}\}+/g;

export const malformedTemplate: Rule = {
  code: "malformed-template",
  severity: "warning",
  title: "A template is not written as {{name}}",
  checkEntry(entry, report) {
    if (!entry.text.includes("{{") && !entry.text.includes("}}")) return;
    eachScalar(entry, (scalar) => {
      if (typeof scalar.value !== "string" || !/\{\{|\}\}/.test(scalar.value)) return;
      const source = entry.text.slice(scalar.span.start, scalar.span.end);
      for (const match of source.matchAll(BRACES)) {
        const inner = (match[1] ?? match[2] ?? "").trim();
        const whole = match[0];
        const name = NAME.test(inner) ? inner : undefined;
        if (name && /^\{\{[^{}]*\}\}$/.test(whole)) continue;
        const closed = whole.endsWith("}");
        // Without closing braces the text runs on: only its first word can be the name.
        const word = name ?? (closed ? undefined : /^[A-Za-z][A-Za-z0-9_-]*/.exec(inner)?.[0]);
        const length = closed ? whole.length : whole.indexOf(inner) + (word ?? "").length;
        const shown = whole.slice(0, length);
        const start = scalar.span.start + match.index;
        report({
          message: word
            ? `"${shown}" is not read as a variable. Write {{${word}}}.`
            : `"${shown}" is not read as a variable: between {{ and }} stands one name of letters, digits, "_" and "-".`,
          span: { start, end: start + length },
          ...(word ? { data: { text: `{{${word}}}` } } : {}),
        });
      }
    });
    if (!/[:\-,[]\s+\{\{/.test(entry.text)) return;
    // Without quotes YAML takes {{name}} for a map in a map.
    for (const match of entry.text.matchAll(
      /(?<=[:\-,[]\s+)\{\{\s*([A-Za-z][\w-]*)\s*\}\}(?=\s*(?:[\r\n,\]}]|#|$))/g,
    )) {
      const span = { start: match.index, end: match.index + match[0].length };
      if (isInScalar(entry, span.start)) continue;
      report({
        message: `${match[0]} without quotes is a map for YAML, not a text. Put it in quotes: "{{${match[1]}}}".`,
        span,
        data: { text: quoted(`{{${match[1]}}}`) },
      });
    }
  },
  fixes({ span, data }) {
    const text = (data as { text?: string } | undefined)?.text;
    return text ? [{ title: `Write ${text}`, edits: [{ ...span, text }], preferred: true }] : [];
  },
};

function isInScalar(entry: Parameters<typeof eachScalar>[0], at: number): boolean {
  let found = false;
  eachScalar(entry, ({ span }) => {
    if (span.start <= at && at < span.end) found = true;
  });
  // A comment is no text at all.
  const line = entry.text.slice(Math.max(entry.text.lastIndexOf("\n", at), entry.text.lastIndexOf("\r", at)) + 1, at);
  return found || /(?:^|\s)#/.test(line);
}
