import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyOps, type Graph, graphToWire, plan } from "../../../flow";
import { shownGraph, shownVersion } from "../../../sandbox/graph-json";
import { jsonOf, withJson } from "../../../sandbox/http/json";
import { validate } from "../../../sandbox/validator/validator";
import { graphs } from "../sync/graphs";

const textOf = (value: unknown) => Buffer.concat(jsonOf(value)).toString();

test("a response equals JSON.stringify", () => {
  const seven = withJson({ x: 7 }, () => [Buffer.from('{"x":'), Buffer.from("7}")]);
  const values = [
    {},
    [],
    [seven.x],
    "“é",
    null,
    0,
    { a: undefined },
    { a: undefined, b: { c: null, d: {}, e: [{}], f: { g: [undefined] } } },
    { seven, at: new Date(0), inside: { seven, "“key”": "\u2028\ud800" } },
  ];
  for (const value of values) assert.equal(textOf(value), JSON.stringify(value));
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(textOf(value), JSON.stringify(value))));
});

test("graphs and findings are serialized correctly, however they were derived", () => {
  fc.assert(
    fc.property(fc.array(graphs(), { minLength: 1, maxLength: 4 }), (steps) => {
      let graph: Graph | undefined;
      for (const next of steps) {
        graph = graph
          ? (applyOps(
              graph,
              plan(graph, next).ops.map(({ op }) => op),
            ).graph as Graph)
          : next;
        const wire = graphToWire(graph);
        assert.equal(textOf(shownGraph(graph)), JSON.stringify(wire));
        assert.equal(textOf({ g: shownVersion(graph, 3) }), JSON.stringify({ g: { graph_version: 3, ...wire } }));
        // An equal graph with other objects has no cached parts.
        const fresh = validate(structuredClone(graph));
        assert.equal(textOf({ verdict: validate(graph) }), JSON.stringify({ verdict: fresh }));
      }
    }),
  );
});
