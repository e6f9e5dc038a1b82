/** Adding tests to a file, runs through a node, and how values are written. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { applyEdits, FlowDocument } from "../../../flow";
import { programOf } from "../../../flow/run";
import { addTests, readTestFile, runSuiteFile, testBlocks, testFileWith, testThrough } from "../../../flow/test";
import { inlineValue } from "../../../flow/test/write";

const program = programOf(FlowDocument.read(readFileSync("examples/billing.flow.yaml", "utf8")));
const support = programOf(FlowDocument.read(readFileSync("test/support/flawed.flow.yaml", "utf8")));

const passes = (text: string, flow = program) => {
  const file = readTestFile(text);
  const { problem, results } = runSuiteFile({ path: "", file, flowPath: "", flow }, () => undefined);
  assert.equal(problem, undefined);
  return results.map(({ test: { name }, status, path }) => ({ name, status, path }));
};

test("a test through each reachable node visits it and passes", () => {
  for (const flow of [program, support])
    for (const id of flow.nodes.keys()) {
      const made = testThrough(flow, id);
      // The app's advertisement is unreachable.
      if (id === "promote_app") assert.equal(made, undefined);
      else {
        assert.ok(made, id);
        const [ran] = passes(testFileWith("a.flow.yaml", testBlocks([made])), flow);
        assert.equal(ran?.status, "passed", id);
        assert.ok(ran.path.includes(id), id);
      }
    }
});

test("without a node: a shortest run to an end", () => {
  const made = testThrough(program);
  assert.ok(made);
  assert.deepEqual(passes(testFileWith("a.flow.yaml", testBlocks([made])))[0]?.path, ["greet", "goodbye"]);
  const only = programOf(FlowDocument.read("entry: a\nnodes:\n  a: {type: end}\n"));
  assert.equal(testThrough(only)?.last.at, "a");
});

test("a new test comes after the others, with their indentation and a unique name", () => {
  const made = testThrough(program);
  assert.ok(made);
  const first = testFileWith("a.flow.yaml", testBlocks([made]));
  for (const text of [
    first,
    first.trimEnd(),
    `${first}\n# The end.\n`,
    first.replaceAll("\n", "\r\n"),
    first.replace(/^ {2}/gm, ""),
    first.replace(/^ {2}/gm, "      "),
    `${first.trimEnd()} # why\n`,
  ]) {
    const file = readTestFile(text);
    const edit = addTests(
      file,
      testBlocks(
        [made],
        file.tests.map(({ name }) => name),
      ),
    );
    assert.ok(edit, text);
    const edited = applyEdits(text, [edit]);
    assert.ok(text.startsWith(text.slice(0, edit.start)) && edited.endsWith(text.slice(edit.start)), "nothing is lost");
    const ran = passes(edited);
    assert.deepEqual(
      ran.map(({ status }) => status),
      ["passed", "passed"],
      edited,
    );
    assert.notEqual(ran[0]?.name, ran[1]?.name);
  }
});

test("a file whose list can't be extended is unchanged", () => {
  for (const text of [
    "",
    "flow: a.flow.yaml\ntests: []\n",
    "flow: a\ntests: [{name: a}]\n",
    "flow: [\ntests:\n  - name: a\n",
  ])
    assert.equal(addTests(readTestFile(text), ["  - name: b"]), undefined, text);
});

test("values are written so that YAML reads them back, whether or not they are plain", () => {
  const texts = [
    "a",
    "a b",
    "a-1/b",
    "null",
    "True",
    "no",
    "1",
    "1e3",
    "-",
    "a: b",
    "a #b",
    "",
    " a",
    "a ",
    "{{v}}",
    "ä",
  ];
  const scalars = [...texts, 0, -1, 1.5, 1e21, true, null];
  const values = [
    ...scalars,
    [],
    {},
    scalars,
    ...scalars.flatMap((each) => [[each], { a: each }, { return: { "b c": [each, { d: each }] } }]),
    ...texts.map((each) => ({ [each]: { [each]: each } })),
  ];
  for (const value of values) {
    const written = inlineValue(value);
    assert.ok(!written.includes("\n"), written);
    assert.deepEqual(parse(`x: {y: ${written}}`).x.y, value, written);
  }
});
