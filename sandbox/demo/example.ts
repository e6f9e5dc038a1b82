/** The demo's flow is the example file, so that the example opens in sync. */
import { FlowDocument, type Graph, type GraphOp, graphOf, locate, type SourceSpan, topText } from "../../flow";

export interface Example {
  readonly assistant: string;
  readonly revision: string;
  readonly graph: Graph;
  /** The operations that create the graph, each node with its location in the file. */
  readonly ops: readonly GraphOp[];
}

export function readExample(text: string): Example {
  const document = FlowDocument.read(text);
  const graph = graphOf(document);
  const ops: GraphOp[] = [
    ...[...graph.variables.values()].map((variable) => ({ op: "upsert_context_variable" as const, variable })),
    ...[...graph.nodes.values()].map((node) => ({
      op: "upsert_node" as const,
      node: { ...node, source_span: spanOfNode(document, node.id) },
    })),
    ...[...graph.edges.values()].map((edge) => ({ op: "add_edge" as const, edge })),
    { op: "set_entry_node", node_id: graph.entry ?? null },
    { op: "set_persona", persona: graph.persona ?? null },
    { op: "set_component_outputs", outputs: graph.outputs },
  ];
  return {
    assistant: topText(document, "assistant") ?? "",
    revision: topText(document, "revision") ?? "",
    graph,
    ops,
  };
}

function spanOfNode(document: FlowDocument, id: string): SourceSpan {
  const span = locate(document, { kind: "node", id })?.span ?? { start: 0, end: 0 };
  const start = document.positionAt(span.start);
  const excerpt = document.slice(span).trimEnd();
  const end = document.positionAt(span.start + excerpt.length);
  return {
    start_line: start.line + 1,
    start_col: start.character + 1,
    end_line: end.line + 1,
    end_col: end.character + 1,
    raw_text_excerpt: excerpt,
  };
}
