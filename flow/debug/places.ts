/** Maps places in a file to nodes and edges, for breakpoints, and back. */
import type { Block, FlowDocument, NodeBlock } from "../document";
import type { EdgeModel } from "../model";
import type { Span } from "../text";

/** A node, or one of its edges. */
export interface Element {
  readonly node: string;
  readonly edge: string | undefined;
}

export interface ElementPlace extends Element {
  /** Offsets in the file. */
  readonly span: Span;
}

/**
 * The element of a line: an edge's lines belong to the edge, other lines of a node to the node. Lines between nodes,
 * including comments, belong to the node below.
 */
export function elementOnLine(document: FlowDocument, line: number, column?: number): ElementPlace | undefined {
  const { start, text } = lineOf(document, line);
  const offset = start + (column ?? Math.max(0, text.search(/\S/)));
  const block = document.blockAt(offset);
  if (block?.section === "nodes") {
    const node = block as NodeBlock;
    const begin = document.startOf(node);
    if (offset < begin + endOf(node)) return elementIn(document, node, offset - begin);
    return nextNode(document, offset) ?? whole(document, node);
  }
  if (block?.section === "top" && block.key === "nodes") return nextNode(document, offset);
  // A whole flow may be on one line.
  return elementsOnLines(document, line, line)[0];
}

/** The elements that start on the lines, in order: the possible breakpoints. */
export function elementsOnLines(document: FlowDocument, from: number, to: number): ElementPlace[] {
  const first = lineOf(document, from).start;
  const last = lineOf(document, Math.min(to, document.lineCount - 1));
  const end = last.start + last.text.length;
  const found: ElementPlace[] = [];
  for (const node of document.nodes) {
    const start = document.startOf(node);
    if (start > end) break;
    if (start + node.text.length < first) continue;
    for (const place of [whole(document, node), ...node.edges.map((edge) => edgePlace(document, node, edge))])
      if (place.span.start >= first && place.span.start <= end) found.push(place);
  }
  return found;
}

/** The current place of an element; undefined if it's gone. */
export function placeOf(document: FlowDocument, { node: id, edge: edgeId }: Element): ElementPlace | undefined {
  const node = document.node(id);
  if (!node) return undefined;
  if (edgeId === undefined) return whole(document, node);
  const edge = node.edges.find((each) => each.id === edgeId);
  return edge && edgePlace(document, node, edge);
}

function elementIn(document: FlowDocument, node: NodeBlock, offset: number): ElementPlace {
  const edge = node.edges.find(({ span }) => bulletOf(node, span) <= offset && offset < span.end);
  return edge ? edgePlace(document, node, edge) : whole(document, node);
}

/** The offset of an item's `-`. */
function bulletOf(node: NodeBlock, { start }: Span): number {
  const bullet = /-[ \t]*$/.exec(node.text.slice(Math.max(0, start - 80), start));
  return bullet ? start - bullet[0].length : start;
}

function whole(document: FlowDocument, node: NodeBlock): ElementPlace {
  return { node: node.id, edge: undefined, span: document.absolute(node, { start: 0, end: endOf(node) }) };
}

function edgePlace(document: FlowDocument, node: NodeBlock, edge: EdgeModel): ElementPlace {
  const span = document.absolute(node, edge.span);
  return { node: node.id, edge: edge.id, span };
}

/** The end of a node without the blank lines and comments below it. */
function endOf(node: Block): number {
  return Math.max(node.keySpan.end, node.value?.span.end ?? 0, node.text.trimEnd().length === 0 ? 0 : lastWords(node));
}

/** A value with syntax errors still has its lines. */
function lastWords({ text }: Block): number {
  let end = text.trimEnd().length;
  for (;;) {
    const line = text.lastIndexOf("\n", end - 1) + 1;
    if (line === 0 || !/^\s*(#.*)?$/.test(text.slice(line, end))) return end;
    end = text.slice(0, line).trimEnd().length;
  }
}

function nextNode(document: FlowDocument, offset: number): ElementPlace | undefined {
  const next = document.nodes.find((node) => document.startOf(node) >= offset);
  return next && whole(document, next);
}

function lineOf(document: FlowDocument, line: number): { readonly start: number; readonly text: string } {
  const start = document.offsetAt({ line, character: 0 });
  const end = document.offsetAt({ line: line + 1, character: 0 });
  return { start, text: document.slice({ start, end }).replace(/(?<![\r\n])[\r\n]+$/, "") };
}
