/** `check`, `fmt`, `graph`, `diff` of files and `new`: commands that need no platform. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { applyEdits, checkDocument, FlowDocument, fixAll } from "../../../flow";
import { cli, folderWith } from "./cli";

const good = readFileSync("examples/billing.flow.yaml", "utf8");
const flawed = readFileSync("test/support/flawed.flow.yaml", "utf8");
const broken = "entry: a\nnodes:\n  a:\n    type: message\n    edges:\n      - to: nowhere\n";
let folder: ReturnType<typeof folderWith>;

before(() => {
  folder = folderWith({
    "good.flow.yaml": good,
    "sub/broken.flow.yaml": broken,
    "sub/deep/flawed.flow.yml": flawed,
    "node_modules/x/other.flow.yaml": broken,
    "notes.yaml": "not: a flow",
  });
});
after(() => folder.remove());

const at = (...args: string[]) => cli(args, { cwd: folder.path });

test("a clean file: exit 0 and a message", async () => {
  const { code, out, err } = await at("check", "good.flow.yaml");
  assert.deepEqual({ code, err }, { code: 0, err: "" });
  assert.equal(out, "1 flow checked, no problems found.\n");
});

test("in a long file, every finding is listed, but only the first ones get a fix", async () => {
  const nodes = Array.from({ length: 1_500 }, (_, at) => `  n${at}: {type: message, text: ${"x".repeat(600)}}\n`);
  writeFileSync(path.join(folder.path, "sub/long.flow.yaml"), `entry: gone\nnodes:\n${nodes.join("")}`);
  const { out } = await at("check", "sub/long.flow.yaml");
  rmSync(path.join(folder.path, "sub/long.flow.yaml"));
  const found = out.match(/ {2}(error|warning|info) {2}/g)?.length ?? 0;
  const fixes = out.match(/^ +fix: /gm)?.length ?? 0;
  assert.match(out, /\. The last \d+ findings of long files weren't checked for fixes\.\n$/);
  assert.ok(found > 1_500 && fixes > 500 && fixes < 1_200, `${found} findings, ${fixes} fixes`);
});

test("errors: exit 1; the line, the marked text and the fix are shown", async () => {
  const { code, out } = await at("check", "sub/broken.flow.yaml");
  assert.equal(code, 1);
  assert.match(out, /^sub\/broken\.flow\.yaml:6:13 {2}error {2}.*nowhere.* {2}unknown-target$/m);
  assert.match(out, /^ {4}6 \| {7}- to: nowhere\n {6}\| {13}\^{7}$/m);
  assert.match(out, /fix: /);
});

test("colors only on a terminal", async () => {
  const plain = await cli(["check", "sub"], { cwd: folder.path });
  const colored = await cli(["check", "sub"], { cwd: folder.path, color: true });
  assert.ok(!plain.out.includes("\x1b["));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are made of them.
  assert.equal(colored.out.replace(/\x1b\[[\d;]*m/g, ""), plain.out);
});

test("folders, patterns and the default find the same files, without node_modules", async () => {
  const paths = async (...args: string[]) =>
    JSON.parse((await at("check", "--format", "json", ...args)).out).files.map((file: { path: string }) => file.path);
  const all = ["good.flow.yaml", "sub/broken.flow.yaml", "sub/deep/flawed.flow.yml"];
  assert.deepEqual(await paths(), all);
  assert.deepEqual(await paths("."), all);
  assert.deepEqual(await paths("**/*.flow.{yaml,yml}"), all);
  assert.deepEqual(await paths("sub/*.flow.yaml"), ["sub/broken.flow.yaml"]);
  assert.deepEqual(await paths("sub/**/*.yml"), ["sub/deep/flawed.flow.yml"]);
  assert.deepEqual(await paths("./sub/../**/{good,fl*}.flow.*"), ["good.flow.yaml", "sub/deep/flawed.flow.yml"]);
  assert.deepEqual(await paths(`${folder.path}/**/*.flow.yaml`), ["good.flow.yaml", "sub/broken.flow.yaml"]);
  assert.deepEqual(await paths("[a-h]ood.flow.yaml"), ["good.flow.yaml"]);
  assert.deepEqual(await paths("sub/**/[!b^]*"), ["sub/deep/flawed.flow.yml"]);
});

test("a missing file is reported", async () => {
  assert.deepEqual(await at("check", "gone.flow.yaml"), {
    code: 1,
    out: "",
    err: "gone.flow.yaml: no such file or folder.\n",
  });
  assert.match((await at("check", "*.nothing")).err, /No flow files found/);
  assert.match((await at("check", "nowhere/*.flow.yaml")).err, /No flow files found/);
  assert.match((await at("check", "[z-a].flow.yaml")).err, /invalid pattern/);
});

test("--fail-on, --quiet and --rule decide what fails and what is shown", async () => {
  const flags = ["check", "sub/deep"];
  assert.equal((await at(...flags)).code, 0, "only warnings and hints");
  assert.equal((await at(...flags, "--fail-on", "warning")).code, 1);
  assert.equal((await at("check", "sub/broken.flow.yaml", "--fail-on", "never")).code, 0);
  assert.match((await at(...flags, "--quiet")).out, /no problems found/);
  assert.equal((await at(...flags, "--rule", "duplicate-edge=error")).code, 1);
  const off = await at("check", "sub/broken.flow.yaml", "--rule", "unknown-target=off");
  assert.ok(!off.out.includes("unknown-target"));
  for (const wrong of ["dead-end", "dead-end=loud", "no-such-rule=off"])
    assert.equal((await at(...flags, "--rule", wrong)).code, 64, wrong);
});

test("severities from the workspace settings apply, with or without comments", async () => {
  const own = folderWith({
    "a.flow.yaml": flawed,
    ".vscode/settings.json":
      '{\n  // stricter\n  "assistantFlow.rules": { "duplicate-edge": "error", },\n  "x": "a // b", /* end */\n}\n',
    "loose.json": '{"assistantFlow.rules": {"duplicate-edge": "off"}}',
  });
  try {
    assert.equal((await cli(["check"], { cwd: own.path })).code, 1);
    const below = path.join(own.path, "flows/deep");
    mkdirSync(below, { recursive: true });
    writeFileSync(path.join(below, "b.flow.yaml"), flawed);
    assert.equal((await cli(["check"], { cwd: below })).code, 1, "the settings are those of a folder above");
    mkdirSync(path.join(own.path, "flows/.git"));
    assert.equal((await cli(["check"], { cwd: below })).code, 0, "those above are of another repository");
    rmSync(path.join(own.path, "flows"), { recursive: true });
    const loose = await cli(["check", "--settings", "loose.json"], { cwd: own.path });
    assert.equal(loose.code, 0);
    assert.ok(!loose.out.includes("duplicate-edge"));
    assert.equal((await cli(["check", "--settings", "gone.json"], { cwd: own.path })).code, 1);
  } finally {
    own.remove();
  }
});

test("--fix does exactly what the editor's fix-all does", async () => {
  const own = folderWith({ "a.flow.yaml": flawed });
  try {
    const { out } = await cli(["check", "--fix"], { cwd: own.path });
    const expected = applyEdits(flawed, fixAll(FlowDocument.read(flawed)));
    assert.notEqual(expected, flawed);
    assert.equal(readFileSync(path.join(own.path, "a.flow.yaml"), "utf8"), expected);
    assert.match(out, /1 file fixed\. /);
    const left = checkDocument(FlowDocument.read(expected));
    assert.match(out, new RegExp(`${left.filter(({ severity }) => severity === "warning").length} warning`));
  } finally {
    own.remove();
  }
});

test("standard input is a flow too; --fix has nowhere to write it", async () => {
  const { code, out } = await cli(["check", "-", "--format", "json"], { input: broken });
  assert.equal(code, 1);
  assert.equal(JSON.parse(out).files[0].path, "stdin.flow.yaml");
  assert.equal((await cli(["check", "-", "--fix"], { input: broken })).code, 64);
  assert.equal((await cli(["check", "-", "other.flow.yaml"], { input: broken })).code, 64);
});

test("two files with one revision are both reported, with the other location", async () => {
  const own = folderWith({ "a.flow.yaml": good, "b.flow.yaml": good });
  try {
    const { code, out } = await cli(["check", "--format", "json"], { cwd: own.path });
    assert.equal(code, 1);
    for (const [index, other] of ["b.flow.yaml", "a.flow.yaml"].entries()) {
      const [finding] = JSON.parse(out).files[index].findings;
      assert.equal(finding.code, "revision-claimed-twice");
      assert.equal(finding.related[0].path, other);
    }
  } finally {
    own.remove();
  }
});

test("fmt formats, --check only reports, and broken files are unchanged", async () => {
  const untidy = good.replace("    type: message", "    type:   message  ");
  const own = folderWith({ "a.flow.yaml": untidy, "b.flow.yaml": good, "c.flow.yaml": 'nodes: {a: "b\n' });
  try {
    const file = path.join(own.path, "a.flow.yaml");
    const check = await cli(["fmt", "--check", "a.flow.yaml", "b.flow.yaml"], { cwd: own.path });
    assert.deepEqual([check.code, check.out], [1, "a.flow.yaml isn't formatted.\n"]);
    assert.equal(readFileSync(file, "utf8"), untidy);
    assert.equal((await cli(["fmt", "a.flow.yaml", "b.flow.yaml"], { cwd: own.path })).code, 0);
    assert.equal(readFileSync(file, "utf8"), good);
    assert.equal((await cli(["fmt", "--check", "a.flow.yaml"], { cwd: own.path })).code, 0);
    const unread = await cli(["fmt", "c.flow.yaml"], { cwd: own.path });
    assert.equal(unread.code, 1);
    assert.match(unread.err, /c\.flow\.yaml:\d+: skipped/);
    assert.equal((await cli(["fmt", "-"], { input: untidy })).out, good);
  } finally {
    own.remove();
  }
});

test("graph draws Mermaid, SVG and JSON", async () => {
  const mermaid = await at("graph", "good.flow.yaml");
  assert.match(mermaid.out, /^flowchart TD/);
  const svg = (await at("graph", "good.flow.yaml", "--format", "svg")).out;
  assert.match(svg, /^<svg xmlns/);
  for (const id of ["Greeting", "look_up", "hand_over", "goodbye"]) assert.ok(svg.includes(`>${id}<`), id);
  assert.ok(!/NaN|undefined/.test(svg));
  const json = JSON.parse((await at("graph", "good.flow.yaml", "--format", "json")).out);
  assert.ok(JSON.stringify(json).includes("ask_account"));
  assert.equal((await at("graph", "sub/broken.flow.yaml", "--format", "svg", "--output", "b.svg")).code, 0);
  assert.ok(readFileSync(path.join(folder.path, "b.svg"), "utf8").includes("missing"));
});

test("diff of two files names nodes, edges, variables and fields; exit 2", async () => {
  const changed = good
    .replace("name: Greeting", "name: Hello")
    .replace("      - to: goodbye\n  ask_account", "  ask_account")
    .replace("reask_cap: 2", "reask_cap: 3");
  const own = folderWith({ "old.flow.yaml": good, "new.flow.yaml": changed });
  try {
    const { code, out } = await cli(["diff", "old.flow.yaml", "new.flow.yaml"], { cwd: own.path });
    assert.equal(code, 2);
    assert.equal(
      out,
      'new.flow.yaml\n~ variable account_id\n    reask_cap: 2 → 3\n~ node greet\n    name: "Greeting" → "Hello"\n- edge greet--goodbye\n\nBehavior\n  Path closed: greet → goodbye.\n',
    );
    const json = await cli(["diff", "old.flow.yaml", "new.flow.yaml", "--format", "json"], { cwd: own.path });
    assert.deepEqual(JSON.parse(json.out).changes[1], {
      kind: "changed",
      what: "node",
      id: "greet",
      fields: ["name"],
      before: { name: "Greeting" },
      after: { name: "Hello" },
    });
    assert.equal((await cli(["diff", "old.flow.yaml", "old.flow.yaml"], { cwd: own.path })).code, 0);
  } finally {
    own.remove();
  }
});

test("new writes a flow without problems and never overwrites a file", async () => {
  const own = folderWith({});
  try {
    assert.equal((await cli(["new", "a.flow.yaml"], { cwd: own.path })).code, 0);
    assert.match((await cli(["check", "--fail-on", "hint"], { cwd: own.path })).out, /no problems found/);
    assert.match((await cli(["new", "a.flow.yaml"], { cwd: own.path })).err, /already exists/);
    assert.equal((await cli(["new", "a.yaml"], { cwd: own.path })).code, 64);
    assert.ok(!existsSync(path.join(own.path, "a.yaml")));
  } finally {
    own.remove();
  }
});

test("a wrong command line: exit 64 with a hint at help", async () => {
  for (const args of [["chek"], ["check", "--frmt"], ["graph"], ["keys"], ["check", "--format", "xml"]]) {
    const { code, err } = await cli(args);
    assert.equal(code, 64, args.join(" "));
    assert.ok(err.length > 0 && !/\bat .*:\d+/.test(err), err);
  }
  assert.match((await cli(["chek"])).err, /check/);
});
