import { onlyVariable } from "../grammar";
import { pairOf, textOf } from "../values";
import { addPairs, quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const missingComponentOutput: Rule = {
  code: "missing-component-output",
  severity: "warning",
  title: "A component output has no name or no value",
  checkEntry(entry, report) {
    if (entry.section !== "top" || entry.key !== "component_outputs" || entry.value?.kind !== "list") return;
    entry.value.items.forEach((item, index) => {
      if (item.kind === "scalar" && item.value === null) {
        const dash = Math.max(0, entry.text.lastIndexOf("-", item.span.start));
        report({
          message: `Component output ${index + 1} is empty. Write "name:" and "value:", or remove it.`,
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
        const which = other ? `The component output "${other}"` : `Component output ${index + 1}`;
        const why = field === "name" ? "the other flow cannot receive it" : "it hands nothing back";
        report({
          message: `${which} has no ${field}, so ${why}. Add "${field}:".`,
          span: (pair?.key ?? item.pairs[0]?.key ?? item).span,
          data: { index, field },
        });
      }
    });
  },
  fixes(problem, document) {
    const { index, field } = problem.data as { index: number; field: string };
    const entry = document.top("component_outputs");
    const item = entry?.value?.kind === "list" ? entry.value.items[index] : undefined;
    if (!entry || item?.kind !== "map") return [];
    const name = textOf(pairOf(item, "name")?.value);
    const read = onlyVariable(textOf(pairOf(item, "value")?.value) ?? "");
    const value =
      field === "name" ? read : name !== undefined && document.variable(name) ? quoted(`{{${name}}}`) : undefined;
    if (value === undefined) return [];
    const written = pairOf(item, field);
    if (written) {
      const at = document.startOf(entry) + (written.value?.span.start ?? written.key.span.end);
      const colon = written.value ? 0 : (/^\s*:/.exec(entry.text.slice(written.key.span.end))?.[0].length ?? 0);
      const end = written.value ? document.absolute(entry, written.value.span).end : at + colon;
      return [
        {
          title: `Write "${field}: ${value}"`,
          edits: [{ start: at + colon, end, text: written.value ? value : ` ${value}` }],
          preferred: true,
        },
      ];
    }
    const edit = addPairs(document, entry, item, [[field, value]]);
    return edit ? [{ title: `Add "${field}: ${value}"`, edits: [edit], preferred: true }] : [];
  },
};
