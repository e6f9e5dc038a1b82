import { isUuid } from "../grammar";
import { MAX_COMPARED } from "../tools";
import { scalarText } from "../values";
import { didYouMean, nearest } from "../wording";
import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const unknownTool: Rule = {
  code: "unknown-tool",
  severity: "warning",
  title: "Unknown tool",
  checkTool({ id, tool, known }, report) {
    if (tool) return;
    const written = scalarText(id);
    const named = known.named(written);
    // Of several tools with the same name, none is meant more than the others.
    const meant =
      named.length > 0
        ? named.length === 1 && named[0]
        : known.size <= 5 * MAX_COMPARED && known.get(nearest(written.trim().toLowerCase(), ids(known.all)) ?? "");
    report({
      message: meant
        ? `The revision has no tool with the ID "${written}". ${didYouMean(meant.name || meant.id)}`
        : `The revision has no tool with the ID "${written}".`,
      span: id.span,
      ...(meant && { data: { id: meant.id, name: meant.name || meant.id } }),
    });
  },
  fixes({ span, data }) {
    const { id, name } = (data ?? {}) as { id?: string; name?: string };
    return id
      ? [{ title: `Use tool "${name}"`, edits: [{ ...span, text: isUuid(id) ? id : quoted(id) }], preferred: true }]
      : [];
  },
};

function* ids(tools: Iterable<{ readonly id: string }>): Generator<string> {
  for (const { id } of tools) yield id.toLowerCase();
}
