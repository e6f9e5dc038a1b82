/** Generated graphs: small, so that collisions are common, with everything a flow can have. */
import fc from "fast-check";
import type { Graph, GraphEdge, GraphNode } from "../../../flow";

const values = fc.constantFrom<unknown>("x", "y", 1, null, true, ["x", 1], { k: "v" }, { k: null });
const fieldNames = fc.constantFrom("name", "instructions", "inputs", "__proto__");

const node = (id: string): fc.Arbitrary<GraphNode> =>
  fc
    .tuple(
      fc.constantFrom("message", "tool", "end"),
      fc.array(fc.tuple(fieldNames, values), { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([type, fields, placed]) =>
      Object.fromEntries([
        ["id", id],
        ["type", type],
        ...fields,
        ...(placed ? [["source_span", { start_line: 1 }] as [string, unknown]] : []),
      ]),
    ) as fc.Arbitrary<GraphNode>;

/** A valid graph over the first `size` IDs: every edge has its ends, and the entry exists if there are nodes. */
export function graphs(size = 5, maxEdges = 7): fc.Arbitrary<Graph> {
  const ids = ["a", "b", "c", "d", "e", "f"].slice(0, size);
  const name = fc.constantFrom(...ids);
  return fc
    .record({
      nodes: fc.tuple(...ids.map((id) => fc.option(node(id), { nil: undefined, freq: 3 }))),
      edges: fc.array(
        fc.record({ source: name, target: name, number: fc.nat(2), when: fc.constantFrom(undefined, "p", "q") }),
        { maxLength: maxEdges },
      ),
      ownIds: fc.boolean(),
      persona: fc.constantFrom(undefined, "Riley", "Sam"),
      entry: fc.nat(9),
      variables: fc.array(fc.tuple(fc.constantFrom("u", "v"), values), { maxLength: 2 }),
      outputs: fc.array(fc.record({ name: fc.constantFrom("o", "p"), value: values }), { maxLength: 2 }),
    })
    .map((raw): Graph => {
      const nodes = new Map(raw.nodes.filter((item) => item !== undefined).map((item) => [item.id, item]));
      const edges = new Map<string, GraphEdge>();
      for (const { source, target, number, when } of raw.edges) {
        const id = raw.ownIds ? `e${number}` : `${source}--${target}--${number}`;
        if (nodes.has(source) && nodes.has(target) && !edges.has(id))
          edges.set(id, { id, source, target, ...(when === undefined ? {} : { when }) });
      }
      const all = [...nodes.keys()];
      const entry = all[raw.entry % Math.max(1, all.length)];
      return {
        ...(raw.persona === undefined ? {} : { persona: raw.persona }),
        ...(entry === undefined ? {} : { entry }),
        nodes,
        edges,
        variables: new Map(raw.variables.map(([key, type]) => [key, { name: key, type }])),
        outputs: raw.outputs,
      };
    });
}

/** Parts of one graph and parts of the other, like two versions of one flow. */
export const relatives = (size = 5, maxEdges = 7): fc.Arbitrary<[Graph, Graph]> =>
  fc
    .tuple(graphs(size, maxEdges), graphs(size, maxEdges), fc.nat(255), fc.infiniteStream(fc.nat(9)))
    .map(([a, b, mask, order]) => {
      const other = blend(a, b, mask);
      // Half of the time the same edges in another order, without one of them.
      return [a, mask % 2 === 0 ? other : { ...other, edges: reordered(other.edges, order) }];
    });

function reordered(edges: Graph["edges"], order: Iterator<number>): Graph["edges"] {
  const ranked = [...edges].map((entry) => ({ entry, rank: order.next().value as number }));
  ranked.sort((x, y) => x.rank - y.rank);
  return new Map(ranked.filter(({ rank }) => rank !== 9).map(({ entry }) => entry));
}

/** The first graph with the parts in the mask from the second; invalid edges are left out. */
export function blend(a: Graph, b: Graph, mask: number): Graph {
  const pick = (bit: number) => ((mask >> bit) & 1 ? b : a);
  const nodes = new Map<string, GraphNode>();
  for (const id of new Set([...a.nodes.keys(), ...b.nodes.keys()])) {
    const found = pick(id.charCodeAt(0) % 5).nodes.get(id);
    if (found) nodes.set(id, found);
  }
  const edges = [...pick(5).edges.values()].filter((edge) => nodes.has(edge.source) && nodes.has(edge.target));
  const wanted = pick(6).entry;
  const entry = wanted !== undefined && nodes.has(wanted) ? wanted : [...nodes.keys()][0];
  const persona = pick(7).persona;
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(entry === undefined ? {} : { entry }),
    nodes,
    edges: new Map(edges.map((edge) => [edge.id, edge])),
    variables: pick(0).variables,
    outputs: pick(1).outputs,
  };
}

/** Edges with missing ends, and an entry that doesn't exist. */
export function faults(graph: Graph): string[] {
  const found = [...graph.edges.values()]
    .filter((edge) => !graph.nodes.has(edge.source) || !graph.nodes.has(edge.target))
    .map((edge) => `edge ${edge.id}`);
  if (graph.entry !== undefined && !graph.nodes.has(graph.entry)) found.push(`entry ${graph.entry}`);
  return found;
}
