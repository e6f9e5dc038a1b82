import { isNode } from "../document";
import { extractNode } from "../refactor/text";
import { pairOf } from "../values";
import { laterFix, type Rule } from "./engine/rule";

/** About a page of text. Beyond it, models start to miss details, and so do readers. */
const MAX_INSTRUCTIONS = 4_000;

export const instructionsTooLong: Rule = {
  code: "instructions-too-long",
  severity: "info",
  title: "Very long instructions",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    const length = block.instructions?.length ?? 0;
    const pair = pairOf(block.value, "instructions");
    if (!pair || length <= MAX_INSTRUCTIONS) return;
    report({
      message: `Instructions are ${length.toLocaleString("en-US")} characters long; models miss details beyond ${MAX_INSTRUCTIONS.toLocaleString("en-US")}. Split the node.`,
      span: pair.key.span,
    });
  },
  fixes({ span }, document) {
    const node = document.blockAt(span.start);
    const text = pairOf(node?.value, "instructions")?.value;
    if (!node || text?.kind !== "scalar") return [];
    const start = paragraphNearMiddle(node.text.slice(text.span.start, text.span.end));
    if (start === undefined) return [];
    const at = document.startOf(node) + text.span.start + start;
    const split = extractNode({ document, span: { start: at, end: at } })[0];
    return split ? [laterFix("Split at the middle paragraph", split.edits)] : [];
  },
};

/** The start of the paragraph nearest to the middle. */
function paragraphNearMiddle(text: string): number | undefined {
  const middle = text.length / 2;
  let best: number | undefined;
  for (const { 0: gap, index } of text.matchAll(/\n[ \t\r]*\n[ \t]*(?=\S)/g)) {
    const start = index + gap.length;
    if (best === undefined || Math.abs(start - middle) < Math.abs(best - middle)) best = start;
  }
  return best;
}
