/** Compares a flow with another version: the list of differences, and both versions of one element. */

import { type ElementRef, type FlowDocument, type Graph, locate } from "../../../flow";
import { type Change, readWhole, type WordRun, wordDiff } from "../../../flow/review";
import type { ComparedElement, GraphChange } from "../../messages";
import type { Compared } from "./graph-view";

/** Parses the other version once. */
export class OtherVersion {
  #text: string | undefined;
  #read: ReturnType<typeof readWhole> = { problem: "" };

  read(text: string): ReturnType<typeof readWhole> {
    if (text !== this.#text) [this.#text, this.#read] = [text, readWhole(text)];
    return this.#read;
  }
}

export function changeList({ from, to, changes }: Compared): GraphChange[] {
  return changes.map((change): GraphChange => {
    const { kind, what, id, fields } = change;
    const isWhole = kind === "added" || kind === "removed";
    return { kind, what, id, fields: isWhole ? [] : fields, ...placeOf(change, kind === "removed" ? from : to) };
  });
}

/** The label of a change, and its element in the graph. */
function placeOf({ what, id }: Change, graph: Graph): Pick<GraphChange, "label" | "element"> {
  if (what === "node") return { label: id, element: { kind: "node", id } };
  if (what === "entry" && graph.entry !== undefined)
    return { label: graph.entry, element: { kind: "node", id: graph.entry } };
  const edge = what === "edge" ? graph.edges.get(id) : undefined;
  if (edge) return { label: `${edge.source} → ${edge.target}`, element: { kind: "edge", node: edge.source, id } };
  return { label: what === "variable" ? id : "" };
}

/**
 * For a word diff; undefined if neither version has the element. An edge is shown with its node, because its position
 * matters.
 */
export function comparedTexts(
  before: FlowDocument,
  after: FlowDocument,
  { what, id }: ComparedElement,
): WordRun[] | undefined {
  const ref: ElementRef =
    what === "node" ? { kind: what, id } : what === "variable" ? { kind: what, name: id } : { kind: "top", key: id };
  const [was, is] = [textOf(before, ref), textOf(after, ref)];
  return was === undefined && is === undefined ? undefined : wordDiff(was ?? "", is ?? "");
}

/** Whole lines, without their common indentation. */
function textOf(document: FlowDocument, ref: ElementRef): string | undefined {
  const span = locate(document, ref)?.span;
  if (!span) return undefined;
  const start = document.text.lastIndexOf("\n", span.start - 1) + 1;
  const lines = document.text.slice(start, span.end).trimEnd().split("\n");
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return lines.map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line)).join("\n");
}
