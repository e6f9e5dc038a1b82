import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, graphOf, mergeGraphs } from "../../../flow";
import { Converter } from "../../../server/protocol/to-protocol";
import { stateView } from "../../../server/sync/state-view";

const read = (...nodes: string[]) =>
  FlowDocument.read(`entry: a\nnodes:\n${nodes.map((each) => `  ${each}\n`).join("")}`);

/** The conflicts between a file and the platform, as the editor gets them. */
function conflictsOf(base: FlowDocument, ours: FlowDocument, theirs: FlowDocument) {
  const remote = graphOf(theirs);
  const { conflicts } = mergeGraphs(graphOf(base), graphOf(ours), remote);
  const status = { state: { kind: "conflict", version: 2, conflicts }, risks: [] } as const;
  const converter = new Converter("file:///a.flow.yaml", ours, "utf-16");
  return stateView(status, converter, [], { environments: [] }, remote).conflicts;
}

test("a conflict about a removed node has the place where it was, and says that a side has removed it", () => {
  const [a, b, c] = ["a: {type: message, edges: [{to: c}]}", "b: {type: message}", "c: {type: end}"] as const;
  const named = "b: {type: message, name: B}";
  const [conflict] = conflictsOf(read(a, b, c), read(a, c), read(a, named, c));
  assert.equal(conflict?.range, undefined);
  assert.equal(conflict?.near?.start.line, 2, "the node before it");
  assert.deepEqual([conflict?.isElement, conflict?.ours], [true, ""]);
});

test("a conflict about the order of edges shows both orders, and a field that one side removed has no value", () => {
  const node = (...to: string[]) => `a: {type: message, edges: [${to.map((id) => `{to: ${id}}`).join(", ")}]}`;
  const ends = ["b", "c", "d"].map((id) => `${id}: {type: end}`);
  const [order] = conflictsOf(read(node("b"), ...ends), read(node("b", "c"), ...ends), read(node("b", "d"), ...ends));
  assert.deepEqual([order?.ours, order?.theirs], ["b, c, d", "b, d, c"]);
  const [field] = conflictsOf(read("a: {type: end, name: A}"), read("a: {type: end}"), read("a: {type: end, name: B}"));
  assert.deepEqual([field?.ours, field?.theirs, field?.isElement], ["", "B", undefined]);
});
