import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, FlowDocument, type Graph, graphOf, nodeTypes } from "../../../flow";
import { graphEdit } from "../../../server/features/graph/graph-edit";
import { type GraphEdit, nodeTypeNames } from "../../../server/messages";

const flow = readFileSync("examples/billing.flow.yaml", "utf8");

test("the types offered for a new node are those of the field table", () => {
  assert.deepEqual([...nodeTypeNames].sort(), nodeTypes.map(({ name }) => name).sort());
});

test("rename: the key, the entry and every edge, and no other line", () => {
  const { text, lines } = after({ kind: "rename", id: "greet", name: "hello" });
  assert.deepEqual(lines, [
    ["entry: greet", "entry: hello"],
    ["  greet:", "  hello:"],
  ]);
  assert.ok(graphOf(FlowDocument.read(text)).nodes.has("hello"));
  assert.match(refusal({ kind: "rename", id: "greet", name: "goodbye" }), /goodbye/);
  assert.match(refusal({ kind: "rename", id: "greet", name: "" }), /\w/);
  assert.match(refusal({ kind: "rename", id: "gone", name: "other" }), /gone/);
});

test("add after: between the node and the target of its default edge", () => {
  const { text, graph } = after({ kind: "add-after", id: "greet", name: "ask_name", type: "message" });
  assert.deepEqual(leads(graph, "greet"), ["ask_account", "ask_name"]);
  assert.deepEqual(leads(graph, "ask_name"), ["goodbye"]);
  assert.equal(graph.nodes.get("ask_name")?.type, "message");
  assert.ok(text.indexOf("  ask_name:") < text.indexOf("  ask_account:"), "it is written after its node");
  assert.equal(withoutNode(text, "ask_name").replace("to: ask_name", "to: goodbye"), flow);
});

test("add after: an end node has no edges, so the default edge stays", () => {
  const { graph } = after({ kind: "add-after", id: "tell_plan", name: "stop", type: "end" });
  assert.deepEqual(leads(graph, "stop"), []);
  assert.ok(leads(graph, "tell_plan").includes("stop"));
});

test("add after every type of node gives valid text", () => {
  for (const type of nodeTypeNames) {
    const { text, graph } = after({ kind: "add-after", id: "look_up", name: "fresh", type });
    assert.deepEqual(FlowDocument.read(text).problems, [], type);
    assert.equal(graph.nodes.get("fresh")?.type, type);
    assert.equal(graph.nodes.size, 7);
  }
});

test("connect: a condition comes before the default edge; impossible edges are rejected", () => {
  const { graph } = after({ kind: "connect", from: "greet", to: "hand_over", when: "the caller is angry" });
  assert.deepEqual(leads(graph, "greet"), ["ask_account", "hand_over", "goodbye"]);
  assert.match(refusal({ kind: "connect", from: "goodbye", to: "greet" }), /ends the conversation/);
  assert.match(refusal({ kind: "connect", from: "greet", to: "goodbye" }), /already/);
  assert.match(refusal({ kind: "connect", from: "greet", to: "hand_over" }), /default edge to "goodbye".*condition/);
  assert.match(refusal({ kind: "connect", from: "greet", to: "gone" }), /no longer/);
});

test("connect: no edge is written that would never be taken", () => {
  const text = `entry: a
nodes:
  a:
    type: message
    edges:
      - {to: b, when: " the caller is angry"}
      - {to: c, when: urgent, on: success}
  b: {type: end}
  c: {type: end}
`;
  const connect = (to: string, when?: string) =>
    graphEdit(FlowDocument.read(text), { kind: "connect", from: "a", to, ...(when === undefined ? {} : { when }) });
  const fallback = connect("b");
  assert.ok("edits" in fallback);
  for (const blank of ["", " ", "\t\n"]) assert.deepEqual(connect("b", blank), fallback, "a blank condition is none");
  for (const to of ["a", "b", "c"])
    for (const when of ["the caller is angry", "the caller is angry "])
      assert.match(
        (connect(to, when) as { problem: string }).problem,
        /already has an edge to "b" with this condition/,
      );
  assert.ok("edits" in connect("b", "the caller is sad"));
  assert.ok("edits" in connect("b", "urgent"), "an edge of an event is another one");
});

test("edges that aren't a list are never replaced", () => {
  const edits: GraphEdit[] = [
    { kind: "connect", from: "a", to: "c", when: "x" },
    { kind: "add-after", id: "a", name: "fresh", type: "message" },
  ];
  for (const edit of edits) {
    const made = (edges: string) =>
      graphEdit(
        FlowDocument.read(
          `entry: a\nnodes:\n  a:\n    type: message\n    edges: ${edges}\n  b: {type: end}\n  c: {type: end}\n`,
        ),
        edit,
      );
    for (const edges of ["{to: b}", "b"])
      assert.match((made(edges) as { problem: string }).problem, /Edit the text instead/, edges);
    for (const edges of ["", "[]", "[{to: b}]", "null"]) assert.ok("edits" in made(edges), edges);
  }
});

test("delete: a node with the edges to it; an edge alone", () => {
  const { graph, text } = after({ kind: "delete", element: { kind: "node", id: "hand_over" } });
  assert.equal(graph.nodes.has("hand_over"), false);
  assert.doesNotMatch(text, /hand_over/);
  const edge = [...graphOf(FlowDocument.read(flow)).edges.values()].find(({ target }) => target === "ask_account");
  const without = after({ kind: "delete", element: { kind: "edge", node: "greet", id: edge?.id ?? "" } });
  assert.deepEqual(leads(without.graph, "greet"), ["goodbye"]);
  assert.match(refusal({ kind: "delete", element: { kind: "edge", node: "greet", id: "gone" } }), /no longer/);
});

test("set as entry changes that one line", () => {
  assert.deepEqual(after({ kind: "set-entry", id: "look_up" }).lines, [["entry: greet", "entry: look_up"]]);
});

test("after any sequence of edits the text is valid, and comments of remaining elements are kept", () => {
  const ids = ["greet", "ask_account", "look_up", "tell_plan", "hand_over", "goodbye", "one", "two", "three"];
  const id = fc.constantFrom(...ids);
  const edit: fc.Arbitrary<GraphEdit> = fc.oneof(
    fc.record({ kind: fc.constant("rename" as const), id, name: id }),
    fc.record({ kind: fc.constant("add-after" as const), id, name: id, type: fc.constantFrom(...nodeTypeNames) }),
    fc.record({
      kind: fc.constant("connect" as const),
      from: id,
      to: id,
      when: fc.constantFrom("a: b", "it's #1", ""),
    }),
    fc.record({ kind: fc.constant("connect" as const), from: id, to: id }),
    fc.record({ kind: fc.constant("delete" as const), element: fc.record({ kind: fc.constant("node" as const), id }) }),
    fc.record({ kind: fc.constant("set-entry" as const), id }),
  );
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
      let text = flow;
      for (const each of edits) {
        const result = graphEdit(FlowDocument.read(text), each);
        if ("problem" in result) continue;
        text = applyEdits(text, result.edits);
        assert.deepEqual(FlowDocument.read(text).problems, [], `${JSON.stringify(each)}\n${text}`);
      }
      assert.ok(text.startsWith("# A billing line"));
    }),
    { numRuns: 150 },
  );
});

function after(edit: GraphEdit): { text: string; graph: Graph; lines: [string, string][] } {
  const document = FlowDocument.read(flow);
  const result = graphEdit(document, edit);
  assert.ok("edits" in result, JSON.stringify(result));
  const text = applyEdits(flow, result.edits);
  const read = FlowDocument.read(text);
  assert.deepEqual(read.problems, []);
  const [old, now] = [flow.split("\n"), text.split("\n")];
  const lines = old.flatMap((line, index): [string, string][] =>
    line === now[index] ? [] : [[line, now[index] ?? ""]],
  );
  return { text, graph: graphOf(read), lines };
}

function refusal(edit: GraphEdit): string {
  const result = graphEdit(FlowDocument.read(flow), edit);
  assert.ok("problem" in result, JSON.stringify(edit));
  return result.problem;
}

function leads(graph: Graph, id: string): string[] {
  return [...graph.edges.values()].filter(({ source }) => source === id).map(({ target }) => target);
}

function withoutNode(text: string, id: string): string {
  return text.replace(new RegExp(`^ {2}${id}:\\n(?: {3,}.*\\n)*`, "m"), "");
}
