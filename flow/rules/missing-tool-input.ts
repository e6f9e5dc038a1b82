import { isNode } from "../document";
import { type ToolInput, toolName } from "../tools";
import { keyText, pairOf } from "../values";
import { addPairs, plainOrQuoted, quoted } from "./engine/edits";
import { fixWith, type Rule, type ToolUse } from "./engine/rule";
import { inputTypos } from "./unknown-tool-input";

interface Data {
  readonly input: string;
  readonly type?: string;
}

/** Of a node without the inputs of a large tool, the first ones are enough. */
const MAX_REPORTED = 20;

export const missingToolInput: Rule = {
  code: "missing-tool-input",
  severity: "error",
  title: "Missing tool input",
  checkTool(use, report) {
    const { node, id, tool } = use;
    for (const input of missingInputs(use).slice(0, MAX_REPORTED))
      report({
        message: `Tool ${toolName(tool)} requires the input "${input.name}".`,
        span: pairOf(node.value, "inputs")?.key.span ?? id.span,
        data: { input: input.name, ...(input.type !== undefined && { type: input.type }) } satisfies Data,
      });
  },
  fixes({ span, data }, document) {
    const node = document.blockAt(span.start);
    const { input, type } = data as Data;
    if (!node || !isNode(node) || node.value?.kind !== "map") return [];
    const isVariable = document.variables.some(({ name }) => name === input);
    const value = isVariable ? quoted(`{{${input}}}`) : emptyValue(type);
    const key = plainOrQuoted(input);
    const inputs = pairOf(node.value, "inputs");
    const written = inputs && document.absolute(node, inputs.key.span).end;
    const edit = !inputs
      ? addPairs(document, node, node.value, [["inputs", `{${key}: ${value}}`]], pairOf(node.value, "tool"))
      : inputs.value?.kind === "map"
        ? addPairs(document, node, inputs.value, [[key, value]])
        : written !== undefined &&
            /^:[ \t]*(?:$|[\r\n#,}])/.test(document.slice({ start: written, end: written + 100 }))
          ? { start: written + 1, end: written + 1, text: ` {${key}: ${value}}` }
          : undefined;
    return fixWith(`Add input "${input}"`, edit, isVariable);
  },
};

function missingInputs(use: ToolUse): readonly ToolInput[] {
  const { tool, inputs } = use;
  if (!tool?.inputs || !inputs) return [];
  const present = new Set([...inputs.map(keyText), ...inputTypos(use).values()]);
  return tool.inputs.filter(({ name, required, hasDefault }) => required && !hasDefault && !present.has(name));
}

/** A value that passes the check of types, to be replaced by the user. */
function emptyValue(type: string | undefined): string {
  switch (type?.trim().toLowerCase()) {
    case "int":
    case "integer":
    case "float":
    case "number":
      return "0";
    case "bool":
    case "boolean":
      return "false";
    case "list":
    case "array":
      return "[]";
    case "dict":
    case "object":
      return "{}";
    default:
      return '""';
  }
}
