/** The blocks of a document in a range of the file, and the written parts of a block. */
import { type Block, type FlowDocument, type Span, trimmedSpan } from "../../flow";

export function blocksIn(document: FlowDocument, span: Span): Block[] {
  return document.blocks.filter((block) => {
    const start = document.startOf(block);
    return start <= span.end && start + block.text.length > span.start;
  });
}

/** From the key to the end of the content, without the blank lines after it. */
export function writtenSpan(block: Block): Span {
  const end = Math.max(block.value?.span.end ?? 0, block.keySpan.end);
  return trimmedSpan(block.text, { start: block.keySpan.start, end });
}
