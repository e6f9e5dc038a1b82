import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

/** Anything but single spaces between words. */
const ODD_SPACE = /^\s|\s\s|\s$|[^\S ]/;

export const nameWhitespace: Rule = {
  code: "name-whitespace",
  severity: "hint",
  title: "Name has leading, trailing, or repeated whitespace",
  checkField: {
    concerns: (field) => field.name === "name" || field.name === "label",
    check(_block, field, value, report) {
      if (value?.kind !== "scalar" || typeof value.value !== "string" || !ODD_SPACE.test(value.value)) return;
      const name = value.value.replace(/\n$/, "");
      const clean = name.trim().replace(/\s+/g, " ");
      if (name === clean || clean === "") return;
      report({
        message: `\`${field.name}\` "${clean}" has leading, trailing, or repeated whitespace. Remove it.`,
        span: value.span,
        data: clean,
      });
    },
  },
  fixes({ span, data }, document) {
    if (typeof data !== "string") return [];
    const source = document.slice(span);
    const text = source.startsWith("'") ? `'${data.replaceAll("'", "''")}'` : quoted(data);
    return [{ title: `Replace with "${data}"`, edits: [{ ...span, text }], preferred: true }];
  },
};
