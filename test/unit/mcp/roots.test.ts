/**
 * `assistant-flow mcp` can't access files outside its roots, whatever the spelling of a path or the target of a link.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Agent, removeBundle, startAgent } from "./agent";

const SECRET = "squeamish_ossifrage";
const FLOW = "entry: z\nnodes:\n  z: {type: end}\n";
const OUTSIDE = `entry: ${SECRET}\nnodes:\n  ${SECRET}: {type: end, name: ${SECRET}}\n`;

let top: string;
let root: string;
let agent: Agent;
before(async () => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), "aflow-roots-")));
  root = path.join(top, "root");
  for (const folder of ["root/deep/deeper", "root-beside", "outside/inner"])
    mkdirSync(path.join(top, folder), { recursive: true });
  writeFileSync(path.join(root, "own.flow.yaml"), FLOW);
  writeFileSync(path.join(root, "deep/own.flow.yaml"), FLOW);
  for (const folder of ["root-beside", "outside", "outside/inner"]) {
    writeFileSync(path.join(top, folder, "x.flow.yaml"), OUTSIDE);
    writeFileSync(path.join(top, folder, "x.flowtest.yaml"), `flow: x.flow.yaml\ntests:\n  - name: ${SECRET}\n`);
  }
  writeFileSync(path.join(top, "x.flow.yaml"), OUTSIDE);
  writeFileSync(path.join(top, "assistant-flow.policies.yaml"), `policies:\n  - {id: ${SECRET}}\n`);
  mkdirSync(path.join(top, ".vscode"));
  writeFileSync(
    path.join(top, ".vscode/settings.json"),
    `{"assistantFlow.rules": {"${SECRET}": "error", "dead-end": "error"}}`,
  );
  const link = (to: string, at: string) => symlinkSync(to, path.join(root, at));
  link("../outside", "folder-link");
  link("../outside/x.flow.yaml", "link.flow.yaml");
  link(path.join(top, "outside/x.flow.yaml"), "absolute-link.flow.yaml");
  link("link.flow.yaml", "link-to-link.flow.yaml");
  link("../../outside", "deep/up");
  link("/", "whole-disk");
  link("../outside/x.flowtest.yaml", "link.flowtest.yaml");
  link("deep", "inside-link");
  link("loop.flow.yaml", "loop.flow.yaml");
  link("../outside/none.flow.yaml", "dangling.flow.yaml");
  writeFileSync(path.join(root, "reaching.flowtest.yaml"), `flow: ../outside/x.flow.yaml\ntests:\n  - {name: t}\n`);
  writeFileSync(path.join(root, "absolute.flowtest.yaml"), `flow: ${top}/outside/x.flow.yaml\ntests:\n  - {name: t}\n`);
  writeFileSync(path.join(root, "linked.flowtest.yaml"), `flow: link.flow.yaml\ntests:\n  - {name: t}\n`);
  agent = await startAgent({ cwd: root });
});
after(async () => {
  await agent.close();
  rmSync(top, { recursive: true, force: true });
  await removeBundle();
});

/** Names of one file or folder outside, as an agent might write them. */
const names = (): string[] => [
  "../outside/x.flow.yaml",
  "../x.flow.yaml",
  "../root-beside/x.flow.yaml",
  "./../outside/x.flow.yaml",
  "deep/../../outside/x.flow.yaml",
  "deep/deeper/../../../outside/x.flow.yaml",
  "none/../../outside/x.flow.yaml",
  "..//outside///x.flow.yaml",
  "../root/../outside/x.flow.yaml",
  `${top}/outside/x.flow.yaml`,
  `${top}/root/../outside/x.flow.yaml`,
  `${top}/root-beside/x.flow.yaml`,
  `/proc/self/cwd/../outside/x.flow.yaml`,
  `//${top}/outside/x.flow.yaml`,
  "link.flow.yaml",
  "absolute-link.flow.yaml",
  "link-to-link.flow.yaml",
  "folder-link/x.flow.yaml",
  "folder-link/inner/x.flow.yaml",
  "folder-link/../outside/x.flow.yaml",
  "deep/up/x.flow.yaml",
  "inside-link/up/x.flow.yaml",
  `whole-disk${"/"}${"TOP"}/outside/x.flow.yaml`.replace("TOP", top.slice(1)),
];

const listings = (): string[] => [
  "..",
  "../outside",
  "../*.flow.yaml",
  "../**/*.flow.yaml",
  "../{outside,root-beside}/*.flow.yaml",
  "deep/../../*/x.flow.yaml",
  `${top}/**/*.flow.yaml`,
  `${top}`,
  "folder-link",
  "folder-link/*.flow.yaml",
  "deep/up",
  "whole-disk",
];

test("no tool reads a file outside of the roots", async () => {
  let cases = 0;
  for (const name of names())
    for (const [tool, input] of [
      ["check", { paths: [name] }],
      ["outline", { file: name }],
      ["paths", { file: name }],
      ["run", { file: name }],
      ["test", { paths: [name] }],
    ] as const) {
      const { isError, text, data } = await agent.call(tool, input);
      // Tests inside may name a flow outside; it doesn't exist for them.
      const isUnread = tool === "test" && data?.coverage.length === 0;
      assert.ok(isError || isUnread, `${tool} ${name}: ${text}`);
      assert.ok(!text.includes(SECRET), `${tool} ${name}: ${text}`);
      cases++;
    }
  assert.ok(cases >= 30 * 3, `${cases} cases`);
});

test("no folder outside of the roots is listed", async () => {
  for (const name of listings())
    for (const tool of ["check", "test", "plan"]) {
      const { isError, text } = await agent.call(tool, { paths: [name] });
      assert.ok(isError, `${tool} ${name}: ${text}`);
      assert.ok(!/(outside|beside)\/x\.flow/.test(text) && !text.includes(SECRET), `${tool} ${name}: ${text}`);
    }
});

test("broken and circular links are reported, not followed", async () => {
  for (const name of ["loop.flow.yaml", "dangling.flow.yaml"]) {
    const { isError } = await agent.call("outline", { file: name });
    assert.ok(isError, name);
  }
});

test("files inside the roots are read, also by an absolute path, over `..` and over a link that stays inside", async () => {
  for (const file of ["own.flow.yaml", "deep/../own.flow.yaml", `${root}/own.flow.yaml`, "inside-link/own.flow.yaml"]) {
    const { data, text } = await agent.call("outline", { file });
    assert.equal(data?.entry, "z", `${file}: ${text}`);
  }
  const { data } = await agent.call("check");
  const found = data.files.map((each: { path: string }) => each.path);
  const tests = ["absolute", "linked", "reaching"].map((name) => `${name}.flowtest.yaml`);
  assert.deepEqual(found, ["deep/own.flow.yaml", "own.flow.yaml", ...tests].sort(), "links are no part of a folder");
});

test("a flow, settings and policies outside of the roots are ignored", async () => {
  for (const name of ["reaching", "absolute", "linked"]) {
    const { data, text } = await agent.call("test", { paths: [`${name}.flowtest.yaml`] });
    assert.equal(data.tests[0].failures[0].kind, "bad-test", name);
    assert.ok(!text.includes(SECRET));
  }
  const linked = await agent.call("test", { paths: ["link.flowtest.yaml"] });
  assert.ok(linked.isError);
  const { contents } = await agent.client.readResource({ uri: "assistant-flow://policies" });
  assert.match((contents[0] as { text: string }).text, /^This workspace has no/);
});

test("several roots, folders of the client, and no roots", async () => {
  const [beside, outside] = [path.join(top, "root-beside"), path.join(top, "outside")];
  const both = await startAgent({ cwd: top, args: ["--root", "root", "--root", "root-beside"] });
  assert.equal((await both.call("outline", { file: "../root-beside/x.flow.yaml" })).data.entry, SECRET);
  assert.ok((await both.call("outline", { file: "../outside/x.flow.yaml" })).isError);
  assert.ok((await both.call("outline", { file: path.join(top, "x.flow.yaml") })).isError);
  await both.close();
  const open = await startAgent({ cwd: root, roots: [beside] });
  assert.equal((await open.call("outline", { file: "x.flow.yaml" })).data.entry, SECRET);
  assert.ok((await open.call("outline", { file: path.join(root, "own.flow.yaml") })).isError, "its roots alone");
  await open.close();
  const named = await startAgent({ cwd: root, args: ["--root", "."], roots: [outside] });
  assert.ok((await named.call("outline", { file: path.join(outside, "x.flow.yaml") })).isError, "named roots win");
  await named.close();
  const none = await startAgent({ cwd: root, roots: [] });
  assert.match((await none.call("outline", { file: "own.flow.yaml" })).text, /has no folder open/);
  await none.close();
  const everywhere = await startAgent({ cwd: "/" });
  assert.match((await everywhere.call("check")).text, /Pass the folder of the flows with --root/);
  await everywhere.close();
});
