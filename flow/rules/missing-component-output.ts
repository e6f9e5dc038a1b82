import { onlyVariable } from "../grammar";
import { pairOf, textOf } from "../values";
import { addPairs, quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const missingComponentOutput: Rule = {
  code: "missing-component-output",
  severity: "warning",
  title: "Incomplete component output",
  checkBlock(block, report) {
    if (block.section !== "top" || block.key !== "component_outputs" || block.value?.kind !== "list") return;
    block.value.items.forEach((item, index) => {
      if (item.kind === "scalar" && item.value === null) {
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
        if (pair?.value && !(pair.value.kind === "scalar" && (pair.value.value === null || pair.value.value === "")))
          continue;
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
    if (written) {
      const at = document.startOf(block) + (written.value?.span.start ?? written.key.span.end);
      const colon = written.value ? 0 : (/^\s*:/.exec(block.text.slice(written.key.span.end))?.[0].length ?? 0);
      const end = written.value ? document.absolute(block, written.value.span).end : at + colon;
      return [
        {
          title: `Set \`${field}: ${value}\``,
          edits: [{ start: at + colon, end, text: written.value ? value : ` ${value}` }],
          preferred: true,
        },
      ];
    }
    const edit = addPairs(document, block, item, [[field, value]]);
    return edit ? [{ title: `Add \`${field}: ${value}\``, edits: [edit], preferred: true }] : [];
  },
};
