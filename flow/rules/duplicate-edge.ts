import type { EdgeModel } from "../model";
import { pairOf, textOf } from "../values";
import { removeItem, removePair } from "./edits";
import type { Rule } from "./rule";
import { isNode, trimmed } from "./walk";

export const duplicateEdge: Rule = {
  code: "duplicate-edge",
  severity: "warning",
  title: "An edge is written twice",
  checkEntry(entry, report) {
    if (!isNode(entry)) return;
    for (const [edge, first] of duplicatesIn(entry.edges))
      report({
        message: `This edge to "${edge.to}" is the same as edge ${first.index + 1} of "${entry.id}". Remove it.`,
        span: trimmed(entry, edge.span),
        related: [{ message: "The same edge is here.", span: first.toSpan ?? first.span }],
        data: { edge: edge.index },
        unnecessary: true,
      });
  },
  checkGraph(flow, report) {
    const owners = new Map<string, { readonly node: number; readonly edge: number }>();
    flow.nodes.forEach(({ edges }, node) => {
      for (const edge of edges) {
        if (edge.value === undefined || edge.to === undefined) continue;
        const own = textOf(pairOf(edge.value, "id")?.value);
        if (own === undefined) continue;
        const other = owners.get(own);
        if (!other) owners.set(own, { node, edge: edge.index });
        else
          report({
            message: `Another edge has the id "${own}" already, so this one is lost. Give it an id of its own, or none.`,
            at: { node, edge: edge.index, field: "id" },
            related: [{ message: `The first edge with the id "${own}".`, at: { ...other, field: "id" } }],
            data: { id: own },
          });
      }
    });
  },
  fixes(problem, document) {
    const node = document.entryAt(problem.span.start);
    if (!node || !isNode(node) || !node.edgesPair || node.value?.kind !== "map") return [];
    const { edge: index } = problem.data as { edge?: number };
    if (index !== undefined) {
      const edit = removeItem(document, node, node.value, node.edgesPair, index);
      return edit ? [{ title: "Remove this edge", edits: [edit], preferred: true }] : [];
    }
    const at = problem.span.start - document.startOf(node);
    const map = node.edges.find((edge) => edge.span.start <= at && at < edge.span.end)?.value;
    const pair = pairOf(map, "id");
    return map && pair ? [{ title: "Remove the id", edits: [removePair(document, node, map, pair)] }] : [];
  },
};

/** Edges that say what an edge before them says, with that edge. */
export function duplicatesIn(edges: readonly EdgeModel[]): Map<EdgeModel, EdgeModel> {
  const duplicates = new Map<EdgeModel, EdgeModel>();
  if (edges.length < 2) return duplicates;
  const first = new Map<string, EdgeModel>();
  for (const edge of edges) {
    if (edge.to === undefined) continue;
    const condition = conditionOf(edge);
    // A condition that is no plain text is not compared.
    if (condition === undefined) continue;
    const key = JSON.stringify([edge.to, condition]);
    const other = first.get(key);
    if (other) duplicates.set(edge, other);
    else first.set(key, edge);
  }
  return duplicates;
}

/** What has to hold for an edge to be taken, as one text; white space does not count. */
export function conditionOf(edge: EdgeModel): string | undefined {
  const words = (key: string) => {
    const pair = pairOf(edge.value, key);
    if (!pair) return "";
    const text = textOf(pair.value);
    return text === undefined ? undefined : text.replace(/\s+/g, " ").trim();
  };
  const when = words("when");
  const on = words("on");
  return when === undefined || on === undefined ? undefined : JSON.stringify([when, on]);
}
