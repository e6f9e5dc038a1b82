import type { Span } from "../text";
import { pairOf, type Value } from "../values";
import type { Rule, ToolUse } from "./engine/rule";

export const toolIncompatible: Rule = {
  code: "tool-incompatible",
  severity: "warning",
  title: "Incompatible tool",
  checkTool(use, report) {
    const { node, tool } = use;
    for (const finding of tool?.compatibility ?? []) {
      if (finding.node !== undefined && finding.node !== node.id) continue;
      report({
        message: `Tool "${tool?.name}" is incompatible with this node. ${finding.detail}`.trim(),
        span: fieldSpan(use, finding.fieldPath),
        severity: finding.isBlocking ? "error" : "warning",
      });
    }
  },
};

/**
 * The place of a field path in the node. The platform's paths may start above the node or at the tool's configuration, so
 * the longest end of the path that exists in the node counts.
 */
function fieldSpan({ node, id }: ToolUse, fieldPath: string | undefined): Span {
  const names = (fieldPath ?? "").split(/[.[\]/'"$]+/).filter((name) => name !== "");
  for (let from = 0; from < names.length; from++) {
    const path = names.slice(from);
    const span = spanAt(node.value, path) ?? spanAt(pairOf(node.value, "inputs")?.value, path);
    if (span) return span;
  }
  return id.span;
}

function spanAt(value: Value | undefined, path: readonly string[]): Span | undefined {
  let at = value;
  let span: Span | undefined;
  for (const name of path) {
    const pair = pairOf(at, name);
    if (!pair) return undefined;
    span = pair.key.span;
    at = pair.value;
  }
  return span;
}
