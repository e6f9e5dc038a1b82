import { pairOf, textOf } from "../values";
import { removeItem } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const duplicateEnumValue: Rule = {
  code: "duplicate-enum-value",
  severity: "warning",
  title: "Duplicate value in `enum_values`",
  checkBlock(block, report) {
    if (block.section !== "context_variables") return;
    const list = pairOf(block.value, "enum_values")?.value;
    if (list?.kind !== "list") return;
    const first = new Map<string, (typeof list.items)[number]>();
    list.items.forEach((item, index) => {
      const text = textOf(item);
      if (text === undefined) return;
      const other = first.get(text);
      if (!other) first.set(text, item);
      else
        report({
          message: `"${text}" is listed twice in \`enum_values\` of "${block.key}". Remove one of them.`,
          span: item.span,
          related: [{ message: "The first value is here.", span: other.span }],
          data: { index },
          unnecessary: true,
        });
    });
  },
  fixes(problem, document) {
    const block = document.blockAt(problem.span.start);
    const pair = pairOf(block?.value, "enum_values");
    if (block?.value?.kind !== "map" || !pair) return [];
    const edit = removeItem(document, block, block.value, pair, (problem.data as { index: number }).index);
    return fixWith("Remove value", edit, true);
  },
};
