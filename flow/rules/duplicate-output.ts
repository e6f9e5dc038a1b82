import { pairOf, type ScalarValue, textOf } from "../values";
import { removeItem } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const duplicateOutput: Rule = {
  code: "duplicate-output",
  severity: "warning",
  title: "Duplicate component output",
  checkBlock(block, report) {
    if (block.section !== "top" || block.key !== "component_outputs" || block.value?.kind !== "list") return;
    const first = new Map<string, ScalarValue>();
    block.value.items.forEach((item, index) => {
      const value = pairOf(item, "name")?.value;
      const name = textOf(value);
      if (value?.kind !== "scalar" || !name) return;
      const other = first.get(name);
      if (!other) {
        first.set(name, value);
        return;
      }
      report({
        message: `Output "${name}" is already defined, so callers receive only one of them. Rename this output, or remove it.`,
        span: value.span,
        related: [{ message: `The first output "${name}" is here.`, span: other.span }],
        data: { index },
      });
    });
  },
  fixes({ data }, document) {
    const block = document.top("component_outputs");
    const list = block?.value;
    if (!block || list?.kind !== "list" || list.items.length < 2) return [];
    // `removeItem` needs the list's key as a pair, for the case that the list becomes empty.
    const pair = {
      key: { kind: "scalar", value: block.key, style: "plain", span: block.keySpan },
      value: list,
      span: list.span,
    } as const;
    const owner = { kind: "map", pairs: [pair], flow: false, span: list.span } as const;
    const edit = removeItem(document, block, owner, pair, (data as { index: number }).index);
    return fixWith("Remove output", edit);
  },
};
