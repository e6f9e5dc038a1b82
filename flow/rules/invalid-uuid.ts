import { isUuid } from "../grammar";
import { textOf } from "../values";
import type { Rule } from "./engine/rule";

export const invalidUuid: Rule = {
  code: "invalid-uuid",
  severity: "error",
  title: "Invalid UUID",
  checkField: {
    concerns: (field) => field.kind === "uuid",
    check(block, field, value, report) {
      const text = textOf(value);
      // The value of a template is only known on the platform.
      if (!value || text === undefined || text === "" || isUuid(text) || text.includes("{{")) return;
      // The value of a `$name` depends on the environment.
      if (block.section === "nodes" && /^\$[A-Za-z]/.test(text)) return;
      report({
        message: `\`${field.name}\` must be a UUID, such as 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001, not "${text}". Copy it from the platform.`,
        span: value.span,
        // A file without valid IDs of its own can't be synced; other values are sent, and the platform may accept them.
        ...(block.section === "top" ? {} : { severity: "warning" }),
      });
    },
  },
  fixes({ span }, document) {
    const digits = document.slice(span).replace(/[^0-9A-Za-z]/g, "");
    if (!/^[0-9a-f]{32}$/i.test(digits)) return [];
    const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5").toLowerCase();
    return [{ title: `Replace with ${uuid}`, edits: [{ ...span, text: uuid }], preferred: true }];
  },
};
