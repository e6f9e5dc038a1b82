/** Finds the blocks of a document in a range of the file without iterating over all of them. */
import type { Block, FlowDocument, Span } from "../../flow";

export function blocksIn(document: FlowDocument, span: Span): Block[] {
  return [
    ...document.tops.filter((block) => touches(document, block, span)),
    ...inSpan(document, document.variables, span),
    ...inSpan(document, document.nodes, span),
  ].sort((a, b) => document.startOf(a) - document.startOf(b));
}

/** Every block in the order of the file. */
export function allBlocks(document: FlowDocument): Block[] {
  return document.tops.flatMap((top): Block[] => {
    if (top.key === "nodes" && top === document.top("nodes")) return [top, ...document.nodes];
    if (top.key === "context_variables" && top === document.top("context_variables"))
      return [top, ...document.variables];
    return [top];
  });
}

function inSpan<Each extends Block>(document: FlowDocument, entries: readonly Each[], span: Span): Each[] {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle] as Each;
    if (document.startOf(entry) + entry.text.length <= span.start) low = middle + 1;
    else high = middle;
  }
  const found: Each[] = [];
  for (let at = low; at < entries.length; at++) {
    const entry = entries[at] as Each;
    if (document.startOf(entry) > span.end) break;
    found.push(entry);
  }
  return found;
}

function touches(document: FlowDocument, block: Block, span: Span): boolean {
  const start = document.startOf(block);
  return start <= span.end && start + block.text.length > span.start;
}

/** From the key to the end of the content, without the blank lines after it. */
export function writtenSpan(block: Block): Span {
  const end = Math.max(block.value?.span.end ?? 0, block.keySpan.end);
  return trimmed(block, { start: block.keySpan.start, end });
}

/** A span of a block without trailing whitespace: the parser includes the line break. */
export function trimmed(block: Block, { start, end }: Span): Span {
  let last = Math.min(end, block.text.length);
  while (last > start && /\s/.test(block.text[last - 1] as string)) last--;
  return { start, end: last };
}
