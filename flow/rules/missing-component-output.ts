import { onlyVariable } from "../grammar";
import { isNull, pairOf, textOf } from "../values";
import { addPairs, putValue, quoted } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";
import { isEmpty } from "./missing-field";

export const missingComponentOutput: Rule = {
  code: "missing-component-output",
  severity: "warning",
  title: "Incomplete component output",
  checkBlock(block, report) {
    if (block.section !== "top" || block.key !== "component_outputs" || block.value?.kind !== "list") return;
    block.value.items.forEach((item, index) => {
      if (isNull(item)) {
        const dash = Math.max(0, block.text.lastIndexOf("-", item.span.start));
        report({
          message: `Component output ${index + 1} is empty. Add \`name\` and \`value\`, or remove it.`,
          span: { start: dash, end: dash + 1 },
          data: { index, field: "name" },
        });
      }
      if (item.kind !== "map") return;
      for (const field of ["name", "value"]) {
        const pair = pairOf(item, field);
        if (pair && !isEmpty(pair)) continue;
        const other = textOf(pairOf(item, "name")?.value);
        const which = other ? `Component output "${other}"` : `Component output ${index + 1}`;
        const why = field === "name" ? "callers can't receive it" : "it returns nothing";
        report({
          message: `${which} has no \`${field}\`, so ${why}. Add \`${field}\`.`,
          span: (pair?.key ?? item.pairs[0]?.key ?? item).span,
          data: { index, field },
        });
      }
    });
  },
  fixes(problem, document) {
    const { index, field } = problem.data as { index: number; field: string };
    const block = document.top("component_outputs");
    const item = block?.value?.kind === "list" ? block.value.items[index] : undefined;
    if (!block || item?.kind !== "map") return [];
    const name = textOf(pairOf(item, "name")?.value);
    const read = onlyVariable(textOf(pairOf(item, "value")?.value) ?? "");
    const value =
      field === "name" ? read : name !== undefined && document.variable(name) ? quoted(`{{${name}}}`) : undefined;
    if (value === undefined) return [];
    const written = pairOf(item, field);
    if (written) return fixWith(`Set \`${field}: ${value}\``, putValue(document, block, written, value), true);
    return fixWith(`Add \`${field}: ${value}\``, addPairs(document, block, item, [[field, value]]), true);
  },
};
