import { isMapped, MAX_COMPARED, type ToolOutput, toolName } from "../tools";
import { pairOf, textOf } from "../values";
import { didYouMean, isTypo, nearest } from "../wording";
import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const unknownToolOutput: Rule = {
  code: "unknown-tool-output",
  severity: "warning",
  title: "Unknown tool output",
  checkTool({ node, tool }, report) {
    const saves = pairOf(node.value, "saves")?.value;
    // Without mapped outputs the shape of the response isn't known.
    if (!tool || tool.outputs.length === 0 || saves?.kind !== "map") return;
    for (const { value } of saves.pairs) {
      const path = textOf(value);
      if (!value || !path || path.includes("{{") || isMapped(path, tool.outputs)) continue;
      const near = tool.outputs.length <= MAX_COMPARED ? nearest(path, pathsOf(tool.outputs)) : undefined;
      const fact = `Tool ${toolName(tool)} has no output "${path}".`;
      report({
        message: near ? `${fact} ${didYouMean(near)}` : fact,
        span: value.span,
        ...(near && { data: near }),
      });
    }
  },
  fixes({ span, data }, document) {
    if (typeof data !== "string") return [];
    const written = document.slice(span).replace(/^["']|["']$/g, "");
    const text = /^["']/.test(document.slice(span)) || !/^\$[\w.[\]-]*$/.test(data) ? quoted(data) : data;
    return [{ title: `Change to "${data}"`, edits: [{ ...span, text }], preferred: isTypo(written, data) }];
  },
};

function pathsOf(outputs: readonly ToolOutput[]): ReadonlySet<string> {
  return new Set(outputs.flatMap(({ path, alias }) => (alias === undefined ? [path] : [path, `$.${alias}`])));
}
