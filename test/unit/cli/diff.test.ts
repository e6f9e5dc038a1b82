/** `assistant-flow diff` with Git: revisions, the working tree, formats, and errors for bad input. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import MarkdownIt from "markdown-it";
import { cli, folderWith } from "./cli";

const BEFORE = `entry: greet
context_variables:
  plan: {type: string, enum_values: [basic, plus]}
nodes:
  greet:
    type: message
    instructions: Welcome the caller and ask how you can help them today.
    edges: [{to: ask}]
  ask:
    type: collect
    variable: plan
    instructions: Ask for the plan.
    edges:
      - {to: tell, when: "{{plan}} is known"}
      - {to: person}
  tell: {type: message, instructions: "Your plan is {{plan}}.", edges: [{to: bye}]}
  person: {type: transfer, destination: "+15550100"}
  bye: {type: end}
`;
/** The caller may now skip the question, and the greeting has changed. */
const AFTER = BEFORE.replace("ask how you can help them today", "ask what you can do for them today").replace(
  "edges: [{to: ask}]",
  "edges: [{to: tell, when: they know the plan}, {to: ask, label: first}]",
);
const GONE = "entry: one\nnodes:\n  one: {type: message, instructions: Hi., edges: [{to: two}]}\n  two: {type: end}\n";
const TESTS = `flow: a.flow.yaml
tests:
  - name: straight on
    steps: [{give: {plan: plus}}]
    expect: {path: [greet, ask, tell, bye]}
  - name: gives up
    steps: [{take: ask}, {give: {plan: null}}]
    expect: {ends: person}
`;
const POLICIES = `policies:
  - {id: ask-first, every_path_to: {node: tell}, passes: {node: ask}, because: Nobody is told what we don't know.}
  - {id: greeted, every_path_to: {type: end}, passes: {node: greet}}
`;

let folder: ReturnType<typeof folderWith>;
const at = (name: string) => path.join(folder.path, name);
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false", ...args], {
    cwd: folder.path,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
const diff = (...args: string[]) => cli(["diff", ...args], { cwd: folder.path });
const json = async (...args: string[]) => JSON.parse((await diff(...args, "--format", "json")).out);

before(() => {
  folder = folderWith({
    "a.flow.yaml": BEFORE,
    "sub/b.flow.yaml": BEFORE,
    "gone.flow.yaml": GONE,
    "tests/a.flowtest.yaml": TESTS.replace("flow: a", "flow: ../a"),
    "assistant-flow.policies.yaml": POLICIES,
  });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  writeFileSync(at("a.flow.yaml"), AFTER);
  git("commit", "--quiet", "-am", "two");
});
after(() => folder.remove());

const TEXT = `a.flow.yaml
~ node greet
    instructions: "Welcome the caller and ask [-how-]{+what+} you can [-help-]{+do for+} them today."
+ edge greet--tell
~ edge greet--ask
    label: (none) → "first"

Behavior
  May now be unset: tell: plan.
  Policy ask-first: proved for all conditions, now broken (greet → tell). Nobody is told what we don't know.
  Test "straight on": passed, now failed.
  Test "gives up": failed, now passed.
  Coverage: nodes 4/5 (80%) → 3/5 (60%), edges 3/4 (75%) → 2/5 (40%).
`;

test("two revisions: changed words, then changes of behavior", async () => {
  const { code, out, err } = await diff("HEAD~1", "HEAD");
  assert.equal(err, "");
  assert.equal(out, TEXT);
  assert.equal(code, 2);
  for (const args of [
    ["HEAD~1..HEAD"],
    ["--base", "HEAD~1", "--head", "HEAD"],
    ["HEAD~1"],
    ["--base", "HEAD~1", "a.flow.yaml"],
    ["HEAD~1", "HEAD", "a.flow.yaml"],
    ["HEAD~1...HEAD"],
  ])
    assert.equal((await diff(...args)).out, TEXT, args.join(" "));
  assert.equal((await diff("HEAD~1", "sub")).code, 0, "nothing changed there");
  assert.deepEqual(await diff(), { code: 0, out: "", err: "No differences.\n" });
});

test("JSON: changes and behavior with the documented fields", async () => {
  const { changes, behavior, files } = await json("--base", "HEAD~1");
  assert.deepEqual(
    changes.map(({ kind, what, id, fields }: Record<string, unknown>) => [kind, what, id, fields]),
    [
      ["changed", "node", "greet", ["instructions"]],
      ["added", "edge", "greet--tell", ["to", "when"]],
      ["changed", "edge", "greet--ask", ["label"]],
    ],
  );
  assert.deepEqual(behavior.policies, ["ask-first"]);
  assert.deepEqual(behavior.policy_changes[0].path, ["greet", "tell"]);
  assert.deepEqual(behavior.tests, ["straight on", "gives up"]);
  assert.deepEqual(behavior.may_be_unset, ["tell: plan"]);
  assert.deepEqual(behavior.coverage, {
    before: { nodes: [4, 5], edges: [3, 4] },
    after: { nodes: [3, 5], edges: [2, 5] },
  });
  assert.deepEqual(
    files.map((each: { path: string }) => each.path),
    ["a.flow.yaml"],
  );
});

test("the working tree: added, removed, renamed and untracked flows; paths opened and closed", async () => {
  rmSync(at("gone.flow.yaml"));
  mkdirSync(at("moved"), { recursive: true });
  renameSync(at("sub/b.flow.yaml"), at("moved/c.flow.yaml"));
  writeFileSync(at("moved/c.flow.yaml"), BEFORE.replace("- {to: person}", "- {to: bye}"));
  git("add", "-A", "sub", "moved");
  writeFileSync(at("new.flow.yaml"), "entry: z\nnodes:\n  z: {type: end}\n");
  try {
    const { files } = await json();
    interface File {
      readonly path: string;
      readonly old_path?: string;
      readonly changes: readonly unknown[];
      readonly behavior: Readonly<Record<"opened" | "closed", readonly { readonly path: readonly string[] }[]>>;
    }
    const ways = (list: File["behavior"]["opened"]) => list.map((each) => each.path.join(">"));
    const told = (files as File[]).map(({ path: file, old_path, changes, behavior: { opened, closed } }) => [
      file,
      old_path,
      changes.length,
      ways(opened),
      ways(closed),
    ]);
    assert.deepEqual(told, [
      ["gone.flow.yaml", undefined, 3, [], ["one>two"]],
      ["moved/c.flow.yaml", "sub/b.flow.yaml", 2, ["greet>ask>bye"], ["greet>ask>person"]],
      ["new.flow.yaml", undefined, 2, ["z"], []],
    ]);
    const { out } = await diff();
    assert.match(out, /^gone\.flow\.yaml\n- entry\n/);
    assert.match(out, /\nmoved\/c\.flow\.yaml \(was sub\/b\.flow\.yaml\)\n/);
  } finally {
    git("reset", "--quiet", "--hard");
    rmSync(at("new.flow.yaml"));
  }
});

test("Markdown: a comment with inert text, the same for the same change", async () => {
  const { out } = await diff("HEAD~1", "--format", "markdown");
  assert.match(out, /^<!-- assistant-flow diff -->\n## Flow changes\n\n### `a\.flow\.yaml`\n\n1 added, 2 changed\.\n/);
  assert.match(out, /ask <del>how<\/del><ins>what<\/ins> you can/);
  assert.match(out, /```mermaid\nflowchart TD\n/);
  assert.equal((await diff("HEAD~1", "--format", "markdown")).out, out);
  const tokens = new MarkdownIt({ html: true }).parse(out, {});
  assert.ok(tokens.some(({ type }) => type === "fence"));
});

test("pictures and the page: added and removed elements differ by sign and shape, and nothing in them is live", async () => {
  const mermaid = (await diff("HEAD~1", "--format", "mermaid")).out;
  assert.match(mermaid, /n1\["~ greet<br\/><small>message<\/small>"\]:::changed/);
  assert.match(mermaid, /n1 ==>\|"\+ they know the plan"\| n3/);
  const svg = (await diff("HEAD~1", "--format", "svg")).out;
  assert.match(svg, /^<svg [^>]*>/);
  assert.match(svg, /class="edge added"/);
  const html = (await diff("HEAD~1", "--format", "html")).out;
  assert.match(html, /<del>how<\/del><ins>what<\/ins>/);
  assert.ok(html.includes(svg.trim().slice(0, 40)));
  writeFileSync(
    at("a.flow.yaml"),
    AFTER.replace("type: message\n", 'type: message\n    name: "<script>alert(1)</script>](x) @team `"\n'),
  );
  try {
    for (const format of ["html", "svg", "markdown", "mermaid"])
      assert.doesNotMatch((await diff("--format", format)).out, /(?<!\\)<script/, format);
    assert.doesNotMatch((await diff("--format", "markdown")).out, /[^`]@team/, "nobody is called by a flow");
  } finally {
    git("checkout", "--quiet", "a.flow.yaml");
  }
});

test("large changes stay within the limits of hosts", async () => {
  const many = (count: number, word: string) =>
    `entry: n0\nnodes:\n${Array.from({ length: count }, (_, i) => `  n${i}: {type: message, name: "${`${word} ${i} `.repeat(12)}", instructions: ${word} ${i}, edges: [{to: n${(i + 1) % count}, when: "${word} ${"x".repeat(70)}"}, {to: n${(i * 7) % count}}]}\n`).join("")}`;
  const own = folderWith({ "old.flow.yaml": many(900, "one"), "new.flow.yaml": many(900, "two") });
  const made = async (format: string) =>
    (await cli(["diff", "old.flow.yaml", "new.flow.yaml", "--format", format], { cwd: own.path })).out;
  try {
    const markdown = await made("markdown");
    assert.ok(markdown.length <= 60_000, `${markdown.length} characters`);
    for (const text of [await made("mermaid"), /```mermaid\n([\s\S]*?)```/.exec(markdown)?.[1] ?? ""]) {
      assert.ok(text.length <= 50_000, `${text.length} characters`);
      assert.ok(text.split("\n").filter((line) => /(-->|==>|-\.->)/.test(line)).length <= 500);
    }
    assert.match(markdown, /… and \d+ more/);
    assert.match(markdown, /\d+ changed nodes and edges aren't shown/);
  } finally {
    own.remove();
  }
});

test("difftools: two files, one of which may be missing", async () => {
  const { code, out } = await diff("/dev/null", "a.flow.yaml");
  assert.equal(code, 2);
  assert.match(out, /^a\.flow\.yaml\n\+ entry\n/);
  assert.match((await diff("a.flow.yaml", "/dev/null")).out, /^a\.flow\.yaml\n- entry\n/);
});

test("bad input gets a one-sentence error", async () => {
  const own = folderWith({
    "a.flow.yaml": BEFORE,
    "other.yaml": "name: something\nversion: 1\n",
    "other.flow.yaml": "name: something\nversion: 1\n",
    "binary.flow.yaml": "\0\x01\x02",
    "broken.flow.yaml": "entry: [a\n",
  });
  const here = async (...args: string[]) => {
    const { code, err } = await cli(["diff", ...args], { cwd: own.path });
    return [code, err.trim()];
  };
  try {
    assert.deepEqual(await here("a.flow.yaml", "other.yaml"), [
      1,
      "other.yaml isn't a flow file (.flow.yaml or .flow.yml).",
    ]);
    assert.deepEqual(await here("a.flow.yaml", "other.flow.yaml"), [
      1,
      "other.flow.yaml isn't a flow: it has none of the keys nodes, entry, context_variables.",
    ]);
    assert.deepEqual(await here("a.flow.yaml", "binary.flow.yaml"), [1, "binary.flow.yaml is binary, not a flow."]);
    assert.match((await here("a.flow.yaml", "broken.flow.yaml"))[1] as string, /has a syntax error/);
    assert.match((await here())[1] as string, /isn't in a Git repository/);
    assert.deepEqual(await here("a.flow.yaml", "gone.flow.yaml"), [
      1,
      '"gone.flow.yaml" is neither a file nor a revision: this folder isn\'t in a Git repository.',
    ]);
  } finally {
    own.remove();
  }
  for (const name of ["nonsense", "--base=nonsense", "origin/main", "--base=--output=x", "HEAD~1..nonsense"]) {
    const { code, err } = await diff(name);
    assert.equal(code, 1, name);
    assert.match(err, /^Revision ".+" doesn't exist\. If it is on a remote, run `git fetch`/, name);
  }
  for (const names of [
    ["HEAD", "never.flow.yaml"],
    ["a.flow.yaml", "never.flow.yaml"],
    ["never.flow.yaml", "a.flow.yaml"],
    ["never.flow.yaml"],
    ["HEAD~1", "HEAD", "never/"],
  ]) {
    const { code, out, err } = await diff(...names);
    assert.deepEqual([code, out], [1, ""], names.join(" "));
    assert.match(err, /^"never.*" is neither a file \(here or in HEAD.*\) nor a revision\.\n$/, names.join(" "));
  }
  rmSync(at("a.flow.yaml"));
  try {
    assert.match(
      (await diff("a.flow.yaml")).out,
      /^a\.flow\.yaml\n- entry\n/,
      "a file that was removed is none of a revision",
    );
  } finally {
    git("checkout", "--quiet", "a.flow.yaml");
  }
  const fresh = folderWith({ "a.flow.yaml": BEFORE });
  execFileSync("git", ["init", "--quiet"], { cwd: fresh.path });
  const { err: none } = await cli(["diff"], { cwd: fresh.path });
  fresh.remove();
  assert.equal(none, "This repository has no commits yet, so there is nothing to compare with.\n");
  const clone = folderWith({});
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${folder.path}`, "shallow"], { cwd: clone.path });
  const shallow = await cli(["diff", "HEAD~1"], { cwd: path.join(clone.path, "shallow") });
  clone.remove();
  assert.equal(shallow.code, 1);
  assert.match(shallow.err, /This clone is shallow: run `git fetch --unshallow`/);
  writeFileSync(at("a.flow.yaml"), "\0binary");
  try {
    assert.match((await diff()).err, /^a\.flow\.yaml is binary, not a flow\.\n$/);
  } finally {
    git("checkout", "--quiet", "a.flow.yaml");
  }
});

test("a file that is linked to another assistant or revision isn't the same", async () => {
  const linked = (revision: string) => `assistant: one\n${revision}${GONE}`;
  const own = folderWith({
    "a.flow.yaml": linked("revision: r1\n"),
    "b.flow.yaml": linked("revision: r2\n"),
    "c.flow.yaml": linked(""),
  });
  const here = (...args: string[]) => cli(["diff", ...args], { cwd: own.path });
  try {
    assert.deepEqual(await here("a.flow.yaml", "b.flow.yaml"), {
      code: 2,
      out: "",
      err: "b.flow.yaml: Changed revision: r1 → r2.\n",
    });
    assert.match((await here("a.flow.yaml", "c.flow.yaml")).err, /: r1 → \(none\)\.\n$/);
    assert.equal((await here("/dev/null", "a.flow.yaml")).err, "");
  } finally {
    own.remove();
  }
});
