/** `assistant-flow test`: output, written files and exit codes. */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { cli, folderWith } from "./cli";

const examples = folderWith({});
cpSync("examples", examples.path, { recursive: true });
after(() => examples.remove());

const here = (args: string[], cwd = examples.path) => cli(["test", ...args], { cwd });

test("the examples' tests pass and cover every edge that can be taken", async () => {
  const { code, out } = await here(["--coverage", "--format", "json", "--min-nodes", "100", "--min-edges", "100"]);
  const report = JSON.parse(out);
  assert.equal(code, 0);
  assert.deepEqual([...new Set(report.tests.map((each: { status: string }) => each.status))], ["passed"]);
  assert.deepEqual(
    report.coverage.map((each: { flow: string; edges: { missing: string[]; unreachable: string[] } }) => [
      each.flow,
      each.edges.missing,
      each.edges.unreachable,
    ]),
    [
      ["billing.flow.yaml", [], []],
      ["support-line.flow.yaml", [], []],
    ],
  );
});

test("a failure says what was expected, where, the path and a fix; the exit code is 1", async () => {
  const folder = folderWith({
    "a.flow.yaml":
      "entry: a\nnodes:\n  a: {type: message, edges: [{to: b, when: the caller agrees}, {to: c}]}\n  b: {type: end}\n  c: {type: end}\n",
    "tests/a.flowtest.yaml":
      "flow: ../a.flow.yaml\ntests:\n  - name: one\n    steps: [{take: the caller agree}]\n  - name: two\n    steps: [{take: c}]\n    expect: {ends: b}\n",
  });
  const { code, out } = await here([], folder.path);
  assert.equal(code, 1);
  assert.equal(
    out,
    `FAIL tests/a.flowtest.yaml

  ✗ one
    "a" has no edge "the caller agree". Did you mean "the caller agrees"?  edge-unknown
      tests/a.flowtest.yaml:4:20
          4 |     steps: [{take: the caller agree}]
            |                    ^^^^^^^^^^^^^^^^
      a.flow.yaml:3:3
          3 |   a: {type: message, edges: [{to: b, when: the caller agrees}, {to: c}]}
            |   ^
    fix: Change to "the caller agrees"
    path: a


  ✗ two
    Expected the run to end at "b", but it ended at "c".  wrong-end
      tests/a.flowtest.yaml:7:20
          7 |     expect: {ends: b}
            |                    ^
      a.flow.yaml:5:3
          5 |   c: {type: end}
            |   ^
    fix: Change to "c"
    path: a → c


2 tests: 0 passed, 2 failed. Tests run offline, without a model.
`,
  );
  const github = await here(["--format", "github"], folder.path);
  assert.match(
    github.out,
    /^::error file=tests\/a\.flowtest\.yaml,line=4,col=20,title=one \(edge-unknown\)::"a" has no edge/,
  );
  const junit = await here(["--format", "junit", "--filter", "TWO"], folder.path);
  assert.match(junit.out, /<testsuite name="tests\/a\.flowtest\.yaml" tests="1" failures="1"/);
  assert.match(junit.out, /<failure type="wrong-end"/);
  const lcov = await here(["--format", "lcov"], folder.path);
  assert.equal(
    lcov.out,
    "TN:\nSF:a.flow.yaml\nDA:3,2\nDA:4,0\nDA:5,1\nBRDA:3,0,0,0\nBRDA:3,0,1,1\nLF:3\nLH:2\nBRF:2\nBRH:1\nend_of_record\n",
  );
  const minimum = await here(["--min-edges", "80", "--filter", "two"], folder.path);
  assert.equal(minimum.code, 1);
  assert.match(minimum.out, /Tests cover 50% of the edges; the minimum is 80%\./);
  const none = await here(["--filter", "three"], folder.path);
  assert.deepEqual([none.code, none.out, none.err], [1, "", 'No test matches the name "three".\n']);
  const updated = await here(["--update", "--filter", "two"], folder.path);
  assert.equal(updated.code, 0, updated.out);
  assert.equal(updated.err, "tests/a.flowtest.yaml: two\n  - b\n  + c\n");
  assert.match(readFileSync(path.join(folder.path, "tests/a.flowtest.yaml"), "utf8"), /expect: \{ends: c\}/);
  folder.remove();
});

test("a failure about the path shows it once, and tests with the same name get a warning", async () => {
  const folder = folderWith({
    "a.flow.yaml": "entry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n  b: {type: end}\n",
    "a.flowtest.yaml":
      "flow: a.flow.yaml\ntests:\n  - name: one\n    expect: {path: [b]}\n  - name: one\n    expect: {ends: b}\n",
  });
  const { out } = await here([], folder.path);
  folder.remove();
  assert.equal(out.split("a → b").length, 2, out);
  assert.match(
    out,
    /warning one: Another test in this file is named "one". Rename one of them. {2}duplicate-name\n +a\.flowtest\.yaml:5:11\n/,
  );
});

test("components are flows below the folder, by assistant or revision; their nodes are prefixed", async () => {
  const id = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
  const folder = folderWith({
    "main.flow.yaml": `entry: part\nnodes:\n  part: {type: component, component: ${id.toUpperCase()}, inputs: {n: 5}, saves: {got: $.out}, edges: [{to: done}]}\n  done: {type: end}\n`,
    "parts/inner.flow.yaml": `revision: ${id}\nentry: a\nnodes:\n  a: {type: decision, edges: [{to: b, when: "{{n}} > 4"}, {to: gone}]}\n  b: {type: end}\ncomponent_outputs: [{name: out, value: "{{n}}"}]\n`,
    "main.flowtest.yaml":
      "flow: main.flow.yaml\ntests: [{name: t, expect: {path: [part, part/a, part/b, done], variables: {got: 5}}}, {name: s, tools: {part: {return: {out: 1}}}, expect: {path: [part, done]}}]\n",
    "loop.flow.yaml":
      "assistant: 00000000-0000-4000-8000-00000000000a\nentry: again\nnodes:\n  again: {type: component, component: 00000000-0000-4000-8000-00000000000a, edges: [{to: end}]}\n  end: {type: end}\n",
    "loop.flowtest.yaml": "flow: loop.flow.yaml\ntests: [{name: l}]\n",
  });
  const { out } = await here(["--format", "json"], folder.path);
  const { tests } = JSON.parse(out);
  assert.equal(tests[0].failures[0].kind, "endless");
  assert.deepEqual(
    tests.slice(1).map((each: { status: string; edges: string[] }) => [each.status, each.edges]),
    [
      ["passed", ["part/a--b", "part--done"]],
      ["passed", ["part--done"]],
    ],
  );
  folder.remove();
});

test("a test that can't run gets a one-sentence error", async () => {
  const folder = folderWith({
    "broken.flowtest.yaml": "flow: a.flow.yaml\ntests:\n  - name: [x\n",
    "missing.flowtest.yaml": "flow: gone.flow.yaml\ntests:\n  - name: x\n",
  });
  const { code, out } = await here([], folder.path);
  assert.equal(code, 1);
  assert.match(out, /flow file "gone\.flow\.yaml"/i);
  assert.doesNotMatch(out, /at .*\.ts:/);
  const json = JSON.parse((await here(["--format", "json"], folder.path)).out);
  assert.deepEqual(
    json.tests.map(({ file, name, failures }: { file: string; name: string; failures: { kind: string }[] }) => [
      file,
      name,
      failures.map(({ kind }) => kind),
    ]),
    [
      ["broken.flowtest.yaml", "", ["bad-test"]],
      ["missing.flowtest.yaml", "", ["bad-test"]],
    ],
  );
  for (const [args, said] of [
    [["gone.flowtest.yaml"], /no such file/],
    [["--min-nodes", "many"], /must be a percentage/],
    [["--output", "x"], /--output requires --generate/],
    [["--generate", "gone.flow.yaml"], /no such file/],
  ] as const) {
    const { code, err } = await here([...args], folder.path);
    assert.notEqual(code, 0);
    assert.match(err, said);
  }
  folder.remove();
});

test("generated tests of the examples expect no unset read and report no fault", async () => {
  for (const name of ["billing", "support-line"]) {
    const { code, out, err } = await here(["--generate", `${name}.flow.yaml`]);
    assert.equal(code, 0);
    assert.match(err, /^\d+ tests for (\d+) of \1 edges\.\n$/);
    assert.doesNotMatch(out, /unset/);
  }
});

test("--generate writes tests that pass, and says why it can't take an edge", async () => {
  cpSync("test/support/flawed.flow.yaml", path.join(examples.path, "flawed.flow.yaml"));
  const { code, out, err } = await here(["--generate", "flawed.flow.yaml"]);
  assert.equal(code, 0);
  assert.match(err, /^confirm_move--anything_else--2: the default edge comes before it$/m);
  assert.match(err, /^promote_app--goodbye: no path from the entry leads to "promote_app"$/m);
  assert.match(err, /^open_ticket reads "postcode", which isn't set there; expected as `unset` by "/m);
  writeFileSync(path.join(examples.path, "generated.flowtest.yaml"), out);
  const run = await here(["generated.flowtest.yaml", "--min-edges", "100"]);
  assert.equal(run.code, 0, run.out);
});
