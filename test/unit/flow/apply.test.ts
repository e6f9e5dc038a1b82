import assert from "node:assert/strict";
import { test } from "node:test";
import { applyOps, emptyGraph, type Graph, type GraphOp, graphFromWire, graphToWire, sameGraph } from "../../../flow";

const small: Graph = {
  entry: "a",
  persona: "Riley",
  nodes: new Map([
    ["a", { id: "a", type: "message", name: "A" }],
    ["b", { id: "b", type: "end" }],
  ]),
  edges: new Map([["a--b", { id: "a--b", source: "a", target: "b" }]]),
  variables: new Map([["v", { name: "v", type: "string" }]]),
  outputs: [{ name: "o", value: "{{v}}" }],
};

const bad: readonly [string, unknown, string, string][] = [
  ["no object", 3, "", "wrong-type"],
  ["no kind", {}, "op", "missing"],
  ["unknown kind", { op: "explode" }, "op", "unknown"],
  ["node missing", { op: "upsert_node" }, "node", "missing"],
  ["node no object", { op: "upsert_node", node: [] }, "node", "wrong-type"],
  ["node without id", { op: "upsert_node", node: { type: "end" } }, "node.id", "missing"],
  ["node with empty id", { op: "upsert_node", node: { id: "" } }, "node.id", "wrong-type"],
  ["node type no text", { op: "upsert_node", node: { id: "x", type: 3 } }, "node.type", "wrong-type"],
  ["removes unknown node", { op: "remove_node", node_id: "x" }, "node_id", "unknown"],
  ["updates unknown node", { op: "update_node_fields", node_id: "x", fields: {} }, "node_id", "unknown"],
  ["fields missing", { op: "update_node_fields", node_id: "a" }, "fields", "missing"],
  ["changes id", { op: "update_node_fields", node_id: "a", fields: { id: "b" } }, "fields.id", "wrong-type"],
  ["edge taken", { op: "add_edge", edge: { id: "a--b", source: "a", target: "b" } }, "edge.id", "exists"],
  ["edge without target", { op: "add_edge", edge: { id: "e", source: "a" } }, "edge.target", "missing"],
  ["removes unknown edge", { op: "remove_edge", edge_id: "x" }, "edge_id", "unknown"],
  ["entry no text", { op: "set_entry_node", node_id: 4 }, "node_id", "wrong-type"],
  ["variable without name", { op: "upsert_context_variable", variable: {} }, "variable.name", "missing"],
  ["removes unknown variable", { op: "remove_context_variable", name: "x" }, "name", "unknown"],
  ["persona no text", { op: "set_persona", persona: 1 }, "persona", "wrong-type"],
  ["output no object", { op: "set_component_outputs", outputs: [{}, 1] }, "outputs.1", "wrong-type"],
];

test("an invalid operation is rejected with the exact part, and so is its batch", () => {
  for (const [title, op, path, kind] of bad) {
    const before = JSON.stringify(graphToWire(small));
    const { graph, problem } = applyOps(small, [{ op: "remove_node", node_id: "b" }, op as GraphOp]);
    assert.equal(graph, undefined, title);
    assert.deepEqual([problem?.index, problem?.path.join("."), problem?.kind], [1, path, kind], title);
    assert.equal(JSON.stringify(graphToWire(small)), before, title);
  }
});

test("every kind of operation is applied", () => {
  const ops: GraphOp[] = [
    { op: "upsert_node", node: { id: "c", type: "end" } },
    { op: "update_node_fields", node_id: "a", fields: JSON.parse('{"name": null, "__proto__": 1}') },
    { op: "remove_edge", edge_id: "a--b" },
    { op: "add_edge", edge: { id: "a--c", source: "a", target: "c" } },
    { op: "set_entry_node", node_id: "c" },
    { op: "remove_node", node_id: "b" },
    { op: "upsert_context_variable", variable: { name: "w" } },
    { op: "remove_context_variable", name: "v" },
    { op: "set_persona", persona: null },
    { op: "set_component_outputs", outputs: [] },
  ];
  const { graph } = applyOps(small, ops);
  assert.ok(graph);
  assert.equal(
    JSON.stringify(graphToWire(graph)),
    '{"entry_node_id":"c","context_variables":[{"name":"w"}],' +
      '"nodes":[{"id":"a","type":"message","__proto__":1},{"id":"c","type":"end"}],' +
      '"edges":[{"id":"a--c","source":"a","target":"c"}],"component_outputs":[]}',
  );
});

test("a graph survives its wire form, and invalid input is never an empty graph", () => {
  const back = graphFromWire(JSON.parse(JSON.stringify(graphToWire(small))));
  assert.ok(back && sameGraph(back, small));
  const maps = graphFromWire({ nodes: { a: { type: "end" } }, edges: {}, entry: "a" });
  assert.equal(maps?.nodes.get("a")?.id, "a");
  for (const none of [null, "x", [], {}, { nodes: 3 }, { nodes: [{}] }, { nodes: [], edges: [{ id: "e" }] }])
    assert.equal(graphFromWire(none), undefined, JSON.stringify(none));
  for (const odd of [{ persona: 3 }, { persona: ["x"] }, { entry_node_id: { id: "a" } }, { entry: 7 }])
    assert.equal(graphFromWire({ nodes: [], ...odd }), undefined, JSON.stringify(odd));
  assert.ok(graphFromWire({ nodes: [], persona: null, entry: null }));
  assert.ok(graphFromWire({ nodes: [] }));
});

test("equality: null equals absent; positions and node order don't count, edge order does", () => {
  const node = { ...emptyGraph, nodes: new Map([["a", { id: "a", x: null, source_span: { start_line: 1 } }]]) };
  assert.ok(sameGraph(node, { ...emptyGraph, nodes: new Map([["a", { id: "a" }]]) }));
  assert.ok(!sameGraph(node, { ...emptyGraph, nodes: new Map([["a", { id: "a", x: 0 }]]) }));
  const first = { id: "1", source: "a", target: "b" };
  const second = { id: "2", source: "a", target: "b" };
  const other = { id: "3", source: "b", target: "a" };
  const edges = (...list: (typeof first)[]): Graph => ({
    ...emptyGraph,
    edges: new Map(list.map((edge) => [edge.id, edge])),
  });
  assert.ok(sameGraph(edges(first, second, other), edges(other, first, second)));
  assert.ok(!sameGraph(edges(first, second), edges(second, first)));
  assert.ok(!sameGraph(edges(first), edges(first, second)));
});
