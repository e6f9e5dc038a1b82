import { textOf } from "../values";
import { didYouMean, typoOf } from "../wording";
import { type Rule, replaceWithData } from "./engine/rule";

export const nearMissValue: Rule = {
  code: "near-miss-value",
  severity: "hint",
  title: "Possible typo in a value",
  checkField: {
    concerns: (field) => field.values !== undefined,
    check(_block, field, value, report) {
      const text = textOf(value);
      if (!value || !text || field.values?.includes(text)) return;
      // The platform defines the events, so only typos are reported, not words with the same beginning.
      const near = typoOf(text, field.values ?? [], field.name !== "on");
      if (near === undefined) return;
      report({
        message: `Unknown value "${text}" for \`${field.name}\` is sent unchanged. ${didYouMean(near)}`,
        span: value.span,
        data: near,
      });
    },
  },
  fixes: replaceWithData(),
};
