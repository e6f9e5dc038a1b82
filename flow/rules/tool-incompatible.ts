import type { Span } from "../text";
import { toolName } from "../tools";
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
        message: `Tool ${toolName(tool)} is incompatible with this node. ${finding.detail}`.trim(),
        span: fieldSpan(use, finding.fieldPath),
        severity: finding.isBlocking ? "error" : "warning",
      });
    }
  },
};

/**
 * The place of a field path in the node. The platform's paths may start above the node or at the tool's configuration, so
 * the longest part of the path that exists in the node counts, and of equal ones the first.
 */
function fieldSpan({ node, id }: ToolUse, fieldPath: string | undefined): Span {
  const names = (fieldPath ?? "").split(/[.[\]/'"$]+/).filter((name) => name !== "");
  let best: Found | undefined;
  for (let from = 0; from < names.length; from++)
    for (const root of [node.value, pairOf(node.value, "inputs")?.value]) {
      const found = follow(root, names.slice(from));
      if (found && found.length > (best?.length ?? 0)) best = found;
    }
  return best?.span ?? id.span;
}

interface Found {
  readonly span: Span;
  /** How many names of the path exist. */
  readonly length: number;
}

function follow(value: Value | undefined, path: readonly string[]): Found | undefined {
  let at = value;
  let found: Found | undefined;
  for (const [index, name] of path.entries()) {
    const pair = pairOf(at, name);
    const item = at?.kind === "list" && /^\d+$/.test(name) ? at.items[Number(name)] : undefined;
    if (!pair && !item) break;
    found = { span: pair?.key.span ?? (item as Value).span, length: index + 1 };
    at = pair ? pair.value : item;
  }
  return found;
}
