import { toolName } from "../tools";
import { keyText } from "../values";
import { removeKey } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const staleToolInput: Rule = {
  code: "stale-tool-input",
  severity: "warning",
  title: "Stale tool input",
  checkTool({ tool, inputs }, report) {
    for (const pair of inputs ?? []) {
      const name = keyText(pair);
      if (tool?.staleInputs.includes(name))
        report({
          message: `Input "${name}" of tool ${toolName(tool)} is out of date. Remove it, or use the tool's current inputs.`,
          span: pair.key.span,
          data: name,
        });
    }
  },
  fixes({ span, data }, document) {
    return fixWith(`Remove input "${data}"`, removeKey(document, span));
  },
};
