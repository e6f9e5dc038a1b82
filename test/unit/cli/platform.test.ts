/** The commands about the rest of the platform, against the sandbox. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { definitions } from "../../../cli/definitions";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { cli, environmentOf, folderWith } from "./cli";

let sandbox: Sandbox;
let folder: ReturnType<typeof folderWith>;
let env: Record<string, string>;
const ran = new Set<string>();

before(async () => {
  sandbox = await startSandbox({ demo: true });
  folder = folderWith({});
  env = environmentOf(sandbox, folder.path);
});
after(async () => {
  await sandbox.stop();
  folder.remove();
});

async function at(command: string, ...args: string[]) {
  ran.add(command);
  const result = await cli([...command.split(" "), ...args], { env });
  assert.ok(!`${result.out}${result.err}`.includes(sandbox.apiKey), "the key is never shown");
  return result;
}

async function json(command: string, ...args: string[]) {
  const { code, out, err } = await at(command, ...args, "--format", "json");
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test("keys: list, create (the key alone on standard output), revoke", async () => {
  const { code, out, err } = await at("keys create", "ci", "--scope", "agents:read", "--scope", "agents:write");
  assert.equal(code, 0);
  assert.match(out, /^\S+\n$/);
  assert.match(err, /only shown once/);
  const created = (await json("keys list")).find((key: { name: string }) => key.name === "ci");
  assert.deepEqual(created.scopes, ["agents:read", "agents:write"]);
  assert.match((await at("keys list")).out, /^ID +NAME +PREFIX/);
  assert.equal((await at("keys revoke", created.id)).code, 0);
  assert.ok(!(await json("keys list")).some((key: { name: string }) => key.name === "ci"));
  assert.equal((await at("keys create", "x", "--expires-at", "tomorrow")).code, 1);
});

test("reviews: list and reject", async () => {
  assert.match((await at("reviews list")).out, /pending/);
  const id = sandbox.demo?.review ?? "";
  assert.equal((await json("reviews reject", id, "--note", "two people")).resolution_note, "two people");
  assert.equal((await at("reviews reject", "nobody")).code, 1);
});

test("workflows and calls: list, get, execute, create", async () => {
  const workflows = await json("workflows list", "--active", "true", "--limit", "7");
  assert.equal(workflows.length, 7);
  const { id } = workflows[0];
  assert.equal((await json("workflows get", id)).id, id);
  assert.match((await at("workflows get", id)).out, /^name +/m);
  const lead = ["--first-name", "Ada", "--last-name", "L", "--primary-phone", "+15550100", "--lead-id", "lead-1"];
  const { metadata } = await json("workflows execute", id, ...lead, "--source-id", "s1", "--allow-new-origin");
  assert.deepEqual([metadata.sourceID, metadata.allowNewOrigin], ["s1", undefined]);
  for (const command of [["workflows execute", id], ["call create"]] as const)
    assert.equal(
      (await at(command[0], ...command.slice(1), ...lead, "--env", "nowhere")).code,
      64,
      "not called elsewhere",
    );
  assert.match((await at("workflows execute", id, ...lead)).out, /^Execution \S+ is CREATED\.\n$/);
  assert.ok((await json("call create", "--workflow-id", id, ...lead)).id);
  const calls = await json("calls list", "--limit", "120");
  assert.equal(calls.length, 120, "more than a page");
  assert.equal((await json("calls list", "--ended", "NO_ANSWER", "--limit", "3"))[0].callEndedReason, "NO_ANSWER");
  const spoken = calls.find((call: { transcript?: object[] }) => (call.transcript?.length ?? 0) > 0);
  assert.match((await at("calls get", spoken.id)).out, new RegExp(`\n\n${spoken.transcript[0].user}: `));
  for (const wrong of [
    ["--limit", "none"],
    ["--limit", "0"],
    ["--ended", "BORED"],
  ])
    assert.equal((await at("calls list", ...wrong)).code, 64);
});

test("assistants, webhooks, analytics", async () => {
  assert.match((await at("assistants restore", sandbox.demo?.archivedAssistant ?? "")).out, /^Restored assistant/);
  assert.ok(
    (await json("webhooks catalog")).some((event: { type: string }) => event.type === "conversation.session.completed"),
  );
  assert.match((await at("analytics embeddings")).out, /^KNOWLEDGE BASE +USD/);
  assert.equal((await json("analytics embeddings", "--limit", "2")).length, 2);
  assert.equal((await at("analytics embeddings", "--from", "May")).code, 64);
});

/** These work on files; test/unit/calls/commands.test.ts runs them. */
const offline: readonly string[] = ["calls trace", "calls report"];

test("every platform command was run", () => {
  const names = definitions.map(({ name }) => name).filter((name) => name.includes(" "));
  assert.deepEqual(
    names.filter((name) => !ran.has(name) && !offline.includes(name)),
    [],
  );
});
