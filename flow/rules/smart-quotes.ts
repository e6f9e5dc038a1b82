import type { Entry } from "../document";
import type { Span } from "../text";
import { keyText, pairOf, type ScalarValue } from "../values";
import type { EntryFinding, Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

const WRAPPED = /^[“”„‟«»‘’‚]([^“”„‟«»‘’‚]*)[“”«»‘’]$/;
const COMPARED = /\}\}\s*(?:==|!=|=|(?:is not|isn't|is|equals)(?=\s))\s*([“”„«‘’‚])([^“”„«»‘’‚]*)([“”«»‘’])/g;

/** In prose such quotes are right; around an id or a literal they are part of it. */
export const smartQuotes: Rule = {
  code: "smart-quotes",
  severity: "warning",
  title: "Typographic quotes stand where YAML needs straight ones",
  checkField: {
    concerns: (field) => ["text", "uuid", "node-id", "variable-name"].includes(field.kind),
    check(entry, field, value, report) {
      if (value?.kind !== "scalar" || value.style !== "plain") return;
      // What people read may be a quotation in their own language; these two are what word processors make of ".
      const isForPeople = field.name === "name" || field.name === "label";
      if (!isForPeople || /^[“”]/.test(String(value.value))) look(entry, value, report);
    },
  },
  checkEntry(entry, report) {
    if (!isNode(entry) || !/[“”„‟«»‘’‚]/.test(entry.text)) return;
    const type = pairOf(entry.value, "type")?.value;
    if (type?.kind === "scalar") look(entry, type, report);
    if (/^[“”„«‘’]/.test(entry.key)) report(finding(entry.key, entry.keySpan));
    for (const edge of entry.edges) {
      const when = pairOf(edge.value, "when")?.value;
      if (when?.kind !== "scalar") continue;
      const source = entry.text.slice(when.span.start, when.span.end);
      for (const match of source.matchAll(COMPARED)) {
        const [whole, open = "", literal = "", close = ""] = match;
        const length = open.length + literal.length + close.length;
        const start = when.span.start + match.index + whole.length - length;
        report({
          message: `${open}${literal}${close} is compared with its typographic quotes. Write it without them, or in straight quotes.`,
          span: { start, end: start + length },
          data: literal,
        });
      }
    }
    for (const pair of entry.value?.kind === "map" ? entry.value.pairs : [])
      if (/^[“”„«‘’]/.test(keyText(pair))) report(finding(keyText(pair), pair.key.span));
  },
  fixes({ span, data }) {
    return typeof data === "string"
      ? [{ title: `Write ${data}`, edits: [{ ...span, text: data }], preferred: true }]
      : [];
  },
};

function look(entry: Entry, value: ScalarValue, report: (finding: EntryFinding) => void): void {
  const source = entry.text.slice(value.span.start, value.span.end);
  if (WRAPPED.test(source)) report(finding(source, value.span));
}

function finding(source: string, span: Span): EntryFinding {
  const inner = WRAPPED.exec(source)?.[1];
  return {
    message: `The typographic quotes are read as part of ${source}. Write it without them, or in straight quotes.`,
    span,
    ...(inner !== undefined && /^[\w -]+$/.test(inner)
      ? { data: /^[\w-]+$/.test(inner) ? inner : JSON.stringify(inner) }
      : {}),
  };
}
