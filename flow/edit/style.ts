/** The style of a file, so that new text looks like the text around it. */
import type { FlowDocument } from "../document";
import { columnOf, leadStart } from "./lines";

export interface Style {
  /** Spaces from a key to its children. */
  readonly indent: number;
  /** Spaces from a key to the dashes of its list. */
  readonly dash: number;
  readonly quote: "single" | "double";
  /** Edges as `- {to: …}`, one per line. */
  readonly flowEdges: boolean;
  /** Nodes are separated by an empty line. */
  readonly airyNodes: boolean;
  /** Every key is quoted, as in JSON. */
  readonly quoteKeys: boolean;
  readonly eol: string;
}

export const defaultStyle: Style = {
  indent: 2,
  dash: 2,
  quote: "double",
  flowEdges: false,
  airyNodes: false,
  quoteKeys: false,
  eol: "\n",
};

/** Derives the style from the first nodes that show it; otherwise the default is used. */
export function styleOf(document: FlowDocument, text: string): Style {
  const nodes = document.nodes.slice(0, 50);
  const [first, second] = nodes;
  const firstStart = first && document.startOf(first);
  const column = firstStart === undefined ? 0 : columnOf(text, firstStart);
  const indent = column > 0 && column <= 8 ? column : defaultStyle.indent;
  let dash: number | undefined;
  let flow = 0;
  let block = 0;
  for (const node of nodes) {
    const list = node.edgesPair?.value;
    if (list?.kind !== "list" || list.flow || !node.edgesPair) continue;
    const at = document.startOf(node);
    for (const edge of node.edges) {
      if (edge.value?.flow) flow++;
      else block++;
    }
    const found = columnOf(text, at + list.span.start) - columnOf(text, at + node.edgesPair.key.span.start);
    if (text[at + list.span.start] === "-" && found >= 0) dash ??= found;
  }
  const head = text.slice(0, 20_000);
  return {
    indent,
    dash: dash ?? indent,
    quote: count(head, /: '/g) > count(head, /: "/g) ? "single" : "double",
    flowEdges: flow > block,
    airyNodes: firstStart !== undefined && second !== undefined && isEmptyAbove(text, document.startOf(second)),
    quoteKeys: first !== undefined && firstStart !== undefined && text[firstStart + first.keySpan.start] === '"',
    eol: /\r\n/.test(head) ? "\r\n" : "\n",
  };
}

function isEmptyAbove(text: string, start: number): boolean {
  return /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, leadStart(text, start) - 200), leadStart(text, start)));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
