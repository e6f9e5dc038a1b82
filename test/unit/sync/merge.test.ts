import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  diff,
  emptyGraph,
  FlowDocument,
  type Graph,
  type GraphEdge,
  type GraphNode,
  graphOf,
  mergeGraphs,
  sameGraph,
} from "../../../flow";
import { cases } from "../../support/cases";
import { blend, faults, graphs } from "./graphs";

/** A common ancestor and two versions of it. */
const threeWays = fc
  .tuple(graphs(4, 5), graphs(4, 5), graphs(4, 5), fc.nat(255), fc.nat(255))
  .map(([base, a, b, left, right]) => ({ base, ours: blend(base, a, left), theirs: blend(base, b, right) }));

/** Of outputs that both sides added, ours come first, so the other side has another order. */
function sameButOutputOrder(a: Graph, b: Graph): boolean {
  const sorted = (graph: Graph): Graph => ({
    ...graph,
    outputs: [...graph.outputs].sort((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1)),
  });
  return sameGraph(sorted(a), sorted(b));
}

test("merge laws: symmetric, idempotent, one-sided changes win, and a resolved merge has no conflicts", () => {
  fc.assert(
    fc.property(threeWays, fc.nat(9), ({ base, ours, theirs }, mask) => {
      assert.ok(sameGraph(mergeGraphs(base, ours, base).graph, ours), "only ours changed");
      assert.ok(sameGraph(mergeGraphs(base, base, theirs).graph, theirs), "only theirs changed");
      assert.deepEqual(mergeGraphs(base, ours, base).conflicts, []);
      assert.deepEqual(mergeGraphs(base, base, theirs).conflicts, []);
      assert.ok(sameGraph(mergeGraphs(base, ours, ours).graph, ours), "both changed alike");
      assert.deepEqual(mergeGraphs(base, ours, ours).conflicts, []);

      const merged = mergeGraphs(base, ours, theirs);
      const swapped = mergeGraphs(base, theirs, ours);
      const keys = (conflicts: typeof merged.conflicts) => conflicts.map((conflict) => conflict.key).sort();
      assert.equal(merged.conflicts.length > 0, swapped.conflicts.length > 0, "conflicts are seen from both sides");
      const mine = mergeGraphs(base, ours, theirs, () => "ours").graph;
      assert.ok(
        sameButOutputOrder(mine, mergeGraphs(base, theirs, ours, () => "theirs").graph),
        "a choice selects the same side in both orders",
      );
      if (merged.conflicts.length === 0) {
        assert.ok(sameButOutputOrder(merged.graph, swapped.graph), "symmetry");
        assert.deepEqual(faults(merged.graph), [], "two sound sides give a sound graph");
        const again = mergeGraphs(base, merged.graph, theirs);
        assert.deepEqual(again.conflicts, []);
        assert.ok(sameGraph(again.graph, merged.graph), "idempotence");
      }
      assert.deepEqual(new Set(keys(merged.conflicts)).size, merged.conflicts.length, "keys are unique");
      const decided = mergeGraphs(base, ours, theirs, ({ key }) => ((key.length * mask) % 7 > 3 ? "theirs" : "ours"));
      assert.deepEqual(decided.conflicts, []);
      assert.deepEqual(faults(decided.graph), [], "every choice gives a sound graph");
    }),
    { numRuns: cases(10_000) },
  );
});

/** Every fact of a graph as `what → value`, so that changes are found independently of the merge. */
function facts(graph: Graph): Map<string, string> {
  const found = new Map<string, string>();
  const note = (kind: string, map: ReadonlyMap<string, object>) => {
    for (const [id, element] of map)
      for (const [name, value] of Object.entries(element))
        if (value !== null && name !== "source_span") found.set(`${kind} ${id}.${name}`, JSON.stringify(value));
  };
  note("node", graph.nodes);
  note("edge", graph.edges);
  note("variable", graph.variables);
  if (graph.persona !== undefined) found.set("persona", graph.persona);
  if (graph.entry !== undefined) found.set("entry", graph.entry);
  return found;
}

test("no guess: a value that both sides changed differently is always a conflict", () => {
  let clashes = 0;
  fc.assert(
    fc.property(threeWays, ({ base, ours, theirs }) => {
      const { graph, conflicts } = mergeGraphs(base, ours, theirs);
      const [b, o, t, m] = [base, ours, theirs, graph].map(facts) as [
        Map<string, string>,
        Map<string, string>,
        Map<string, string>,
        Map<string, string>,
      ];
      for (const fact of new Set([...b.keys(), ...o.keys(), ...t.keys()])) {
        const [was, here, there] = [b.get(fact), o.get(fact), t.get(fact)];
        if (here !== there && here !== was && there !== was) {
          clashes++;
          assert.ok(conflicts.length > 0, `${fact}: ${was} → ${here} | ${there}`);
        } else if (conflicts.length === 0) assert.equal(m.get(fact), here === was ? there : here, fact);
      }
    }),
    { numRuns: cases(5_000) },
  );
  assert.ok(clashes > cases(5_000) / 2, "the generator makes clashes");
});

const message = (id: string, fields: object = {}): [string, GraphNode] => [id, { id, type: "message", ...fields }];
const edge = (id: string, source = "a", target = "b", fields: object = {}): [string, GraphEdge] => [
  id,
  { id, source, target, ...fields },
];
const flow = (nodes: [string, GraphNode][], edges: [string, GraphEdge][] = [], entry = "a"): Graph => ({
  ...emptyGraph,
  entry,
  nodes: new Map(nodes),
  edges: new Map(edges),
});

test("disjoint edits of one node merge; the same field is a conflict with its three values", () => {
  const base = flow([message("a", { name: "A", text: "x" })]);
  const ours = flow([message("a", { name: "B", text: "x" })]);
  const theirs = flow([message("a", { name: "A", text: "y" })]);
  assert.ok(sameGraph(mergeGraphs(base, ours, theirs).graph, flow([message("a", { name: "B", text: "y" })])));
  const clash = mergeGraphs(base, ours, flow([message("a", { name: "C" })]));
  assert.deepEqual(
    clash.conflicts.map(({ key, base, ours, theirs }) => [key, base, ours, theirs]),
    [["node a.name", "A", "B", "C"]],
  );
  assert.equal(clash.conflicts[0]?.message, 'Node "a": `name` was changed in the file and on the platform.');
  const decided = mergeGraphs(base, ours, flow([message("a", { name: "C" })]), () => "theirs");
  assert.ok(sameGraph(decided.graph, flow([message("a", { name: "C" })])));
});

test("a node removed on one side and changed or used on the other is a conflict, and either choice is valid", () => {
  const base = flow([message("a"), message("b")], [edge("1")]);
  const removed = flow([message("a")]);
  for (const theirs of [
    flow([message("a"), message("b", { name: "new" })], [edge("1")]),
    flow([message("a"), message("b")], [edge("1"), edge("2")]),
    flow([message("a"), message("b")], [edge("1")], "b"),
  ]) {
    const { conflicts } = mergeGraphs(base, removed, theirs);
    assert.deepEqual(
      conflicts.map((conflict) => conflict.key),
      ["node b"],
    );
    const mine = mergeGraphs(base, removed, theirs, () => "ours").graph;
    assert.deepEqual([mine.nodes.has("b"), faults(mine)], [false, []]);
    const other = mergeGraphs(base, removed, theirs, () => "theirs").graph;
    assert.deepEqual([other.nodes.has("b"), faults(other)], [true, []]);
  }
});

test("edges: insertions in different gaps merge, in the same gap they are a conflict of order", () => {
  const nodes = [message("a"), message("b")];
  const of = (...ids: string[]) =>
    flow(
      nodes,
      ids.map((id) => edge(id, "a", "b", { when: id })),
    );
  const order = (base: Graph, ours: Graph, theirs: Graph) => {
    const { graph, conflicts } = mergeGraphs(base, ours, theirs);
    return conflicts.length > 0 ? conflicts.map((conflict) => conflict.key) : [...graph.edges.keys()].join("");
  };
  assert.equal(order(of("1", "2"), of("x", "1", "2"), of("1", "2", "y")), "x12y");
  assert.equal(order(of("1", "2"), of("1", "x", "2"), of("2")), "x2");
  assert.equal(order(of("1", "2", "3"), of("3", "1", "2"), of("1", "2", "3")), "312");
  assert.equal(order(of("1", "2", "3"), of("2", "1", "3"), of("1", "2", "3", "y")), "213y");
  assert.deepEqual(order(of("1"), of("1", "x"), of("1", "y")), ["node a.edges"]);
  assert.deepEqual(order(of("1", "2"), of("2", "1"), of("1", "x", "2")), ["node a.edges"]);
  assert.deepEqual(order(of("1", "2", "3"), of("2", "1", "3"), of("1", "3", "2")), ["node a.edges"]);
  const either = mergeGraphs(of("1"), of("1", "x"), of("1", "y"), () => "theirs").graph;
  assert.deepEqual([...either.edges.keys()], ["1", "y", "x"]);
  const [conflict] = mergeGraphs(of("1"), of("1", "x"), of("1", "y")).conflicts;
  assert.equal(
    conflict?.message,
    'Choose an order for the edges of "a"; all are kept. Both sides added or moved some.',
  );
  assert.deepEqual(conflict?.order, {
    ours: ["b when 1", "b when x", "b when y"],
    theirs: ["b when 1", "b when y", "b when x"],
  });
  const apart = (...ids: string[]) =>
    flow(
      [message("a")],
      ids.map((id) => edge(id, "a", id)),
    );
  const [other] = mergeGraphs(apart("ask"), apart("ask", "bye"), apart("ask", "hand_over")).conflicts;
  assert.deepEqual(other?.order?.ours, ["ask", "bye", "hand_over"]);
});

test("the merge into the file can be expressed as operations", () => {
  const base = flow([message("a")]);
  const theirs = flow([message("a"), message("b")], [edge("1")]);
  const ours = flow([message("a", { name: "A" })]);
  const incoming = diff(ours, mergeGraphs(base, ours, theirs).graph).map(({ op }) => op.op);
  assert.deepEqual(incoming, ["upsert_node", "add_edge"]);
});

test("the question about removing a node shows the edges of both sides", () => {
  const node = (id: string): [string, GraphNode] => [id, { id, type: "message" }];
  const edge = (when?: string): [string, GraphEdge] => [
    "e",
    { id: "e", source: "b", target: "a", ...(when ? { when } : {}) },
  ];
  const base: Graph = { ...emptyGraph, nodes: new Map([node("a"), node("b")]) };
  const ours: Graph = { ...base, edges: new Map([edge()]) };
  const theirs: Graph = { ...base, nodes: new Map([node("a")]), edges: new Map([edge("the colleague's words")]) };
  const [conflict] = mergeGraphs(base, ours, theirs).conflicts;
  assert.deepEqual(
    conflict?.uses?.map(({ when }) => when),
    [undefined, "the colleague's words"],
  );
  assert.match(conflict?.message ?? "", /b → a; b → a when the colleague's words/);
});

test("an edge that one side merged with the other side's change is still one edge", () => {
  const graph = (nodes: readonly string[], edges: readonly GraphEdge[]): Graph => ({
    ...emptyGraph,
    entry: "b",
    nodes: new Map(nodes.map((id): [string, GraphNode] => [id, { id, type: "message" }])),
    edges: new Map(edges.map((edge) => [edge.id, edge])),
  });
  const base = graph(["b"], [{ id: "e0", source: "b", target: "b", when: "p" }]);
  const ours = graph(
    ["b"],
    [
      { id: "b--b--0", source: "b", target: "b" },
      { id: "b--b--2", source: "b", target: "b", when: "p" },
    ],
  );
  const theirs = graph(["b", "c"], [{ id: "e0", source: "b", target: "c" }]);
  const merged = mergeGraphs(base, ours, theirs);
  assert.deepEqual(merged.conflicts, []);
  // The merged edge has neither the ID nor the target nor the condition of the base.
  const again = mergeGraphs(base, merged.graph, theirs);
  assert.deepEqual(again.conflicts, []);
  assert.ok(sameGraph(again.graph, merged.graph));
});

test("where edges can't be told apart, the chosen side's edges keep that side's order and IDs", () => {
  const base = flow([message("b")], [edge("e0", "b", "b")], "b");
  const two = flow([message("b")], [edge("b--b--0", "b", "b"), edge("b--b--2", "b", "b")], "b");
  const moved = flow([message("a"), message("b")], [edge("e0", "b", "a")]);
  assert.deepEqual(
    mergeGraphs(base, two, moved).conflicts.map(({ key }) => key),
    ["node b.edges"],
  );
  const ids = (graph: Graph) => [...graph.edges.keys()];
  assert.deepEqual(ids(mergeGraphs(base, two, moved, () => "ours").graph), ["b--b--0", "b--b--2"]);
  assert.deepEqual(ids(mergeGraphs(base, moved, two, () => "theirs").graph), ["b--b--0", "b--b--2"]);
});

test("both sides add a node: an edge for an event, or with a condition, isn't the other side's edge without it", () => {
  const base = flow([message("a")]);
  const added = (fields: object) => flow([message("a"), message("b")], [edge("b--b", "b", "b", fields)]);
  const plain = added({ label: "again" });
  for (const fields of [{ on: "error" }, { when: "the caller is silent" }])
    for (const [ours, theirs] of [
      [added(fields), plain],
      [plain, added(fields)],
    ] as const) {
      const { graph, conflicts } = mergeGraphs(base, ours, theirs);
      assert.deepEqual([conflicts.map(({ key }) => key), graph.edges.size], [["node b.edges"], 2]);
    }
  const labeled = mergeGraphs(base, added({ on: "error" }), added({ on: "error", label: "again" }));
  assert.deepEqual([labeled.conflicts, labeled.graph.edges.size], [[], 1]);
});

for (const [what, mine, theirs] of [
  ["an ID of ours is the derived one of theirs", "{to: Ask, id: greet--ask}", "{to: ask}"],
  ["a derived ID of ours is an ID of theirs", "{to: ask}", "{to: Ask, id: greet--ask}"],
] as const)
  for (const side of ["ours", "theirs"] as const)
    test(`a merge that is repeated before it was recorded changes nothing (${what}, ${side})`, () => {
      const graph = (edges: string) => {
        const nodes = `nodes:\n  greet: {type: message, edges: [${edges}]}\n  bye: {type: end}\n`;
        return graphOf(FlowDocument.read(`${nodes}  ask: {type: end}\n  Ask: {type: end}\n`));
      };
      const [base, file, platform] = [graph("{to: bye}"), graph(`{to: bye}, ${mine}`), graph(`{to: bye}, ${theirs}`)];
      const merged = mergeGraphs(base, file, platform, () => side);
      assert.deepEqual(merged.conflicts, []);
      const again = mergeGraphs(base, merged.graph, platform);
      assert.deepEqual(again.conflicts, []);
      assert.deepEqual([...again.graph.edges.values()], [...merged.graph.edges.values()]);
    });
