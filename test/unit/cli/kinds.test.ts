/** Every command recognizes flow, test and policy files by name, and ignores others. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { cli, folderWith } from "./cli";

const POLICIES = "assistant-flow.policies.yaml";
const files = {
  "a.flow.yaml": "entry: a\nnodes:\n  a: {type: end, instructions: Say goodbye.}\n",
  "a.flowtest.yaml": "flow: a.flow.yaml\ntests:\n  -   name: one\n      expect: {ends: b}\n",
  "b.flowtest.yaml": "flow: a.flow.yaml\nnonsense: 1\ntests:\n  - name: two\n    expect: {ends: a}\n",
  [POLICIES]: "policies:\n  -   id: p\n      every_path_to: {node: nope}\n      passes: entry\n",
  "other.yaml": "a: 1\n",
};

interface Report {
  readonly files: readonly { readonly path: string; readonly findings: readonly { readonly code: string }[] }[];
}

test("check checks tests and policies by their kind", async () => {
  const folder = folderWith(files);
  try {
    const codes = async (...args: string[]) => {
      const { code, out, err } = await cli(["check", "--format", "json", ...args], { cwd: folder.path });
      const report = JSON.parse(out || err) as Report;
      return { code, found: report.files.map((each) => [each.path, ...each.findings.map((finding) => finding.code)]) };
    };
    const companions = [
      ["a.flowtest.yaml", "wrong-end"],
      [POLICIES, "matches-nothing"],
      ["b.flowtest.yaml", "bad-test"],
    ];
    assert.deepEqual(
      (await codes()).found.map(([name, first]) => (name === "a.flow.yaml" ? [name] : [name, first])),
      [["a.flow.yaml"], ...companions],
    );
    for (const expected of companions) {
      const { code, found } = await codes(expected[0] as string);
      assert.equal(code, expected[1] === "bad-test" ? 1 : 0, expected[0]);
      assert.deepEqual(
        found.map(([name, first]) => [name, first]),
        [expected],
      );
    }
  } finally {
    folder.remove();
  }
});

test("fixing never writes keys of a flow into another file", async () => {
  const folder = folderWith({ ...files, [POLICIES]: "policies: []\n", "c.flowtest.yaml": "flow: a.flow.yaml\n" });
  try {
    for (const name of [POLICIES, "a.flowtest.yaml", "c.flowtest.yaml", "."])
      await cli(["check", "--fix", name], { cwd: folder.path });
    const text = (name: string) => readFileSync(path.join(folder.path, name), "utf8");
    assert.equal(text(POLICIES), "policies: []\n");
    assert.equal(text("a.flowtest.yaml"), files["a.flowtest.yaml"]);
    assert.equal(text("c.flowtest.yaml"), "flow: a.flow.yaml\n");
  } finally {
    folder.remove();
  }
});

test("fmt formats tests and policies", async () => {
  const folder = folderWith(files);
  try {
    assert.equal((await cli(["fmt", "--check", POLICIES], { cwd: folder.path })).code, 1);
    assert.equal((await cli(["fmt"], { cwd: folder.path })).code, 0);
    const text = (name: string) => readFileSync(path.join(folder.path, name), "utf8");
    assert.equal(text(POLICIES), "policies:\n  - id: p\n    every_path_to: {node: nope}\n    passes: entry\n");
    assert.equal(text("a.flowtest.yaml"), "flow: a.flow.yaml\ntests:\n  - name: one\n    expect: {ends: b}\n");
    assert.equal(text("other.yaml"), files["other.yaml"]);
  } finally {
    folder.remove();
  }
});

test("a file of another kind, or a missing one, is reported", async () => {
  const folder = folderWith(files);
  try {
    const said = async (...args: string[]) => {
      const { code, err } = await cli(args, { cwd: folder.path });
      return [code, err.trim()];
    };
    assert.deepEqual(await said("test", "nope.flow.yaml"), [1, "nope.flow.yaml: no such file or folder."]);
    assert.deepEqual(await said("test", "other.yaml"), [
      1,
      "other.yaml isn't a test file (.flowtest.yaml or .flowtest.yml).",
    ]);
    assert.deepEqual(await said("graph", "a.flowtest.yaml"), [
      1,
      "a.flowtest.yaml isn't a flow file (.flow.yaml or .flow.yml).",
    ]);
    assert.deepEqual(await said("test", "--generate", POLICIES), [
      1,
      `${POLICIES} isn't a flow file (.flow.yaml or .flow.yml).`,
    ]);
    assert.deepEqual(await said("test", "--generate", "other.yaml"), [
      1,
      "other.yaml isn't a flow file (.flow.yaml or .flow.yml).",
    ]);
    assert.deepEqual(await said("fmt", "other.yaml"), [
      1,
      `other.yaml isn't a flow file (.flow.yaml or .flow.yml), a test file (.flowtest.yaml or .flowtest.yml) or a policy file (${POLICIES}).`,
    ]);
    assert.deepEqual(await said("check", "other.yaml"), [
      1,
      `other.yaml isn't a flow file (.flow.yaml or .flow.yml), a test file (.flowtest.yaml or .flowtest.yml), a policy file (${POLICIES}) or a tool definitions file (assistant-flow.tools.json).`,
    ]);
  } finally {
    folder.remove();
  }
});

test("a generated file never replaces a file of another kind", async () => {
  const folder = folderWith(files);
  try {
    for (const name of Object.keys(files)) {
      if (!name.endsWith(".flowtest.yaml")) {
        const { code, err } = await cli(["test", "--generate", "a.flow.yaml", "--output", name], { cwd: folder.path });
        assert.deepEqual([code, err], [64, "--output must end in .flowtest.yaml or .flowtest.yml.\n"]);
      }
      if (name === "other.yaml") continue;
      const drawn = await cli(["graph", "a.flow.yaml", "--output", name], { cwd: folder.path });
      assert.deepEqual([drawn.code, drawn.out], [64, ""], name);
    }
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(path.join(folder.path, name), "utf8"), text);
  } finally {
    folder.remove();
  }
});
