/** Names instead of IDs: substitution and its reverse, as laws on random graphs and texts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, emptyGraph, FlowDocument, type Graph, type GraphNode, graphOf, sameGraph } from "../../../flow";
import { applyGraph } from "../../../flow/edit";
import { environmentsOf, NAMED_FIELDS, readProjectFile, resolveNames, restoreNames } from "../../../flow/project";
import { mergeText, targetOf } from "../../../sync";
import { cases } from "../../support/cases";
import { graphs } from "../sync/graphs";

const names = new Map([
  ["a", "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001"],
  ["b", "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0002"],
  ["twin", "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001"],
  ["desk", "+15550100"],
]);

/** What a file may have: names, literals with and without a name, escapes, and text that only looks like a name. */
const written = fc.constantFrom(
  "$a",
  "$b",
  "$twin",
  "$desk",
  "+15550100",
  "other",
  "$$a",
  "$$$a",
  "$",
  "$ a",
  "$1",
  [...names.values()][0] as string,
);
/** What a platform may have. */
const stored = fc.constantFrom(...names.values(), "other", "$a", "$$a", "$", "", "new");
const field = fc.constantFrom(...NAMED_FIELDS);

function withFields(value: fc.Arbitrary<string>): fc.Arbitrary<Graph> {
  const fields = fc.array(fc.tuple(field, fc.oneof(value, fc.array(value, { maxLength: 3 }))), { maxLength: 3 });
  return fc.tuple(graphs(4, 3), fc.array(fields, { minLength: 4, maxLength: 4 })).map(([graph, more]) => ({
    ...graph,
    nodes: new Map(
      [...graph.nodes].map(([id, node], index) => [
        id,
        { ...node, ...Object.fromEntries(more[index] ?? []) } as GraphNode,
      ]),
    ),
  }));
}

test("what was pushed is pulled as it was written", () => {
  fc.assert(
    fc.property(withFields(written), (file) => {
      assert.ok(sameGraph(restoreNames(resolveNames(file, names), file, names), file));
    }),
    { numRuns: cases(4000) },
  );
});

test("what is pulled is pushed as it was stored, whatever the file had before", () => {
  fc.assert(
    fc.property(withFields(stored), withFields(written), (platform, file) => {
      assert.ok(sameGraph(resolveNames(restoreNames(platform, file, names), names), platform));
    }),
    { numRuns: cases(4000) },
  );
});

const project = readProjectFile(`default: one
environments:
  one:
    url: https://one.example
    flows: {x.flow.yaml: {assistant: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0011, revision: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0012}}
    names: ${JSON.stringify(Object.fromEntries(names))}
`);
const [environment] = environmentsOf(project, "x.flow.yaml");

/** Whether a node has the same values on both sides. */
function sameNode(file: Graph, platform: Graph, id: string): boolean {
  const one = (graph: Graph) => ({ ...emptyGraph, nodes: new Map([[id, graph.nodes.get(id) as GraphNode]]) });
  const edges = (graph: Graph) => [...graph.edges.values()].filter(({ source }) => source === id).length;
  if (!platform.nodes.has(id) || edges(file) + edges(platform) > 0) return false;
  return sameGraph(resolveNames(one(file), names), one(platform));
}

test("a pull into a text keeps names and comments", () => {
  fc.assert(
    fc.property(withFields(written), withFields(stored), (before, platform) => {
      const plain = applyEdits("", applyGraph(FlowDocument.read(""), before));
      // A comment after each line that has room for one.
      const text = plain.replace(/^( *(?:tool|component|destination): \$\w+)$/gm, "$1 # why");
      const document = FlowDocument.read(text);
      if (document.problems.length > 0 || !sameGraph(graphOf(document), before)) return;
      assert.deepEqual(
        mergeText(text, (current) => current, environment),
        [],
        "nothing changed, so nothing is edited",
      );
      assert.ok(sameGraph(targetOf(document, undefined, environment).graph, resolveNames(before, names)));
      const edits = mergeText(text, () => platform, environment);
      if (!edits) return;
      const after = FlowDocument.read(applyEdits(text, edits));
      assert.ok(sameGraph(resolveNames(graphOf(after), names), platform));
      for (const { id, text: own } of document.nodes)
        if (own.includes("# why") && sameNode(before, platform, id))
          assert.equal(after.node(id)?.text.trim(), own.trim());
    }),
    { numRuns: cases(800) },
  );
});
