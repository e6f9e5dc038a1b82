/** Fixes for a conversation that can't end: an edge from a node to one that ends it. */
import { type FlowDocument, isNode } from "../../document";
import { nodeType } from "../../fields";
import { addEdge } from "../engine/edits";
import type { Fix, Problem } from "../engine/rule";

const MAX_TARGETS = 3;

export function waysOut({ span }: Problem, document: FlowDocument): Fix[] {
  const node = document.blockAt(span.start);
  if (!node || !isNode(node)) return [];
  // The first match wins, so the new edge goes before the default edge and gets a condition.
  const fallback = node.edges.findIndex((edge) => edge.isDefault);
  const targets = document.nodes.filter((each) => nodeType(each.type)?.terminal).slice(0, MAX_TARGETS);
  return targets.flatMap(({ id }): Fix[] => {
    const edit =
      fallback < 0
        ? addEdge(document, node, [["to", id]])
        : addEdge(
            document,
            node,
            [
              ["to", id],
              ["when", "the caller wants to stop"],
            ],
            fallback,
          );
    return edit ? [{ title: `Add edge to "${id}"`, edits: [edit] }] : [];
  });
}
