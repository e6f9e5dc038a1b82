/** Code lenses: the incoming and outgoing edges of a node, its problems, and actions for the whole flow. */

import {
  contains,
  type FlowDocument,
  type NodeBlock,
  type Problem,
  type Severity,
  type Span,
  topText,
} from "../../flow";
import { t } from "../../text";
import { crossReferences } from "./names/cross-references";

export type LensKind = "edges" | "findings" | "plan" | "preview" | "restore" | "tests";

export interface Lens {
  readonly kind: LensKind;
  readonly span: Span;
  /** The node of a lens; absent for the whole flow. */
  readonly node?: string;
}

/** Larger flows have no lenses for nodes, because they would cost too much; those for the file stay. */
const MAX_NODES_WITH_LENSES = 2000;

/** A flow this short needs no lenses. */
const FEW_LINES = 12;

/** Lenses closer together would hide the text. */
const LINES_BETWEEN = 3;

export function codeLenses(
  document: FlowDocument,
  choice: Readonly<Record<LensKind, boolean>>,
  problems: readonly Problem[],
): Lens[] {
  // The empty line after the last line break doesn't count.
  const isShort = document.lineCount <= FEW_LINES + (document.text.endsWith("\n") ? 1 : 0);
  const lastLine = new Map<LensKind, number>();
  const lenses = lensesOf(document, choice, problems);
  const withFindings = new Set(lenses.flatMap(({ kind, node }) => (kind === "findings" ? [node] : [])));
  return lenses.filter(({ kind, span, node }) => {
    if (kind === "plan" || kind === "restore" || kind === "findings") return true;
    if (isShort) return false;
    // There is a line for the problems of the node anyway.
    if (kind === "edges" && withFindings.has(node)) return true;
    const { line } = document.positionAt(span.start);
    if (Math.abs(line - (lastLine.get(kind) ?? Number.NEGATIVE_INFINITY)) <= LINES_BETWEEN) return false;
    lastLine.set(kind, line);
    return true;
  });
}

function lensesOf(
  document: FlowDocument,
  choice: Readonly<Record<LensKind, boolean>>,
  problems: readonly Problem[],
): Lens[] {
  const first = document.tops[0];
  const top = first ? document.absolute(first, first.keySpan) : { start: 0, end: 0 };
  const lenses: Lens[] = [];
  // Without a revision there is nothing to compare with.
  if (choice.plan && topText(document, "revision")?.trim()) lenses.push({ kind: "plan", span: top });
  const nodes = document.top("nodes");
  if (choice.preview) lenses.push({ kind: "preview", span: nodes ? document.absolute(nodes, nodes.keySpan) : top });
  if (choice.tests && nodes && document.nodes.length > 0)
    lenses.push({ kind: "tests", span: document.absolute(nodes, nodes.keySpan) });
  const assistant = document.top("assistant");
  if (choice.restore && assistant && topText(document, "assistant")?.trim() && problems.some(isArchived))
    lenses.push({ kind: "restore", span: document.absolute(assistant, assistant.keySpan) });
  if (document.nodes.length > MAX_NODES_WITH_LENSES) return lenses;
  for (const node of document.nodes) {
    const span = document.absolute(node, node.keySpan);
    // Neither count is known for a node with a syntax error.
    if (choice.edges && !node.isBroken) lenses.push({ kind: "edges", span, node: node.id });
    if (choice.findings && problemsIn(document, node, problems).length > 0)
      lenses.push({ kind: "findings", span, node: node.id });
  }
  return lenses;
}

/**
 * Whether a push was rejected because the assistant is archived. There is no documented code for that, so the message
 * is matched.
 */
function isArchived({ code, message }: Problem): boolean {
  return code === "platform-refused" && /\barchived\b/i.test(message);
}

/** `2 in · 3 out`; `3 out` if text with a syntax error may have another edge to the node. */
export function edgesTitle(document: FlowDocument, node: NodeBlock): string {
  const outgoing = node.edges.filter(({ to }) => to).length;
  return document.mayHold(node.id)
    ? t("{0} out", outgoing)
    : t("{0} in · {1} out", crossReferences(document).incomingCount(node.id), outgoing);
}

/** `1 error, 2 warnings`. */
export function findingsTitle(problems: readonly Problem[]): string {
  const words: Record<Severity, (count: number) => string> = {
    error: (count) => (count === 1 ? t("1 error") : t("{0} errors", count)),
    warning: (count) => (count === 1 ? t("1 warning") : t("{0} warnings", count)),
    info: (count) => (count === 1 ? t("1 note") : t("{0} notes", count)),
    hint: (count) => (count === 1 ? t("1 hint") : t("{0} hints", count)),
  };
  return (Object.keys(words) as Severity[])
    .map((severity) => ({ severity, count: problems.filter((each) => each.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => words[severity](count))
    .join(", ");
}

export function problemsIn(document: FlowDocument, node: NodeBlock, problems: readonly Problem[]): Problem[] {
  const start = document.startOf(node);
  const extent = { start, end: start + node.text.length - 1 };
  return problems.filter((problem) => contains(extent, problem.span.start));
}
