import { nearest } from "../near";
import { textOf } from "../values";
import type { Rule } from "./engine/rule";

export const nearMissValue: Rule = {
  code: "near-miss-value",
  severity: "hint",
  title: "A value is almost, but not quite, one the editor knows",
  checkField: {
    concerns: (field) => field.values !== undefined,
    check(_block, field, value, report) {
      const text = textOf(value);
      if (!value || !text || field.values?.includes(text)) return;
      // Events are the platform's own: only a slip of a letter counts there, not a word that starts alike.
      const near = nearest(text, field.values ?? [], field.name !== "on");
      if (near === undefined) return;
      report({
        message: `"${text}" isn't a value of "${field.name}" the editor knows, and is sent as it is. Did you mean "${near}"?`,
        span: value.span,
        data: near,
      });
    },
  },
  fixes({ span, data }) {
    if (typeof data !== "string") return [];
    return [{ title: `Change to "${data}"`, edits: [{ ...span, text: data }], preferred: true }];
  },
};
