/** Coverage on the graph page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CoverageView, FlowCoverageView } from "../../../server/test-messages";
import { coverageSentence, withCoverage } from "../../../webview/graph/overlays/coverage";
import { flowOfArrows, viewOf } from "./views";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const of = (id: string, state: CoverageView["state"]) => ({ id, state, range, tests: [] });
const coverage: FlowCoverageView = {
  uri: "file:///a.flow.yaml",
  nodes: [
    {
      ...of("a", "covered"),
      edges: [
        { ...of("a_0", "covered"), label: "x" },
        { ...of("a_1", "missing"), label: "y" },
      ],
    },
    { ...of("b", "missing"), edges: [] },
    { ...of("c", "unreachable"), edges: [{ ...of("c_0", "unreachable"), label: "x" }] },
  ],
};

test("nodes and edges get their marks; new ones have none", () => {
  const shown = withCoverage(viewOf(flowOfArrows("a>b a>c c>a new")), coverage);
  assert.deepEqual(
    shown.nodes.map(({ cover }) => cover),
    ["covered", "missing", "unreachable", undefined],
  );
  assert.deepEqual(
    shown.edges.map(({ cover }) => cover),
    ["covered", "missing", "unreachable"],
  );
});

test("unreachable nodes and edges aren't counted", () => {
  assert.equal(coverageSentence(coverage), "Covered: 1/2 nodes, 1/2 edges");
});

test("where nothing can be covered, a sentence says so", () => {
  assert.equal(coverageSentence({ ...coverage, nodes: [] }), "The flow has no nodes that tests could cover.");
  const unreachable = coverage.nodes.slice(2);
  assert.equal(coverageSentence({ ...coverage, nodes: unreachable }), "The flow has no nodes that tests could cover.");
});
