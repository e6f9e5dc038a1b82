/** The ends of elements, without the blank lines and comments that belong to the next one. */
import { type Block, endOfText, type FlowDocument } from "../../flow";

/** The end of a block's content: for a section, the end of its last child; comments below belong to the next block. */
export function endOfBlock(document: FlowDocument, block: Block): number {
  if (block.section === "top" && (block.key === "nodes" || block.key === "context_variables")) {
    const extent = document.extentOf(block);
    const last = (block.key === "nodes" ? document.nodes : document.variables).at(-1);
    if (last && document.startOf(last) < extent.end && document.startOf(last) > extent.start)
      return endOfBlock(document, last);
  }
  const end = Math.max(
    block.value?.kind === "map" && block.section === "top" && block.value.pairs.length === 0
      ? 0
      : (block.value?.span.end ?? 0),
    block.keySpan.end,
  );
  return document.startOf(block) + Math.max(block.keySpan.end, endOfText(block.text, end));
}
