/**
 * Cuts a flow file into a tree of whole lines: the file, its top-level keys, the nodes and variables below them, their
 * fields, the edges and their fields. The concatenated lines of a tree are the file. Elements that don't have their own
 * lines (`{…}`, merge keys) are segments without children.
 */
import type { FlowDocument } from "../document";
import { columnOf, elementEnd, lineStart, nextLine } from "../edit/lines";
import { open, type Page, valueIn } from "../edit/page";
import type { EdgeModel } from "../model";
import { type Block, isNode } from "../reading/blocks";
import type { Span } from "../text";
import { keyText, type ListValue, pairOf, textOf, type Value } from "../values";

export interface Segment {
  /** Identifies the segment among its siblings: a key, the name of an edge in this merge, the name of an output. */
  readonly key: string;
  /** Empty lines and comments above it. */
  readonly lead: string;
  /** The lines before its first child, or all its lines if it has no children. */
  readonly head: string;
  readonly children: readonly Segment[] | undefined;
  /** Comments below its last child that belong to it. */
  readonly tail: string;
}

/** An element with its place in the file, before cutting. */
interface Part {
  readonly key: string;
  /** From its key, or the text after its dash, to the end of its value. */
  readonly span: Span;
  readonly parts?: readonly Part[] | undefined;
}

/** The lines of a segment without its lead. */
export function ownText(segment: Segment): string {
  return segment.head + (segment.children ?? []).map((child) => child.lead + ownText(child)).join("") + segment.tail;
}

/** `nameOf` maps an edge's ID in this version to its name in all versions. */
export function segmentsOf(document: FlowDocument, nameOf: NameOf): Segment {
  const page = open(document);
  const members = (block: Block): readonly Block[] =>
    block.key === "nodes" ? document.nodes : block.key === "context_variables" ? document.variables : [];
  const tops = document.tops.map((block): Part => {
    const part = partOf(page, block, nameOf);
    const parts = members(block).map((member) => partOf(page, member, nameOf));
    const last = parts.at(-1);
    return last ? { ...part, span: { start: part.span.start, end: last.span.end }, parts } : part;
  });
  const whole = cutChildren(page.text, tops, 0, page.text.length);
  return { key: "", lead: "", ...(whole ?? leaf(page.text)) };
}

type NameOf = (id: string) => string;

function partOf(page: Page, block: Block, nameOf: NameOf): Part {
  const value = valueIn(page, block);
  const { start, end } = page.document.absolute(block, block.keySpan);
  const span = { start, end: Math.max(end, value?.span.end ?? 0) };
  if (isNode(block)) return { key: block.key, span, parts: nodeParts(block.edges, value, nameOf) };
  if (block.section !== "top") return { key: block.key, span, parts: pairParts(value) };
  return { key: block.key, span, parts: block.key === "component_outputs" ? outputParts(value) : undefined };
}

function pairParts(value: Value | undefined): Part[] | undefined {
  if (value?.kind !== "map" || value.flow || value.pairs.length === 0) return undefined;
  return value.pairs.map((pair) => ({ key: keyText(pair), span: pair.span }));
}

function nodeParts(edges: readonly EdgeModel[], value: Value | undefined, nameOf: NameOf): Part[] | undefined {
  const parts = pairParts(value);
  const list = value?.kind === "map" ? value.pairs.find((pair) => keyText(pair) === "edges")?.value : undefined;
  // An edge that can't be read has no name to find the other side's by.
  if (list?.kind !== "list" || list.flow || list.items.length === 0 || edges.some((edge) => !edge.wire)) return parts;
  return parts?.map((part) => (part.key === "edges" ? { ...part, parts: edgeParts(edges, list, nameOf) } : part));
}

function edgeParts(edges: readonly EdgeModel[], list: ListValue, nameOf: NameOf): Part[] {
  return list.items.map((item, index) => ({
    key: nameOf(edges[index]?.id ?? ""),
    span: item.span,
    parts: pairParts(item),
  }));
}

/** By name; `cutChildren` rejects repeated names. */
function outputParts(value: Value | undefined): Part[] | undefined {
  if (value?.kind !== "list" || value.flow || value.items.length === 0) return undefined;
  return value.items.map((item) => ({
    key: textOf(pairOf(item, "name")?.value) ?? "",
    span: item.span,
    parts: pairParts(item),
  }));
}

type Cut = Pick<Segment, "head" | "children" | "tail">;

function leaf(text: string): Cut {
  return { head: text, children: undefined, tail: "" };
}

/** Cuts a range of lines into siblings; undefined if they share lines. */
function cutChildren(text: string, parts: readonly Part[], from: number, to: number): Cut | undefined {
  if (parts.length === 0 || new Set(parts.map((part) => part.key)).size !== parts.length) return undefined;
  const children: Segment[] = [];
  let head: number | undefined;
  let at = from;
  for (const part of parts) {
    const start = lineStart(text, part.span.start);
    const before = text.slice(start, part.span.start).replace("\uFEFF", "");
    if (start < at || !/^ *(?:- +)?$/.test(before)) return undefined;
    // The lines from a key to its first child belong to the key; comments among them belong to the child.
    head ??= at + headLength(text.slice(at, start));
    if (children.length === 0) at = head;
    const lead = text.slice(at, start);
    if (!isTrivia(lead)) return undefined;
    const dash = before.indexOf("-");
    const end = nextLine(text, elementEnd(text, part.span.end, dash < 0 ? columnOf(text, part.span.start) : dash));
    if (end > to) return undefined;
    const own = (part.parts && cutChildren(text, part.parts, start, end)) ?? leaf(text.slice(start, end));
    children.push({ key: part.key, lead, ...own });
    at = end;
  }
  const tail = text.slice(at, to);
  return isTrivia(tail) ? { head: text.slice(from, head), children, tail } : undefined;
}

/** The length of the lines up to the last one that's neither empty nor a comment. */
function headLength(lines: string): number {
  const all = lines.match(/(?<![^\n])[^\n]*\n/g) ?? [];
  const last = all.findLastIndex((line) => !isTrivia(line));
  return all.slice(0, last + 1).join("").length;
}

/** Whether there are only empty lines and comments. */
export function isTrivia(lines: string): boolean {
  return lines.split("\n").every((line) => /^\s*(?:#|$)/.test(line.replace("\uFEFF", "")));
}

/** The column of the children. */
export function indentOf(segment: Segment): number | undefined {
  let first = segment.children?.[0];
  // The line with an item's dash belongs to its first key.
  while (first?.head === "" && first.children) first = first.children[0];
  return first?.head.search(/[^ \uFEFF]/);
}

/** The same lines with more or less indentation. */
export function indented(segment: Segment, by: number): Segment {
  const move = (lines: string) =>
    by > 0 ? lines.replace(/^(?=[^\r\n])/gm, " ".repeat(by)) : lines.replace(/^ +/gm, (spaces) => spaces.slice(-by));
  const { key, lead, head, tail, children } = segment;
  return {
    key,
    lead: move(lead),
    head: move(head),
    tail: move(tail),
    children: children?.map((child) => indented(child, by)),
  };
}
