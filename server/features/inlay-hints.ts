/** Inlay hints: the target of an edge, and where a variable gets its value. */
import type { FlowDocument, Span } from "../../flow";
import { t } from "../../text";
import { blocksIn } from "./blocks";
import { firstWords, nodeWords } from "./hover/describe";
import { isNode } from "./names/occurrences";

export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  /** The subject of the label, for its documentation. */
  readonly node?: string;
  readonly after: boolean;
}

export interface InlayHintChoice {
  readonly targets: boolean;
  readonly setHere: boolean;
}

export function inlayHints(document: FlowDocument, span: Span, choice: InlayHintChoice): InlayHint[] {
  const hints: InlayHint[] = [];
  for (const block of blocksIn(document, span)) {
    if (!isNode(block)) continue;
    const start = document.startOf(block);
    const add = (at: number, label: string, node?: string) => {
      const offset = start + at;
      if (offset >= span.start && offset <= span.end)
        hints.push({ offset, label, after: true, ...(node === undefined ? {} : { node }) });
    };
    if (choice.targets)
      for (const edge of block.edges) {
        const target = edge.to === undefined ? undefined : document.node(edge.to);
        const label = target && (target.name ?? nodeWords(target));
        if (edge.toSpan && target && label) add(edge.toSpan.end, firstWords(label, 30), target.id);
      }
    if (choice.setHere) for (const ref of block.refs) if (ref.kind !== "template") add(ref.span.end, t("set here"));
  }
  return hints.sort((a, b) => a.offset - b.offset);
}
