/** The demo's flow is the example file, so that the example opens in sync. */
import { FlowDocument, type Graph, graphOf, locate, type SourceSpan, topText } from "../../flow";

export interface Example {
  readonly assistant: string;
  readonly revision: string;
  /** Each node has its location in the file. */
  readonly graph: Graph;
}

export function readExample(text: string): Example {
  const document = FlowDocument.read(text);
  const graph = graphOf(document);
  const nodes = [...graph.nodes].map(([id, node]) => [id, { ...node, source_span: spanOfNode(document, id) }] as const);
  return {
    assistant: topText(document, "assistant") ?? "",
    revision: topText(document, "revision") ?? "",
    graph: { ...graph, nodes: new Map(nodes) },
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
