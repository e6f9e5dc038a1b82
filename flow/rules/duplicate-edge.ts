import { isNode } from "../document";
import type { EdgeModel } from "../model";
import { trimmedSpan } from "../text";
import { keyText, pairOf, textOf } from "../values";
import { addPairs, putValue, removeEdge } from "./engine/edits";
import { fixWith, type Rule } from "./engine/rule";

export const duplicateEdge: Rule = {
  code: "duplicate-edge",
  severity: "warning",
  title: "Duplicate edge",
  checkBlock(block, report) {
    if (!isNode(block)) return;
    for (const [edge, first] of duplicatesIn(block.edges))
      report({
        message: `Duplicate of edge ${first.index + 1} of "${block.id}", which also points to "${edge.to}". Remove one of them.`,
        span: trimmedSpan(block.text, edge.span),
        related: [{ message: "The first edge is here.", span: first.toSpan ?? first.span }],
        data: { edge: edge.index },
        unnecessary: true,
      });
  },
  checkGraph(flow, report) {
    if (!flow.parts.some(({ mayShareIds }) => mayShareIds)) return;
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
        // The explicit ID is the one to change.
        const [at, first] = own === undefined && "field" in other ? [other, here] : [here, other];
        const isOwn = "field" in at;
        report({
          message: isOwn
            ? `Another edge also has the ID "${edge.id}", so one of them isn't sent. Give this edge its own \`id\`.`
            : `Without an \`id\`, this edge gets the ID "${edge.id}", which another edge already has, so it isn't sent. Give it its own \`id\`.`,
          at,
          related: [{ message: `The other edge with the ID "${edge.id}" is here.`, at: first }],
          data: { id: edge.id, own: isOwn, at: at.edge },
        });
      }
    });
  },
  fixes(problem, document) {
    const { edge: index, id, own, at: lost } = problem.data as Data;
    if (index !== undefined) return fixWith("Remove edge", removeEdge(document, problem.span.start, index), true);
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const map = lost === undefined ? undefined : node.edges[lost]?.value;
    if (!map || id === undefined) return [];
    const taken = new Set(document.nodes.flatMap(({ edges }) => edges.map((edge) => edge.id)));
    let number = 2;
    while (taken.has(`${id}-${number}`)) number++;
    const free = `${id}-${number}`;
    const title = `Set the ID to "${free}"`;
    const pair = pairOf(map, "id");
    if (own && pair?.value) return fixWith(title, putValue(document, node, pair, free));
    return fixWith(title, addPairs(document, node, map, [["id", free]]));
  },
};

interface Data {
  /** The index of the repeated edge. */
  readonly edge?: number;
  /** The ID that two edges share, whether it's explicit, and the edge that isn't sent. */
  readonly id?: string;
  readonly own?: boolean;
  readonly at?: number;
}

/** Maps each repeated edge to the first edge like it. */
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

/** Quick check: most nodes have at most one edge to each target. */
function leadTwiceToOne(edges: readonly EdgeModel[]): boolean {
  for (let later = 1; later < edges.length; later++)
    for (let index = 0; index < later; index++) if (edges[index]?.to === edges[later]?.to) return true;
  return false;
}

/** The condition of an edge as one string; undefined if it isn't written as text. */
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
