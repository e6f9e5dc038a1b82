import { isNode } from "../document";
import { onlyVariable } from "../grammar";
import { keyText, pairOf } from "../values";
import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

const NAME = /^\.?([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])*)$/;

export const malformedPath: Rule = {
  code: "malformed-path",
  severity: "warning",
  title: "Invalid result path",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    const saves = pairOf(block.value, "saves")?.value;
    if (saves?.kind !== "map") return;
    for (const pair of saves.pairs) {
      const { value } = pair;
      if (value?.kind !== "scalar" || value.value === null || String(value.value).startsWith("$")) continue;
      const text = String(value.value);
      if (/^[“”„«‘]/.test(text)) continue;
      const path = NAME.exec(text)?.[1] ?? onlyVariable(text);
      const fixed = path === undefined ? undefined : `$.${path}`;
      report({
        message: `The path for "${keyText(pair)}" must start with \`$.\`. Write ${fixed ? `\`${fixed}\`` : "it like `$.name`"}.`,
        span: value.span,
        ...(fixed ? { data: fixed } : {}),
      });
    }
  },
  fixes({ span, data }, document) {
    if (typeof data !== "string") return [];
    const text = /^["']/.test(document.slice(span)) ? quoted(data) : data;
    return [{ title: `Replace with ${data}`, edits: [{ ...span, text }], preferred: true }];
  },
};
