/** Names instead of IDs: substitution and its reverse, as laws on random graphs and files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, emptyGraph, FlowDocument, type Graph, type GraphNode, graphOf, sameGraph } from "../../../flow";
import { applyGraph } from "../../../flow/edit";
import {
  environmentsOf,
  NAMED_FIELDS,
  readProjectFile,
  resolveNames,
  restoreNames,
  usesInCompanion,
  usesInFlow,
} from "../../../flow/project";
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
      // A comment after each line that can have one.
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

test("a name is found wherever it is used, and nowhere else", () => {
  const renamed = (graph: Graph): Graph => {
    const each = (value: unknown) => (value === "$a" ? "$z" : value);
    const nodes = [...graph.nodes].map(([id, node]): [string, GraphNode] => {
      const fields = Object.entries(node).map(([field, value]) => {
        if (!NAMED_FIELDS.has(field)) return [field, value];
        return [field, Array.isArray(value) ? value.map(each) : each(value)];
      });
      return [id, Object.fromEntries(fields) as GraphNode];
    });
    return { ...graph, nodes: new Map(nodes) };
  };
  fc.assert(
    fc.property(withFields(written), (before) => {
      const text = applyEdits("", applyGraph(FlowDocument.read(""), before));
      const document = FlowDocument.read(text);
      if (document.problems.length > 0 || !sameGraph(graphOf(document), before)) return;
      const edits = usesInFlow(document)
        .filter(({ name }) => name === "a")
        .map(({ span }) => ({ ...span, text: "z" }));
      assert.ok(sameGraph(graphOf(FlowDocument.read(applyEdits(text, edits))), renamed(before)));
    }),
    { numRuns: cases(2000) },
  );
});

test("names in flows, tests and policies: quotes, lists and Windows line breaks count, escapes and comments don't", () => {
  const found = (text: string, uses: readonly { name: string; span: { start: number; end: number } }[]) =>
    uses.map(({ name, span }) => {
      assert.equal(text.slice(span.start, span.end), name);
      return name;
    });
  const flow = `nodes:\r
  one: {type: tool, tool: "$a", name: $b}\r
  two:\r
    type: message # tool: $c\r
    knowledge_base_ids: [$d, '$e', $$f]\r
    instructions: $g\r
`;
  assert.deepEqual(found(flow, usesInFlow(FlowDocument.read(flow))), ["a", "d", "e"]);
  const tests = `flow: x.flow.yaml
tests:
  - name: $x
    tools: {$a: {return: {tool: $b}}, "$c": {error: x}, plain: {return: {}}}
    cases:
      - name: y
        tools:
          $d: {return: {}}
`;
  assert.deepEqual(found(tests, usesInCompanion(tests, "tests")), ["a", "c", "d"]);
  const policies = `policies:
  - {id: p, every_path_to: {tool: $a}, passes: {name: $b}} # {tool: $c}
  - id: q
    never: {from: entry, to: {tool: '$d'}}
    breaks: [[{tool: "$e"}]]
`;
  assert.deepEqual(found(policies, usesInCompanion(policies, "policies")), ["a", "d", "e"]);
});
