import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

/** Nearly every name has single spaces between words and nothing else. */
const ODD_SPACE = /^\s|\s\s|\s$|[^\S ]/;

export const nameWhitespace: Rule = {
  code: "name-whitespace",
  severity: "hint",
  title: "A name has white space where nobody sees it",
  checkField: {
    concerns: (field) => field.name === "name" || field.name === "label",
    check(_block, field, value, report) {
      if (value?.kind !== "scalar" || typeof value.value !== "string" || !ODD_SPACE.test(value.value)) return;
      const name = value.value.replace(/\n$/, "");
      const clean = name.trim().replace(/\s+/g, " ");
      if (name === clean || clean === "") return;
      report({
        message: `The ${field.name} "${clean}" has white space around it, or more than one space between words. Write it without.`,
        span: value.span,
        data: clean,
      });
    },
  },
  fixes({ span, data }, document) {
    if (typeof data !== "string") return [];
    const source = document.slice(span);
    const text = source.startsWith("'") ? `'${data.replaceAll("'", "''")}'` : quoted(data);
    return [{ title: `Write "${data}"`, edits: [{ ...span, text }], preferred: true }];
  },
};
