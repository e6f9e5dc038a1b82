/** The outline of a flow. Positions are relative to the block of an item. */
import { type Block, type FlowDocument, type NodeBlock, pairOf, type Span, textOf, trimmedSpan } from "../../flow";
import type { KnownTools } from "../../flow/tools";
import { t } from "../../text";
import { writtenSpan } from "./blocks";
import { edgeWords, firstWords } from "./hover/describe";

export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: "section" | "field" | "node" | "edge" | "variable" | "output";
  readonly block: Block;
  /** The whole item and the name in it. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineItem[];
  /** The name of the tool that the node calls. */
  readonly tool?: string | undefined;
  /** The item extends to the end of its last child rather than to the end of its own text. */
  readonly section?: boolean;
}

export function outline(document: FlowDocument, tools?: KnownTools): OutlineItem[] {
  return document.tops.filter((top) => top.key !== "").map((top) => outlineTop(document, top, tools));
}

function outlineTop(document: FlowDocument, top: Block, tools: KnownTools | undefined): OutlineItem {
  const base = { block: top, name: top.key, span: writtenSpan(top), nameSpan: top.keySpan };
  if (top.key === "nodes" && document.top("nodes") === top)
    return {
      ...base,
      kind: "section",
      detail: String(document.nodes.length),
      children: nodes(document, tools),
      section: true,
    };
  if (top.key === "context_variables" && document.top("context_variables") === top)
    return {
      ...base,
      kind: "section",
      detail: String(document.variables.length),
      children: document.variables.map((variable) => ({
        name: variable.name || t("(no name)"),
        detail: textOf(variable.fields.get("type")?.value) ?? "",
        kind: "variable",
        block: variable,
        span: writtenSpan(variable),
        nameSpan: variable.keySpan,
        children: [],
      })),
      section: true,
    };
  if (top.key === "component_outputs" && top.value?.kind === "list")
    return {
      ...base,
      kind: "section",
      detail: String(top.value.items.length),
      children: top.value.items.map((item) => ({
        name: textOf(pairOf(item, "name")?.value) || t("(no name)"),
        detail: textOf(pairOf(item, "value")?.value) ?? "",
        kind: "output",
        block: top,
        span: item.span,
        nameSpan: pairOf(item, "name")?.value?.span ?? item.span,
        children: [],
      })),
    };
  return { ...base, kind: "field", detail: firstWords(textOf(top.value)), children: [] };
}

/** In larger flows the outline has no edges: it would be too long to read, and is sent after every keystroke. */
const MAX_NODES_WITH_EDGES = 1000;

function nodes(document: FlowDocument, tools: KnownTools | undefined): OutlineItem[] {
  const withEdges = document.nodes.length <= MAX_NODES_WITH_EDGES;
  return document.nodes.map((node) => {
    const known = withEdges ? wholeNodes : bareNodes;
    const tool = tools?.calledBy(node)?.name;
    let item = known.get(node);
    if (!item || item.tool !== tool) {
      item = outlineNode(node, withEdges, tool);
      known.set(node, item);
    }
    return item;
  });
}

const wholeNodes = new WeakMap<NodeBlock, OutlineItem>();
const bareNodes = new WeakMap<NodeBlock, OutlineItem>();

function outlineNode(node: NodeBlock, withEdges: boolean, tool: string | undefined): OutlineItem {
  return {
    name: node.id || t("(no ID)"),
    detail: [node.type, firstWords(tool), node.name].filter(Boolean).join(" · "),
    tool,
    kind: "node",
    block: node,
    span: writtenSpan(node),
    nameSpan: node.keySpan,
    children: (withEdges ? node.edges : []).map((edge) => ({
      name: `→ ${edge.to ?? "…"}`,
      detail: edgeWords(edge, node),
      kind: "edge",
      block: node,
      span: trimmedSpan(node.text, edge.span),
      nameSpan: edge.toSpan ?? edge.span,
      children: [],
    })),
  };
}
