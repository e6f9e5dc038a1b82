/** Inlay hints: the target of an edge, where a variable gets its value, and the name of a tool. */
import { type FlowDocument, isNode, type Span } from "../../flow";
import type { KnownTools } from "../../flow/tools";
import { t } from "../../text";
import { blocksIn } from "./blocks";
import { firstWords, nodeWords } from "./hover/describe";

export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  /** The subject of the label, for its documentation. */
  readonly node?: string;
  readonly tool?: string;
  readonly after: boolean;
}

export interface InlayHintChoice {
  readonly targets: boolean;
  readonly setHere: boolean;
  readonly tools: boolean;
}

export function inlayHints(
  document: FlowDocument,
  span: Span,
  choice: InlayHintChoice,
  tools?: KnownTools,
): InlayHint[] {
  const hints: InlayHint[] = [];
  for (const block of blocksIn(document, span)) {
    if (!isNode(block)) continue;
    const start = document.startOf(block);
    const add = (at: number, label: string, about: Pick<InlayHint, "node" | "tool"> = {}) => {
      const offset = start + at;
      if (offset >= span.start && offset <= span.end) hints.push({ offset, label, after: true, ...about });
    };
    if (choice.targets)
      for (const edge of block.edges) {
        const target = edge.to === undefined ? undefined : document.node(edge.to);
        const label = target && (target.name ?? nodeWords(target));
        if (edge.toSpan && target && label) add(edge.toSpan.end, firstWords(label, 30), { node: target.id });
      }
    if (choice.setHere) for (const ref of block.refs) if (ref.kind !== "template") add(ref.span.end, t("set here"));
    const tool = choice.tools ? tools?.calledBy(block) : undefined;
    const id = block.fields.get("tool")?.value;
    if (tool?.name && id) add(id.span.end, firstWords(tool.name, 60), { tool: tool.id });
  }
  return hints.sort((a, b) => a.offset - b.offset);
}
