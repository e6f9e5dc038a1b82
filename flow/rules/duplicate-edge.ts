import type { EdgeModel } from "../model";
import { keyText, pairOf, textOf } from "../values";
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
    flow.parts.forEach(({ ownIds }, node) => {
      for (const edge of ownIds ? (flow.nodes[node]?.edges ?? []) : []) {
        const own = edge.to === undefined ? undefined : textOf(pairOf(edge.value, "id")?.value);
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
export function duplicatesIn(edges: readonly EdgeModel[]): ReadonlyMap<EdgeModel, EdgeModel> {
  if (edges.length < 2 || (edges.length <= 16 && !leadTwiceToOne(edges))) return none;
  let duplicates: Map<EdgeModel, EdgeModel> | undefined;
  const first = new Map<string, EdgeModel>();
  for (const edge of edges) {
    const condition = edge.to === undefined ? undefined : conditionOf(edge);
    if (condition === undefined) continue;
    const key = `${edge.to}\n${condition}`;
    const other = first.get(key);
    if (!other) first.set(key, edge);
    else {
      duplicates ??= new Map();
      duplicates.set(edge, other);
    }
  }
  return duplicates ?? none;
}

const none: ReadonlyMap<EdgeModel, EdgeModel> = new Map();

/** Most nodes lead to each target once, so that there is nothing to compare. */
function leadTwiceToOne(edges: readonly EdgeModel[]): boolean {
  for (let later = 1; later < edges.length; later++)
    for (let index = 0; index < later; index++) if (edges[index]?.to === edges[later]?.to) return true;
  return false;
}

/** What has to hold for an edge to be taken, as one text; undefined where it is written as something else than a text. */
export function conditionOf(edge: EdgeModel): string | undefined {
  let when = "";
  let on = "";
  for (const pair of edge.value?.pairs ?? []) {
    const key = keyText(pair);
    if (key !== "when" && key !== "on") continue;
    const text = textOf(pair.value);
    if (text === undefined) return undefined;
    if (key === "when") when = text.trim();
    else on = text.trim();
  }
  return `${on}\n${when}`;
}
