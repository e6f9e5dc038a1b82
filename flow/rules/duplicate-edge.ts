import type { EdgeModel } from "../model";
import { keyText, pairOf, textOf } from "../values";
import { addPairs, removeItem } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { isNode, trimmed } from "./engine/walk";

export const duplicateEdge: Rule = {
  code: "duplicate-edge",
  severity: "warning",
  title: "An edge is written twice",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    for (const [edge, first] of duplicatesIn(block.edges))
      report({
        message: `This edge to "${edge.to}" is the same as edge ${first.index + 1} of "${block.id}". Remove it.`,
        span: trimmed(block, edge.span),
        related: [{ message: "The same edge is here.", span: first.toSpan ?? first.span }],
        data: { edge: edge.index },
        unnecessary: true,
      });
  },
  checkGraph(flow, report) {
    // Ids that follow from the two ends can meet only where one is written, or where a node's own id has a "--" in it.
    if (!flow.parts.some(({ ownIds }) => ownIds) && !flow.nodes.some(({ id }) => id.includes("--"))) return;
    const owners = new Map<string, { readonly node: number; readonly edge: number; readonly field?: string }>();
    flow.nodes.forEach((block, node) => {
      for (const edge of block.edges) {
        if (edge.to === undefined) continue;
        const other = owners.get(edge.id);
        const own = textOf(pairOf(edge.value, "id")?.value);
        const field = own === undefined ? {} : { field: "id" };
        const here = { node, edge: edge.index, ...field };
        if (!other) {
          owners.set(edge.id, here);
          continue;
        }
        // An id that is written is the one to change.
        const [at, first] = own === undefined && "field" in other ? [other, here] : [here, other];
        const isOwn = "field" in at;
        report({
          message: isOwn
            ? `Another edge is called "${edge.id}" too, so one of the two isn't sent. Give this one an ID of its own.`
            : `Without an "id" this edge is called "${edge.id}", as another one is already, so it isn't sent. Give it an "id" of its own.`,
          at,
          related: [{ message: `The other edge that is called "${edge.id}".`, at: first }],
          data: { id: edge.id, own: isOwn, at: at.edge },
        });
      }
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node) || !node.edgesPair || node.value?.kind !== "map") return [];
    const { edge: index, id, own, at: lost } = problem.data as Data;
    if (index !== undefined) {
      const edit = removeItem(document, node, node.value, node.edgesPair, index);
      return edit ? [{ title: "Remove this edge", edits: [edit], preferred: true }] : [];
    }
    const map = lost === undefined ? undefined : node.edges[lost]?.value;
    if (!map || id === undefined) return [];
    const taken = new Set(document.nodes.flatMap(({ edges }) => edges.map((edge) => edge.id)));
    let number = 2;
    while (taken.has(`${id}-${number}`)) number++;
    const free = `${id}-${number}`;
    const title = `Give it the ID "${free}"`;
    const pair = pairOf(map, "id");
    if (own && pair?.value) return [{ title, edits: [{ ...document.absolute(node, pair.value.span), text: free }] }];
    const edit = addPairs(document, node, map, [["id", free]]);
    return edit ? [{ title, edits: [edit] }] : [];
  },
};

interface Data {
  /** The edge that says what another one says. */
  readonly edge?: number;
  /** The id that two edges have, whether it is written, and the edge that is lost. */
  readonly id?: string;
  readonly own?: boolean;
  readonly at?: number;
}

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
