/** The platform may change between a plan and its execution: exactly the plan is executed, or nothing. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { inspect } from "node:util";
import { run } from "../../cli/run";
import { fetchTransport, PlatformClient, Secret } from "../../platform";
import { type Sandbox, startSandbox } from "../../sandbox";
import { graphOfRevision } from "../../sync";
import { cli, environmentOf, folderWith } from "../unit/cli/cli";
import { type Agent, removeBundle, startAgent } from "../unit/mcp/agent";

const FILE = "support.flow.yaml";
const flow = readFileSync("examples/support-line.flow.yaml", "utf8");
const saying = (words: string) => flow.replace("type: message\n", `type: message\n    description: ${words}\n`);

let sandbox: Sandbox;
let folder: ReturnType<typeof folderWith>;
let state: ReturnType<typeof folderWith>;
/** Every request goes through it, so that a function can run just before one. */
let door: ReturnType<typeof createServer>;
let before: (request: IncomingMessage, number: number) => Promise<void> | void;
let requests: number;
let env: Record<string, string>;

beforeEach(async () => {
  sandbox = await startSandbox({ demo: true });
  folder = folderWith({ [FILE]: flow });
  state = folderWith({});
  [before, requests] = [() => undefined, 0];
  door = createServer(async (asked, answer) => {
    await before(asked, ++requests);
    const to = new URL(asked.url ?? "/", sandbox.baseUrl);
    const headers = { ...asked.headers, host: to.host };
    const passed = request(to, { method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  env = { ...environmentOf(sandbox, path.join(state.path, "state")), ASSISTANT_FLOW_BASE_URL: address };
});
afterEach(async () => {
  door.close();
  await sandbox.stop();
  folder.remove();
  state.remove();
});
after(removeBundle);

const client = () => new PlatformClient(fetchTransport({ baseUrl: sandbox.baseUrl, key: new Secret(sandbox.apiKey) }));
const read = () => readFileSync(path.join(folder.path, FILE), "utf8");
const write = (text: string) => writeFileSync(path.join(folder.path, FILE), text);

/** Another user changes the platform. */
async function colleague(fields: Record<string, unknown>): Promise<void> {
  const { assistant = "", revision = "" } = sandbox.demo ?? {};
  await client().applyGraphOps(assistant, revision, { ops: [{ op: "update_node_fields", node_id: "greet", fields }] });
}

async function onPlatform(): Promise<string> {
  const { assistant = "", revision = "" } = sandbox.demo ?? {};
  return inspect(await graphOfRevision(client(), revision, assistant), { depth: null });
}

async function withPlan(work: (agent: Agent, push: () => ReturnType<Agent["call"]>) => Promise<void>): Promise<void> {
  const agent = await startAgent({ cwd: folder.path, env, args: ["--allow-push"] });
  try {
    write(saying("Planned words."));
    const { data, text } = await agent.call("plan", { paths: [FILE] });
    const { fingerprint } = data.files[0];
    assert.ok(fingerprint, text);
    requests = 0;
    await work(agent, () => agent.call("push", { file: FILE, fingerprint, allow_first_push: true }));
  } finally {
    await agent.close();
  }
}

for (const [when, at] of [
  ["at its first request", 1],
  ["at its second request", 2],
  ["at the request that sends", "POST"],
] as const)
  test(`MCP push: a file that changes ${when} is not what is pushed`, () =>
    withPlan(async (_, push) => {
      before = ({ method }, number) => {
        if (at === number || at === method) write(saying("Smuggled words."));
      };
      const pushed = await push();
      assert.equal(pushed.data?.files[0].state, "synced", pushed.text);
      const there = await onPlatform();
      assert.ok(there.includes("Planned words.") && !there.includes("Smuggled"), there.slice(0, 500));
      assert.match(read(), /Smuggled words\./, "the file is left to whoever wrote it");
    }));

for (const [when, at] of [
  ["before it looks", 1],
  ["between its look and its push", 2],
  ["before the batch arrives", "POST"],
] as const)
  test(`MCP push: a platform that changes ${when} is not pushed to, and nothing is merged into the file`, () =>
    withPlan(async (agent, push) => {
      let isDone = false;
      before = async ({ method }, number) => {
        if (isDone || (at !== number && at !== method)) return;
        isDone = true;
        await colleague({ mood: "warm" });
      };
      const pushed = await push();
      assert.ok(isDone);
      assert.ok(pushed.isError, pushed.text);
      assert.match(pushed.text, /has changed since this plan/);
      assert.ok(!(await onPlatform()).includes("Planned words."));
      assert.equal(read(), saying("Planned words."));
      const again = await agent.call("plan", { paths: [FILE] });
      assert.equal(again.isError, false, again.text);
    }));

/** The proxy switches to a second revision with the same content and version. */
const TWIN = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0009";

for (const [when, at] of [
  ["before the push", 0],
  ["at its first request", 1],
  ["at its second request", 2],
  ["at the request that sends", "POST"],
] as const)
  test(`MCP push: a project file that names another revision ${when} doesn't redirect it`, async () => {
    const { assistant = "", revision = "" } = sandbox.demo ?? {};
    const project = (id: string) =>
      writeFileSync(
        path.join(folder.path, "assistant-flow.project.yaml"),
        `environments:\n  live:\n    url: ${env.ASSISTANT_FLOW_BASE_URL}\n    flows:\n      ${FILE}: {assistant: ${assistant}, revision: ${id}}\n`,
      );
    const unlinked = (text: string) => text.replace(/^(?:assistant|revision): .*\n/gm, "");
    project(revision);
    write(unlinked(saying("Planned words.")));
    const agent = await startAgent({ cwd: folder.path, env, args: ["--allow-push"] });
    try {
      const { data, text } = await agent.call("plan", { paths: [FILE] });
      const { fingerprint } = data.files[0];
      assert.ok(fingerprint, text);
      const sent: string[] = [];
      requests = 0;
      before = (asked, number) => {
        if (at === number || at === asked.method) project(TWIN);
        if (asked.method === "POST") sent.push(asked.url ?? "");
        asked.url = asked.url?.replace(TWIN, revision);
      };
      if (at === 0) project(TWIN);
      const pushed = await agent.call("push", { file: FILE, fingerprint, allow_first_push: true });
      assert.deepEqual(
        sent.filter((url) => url.includes(TWIN)),
        [],
      );
      if (at === 0) assert.match(pushed.text, /has changed since this plan/);
      else assert.equal(pushed.data?.files[0].state, "synced", pushed.text);
    } finally {
      await agent.close();
    }
  });

test("MCP push: a fingerprint is valid for one file and a plan that was shown", async () => {
  writeFileSync(path.join(folder.path, "other.flow.yaml"), "entry: z\nnodes:\n  z: {type: end}\n");
  const agent = await startAgent({ cwd: folder.path, env, args: ["--allow-push"] });
  try {
    write(saying("Planned words."));
    const { out } = await cli(["plan", FILE, "--format", "json"], { cwd: folder.path, env });
    const { fingerprint } = JSON.parse(out).files[0];
    const push = (file: string) => agent.call("push", { file, fingerprint, allow_first_push: true });
    // The first page has only the other file.
    await agent.call("plan", { limit: 1 });
    assert.match((await push(FILE)).text, /Unknown fingerprint for this file/);
    await agent.call("plan", { paths: [FILE] });
    assert.match((await push("other.flow.yaml")).text, /Unknown fingerprint for this file/);
    assert.equal((await push(FILE)).data?.files[0].state, "synced");
  } finally {
    await agent.close();
  }
});

for (const [what, at, change] of [
  ["changes at its first request", 1, write],
  ["changes at its second request", 2, write],
  ["is removed meanwhile", 1, () => rmSync(path.join(folder.path, FILE))],
] as const)
  test(`CLI push and pull: a file that ${what} stays so, and its new text isn't pushed`, async () => {
    write(saying("Planned words."));
    assert.equal((await cli(["push", FILE, "--allow-first-push"], { cwd: folder.path, env })).code, 0);
    for (const command of ["push", "pull"]) {
      await colleague({ [`mood_of_${command}`]: "warm" });
      const words = read();
      const smuggled = words.replace("Planned words.", "Smuggled words.");
      write(words.replace("Planned words.", "Next words."));
      requests = 0;
      before = (_, number) => {
        if (number === at) change(smuggled);
      };
      const { code, err } = await cli([command, FILE], { cwd: folder.path, env });
      assert.equal(code, 1, command);
      assert.match(
        err,
        /support\.flow\.yaml: the file changed in the meantime and (was left unchanged|nothing was pushed)\. Try again\./,
      );
      const now = existsSync(path.join(folder.path, FILE)) ? read() : undefined;
      assert.equal(now, change === write ? smuggled : undefined, command);
      assert.ok(!(await onPlatform()).includes("Smuggled"), command);
      before = () => undefined;
      write(words);
      assert.equal((await cli(["pull", FILE], { cwd: folder.path, env })).code, 0);
      assert.match(read(), new RegExp(`mood_of_${command}: warm`));
    }
  });

/** Runs a command, and calls a function when the command first prints something. */
async function whenSaying(args: readonly string[], cwd: string, words: RegExp, act: () => void) {
  let err = "";
  let isDone = false;
  const hear = (text: string) => {
    err += text;
    if (!isDone && words.test(text)) {
      isDone = true;
      act();
    }
  };
  const input = async () => "";
  const terminal = { cwd, env: {}, color: false, watched: false, out: hear, data: hear, err: hear, input };
  const code = await run(args, terminal);
  assert.ok(isDone, err);
  return { code, err };
}

test("fmt and test --update: a change made after the file was read isn't overwritten", async () => {
  const unformatted = "entry:   z\nnodes:\n  z: {type: end}\n";
  const place = folderWith({
    "a.flow.yaml": unformatted,
    "b.flow.yaml": unformatted,
    "c.flow.yaml": "entry: z\nnodes:\n  z: {type: end}\n",
    "c.flowtest.yaml": "flow: c.flow.yaml\ntests:\n  - name: t\n    expect: {path: [y]}\n",
  });
  try {
    const late = (name: string) => () => writeFileSync(path.join(place.path, name), "# mine\n");
    const now = (name: string) => readFileSync(path.join(place.path, name), "utf8");
    const formatted = await whenSaying(["fmt"], place.path, /a\.flow\.yaml was formatted/, late("b.flow.yaml"));
    assert.equal(formatted.code, 1);
    assert.match(formatted.err, /b\.flow\.yaml: the file changed in the meantime/);
    assert.equal(now("b.flow.yaml"), "# mine\n");
    const updated = await whenSaying(["test", "--update"], place.path, /c\.flowtest\.yaml: t/, late("c.flowtest.yaml"));
    assert.equal(updated.code, 1);
    assert.match(updated.err, /c\.flowtest\.yaml: the file changed in the meantime/);
    assert.equal(now("c.flowtest.yaml"), "# mine\n");
  } finally {
    place.remove();
  }
});
