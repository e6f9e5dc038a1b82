/** The graph at low zoom, where nodes are boxes on a canvas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { inProject } from "../../../scripts/project";
import type { GraphView } from "../../../server/messages";
import { flowOfArrows, viewOf } from "./views";

/** What is painted, in this order, in the colors that the properties of the page are named after. */
async function painted(view: GraphView, hasRun: boolean): Promise<string[]> {
  const named = { getPropertyValue: (name: string) => name.replace(/^--(flow-)?/, "") };
  Object.assign(globalThis, {
    document: { body: { dataset: {} }, createElement: () => ({ getContext: () => null }) },
    getComputedStyle: () => named,
  });
  // Not imported, because the types of tests don't include those of the DOM.
  const entryPoints = [inProject("webview/graph/overview.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false });
  const { paintGraph } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
  const places = new Map(view.nodes.map(({ id }, index) => [id, { x: 0, y: 1000 * index }]));
  const all: string[] = [];
  let shapes: string[] = [];
  const context = {
    strokeStyle: "",
    fillStyle: "",
    beginPath: () => (shapes = []),
    moveTo: () => {},
    lineTo: () => shapes.push("line"),
    rect: () => shapes.push("frame"),
    arc: () => shapes.push("dot"),
    stroke: () => all.push(`${context.strokeStyle}: ${shapes}`),
    fill: () => all.push(`${context.fillStyle}: filled ${shapes}`),
    fillRect: () => all.push(`${context.fillStyle}: box`),
  };
  paintGraph(context, view, { places, routes: new Map(), left: new Map() }, { least: 10, hasRun });
  return all;
}

test("the lines of a run's path are below the nodes that it skipped, and its frames above its own", async () => {
  const view = viewOf(flowOfArrows("a>b b>c a>c"));
  const ran: GraphView = {
    ...view,
    nodes: view.nodes.map((node) => (node.id === "b" ? node : { ...node, way: "passed" })),
    edges: view.edges.map((edge) => (edge.target === "c" && edge.source === "a" ? { ...edge, way: "passed" } : edge)),
  };
  const boxes = ["message: box", "message: box", "message: box"];
  assert.deepEqual(await painted(ran, true), ["edge: line,line,line", "way: line", ...boxes, "way: frame,frame"]);
  assert.deepEqual(await painted(ran, false), ["edge: line,line,line", ...boxes]);
});

test("a node with an error has the color of its type, and a mark with an outline", async () => {
  const [node] = viewOf(flowOfArrows("a")).nodes;
  const nodes = [
    { ...node, id: "a", type: "transfer", errors: 0 },
    { ...node, id: "b", type: "transfer", errors: 1 },
  ] as GraphView["nodes"];
  assert.deepEqual(await painted({ ...viewOf(flowOfArrows("a")), nodes }, false), [
    "edge: ",
    "transfer: box",
    "transfer: box",
    "vscode-editor-background: dot",
    "error: filled dot",
  ]);
});
