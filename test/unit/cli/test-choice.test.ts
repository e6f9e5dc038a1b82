/** `assistant-flow test` with tags, cases and skipped tests: which tests run, are reported and are updated. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { cli, folderWith } from "./cli";

const flow =
  "entry: a\nnodes:\n  a: {type: message, edges: [{to: b, when: the caller agrees}, {to: c}]}\n  b: {type: end}\n  c: {type: end}\n";

const file = (...tests: string[]) => `flow: a.flow.yaml\ntests:\n${tests.map((each) => `  - ${each}\n`).join("")}`;
const goesTo = (end: string, name: string, more = "") =>
  `{name: ${name}, steps: [{take: b}], expect: {ends: ${end}}${more}}`;

function place(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = folderWith({ "a.flow.yaml": flow, ...files });
  const state = folderWith({});
  t.after(() => {
    folder.remove();
    state.remove();
  });
  const run = (...args: string[]) =>
    cli(["test", ...args], { cwd: folder.path, env: { ASSISTANT_FLOW_STATE_DIR: state.path } });
  return {
    state: state.path,
    write: (name: string, text: string) => writeFileSync(path.join(folder.path, name), text),
    read: (name: string) => readFileSync(path.join(folder.path, name), "utf8"),
    run,
    /** The names of the tests that ran, and the output. */
    async ran(...args: string[]) {
      const { code, out, err } = await run(...args, "--format", "json");
      return { code, err, names: JSON.parse(out).tests.map(({ name }: { name: string }) => name) };
    },
  };
}

test("--tag runs the tests with the tag, with all of their cases; one of several tags is enough", async (t) => {
  const { ran, run } = place(t, {
    "a.flowtest.yaml": file(
      goesTo("b", "one", ", tags: [smoke, slow]"),
      goesTo("b", "two", ", tags: fast, cases: [{name: x}, {name: y}]"),
      goesTo("b", "three"),
    ),
  });
  assert.deepEqual((await ran("--tag", "smoke")).names, ["one"]);
  assert.deepEqual((await ran("--tag", "fast")).names, ["two (x)", "two (y)"]);
  assert.deepEqual((await ran("--tag", "slow", "--tag", "fast")).names, ["one", "two (x)", "two (y)"]);
  assert.deepEqual((await ran("--tag", "slow", "--tag", "fast", "--filter", "(X)")).names, ["two (x)"]);
  const none = await run("--tag", "smok", "--tag", "Fast");
  assert.deepEqual([none.code, none.out, none.err], [1, "", 'No test matches the tag "smok" or "Fast".\n']);
  assert.equal(
    (await run("--tag", "smoke", "--filter", "two")).err,
    'No test matches the tag "smoke" and the name "two".\n',
  );
});

test("--last-failed runs tests that failed last time until they pass; then all tests", async (t) => {
  const { ran, write } = place(t, {
    "a.flowtest.yaml": file(goesTo("b", "good"), goesTo("c", "bad"), goesTo("c", "ugly", ", cases: [{name: x}]")),
    "b.flowtest.yaml": file(goesTo("b", "other")),
  });
  const note = "None of these tests failed in the last run; running all of them.\n";
  assert.deepEqual(await ran("--last-failed", "--filter", "good"), { code: 0, err: note, names: ["good"] });
  await ran();
  assert.deepEqual(await ran("--last-failed"), { code: 1, err: "", names: ["bad", "ugly (x)"] });
  // Tests that aren't run stay in the list of failures.
  assert.deepEqual((await ran("b.flowtest.yaml")).names, ["other"]);
  write("a.flowtest.yaml", file(goesTo("b", "good"), goesTo("b", "bad"), goesTo("c", "ugly", ", cases: [{name: x}]")));
  assert.deepEqual(await ran("--last-failed", "--filter", "bad"), { code: 0, err: "", names: ["bad"] });
  assert.deepEqual(await ran("--last-failed"), { code: 1, err: "", names: ["ugly (x)"] });
  write("a.flowtest.yaml", file(goesTo("b", "good"), goesTo("b", "ugly", ", cases: [{name: x}]")));
  assert.deepEqual(await ran("--last-failed"), { code: 0, err: "", names: ["ugly (x)"] });
  assert.deepEqual(await ran("--last-failed"), { code: 0, err: note, names: ["good", "ugly (x)", "other"] });
});

test("a full run forgets removed tests; tests of an unreadable file count as failed", async (t) => {
  const { ran, run, write, state } = place(t, { "a.flowtest.yaml": file(goesTo("c", "bad")) });
  await run();
  assert.equal(readdirSync(state).length, 1);
  write("a.flowtest.yaml", file(goesTo("b", "good")));
  await run();
  assert.deepEqual(readdirSync(state), []);
  write("a.flowtest.yaml", "tests: [");
  write("b.flowtest.yaml", file(goesTo("b", "other")));
  await run();
  write("a.flowtest.yaml", file(goesTo("b", "good"), goesTo("b", "better")));
  assert.deepEqual((await ran("--last-failed")).names, ["good", "better"]);
  assert.deepEqual(readdirSync(state), []);
});

test("the stored failures contain no test names or paths, and only the last hundred folders", async (t) => {
  const { run, state } = place(t, { "a.flowtest.yaml": file(goesTo("c", "bad")) });
  for (let index = 0; index < 120; index++) writeFileSync(path.join(state, `${index}.last-failed`), "x\n");
  await run();
  const kept = readdirSync(state);
  assert.equal(kept.length, 100);
  const [own = ""] = kept.filter((name) => /^[0-9a-f]{32}\.last-failed$/.test(name));
  assert.match(readFileSync(path.join(state, own), "utf8"), /^[0-9a-f]{32}\n$/);
});

test("an unusable state folder is reported, and the tests still run", async (t) => {
  const folder = folderWith({ "a.flow.yaml": flow, "a.flowtest.yaml": file(goesTo("c", "bad")), state: "" });
  t.after(() => folder.remove());
  const env = { ASSISTANT_FLOW_STATE_DIR: path.join(folder.path, "state") };
  const { code, out, err } = await cli(["test"], { cwd: folder.path, env });
  assert.equal(code, 1);
  assert.match(out, /1 test: 0 passed, 1 failed/);
  assert.match(err, /^This run wasn't saved for --last-failed: .*a file, not a folder\.\n$/);
});

test("the report for GitHub has a notice for each skipped test", async (t) => {
  const { run } = place(t, {
    "a.flowtest.yaml": file(
      goesTo("b", "one", ", skip: 'Later, 100%.'"),
      goesTo("b", "two", ", cases: [{name: x}, {name: y, skip: not yet}]"),
    ),
  });
  const { code, out } = await run("--format", "github");
  assert.equal(code, 0);
  assert.equal(
    out,
    `::notice file=a.flowtest.yaml,line=3,col=62,title=one (skipped)::Later, 100%25.
::notice file=a.flowtest.yaml,line=4,col=91,title=two (y) (skipped)::not yet
`,
  );
});

test("--update writes shared expectations of cases once if they agree, and not at all otherwise", async (t) => {
  const cases = (one: string, two: string, ends = "a") =>
    `{name: shared, expect: {ends: ${ends}}, cases: [{name: x, steps: [{take: ${one}}]}, {name: y, steps: [{take: ${two}}]}]}`;
  const { run, write, read } = place(t, { "a.flowtest.yaml": file(cases("b", "b")) });
  assert.equal((await run("--update")).code, 0);
  assert.equal(read("a.flowtest.yaml"), file(cases("b", "b", "b")));
  // Neither value is right: an update for one case would break the other.
  for (const ends of ["a", "b", "c"]) {
    const text = file(cases("b", "c", ends));
    write("a.flowtest.yaml", text);
    const { code, err } = await run("--update");
    assert.equal(code, 1);
    assert.equal(read("a.flowtest.yaml"), text);
    assert.match(
      err,
      new RegExp(
        `Kept "${ends}", because "shared \\([xy]\\)" shares it, and its result isn't [bc]\\. Move the expectation into the case\\.`,
      ),
    );
  }
  // A case that isn't run has no result.
  write("a.flowtest.yaml", file(cases("b", "b")));
  assert.match((await run("--update", "--filter", "(x)")).err, /Kept "a", because "shared \(y\)" shares it/);
  assert.equal(read("a.flowtest.yaml"), file(cases("b", "b")));
});
