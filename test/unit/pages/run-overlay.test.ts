/** The path of a run on the graph page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunPlace } from "../../../debug/messages";
import { withRun } from "../../../webview/graph/overlays/run-overlay";
import { flowOfArrows, viewOf } from "./views";

test("the run's current node, its path, and its possible edges are marked; without a run nothing is", () => {
  const view = viewOf(flowOfArrows("a>b a>c b>c b>a new"));
  const [first] = view.edges;
  const choices = view.edges
    .filter(({ source }) => source === "b")
    .map(({ id, target }) => ({ id, words: target, to: target, isDefault: false }));
  const asks = {
    kind: "choice",
    at: "b",
    title: "",
    choices,
    variable: undefined,
    values: [],
    answer: undefined,
    events: [],
  };
  const way = { file: "/a.flow.yaml", path: ["a", "b"], edges: [first?.id ?? ""], asks } as RunPlace;
  const shown = withRun(view, way);
  assert.deepEqual(Object.fromEntries(shown.nodes.map((node) => [node.id, node.way])), {
    a: "passed",
    b: "here",
    c: undefined,
    new: undefined,
  });
  assert.deepEqual(
    shown.edges.map(({ source, way }) => [source, way]),
    view.edges.map(({ source, id }) => [source, source === "b" ? "open" : id === first?.id ? "passed" : undefined]),
  );
  assert.equal(withRun(view, undefined), view);
});
