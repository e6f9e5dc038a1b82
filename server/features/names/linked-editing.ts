/**
 * Linked editing ranges: the key of a node, `entry` and every `to` that names it. Offered at the key only, and only if
 * the ID is used elsewhere in the file.
 */
import { type FlowDocument, type NodeBlock, type Span, topText } from "../../../flow";

export function linkedRanges(document: FlowDocument, offset: number): Span[] {
  const block = document.blockAt(offset) ?? (offset > 0 ? document.blockAt(offset - 1) : undefined);
  if (block?.section !== "nodes") return [];
  const node = block as NodeBlock;
  const key = document.absolute(node, node.keySpan);
  const isPlain = (span: Span) => document.slice(span) === node.id;
  if (offset < key.start || offset > key.end || !isPlain(key)) return [];
  if (document.nodes.filter((other) => other.id === node.id).length > 1) return [];
  const ranges = [key];
  for (const other of document.nodes)
    for (const edge of other.edges)
      if (edge.to === node.id && edge.toSpan) ranges.push(document.absolute(other, edge.toSpan));
  const start = document.top("entry");
  if (start?.value && topText(document, "entry") === node.id) ranges.push(document.absolute(start, start.value.span));
  // A quoted use has the same name inside the quotes; one with escapes would not follow.
  const linked = ranges.map((range) => (isPlain(range) ? range : { start: range.start + 1, end: range.end - 1 }));
  if (linked.length < 2 || !linked.every(isPlain)) return [];
  return linked.sort((a, b) => a.start - b.start);
}
