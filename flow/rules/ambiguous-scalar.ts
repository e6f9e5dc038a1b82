import { type ScalarValue, textOf } from "../values";
import { quoted } from "./edits";
import type { Rule } from "./rule";
import { isNode, knownFields, textKinds } from "./walk";

/** Words and numbers that YAML 1.1, which many tools still read, takes for something else than text. */
const OLD_BOOLEAN = /^(?:y|yes|n|no|on|off)$/i;
const OLD_NUMBER = /^[-+]?(?:\d[\d_]*_[\d_]*|\d+(?::[0-5]?\d)+|0b[01_]+)$/;
const DATE = /^\d{4}-\d\d?-\d\d?(?:[Tt ].*)?$/;

export const ambiguousScalar: Rule = {
  code: "ambiguous-scalar",
  severity: "warning",
  title: "An unquoted value is no text for YAML where a text is meant",
  checkEntry(entry, report) {
    const look = (scalar: ScalarValue, what: string) => {
      if (scalar.style !== "plain") return;
      const source = entry.text.slice(scalar.span.start, scalar.span.end);
      const reading = readingOf(scalar, source);
      if (!reading) return;
      report({
        message: `${source} is read as ${reading}, but ${what} is a text. Put it in quotes: ${quoted(source)}.`,
        span: scalar.span,
      });
    };
    for (const { field, pair } of knownFields(entry)) {
      const { value } = pair;
      if (value?.kind === "scalar" && textKinds.has(field.kind)) look(value, `"${field.name}"`);
      else if (value?.kind === "list" && field.kind === "list-of-text") {
        const type = entry.value?.kind === "map" ? textOf(typePair(entry.value.pairs)) : undefined;
        if (type === undefined || type === "string" || type === "date")
          for (const item of value.items) if (item.kind === "scalar") look(item, `a value of "${field.name}"`);
      }
    }
    if (entry.section === "top") return;
    const key = entry.text.slice(entry.keySpan.start, entry.keySpan.end);
    if (/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key))
      report({
        message: `${key} is not read as a text by every YAML tool, but ${isNode(entry) ? "a node id" : "a variable name"} is one. Put it in quotes: ${quoted(key)}.`,
        span: entry.keySpan,
      });
  },
  fixes({ span }, document) {
    return [{ title: "Put it in quotes", edits: [{ ...span, text: quoted(document.slice(span)) }], preferred: true }];
  },
};

function typePair(pairs: readonly { readonly key: ScalarValue; readonly value: unknown }[]) {
  return pairs.find((pair) => pair.key.value === "type")?.value as Parameters<typeof textOf>[0];
}

function readingOf({ value }: ScalarValue, source: string): string | undefined {
  if (source === "") return undefined;
  if (value === null) return "nothing";
  if (typeof value === "boolean") return "true or false";
  if (typeof value === "number") return `the number ${value}`;
  if (OLD_BOOLEAN.test(source)) return "true or false by some tools";
  if (OLD_NUMBER.test(source)) return "a number by some tools";
  if (DATE.test(source)) return "a date by some tools";
  return undefined;
}
