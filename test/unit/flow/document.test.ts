import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument, graphOf, locate } from "../../../flow";

const billing = readFileSync("examples/billing.flow.yaml", "utf8");

test("the example reads without problems into its graph", () => {
  const document = FlowDocument.read(billing);
  assert.deepEqual(document.problems, []);
  const graph = graphOf(document);
  assert.deepEqual([...graph.nodes.keys()], ["greet", "ask_account", "look_up", "tell_plan", "hand_over", "goodbye"]);
  assert.equal(graph.edges.get("look_up--hand_over")?.on, "error");
  assert.equal(graph.entry, "greet");
});

test("an element is found where it is written", () => {
  const document = FlowDocument.read(billing);
  const place = locate(document, { kind: "edge", node: "greet", id: "greet--ask_account" });
  assert.equal(place && document.slice(place.name), "ask_account");
  const type = locate(document, { kind: "node", id: "look_up", field: "type" });
  assert.equal(type && document.slice(type.span), "type: tool");
});

test("every use of a variable is known with its place", () => {
  const document = FlowDocument.read(billing);
  const uses = document.nodes.flatMap((entry) =>
    entry.refs.map((ref) => `${entry.id} ${ref.kind} ${document.slice(document.absolute(entry, ref.span))}`),
  );
  assert.deepEqual(uses, [
    "ask_account collect account_id",
    "ask_account template account_id",
    "look_up template account_id",
    "look_up save plan",
    "tell_plan template plan",
  ]);
});
