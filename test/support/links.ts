/** The links between the nodes of a flow as lists of numbers, one for each node. */
import type { Links } from "../../flow/graph/links";

export function listsOf({ start, to }: Links): number[][] {
  return Array.from({ length: start.length - 1 }, (_, node) => [...to.slice(start[node], start[node + 1])]);
}
