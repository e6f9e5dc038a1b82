/** Whole-document views: top-level strings, their variables, and the graph. */
import type { Block, FlowDocument, NodeBlock } from "../document";
import { readTemplates, type VariableRef } from "../model";
import { textOf, toData } from "../values";
import type { Graph, GraphEdge, GraphOutput } from "./graph";

/** The text of a top-level scalar: `assistant`, `revision`, `persona`, `entry`. */
export function topText(document: FlowDocument, key: string): string | undefined {
  return textOf(document.top(key)?.value);
}

/** The uses of variables outside nodes: the persona and the component outputs. */
export function topRefs(document: FlowDocument): { block: Block; ref: VariableRef }[] {
  return document.tops
    .filter((block) => block.key !== "nodes" && block.key !== "context_variables")
    .flatMap((block) => readTemplates(block.value, block.text).map((ref) => ({ block, ref })));
}

/** The graph of a file, or of some of its nodes. Invalid elements (an edge without `to`) are left out. */
export function graphOf(document: FlowDocument, among: readonly NodeBlock[] = document.nodes): Graph {
  const nodes = new Map(among.map((block) => [block.id, block.wire]));
  const edges = new Map<string, GraphEdge>();
  for (const block of among)
    for (const edge of block.edges) if (edge.wire && !edges.has(edge.id)) edges.set(edge.id, edge.wire);
  const outputs = document.top("component_outputs")?.value;
  const persona = topText(document, "persona");
  const entry = topText(document, "entry");
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(entry === undefined ? {} : { entry }),
    nodes,
    edges,
    variables: new Map(document.variables.map((variable) => [variable.name, variable.wire])),
    outputs: outputs?.kind === "list" ? outputs.items.map((item) => toData(item) as GraphOutput) : [],
  };
}
