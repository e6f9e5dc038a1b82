/** A refactoring that the user can choose. It's offered only if it applies, and its title names the element. */
import type { FlowDocument, NodeBlock } from "../document";
import type { Meaning } from "../guard";
import type { EdgeModel } from "../model";
import type { Span, TextEdit } from "../text";

export interface Refactoring {
  readonly kind: "extract" | "inline" | "rewrite";
  /** Stable, for key bindings and tests. */
  readonly id: string;
  readonly title: string;
  /** What it may change in the flow. */
  readonly means: Meaning;
  /** Empty if they would do harm. In a long file, they're computed when the refactoring is chosen. */
  readonly edits: () => readonly TextEdit[];
}

/** The cursor, or the selected text. */
export interface Selection {
  readonly document: FlowDocument;
  readonly span: Span;
}

/** The node around an offset. */
export function nodeAt({ document, span }: Selection): NodeBlock | undefined {
  const block = document.blockAt(span.start);
  return block?.section === "nodes" ? (block as NodeBlock) : undefined;
}

/** The edge around the cursor, on any of its lines. */
export function edgeAt(selection: Selection): { node: NodeBlock; edge: EdgeModel } | undefined {
  const { document, span } = selection;
  const node = nodeAt(selection);
  if (!node) return undefined;
  const at = span.start - document.startOf(node);
  const edge = node.edges.find((each) => {
    const from = node.text.lastIndexOf("\n", each.span.start) + 1;
    const line = node.text.slice(from, each.span.start);
    return (/^[ \t-]*$/.test(line) ? from : each.span.start) <= at && at <= each.span.end;
  });
  return edge && { node, edge };
}

/** Text as an ID: lowercase letters, digits, and `_`, starting with a letter; undefined if nothing is left. */
export function asId(words: string): string | undefined {
  const plain = words.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const id = plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|(?<!_)_+$/g, "")
    .slice(0, 40)
    .replace(/(?<!_)_+$/, "");
  return id === "" ? undefined : id;
}

/** The ID itself, or with the first number that makes it unique. */
export function unused(id: string, taken: (id: string) => boolean): string {
  if (!taken(id)) return id;
  let number = 2;
  while (taken(`${id}_${number}`)) number++;
  return `${id}_${number}`;
}
