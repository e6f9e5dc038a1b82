/** Network access: none before `plan`, none without a key, and a push only of a plan that was shown. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { cli, environmentOf, folderWith } from "../cli/cli";
import { type Agent, between, removeBundle, startAgent } from "./agent";

/** A platform that counts requests. */
let counter: Server;
let requests = 0;
let address: string;
before(async () => {
  counter = createServer((_, response) => {
    requests++;
    response.writeHead(401).end("{}");
  });
  await new Promise<void>((resolve) => counter.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
});
after(async () => {
  counter.close();
  await removeBundle();
});

async function everything(agent: Agent): Promise<void> {
  const file = "billing.flow.yaml";
  for (const [name, input] of [
    ["check", {}],
    ["check", { platform: true }],
    ["outline", { file }],
    ["paths", { file }],
    ["run", { file }],
    ["test", {}],
    ["tools", {}],
  ] as const)
    assert.equal((await agent.call(name, input)).isError, false, name);
  for (const { uri } of (await agent.client.listResources()).resources) await agent.client.readResource({ uri });
  for (const { name } of (await agent.client.listPrompts()).prompts)
    await agent.client.getPrompt({ name, arguments: { file, purpose: "x" } });
}

test("no request without a key, and none before plan", async () => {
  const cwd = path.resolve("examples");
  const state = folderWith({});
  const env = { ASSISTANT_FLOW_BASE_URL: address, ASSISTANT_FLOW_STATE_DIR: path.join(state.path, "state") };
  const keyless = await startAgent({ cwd, env, args: ["--allow-push"] });
  await everything(keyless);
  for (const [name, input] of [
    ["plan", {}],
    ["push", { file: "billing.flow.yaml", fingerprint: "0".repeat(64) }],
  ] as const)
    assert.ok((await keyless.call(name, input)).isError, name);
  await keyless.close();
  assert.equal(requests, 0, "without a key");
  const keyed = await startAgent({
    cwd,
    env: { ...env, ASSISTANT_FLOW_API_KEY: "af_test_key" },
    args: ["--allow-push"],
  });
  await everything(keyed);
  assert.ok((await keyed.call("push", { file: "billing.flow.yaml", fingerprint: "0".repeat(64) })).isError);
  assert.equal(requests, 0, "before plan");
  await keyed.call("plan", { paths: ["billing.flow.yaml"] });
  assert.ok(requests > 0, "plan asks the platform");
  await keyed.close();
  state.remove();
});

const FILE = "support.flow.yaml";

test("plan equals the command line's; push needs the fingerprint of the current file", async () => {
  const sandbox: Sandbox = await startSandbox({ demo: true });
  const folder = folderWith({ [FILE]: readFileSync("examples/support-line.flow.yaml", "utf8") });
  const state = folderWith({});
  const env = environmentOf(sandbox, path.join(state.path, "state"));
  const file = path.join(folder.path, FILE);
  const change = (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  const agent = await startAgent({ cwd: folder.path, env, args: ["--allow-push"] });
  try {
    change("type: message\n", "type: message\n    description: First words.\n");
    const planned = await agent.call("plan", { paths: [FILE] });
    const said = await cli(["plan", FILE, "--format", "json"], { cwd: folder.path, env });
    assert.deepEqual(planned.data, JSON.parse(said.out));
    const { fingerprint } = planned.data.files[0];
    assert.ok(fingerprint, planned.text);
    assert.match(fingerprint, /^[0-9a-f]{64}$/);

    const push = (more: object) => agent.call("push", { file: FILE, fingerprint, ...more });
    assert.match((await push({ fingerprint: "0".repeat(64) })).text, /Call `plan` first/);
    change("First words.", "Other words.");
    assert.match((await push({})).text, /has changed since this plan/);
    change("Other words.", "First words.");
    const first = await push({});
    assert.equal(first.data.files[0].state, "pending", "a first push needs its flag");
    const pushed = await push({ allow_first_push: true });
    assert.equal(pushed.data.files[0].state, "synced", pushed.text);
    assert.match((await push({ allow_first_push: true })).text, /has changed since this plan/);
    assert.deepEqual(between(pushed.text), pushed.data);
  } finally {
    await agent.close();
    await sandbox.stop();
    folder.remove();
    state.remove();
  }
});
