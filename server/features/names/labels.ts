/** Labels of edges: which edge they belong to, and how to rename them. */
import {
  contains,
  type FlowDocument,
  isNode,
  type NodeBlock,
  pairOf,
  type Span,
  scalarText,
  type TextEdit,
  whyNot,
} from "../../../flow";
import { inlineText } from "../../../flow/test";
import { t } from "../../../text";

export interface EdgeAt {
  readonly node: NodeBlock;
  /** Its index in the list of edges. */
  readonly index: number;
}

export interface LabelAt extends EdgeAt {
  readonly name: string;
  /** The label without its quotes. */
  readonly span: Span;
  /** With its quotes. */
  readonly whole: Span;
}

/** The edge whose `when` or `label` is at an offset. */
export function edgeAt(document: FlowDocument, offset: number): EdgeAt | undefined {
  const block = document.blockAt(offset);
  if (!block || !isNode(block)) return undefined;
  const at = offset - document.startOf(block);
  const index = block.edges.findIndex(({ value }) =>
    ["when", "label"].some((key) => {
      const pair = pairOf(value, key);
      return pair !== undefined && contains(pair.span, at);
    }),
  );
  return index < 0 ? undefined : { node: block, index };
}

export function labelAt(document: FlowDocument, offset: number): LabelAt | undefined {
  const edge = edgeAt(document, offset);
  const value = edge && pairOf(edge.node.edges[edge.index]?.value, "label")?.value;
  if (!edge || value?.kind !== "scalar") return undefined;
  const whole = document.absolute(edge.node, value.span);
  const name = scalarText(value);
  const source = document.slice(whole);
  const quoted = source === `"${name}"` || source === `'${name}'` ? 1 : 0;
  const span = { start: whole.start + quoted, end: whole.end - quoted };
  // A label with escapes, over several lines or from an alias can't be edited in place.
  return contains(whole, offset) && document.slice(span) === name ? { ...edge, name, span, whole } : undefined;
}

export function relabeled(
  document: FlowDocument,
  { whole, node, index }: LabelAt,
  newName: string,
): { readonly edits: readonly TextEdit[] } | { readonly refused: string } {
  if (newName.trim() === "") return { refused: t("A label can't be empty.") };
  if (newName.includes("\n")) return { refused: t("A label must be a single line.") };
  const twin = node.edges.some(
    ({ value }, other) => other !== index && pairOf(value, "label")?.value && labelOf(value) === newName.trim(),
  );
  if (twin)
    return { refused: t('Another edge of "{0}" has the label "{1}". Choose another one.', node.id, newName.trim()) };
  const edits = [{ ...whole, text: inlineText(newName) }];
  const why = whyNot(document, edits, { changes: "touched" });
  return why === undefined
    ? { edits }
    : { refused: t("The label can't be changed here. Fix the problems in this file first.") };
}

function labelOf(edge: Parameters<typeof pairOf>[0]): string | undefined {
  const value = pairOf(edge, "label")?.value;
  return value?.kind === "scalar" ? scalarText(value).trim() : undefined;
}
