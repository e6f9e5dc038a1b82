import { onlyVariable } from "../grammar";
import { isTypeMismatch, toolName } from "../tools";
import { keyText, textOf } from "../values";
import type { Rule } from "./engine/rule";

export const toolInputType: Rule = {
  code: "tool-input-type",
  severity: "warning",
  title: "Tool input has the wrong type",
  checkTool({ tool, inputs, variable }, report) {
    for (const pair of inputs ?? []) {
      const declared = tool?.inputs?.find(({ name }) => name === keyText(pair));
      if (!declared?.type || !isTypeMismatch(pair.value, declared.type, variable)) continue;
      const name = onlyVariable(textOf(pair.value)?.trim() ?? "");
      report({
        message:
          name === undefined
            ? `Input "${declared.name}" of tool ${toolName(tool)} must be of type \`${declared.type}\`.`
            : `Input "${declared.name}" of tool ${toolName(tool)} must be of type \`${declared.type}\`, but variable "${name}" is of type \`${variable(name)?.type}\`.`,
        span: pair.value?.span ?? pair.key.span,
      });
    }
  },
};
