/** What a document says as a whole: its top-level texts, what they use, and the graph it describes. */
import type { Entry, FlowDocument, NodeEntry } from "../document";
import { readTemplates, type VariableRef } from "../model";
import { textOf, toData } from "../values";
import type { Graph, GraphEdge, GraphOutput } from "./graph";

/** The text of a top-level scalar: `assistant`, `revision`, `persona`, `entry`. */
export function topText(document: FlowDocument, key: string): string | undefined {
  return textOf(document.top(key)?.value);
}

/** The uses of variables outside nodes: the persona and the component outputs. */
export function topRefs(document: FlowDocument): { entry: Entry; ref: VariableRef }[] {
  return document.tops
    .filter((entry) => entry.key !== "nodes" && entry.key !== "context_variables")
    .flatMap((entry) => readTemplates(entry.value, entry.text).map((ref) => ({ entry, ref })));
}

/**
 * The graph the file describes, or a part of it. Elements that cannot be read as such (an edge without `to`) are left out.
 */
export function graphOf(document: FlowDocument, among: readonly NodeEntry[] = document.nodes): Graph {
  const nodes = new Map(among.map((entry) => [entry.id, entry.wire]));
  const edges = new Map<string, GraphEdge>();
  for (const entry of among)
    for (const edge of entry.edges) if (edge.wire && !edges.has(edge.id)) edges.set(edge.id, edge.wire);
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
