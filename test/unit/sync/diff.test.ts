import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  applyOps,
  diff,
  emptyGraph,
  FlowDocument,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphOp,
  graphOf,
  MAX_OPS_PER_BATCH,
  opAtLoc,
  placeOfOp,
  plan,
  sameGraph,
  sourceSpanOf,
} from "../../../flow";
import { cases } from "../../support/cases";
import { faults, graphs, relatives } from "./graphs";

const opsOf = (from: Graph, to: Graph): GraphOp[] => diff(from, to).map((planned) => planned.op);

function applied(graph: Graph, ops: readonly GraphOp[]): Graph {
  const result = applyOps(graph, JSON.parse(JSON.stringify(ops)));
  assert.ok(result.graph, JSON.stringify(result.problem));
  return result.graph;
}

test("diff laws: the target is reached, no change sends nothing, every split and prefix is valid", () => {
  fc.assert(
    fc.property(relatives(), fc.nat(), ([from, to], at) => {
      const ops = opsOf(from, to);
      assert.ok(sameGraph(applied(from, ops), to), "the end is reached");
      assert.equal(opsOf(from, from).length, 0);
      assert.equal(opsOf(applied(from, ops), to).length, 0);
      const cut = at % (ops.length + 1);
      assert.ok(sameGraph(applied(applied(from, ops.slice(0, cut)), ops.slice(cut)), to), "split");
      let graph = from;
      for (const op of ops) {
        graph = applied(graph, [op]);
        assert.deepEqual(faults(graph), [], JSON.stringify(op));
      }
    }),
    { numRuns: cases(10_000) },
  );
});

test("unrelated graphs too", () => {
  fc.assert(
    fc.property(graphs(6), graphs(6), (from, to) => {
      assert.ok(sameGraph(applied(from, opsOf(from, to)), to));
      assert.equal(sameGraph(from, to), opsOf(from, to).length === 0);
    }),
    { numRuns: cases(3_000) },
  );
});

/**
 * The minimum number of operations: every part that differs costs one, and the edges of a source cost what the best of
 * all subsequences that could stay leaves over. Computed by trying every subset, independently of diff.
 */
function fewest(from: Graph, to: Graph): number {
  const differs = <T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>, one: (map: Map<string, T>) => Graph) =>
    [...new Set([...a.keys(), ...b.keys()])].filter((key) => {
      const only = (map: ReadonlyMap<string, T>) => one(new Map(map.has(key) ? [[key, map.get(key) as T]] : []));
      return !sameGraph(only(a), only(b));
    }).length;
  const list = (graph: Graph, source: string) => [...graph.edges.values()].filter((edge) => edge.source === source);
  let count = differs<GraphNode>(from.nodes, to.nodes, (nodes) => ({ ...emptyGraph, nodes }));
  count += differs(from.variables, to.variables, (variables) => ({ ...emptyGraph, variables }));
  if (from.persona !== to.persona) count++;
  if (from.entry !== to.entry) count++;
  if (!sameGraph({ ...emptyGraph, outputs: from.outputs }, { ...emptyGraph, outputs: to.outputs })) count++;
  for (const source of new Set([...from.edges.values(), ...to.edges.values()].map((edge) => edge.source))) {
    const [before, after] = [list(from, source), list(to, source)];
    let best = before.length + after.length;
    for (let mask = 0; mask < 1 << before.length; mask++) {
      const kept = before.filter((_, index) => (mask >> index) & 1);
      const added = after.filter((edge) => !kept.some((other) => other.id === edge.id));
      const end = [...kept, ...added];
      const as = (edges: GraphEdge[]): Graph => ({ ...emptyGraph, edges: new Map(edges.map((e) => [e.id, e])) });
      if (end.length === after.length && sameGraph(as(end), as(after)))
        best = Math.min(best, before.length - kept.length + added.length);
    }
    count += best;
  }
  return count;
}

test("no shorter list exists on graphs of up to six nodes: every subset of kept edges is tried", () => {
  fc.assert(
    fc.property(fc.oneof(relatives(6, 9), fc.tuple(graphs(6), graphs(6))), ([from, to]) => {
      assert.equal(opsOf(from, to).length, fewest(from, to));
    }),
    { numRuns: cases(3_000) },
  );
});

test("no shorter list exists: a search through all operations finds none on tiny graphs", () => {
  fc.assert(
    fc.property(tinyGraphs, tinyGraphs, (from, to) => {
      const length = opsOf(from, to).length;
      assert.ok(!reachable(from, to, Math.min(length - 1, 4)), "a shorter list exists");
    }),
    { numRuns: 150 },
  );
});

const edgeAtoB = (id: string): GraphEdge => ({ id, source: "a", target: "b" });
const tinyGraphs: fc.Arbitrary<Graph> = fc
  .record({
    a: fc.constantFrom("x", "y"),
    b: fc.boolean(),
    edges: fc.uniqueArray(fc.constantFrom("1", "2", "3"), { maxLength: 3 }),
    entry: fc.boolean(),
  })
  .map(({ a, b, edges, entry }) => ({
    ...emptyGraph,
    entry: entry && b ? "b" : "a",
    nodes: new Map<string, GraphNode>([["a", { id: "a", name: a }], ...(b ? ([["b", { id: "b" }]] as const) : [])]),
    edges: new Map(b ? edges.map((id) => [id, edgeAtoB(id)]) : []),
  }));

/** Whether some list of at most `depth` operations transforms one graph into the other, by breadth-first search. */
function reachable(from: Graph, to: Graph, depth: number): boolean {
  const every: GraphOp[] = [
    ...["x", "y"].flatMap((name): GraphOp[] => [
      { op: "upsert_node", node: { id: "a", name } },
      { op: "update_node_fields", node_id: "a", fields: { name } },
    ]),
    { op: "upsert_node", node: { id: "b" } },
    { op: "remove_node", node_id: "a" },
    { op: "remove_node", node_id: "b" },
    ...["1", "2", "3"].flatMap((id): GraphOp[] => [
      { op: "add_edge", edge: edgeAtoB(id) },
      { op: "remove_edge", edge_id: id },
    ]),
    { op: "set_entry_node", node_id: "a" },
    { op: "set_entry_node", node_id: "b" },
  ];
  const keyOf = (graph: Graph) =>
    JSON.stringify([graph.entry, [...graph.nodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), [...graph.edges]]);
  let frontier = [from];
  const seen = new Set([keyOf(from)]);
  for (let step = 0; step <= depth; step++) {
    if (frontier.some((graph) => sameGraph(graph, to))) return true;
    if (step === depth) return false;
    const next: Graph[] = [];
    for (const graph of frontier)
      for (const op of every) {
        const { graph: after } = applyOps(graph, [op]);
        if (!after || seen.has(keyOf(after))) continue;
        seen.add(keyOf(after));
        next.push(after);
      }
    frontier = next;
  }
  return false;
}

test("a renamed key is detected as a rename and sent as operations", () => {
  fc.assert(
    fc.property(graphs(6), fc.nat(), (graph, pick) => {
      const ids = [...graph.nodes.keys()];
      const from = ids[pick % Math.max(1, ids.length)];
      if (from === undefined) return;
      const renamed = renameNode(graph, from, "z");
      const found = plan(graph, renamed);
      assert.deepEqual(found.renames, [{ from, to: "z" }]);
      assert.deepEqual(found.summary.removedNodes, []);
      assert.ok(
        sameGraph(
          applied(
            graph,
            found.ops.map((planned) => planned.op),
          ),
          renamed,
        ),
      );
    }),
    { numRuns: cases(1_000) },
  );
});

test("a rename is detected even if the node was also edited, and never if it's ambiguous", () => {
  const chain = (id: string, text: string): Graph => ({
    ...emptyGraph,
    entry: "a",
    nodes: new Map([
      ["a", { id: "a", type: "message" }],
      [id, { id, type: "message", text }],
      ["c", { id: "c", type: "end" }],
    ]),
    edges: new Map([
      ["1", { id: "1", source: "a", target: id }],
      ["2", { id: "2", source: id, target: "c" }],
    ]),
  });
  assert.deepEqual(plan(chain("b", "x"), chain("z", "y")).renames, [{ from: "b", to: "z" }]);
  const ends = (...ids: string[]): Graph => ({
    ...emptyGraph,
    nodes: new Map(ids.map((id) => [id, { id, type: "end" }])),
  });
  assert.deepEqual(plan(ends("a", "b"), ends("c", "d")).renames, []);
  assert.equal(plan(ends("a", "b"), ends("c", "d")).summary.removedShare, 1);
});

function renameNode(graph: Graph, from: string, to: string): Graph {
  const name = (id: string) => (id === from ? to : id);
  return {
    ...graph,
    ...(graph.entry === undefined ? {} : { entry: name(graph.entry) }),
    nodes: new Map([...graph.nodes.values()].map((node) => [name(node.id), { ...node, id: name(node.id) }])),
    edges: new Map(
      [...graph.edges].map(([id, edge]) => [id, { ...edge, source: name(edge.source), target: name(edge.target) }]),
    ),
  };
}

test("the summary names removed nodes first", () => {
  const node = (id: string) => [id, { id, type: "end" }] as const;
  const before: Graph = { ...emptyGraph, entry: "a", nodes: new Map([node("a"), node("b")]) };
  const after: Graph = { ...emptyGraph, entry: "a", nodes: new Map([["a", { id: "a", type: "end", name: "A" }]]) };
  assert.equal(plan(before, after).summary.text, "1 node removed, 1 node changed");
});

test("more than 200 operations become a chain of batches, each valid", () => {
  const nodes = new Map(Array.from({ length: 450 }, (_, i) => [`n${i}`, { id: `n${i}`, type: "message" }]));
  const edges = new Map(
    Array.from({ length: 449 }, (_, i) => [`e${i}`, { id: `e${i}`, source: `n${i}`, target: `n${i + 1}` }]),
  );
  const big: Graph = { ...emptyGraph, entry: "n0", nodes, edges };
  for (const [from, to] of [
    [emptyGraph, big],
    [big, emptyGraph],
  ] as const) {
    const { batches } = plan(from, to);
    assert.equal(batches.length, 5);
    let graph: Graph = from;
    for (const batch of batches) {
      assert.ok(batch.length <= MAX_OPS_PER_BATCH);
      graph = applied(
        graph,
        batch.map((planned) => planned.op),
      );
      assert.deepEqual(faults(graph), []);
    }
    assert.ok(sameGraph(graph, to));
  }
});

const text = `entry: a
context_variables:
  plan: {type: string}
nodes:
  a:
    type: message
    instructions: Hello.
    edges:
      - {to: b, when: yes please}
  b:
    type: end
component_outputs:
  - {name: one, value: 1}
  - {name: two, value: 2}
`;

test("a validation error is mapped to the line of the operation, with and without the union tag", () => {
  const document = FlowDocument.read(text);
  const { ops } = plan(emptyGraph, graphOf(document), { spanOf: (id) => sourceSpanOf(document, id) });
  const kinds = ops.map((planned) => planned.op.op);
  const lineAt = (loc: (string | number)[]) => {
    const found = opAtLoc(loc, ops);
    const place = found && placeOfOp(document, found.at);
    return place && document.slice(place.name);
  };
  const [node, edge, variable] = ["upsert_node", "add_edge", "upsert_context_variable"].map((kind) =>
    kinds.indexOf(kind as GraphOp["op"]),
  ) as [number, number, number];
  const outputs = kinds.indexOf("set_component_outputs");
  assert.equal(lineAt(["body", "ops", node, "node", "type"]), "message");
  assert.equal(lineAt(["body", "ops", node, "upsert_node", "node", "type"]), "message");
  assert.equal(lineAt(["body", "ops", node, "UpsertNodeOp", "node", "instructions"]), "Hello.");
  assert.equal(lineAt(["body", "ops", String(node), "node"]), "a");
  assert.equal(lineAt(["body", "ops", edge, "edge", "target"]), "b");
  assert.equal(lineAt(["body", "ops", edge, "add_edge", "edge", "when"]), "yes please");
  assert.equal(lineAt(["body", "ops", variable, "variable", "type"]), "string");
  assert.equal(lineAt(["body", "ops", outputs, "outputs", 1, "value"]), "2");
  assert.equal(lineAt(["ops", kinds.indexOf("set_entry_node"), "node_id"]), "a");
  for (const none of [["body"], ["body", "ops"], ["body", "ops", 99], ["body", "base_version"], []])
    assert.equal(opAtLoc(none, ops), undefined);
  const node0 = ops[node]?.op;
  assert.deepEqual(node0?.op === "upsert_node" && node0.node.source_span, {
    start_line: 5,
    start_col: 3,
    end_line: 9,
    end_col: 34,
    raw_text_excerpt: "a:\n    type: message\n    instructions: Hello.\n    edges:\n      - {to: b, when: yes please}",
  });
});

test("an error about a removed element is shown at its parent", () => {
  const document = FlowDocument.read(text);
  const after = FlowDocument.read(text.replace(/ {4}edges:\n.*\n/, "").replace(/ {2}b:\n.*\n/, ""));
  const shown = plan(graphOf(document), graphOf(after)).ops.map(({ op, at }) => {
    const place = placeOfOp(after, at);
    return [op.op, place && after.slice(place.name)];
  });
  assert.deepEqual(shown, [
    ["remove_edge", "a"],
    ["remove_node", "nodes"],
  ]);
});

test("moving a node within the file isn't an operation", () => {
  const document = FlowDocument.read(text);
  const moved = FlowDocument.read(text.replace(/( {2}a:[\s\S]*)( {2}b:\n.*\n)/, "$2$1"));
  assert.notEqual(moved.text, document.text);
  assert.deepEqual(diff(graphOf(document), graphOf(moved), { spanOf: (id) => sourceSpanOf(moved, id) }), []);
});
