import { extractNode } from "../refactor/text";
import { pairOf } from "../values";
import { laterFix, type Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

/** A page of text. Beyond it a model starts to lose single sentences, and so do people. */
export const MAX_INSTRUCTIONS = 4_000;

export const instructionsTooLong: Rule = {
  code: "instructions-too-long",
  severity: "info",
  title: "The instructions of a node are very long",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    const length = block.instructions?.length ?? 0;
    const pair = pairOf(block.value, "instructions");
    if (!pair || length <= MAX_INSTRUCTIONS) return;
    report({
      message: `The instructions of "${block.id}" have ${length} characters; above ${MAX_INSTRUCTIONS} single sentences get lost. Split the node in steps.`,
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
    return split ? [laterFix("Split it at the paragraph in its middle", split.edits)] : [];
  },
};

/** Where the paragraph starts that is nearest to the middle of a text. */
function paragraphNearMiddle(text: string): number | undefined {
  const middle = text.length / 2;
  let best: number | undefined;
  for (const { 0: gap, index } of text.matchAll(/\n[ \t\r]*\n[ \t]*(?=\S)/g)) {
    const start = index + gap.length;
    if (best === undefined || Math.abs(start - middle) < Math.abs(best - middle)) best = start;
  }
  return best;
}
