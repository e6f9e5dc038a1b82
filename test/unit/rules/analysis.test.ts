import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { analyze, components, FlowDocument, reach, wayTo } from "../../../flow";
import { listsOf } from "../../support/links";

/** A random flow of up to a dozen nodes, as a list of targets for each; some targets do not exist. */
const graphs = fc.array(fc.array(fc.nat(12), { maxLength: 4 }), { minLength: 1, maxLength: 12 });

function flowOf(graph: readonly (readonly number[])[]) {
  const nodes = graph.map(
    (targets, n) => `  n${n}: {type: decision, edges: [${targets.map((to) => `{to: n${to}}`).join(", ")}]}\n`,
  );
  return analyze(FlowDocument.read(`entry: n0\nnodes:\n${nodes.join("")}`));
}

/** The transitive closure, computed naively. */
function closure(graph: readonly (readonly number[])[]): boolean[][] {
  const can = graph.map((targets, n) => graph.map((_, m) => n === m || targets.includes(m)));
  for (let k = 0; k < graph.length; k++)
    for (let i = 0; i < graph.length; i++)
      for (let j = 0; j < graph.length; j++) if (can[i]?.[k] && can[k]?.[j]) (can[i] as boolean[])[j] = true;
  return can;
}

describe("the analysis", () => {
  it("knows the links in both directions, in the order of the edges", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const flow = flowOf(graph);
        const known = graph.map((targets) => targets.filter((to) => to < graph.length));
        assert.deepEqual(listsOf(flow.out), known);
        assert.deepEqual(
          listsOf(flow.in),
          graph.map((_, n) => known.flatMap((targets, from) => targets.filter((to) => to === n).map(() => from))),
        );
        assert.equal(flow.entry, 0);
        assert.equal(flow.indexOf("n0"), 0);
        assert.equal(flow.indexOf("nowhere"), -1);
      }),
    );
  });

  it("finds reachable nodes, components and shortest paths", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const flow = flowOf(graph);
        const can = closure(graph);
        const next = listsOf(flow.out);
        assert.deepEqual(
          [...reach(flow.out, [0])],
          graph.map((_, n) => Number(can[0]?.[n])),
        );
        const { of } = components(flow.out);
        for (let a = 0; a < graph.length; a++)
          for (let b = 0; b < graph.length; b++)
            assert.equal(of[a] === of[b], Boolean(can[a]?.[b] && can[b]?.[a]), `${a} and ${b}`);
        for (let goal = 1; goal < graph.length; goal++) {
          const way = wayTo(flow.out, 0, (n) => n === goal);
          assert.equal(way !== undefined, Boolean(can[0]?.[goal]));
          for (const [i, n] of (way ?? []).entries())
            assert.ok(i === 0 ? n === 0 : next[way?.[i - 1] as number]?.includes(n));
        }
      }),
    );
  });

  it("walks a chain of 50,000 nodes without running out of stack", () => {
    const count = 50_000;
    const start = Int32Array.from({ length: count + 1 }, (_, n) => Math.min(n, count - 1));
    const links = {
      start,
      to: Int32Array.from({ length: count - 1 }, (_, n) => n + 1),
      edge: new Int32Array(count - 1),
    };
    assert.equal(components(links).count, count);
    assert.equal(
      reach(links, [0]).reduce((sum, seen) => sum + seen, 0),
      count,
    );
  });

  it("follows the document, and stays the same object while the shape does", () => {
    const document = FlowDocument.read(
      "entry: a\nnodes:\n  a: {type: decision, edges: [{to: b}], name: x}\n  b: {type: end}\n",
    );
    const before = analyze(document);
    const at = document.text.indexOf("name: x");
    document.edit([{ start: at, end: at + 7, text: "name: y" }]);
    assert.equal(analyze(document).out, before.out);
    const target = document.text.indexOf("to: b");
    document.edit([{ start: target, end: target + 5, text: "to: a" }]);
    assert.deepEqual(listsOf(analyze(document).out), [[0], []]);
  });
});

it("has the current entries if only text changed", () => {
  const document = FlowDocument.read("entry: a\nnodes:\n  a: {type: end, name: x}\n  b: {type: end}\n");
  analyze(document);
  const at = document.text.indexOf("name: x");
  document.edit([{ start: at, end: at + 7, text: "name: y" }]);
  assert.equal(analyze(document).nodes[0], document.node("a"));
});
