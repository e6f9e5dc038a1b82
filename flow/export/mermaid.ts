/** A flow as a Mermaid flowchart, for documents and reviews. */
import { nodeType } from "../fields";
import type { Graph, GraphEdge, GraphNode } from "../graph/graph";

export function toMermaid(graph: Graph): string {
  // IDs may be Mermaid keywords (`end`), so nodes are numbered.
  const numbers = new Map([...graph.nodes.keys()].map((id, index) => [id, `n${index + 1}`]));
  const lines = ["flowchart TD"];
  if (graph.entry !== undefined && numbers.has(graph.entry))
    lines.push(`  start((start)) --> ${numbers.get(graph.entry)}`);
  for (const node of graph.nodes.values()) lines.push(`  ${numbers.get(node.id)}${shape(node)}`);
  for (const edge of graph.edges.values()) {
    const source = numbers.get(edge.source);
    const target = numbers.get(edge.target);
    if (source && target) lines.push(`  ${source} ${arrow(edge)} ${target}`);
  }
  return `${lines.join("\n")}\n`;
}

function shape(node: GraphNode): string {
  const name = typeof node.name === "string" && node.name !== "" ? node.name : node.id;
  const words = `"${quote(name)}<br/><small>${quote(node.type ?? "no type")}</small>"`;
  if (node.type === "decision") return `{${words}}`;
  return nodeType(node.type)?.terminal ? `([${words}])` : `[${words}]`;
}

function arrow(edge: GraphEdge): string {
  const words = edge.on !== undefined ? `on ${edge.on}` : (edge.when ?? edge.label);
  const line = edge.on !== undefined ? "-.->" : "-->";
  return words === undefined || words === null ? line : `${line}|"${quote(String(words))}"|`;
}

/** Mermaid decodes entities inside quotes, so nothing in a flow can end the quote or become markup. */
function quote(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[#&<>"`{}|[\]\\;]/g, (char) => `#${char.charCodeAt(0)};`);
}
