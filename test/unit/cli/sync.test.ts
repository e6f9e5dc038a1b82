/** `plan`, `push`, `pull`, `diff`, `status`, `new` and `check --platform` against the sandbox. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { CodeAction } from "vscode-languageserver-protocol";
import { TextDocument } from "vscode-languageserver-textdocument";
import { fetchTransport, PlatformClient, Secret } from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { Client } from "../../language/client";
import { cli, environmentOf, folderWith } from "./cli";

const flow = readFileSync("examples/support-line.flow.yaml", "utf8");
const flawed = readFileSync("test/support/flawed.flow.yaml", "utf8");
const FILE = "support.flow.yaml";
let sandbox: Sandbox;
let folder: ReturnType<typeof folderWith>;
let env: Record<string, string>;

beforeEach(async () => {
  sandbox = await startSandbox({ demo: true });
  folder = folderWith({ [FILE]: flow });
  env = environmentOf(sandbox, path.join(folder.path, ".state"));
});
afterEach(async () => {
  await sandbox.stop();
  folder.remove();
});

const at = (...args: string[]) => cli(args, { cwd: folder.path, env });
const read = () => readFileSync(path.join(folder.path, FILE), "utf8");
const write = (text: string) => writeFileSync(path.join(folder.path, FILE), text);
const edited = (text = flow) => text.replace("type: message\n", "type: message\n    description: First words.\n");

/** Another user changes the platform. */
async function colleague(fields: Record<string, unknown>): Promise<void> {
  const client = new PlatformClient(fetchTransport({ baseUrl: sandbox.baseUrl, key: new Secret(sandbox.apiKey) }));
  const { assistant = "", revision = "" } = sandbox.demo ?? {};
  await client.applyGraphOps(assistant, revision, { ops: [{ op: "update_node_fields", node_id: "greet", fields }] });
}

test("plan: 0 without changes, 2 with; operations and batches as JSON; nothing is sent", async () => {
  assert.equal((await at("plan")).code, 0);
  write(edited());
  const { code, out } = await at("plan");
  assert.equal(code, 2);
  assert.match(
    out,
    /support\.flow\.yaml: 1 node changed \(1 operation in 1 batch, onto version 1\)\n {2}~ node greet\n/,
  );
  const { files } = JSON.parse((await at("plan", "--format", "json")).out);
  assert.equal(files[0].base_version, 1);
  assert.equal(files[0].batches[0][0].op, "update_node_fields");
  assert.equal((await at("plan")).code, 2, "still to be sent");
});

test("push: the first one and large removals need their flags; nothing waits for an answer", async () => {
  write(edited());
  const first = await at("push", FILE);
  assert.equal(first.code, 4);
  assert.match(first.err, /--allow-first-push/);
  assert.equal((await at("diff", FILE)).code, 2, "nothing was sent");
  const sent = await at("push", FILE, "--allow-first-push");
  assert.deepEqual([sent.code, sent.out], [0, "support.flow.yaml: in sync with version 2.\n"]);
  assert.equal((await at("diff", FILE)).code, 0);
  const short = read()
    .replace(/\nnodes:[\s\S]*$/, "\nnodes:\n  greet:\n    type: end\n")
    .replace(/entry: .*/, "entry: greet");
  write(short);
  const many = await at("push", FILE);
  assert.equal(many.code, 4);
  assert.match(many.err, /--allow-removals/);
  assert.doesNotMatch(many.err, /--allow-first-push/);
  assert.equal((await at("push", FILE, "--allow-removals", "--format", "json")).code, 0);
});

test("diff with the platform: an added default is marked as the platform's, a local change isn't", async () => {
  await sandbox.stop();
  sandbox = await startSandbox({ demo: true, normalize: ["defaults", "sort"] });
  env = environmentOf(sandbox, path.join(folder.path, ".state"));
  write(edited());
  assert.equal((await at("push", FILE, "--allow-first-push")).code, 0);
  write(read().replace("First words.", "Other words."));
  const { out } = await at("diff", FILE);
  assert.match(out, /~ node greet\n(?: {4}.*\n)* {4}timeout: 30 → \(none\) \(platform\)\n/);
  assert.match(out, / {4}description: "\[-First-\]\{\+Other\+\} words\."\n/);
  const { changes } = JSON.parse((await at("diff", FILE, "--format", "json")).out);
  const greet = changes.find(({ what, id }: { what: string; id: string }) => what === "node" && id === "greet");
  assert.deepEqual(greet.platform, ["timeout"]);
  for (const format of ["markdown", "html"])
    assert.match((await at("diff", FILE, "--format", format)).out, /timeout.*\(platform\)/, format);
});

test("push: a colleague's other changes are merged first; the same field is a conflict that --take resolves", async () => {
  write(edited());
  await at("push", FILE, "--allow-first-push");
  await colleague({ mood: "warm" });
  write(read().replace("First words.", "The first words."));
  const merged = await at("push", FILE);
  assert.equal(merged.code, 0);
  assert.match(merged.out, /platform changes were merged into the file/);
  assert.match(read(), /mood: warm/);
  await colleague({ description: "Theirs." });
  write(read().replace("The first words.", "Ours."));
  const conflict = await at("push", FILE);
  assert.equal(conflict.code, 4);
  assert.match(conflict.err, /--take ours/);
  assert.match(read(), /description: Ours\./);
  assert.equal((await at("push", FILE, "--take", "ours")).code, 0);
  assert.equal((await at("diff", FILE)).code, 0);
  assert.match(read(), /description: Ours\./);
});

test("plan, diff and status never write the file; push without local changes reports platform changes with its own exit code", async () => {
  write(edited());
  await at("push", FILE, "--allow-first-push");
  await colleague({ mood: "warm" });
  for (const text of [read(), read().replace("First words.", "Mine.")]) {
    write(text);
    for (const command of ["plan", "diff", "status"]) {
      await at(command, FILE);
      assert.equal(read(), text, command);
    }
  }
  write(edited());
  const { code, err } = await at("push", FILE);
  assert.equal(code, 5);
  assert.match(err, /The platform has newer changes \(1 node changed\)\. Pull to merge them\./);
  assert.equal(read(), edited());
  assert.equal((await at("pull", FILE)).code, 0);
  assert.equal((await at("push", FILE)).code, 0);
});

test("pull: merges into the file, keeps its comments, sends nothing", async () => {
  write(edited());
  await at("push", FILE, "--allow-first-push");
  await colleague({ mood: "warm" });
  write(read().replace("First words.", "Mine, not sent."));
  const { code, out } = await at("pull", FILE);
  assert.deepEqual([code, out], [0, "support.flow.yaml: platform changes were merged into the file.\n"]);
  assert.match(read(), /mood: warm/);
  assert.match(read(), /Mine, not sent\./);
  assert.ok(read().startsWith(flow.slice(0, 100)), "comments stay");
  assert.equal((await at("plan")).code, 2, "what is ours is still to be sent");
  await colleague({ description: "Theirs." });
  assert.equal((await at("pull", FILE)).code, 4);
  assert.equal((await at("pull", FILE, "--take", "theirs")).code, 0);
  assert.match(read(), /description: Theirs\./);
  assert.equal((await at("plan")).code, 0);
});

test("local errors are not sent", async () => {
  write(edited().replace("entry: greet", "entry: gret"));
  const { code, err } = await at("push", FILE, "--allow-first-push");
  assert.equal(code, 1);
  assert.match(err, /1 error in the file\. Fix it to push\. Run `assistant-flow check support\.flow\.yaml`/);
});

test("a first push adds and removes edges that have the same target as others", async () => {
  const edges =
    '        when: "{{account_id}} is known"\n      - to: hand_over\n      - to: hand_over\n        on: error\n';
  assert.ok(flow.includes(edges));
  for (const other of [
    edges.replace(
      "      - to: hand_over\n",
      "      - {to: hand_over, when: the caller is angry}\n      - to: hand_over\n",
    ),
    edges.replace("      - to: hand_over\n", ""),
    edges.replace(/( {6}- to: hand_over\n)( {6}- to: hand_over\n {8}on: error\n)/, "$2$1"),
  ]) {
    assert.notEqual(other, edges);
    rmSync(path.join(folder.path, ".state"), { recursive: true, force: true });
    write(flow.replace(edges, other));
    const { code, err } = await at("push", FILE, "--allow-first-push");
    assert.equal(code, 0, err);
    assert.equal(err, "");
    assert.equal((await at("plan")).code, 0);
  }
});

test("check --platform shows the findings of the last push, except those that a rule reports", async () => {
  write(edited(flawed));
  const first = await at("check", "--platform", "--format", "json");
  assert.match(
    first.err,
    /support\.flow\.yaml: no platform findings: this flow hasn't been synced with .* on this computer/,
  );
  const before = JSON.parse(first.out);
  assert.ok(before.files[0].findings.every((finding: { source: string }) => finding.source === "assistant-flow"));
  await at("push", FILE, "--allow-first-push");
  const flags = ["check", "--platform", "--format", "json", "--rule", "undefined-variable=off"];
  const { files } = JSON.parse((await at(...flags)).out);
  const theirs = files[0].findings.filter((finding: { source: string }) => finding.source === "platform");
  assert.deepEqual(
    theirs.map((finding: { code: string }) => finding.code),
    ["variable.unknown"],
  );
  const doubled = JSON.parse((await at("check", "--platform", "--format", "json")).out);
  assert.ok(doubled.files[0].findings.every((finding: { code: string }) => finding.code !== "variable.unknown"));
});

test("check --platform --fix applies the same platform fixes as the editor's fix-all", async () => {
  const rules = Object.fromEntries(
    "duplicate-edge unreachable-node missing-default undefined-variable unused-variable tool-without-error-edge"
      .split(" ")
      .map((code) => [code, "off"]),
  );
  mkdirSync(path.join(folder.path, ".vscode"));
  writeFileSync(path.join(folder.path, ".vscode/settings.json"), JSON.stringify({ "assistantFlow.rules": rules }));
  write(edited(flawed));
  assert.equal((await at("push", FILE, "--allow-first-push")).code, 0);
  const { out } = await at("check", "--platform");
  assert.match(out, /platform: variable\.unknown\n.*\n.*\n +fix: Replace with "account_id" \(--fix\)\n/);
  assert.match(out, /platform: node\.unreachable\n.*\n.*\n +advice: Add an edge that leads here/);
  const [sarif] = JSON.parse((await at("check", "--platform", "--format", "sarif")).out).runs;
  const unknown = sarif.results.find(({ ruleId }: { ruleId: string }) => ruleId === "variable.unknown");
  assert.equal(unknown.fixes[0].description.text, 'Replace with "account_id"');

  const expected = await fixedByEditor(rules);
  assert.match(expected, /open on account \{\{account_id\}\}/);
  assert.match((await at("check", "--platform", "--fix", FILE)).out, /1 file fixed\. /);
  assert.equal(read(), expected);
});

/** The text after an editor's action on the whole file. */
async function fixedByEditor(rules: object): Promise<string> {
  Object.assign(process.env, env);
  const codeActionLiteralSupport = { codeActionKind: { valueSet: ["source"] } };
  const capabilities = {
    workspace: { configuration: true },
    textDocument: { codeAction: { codeActionLiteralSupport } },
  };
  const folders = [pathToFileURL(folder.path).href];
  const editor = await Client.start({ folders, settings: { rules }, capabilities });
  for (const name of Object.keys(env)) delete process.env[name];
  try {
    const uri = pathToFileURL(path.join(folder.path, FILE)).href;
    const known = editor.nextPublish(({ diagnostics }) => diagnostics.some(({ code }) => code === "variable.unknown"));
    await editor.open(uri, read());
    await known;
    const [action] = await editor.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics: [], only: ["source.fixAll"] },
    });
    const { edit } = await editor.request<CodeAction>("codeAction/resolve", action);
    return TextDocument.applyEdits(TextDocument.create(uri, "yaml", 1, read()), edit?.changes?.[uri] ?? []);
  } finally {
    await editor.stop();
  }
}

test("status and login: user, address and state of each flow", async () => {
  const { code, out } = await at("status");
  assert.equal(code, 0);
  assert.match(out, /^platform {2}http.*Northwind/m);
  assert.match(out, /support\.flow\.yaml: in sync with version 1/);
  assert.equal((await at("login")).code, 0);
  const piped = await cli(["login", "--key-stdin"], {
    env: { ASSISTANT_FLOW_BASE_URL: sandbox.baseUrl },
    input: `${sandbox.apiKey}\n`,
  });
  assert.equal(piped.code, 0);
  assert.match(piped.err, /isn't stored/);
  assert.ok(!`${piped.out}${piped.err}`.includes(sandbox.apiKey));
});

test("a damaged journal is reported by status, and by the push that sets it aside", async () => {
  write(edited());
  assert.equal((await at("push", FILE, "--allow-first-push")).code, 0);
  const state = path.join(folder.path, ".state");
  const journal = path.join(state, readdirSync(state).find((name) => name.endsWith(".journal")) as string);
  writeFileSync(journal, readFileSync(journal, "utf8").replace("First words", "Last words"));
  const looked = await at("status", FILE);
  assert.match(
    looked.err,
    /support\.flow\.yaml: The sync state of this flow couldn't be read .*\.journal in the state folder/,
  );
  write(edited(flow.replace("name: Greeting", "name: Hello")));
  const pushed = await at("push", FILE);
  assert.equal(pushed.code, 4);
  assert.match(pushed.err, /couldn't be read .*\.damaged-\d+ in the state folder/);
  assert.equal((await at("push", FILE, "--allow-first-push")).code, 0);
});

test("new --revision writes the platform's flow", async () => {
  const { assistant = "", revision = "" } = sandbox.demo ?? {};
  assert.equal((await at("new", "copy.flow.yaml", "--assistant", assistant, "--revision", revision)).code, 0);
  assert.equal((await at("diff", FILE, "copy.flow.yaml")).code, 0);
});

test("new --revision with the assistant's ID works if the platform doesn't allow reading the revision", async () => {
  const { assistant = "", revision = "" } = sandbox.demo ?? {};
  const server = await refusingReads(sandbox.baseUrl);
  const from = (...args: string[]) =>
    cli(["new", ...args, "--revision", revision], {
      cwd: folder.path,
      env: { ...env, ASSISTANT_FLOW_BASE_URL: server.baseUrl },
    });
  try {
    assert.notEqual((await from("alone.flow.yaml")).code, 0);
    const { code, err } = await from("copy.flow.yaml", "--assistant", assistant);
    assert.equal(code, 0, err);
    assert.equal((await at("diff", FILE, "copy.flow.yaml")).code, 0);
  } finally {
    server.close();
  }
});

/** A platform with a key that may write but not read. */
async function refusingReads(address: string): Promise<{ readonly baseUrl: string; close(): void }> {
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.writeHead(404).end();
    const body = await new Response(Readable.toWeb(request) as ReadableStream).text();
    const headers = { "content-type": "application/json", "x-api-key": String(request.headers["x-api-key"]) };
    const answer = await fetch(`${address}${request.url}`, { method: request.method ?? "POST", headers, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test("two files for one revision: neither is sent", async () => {
  writeFileSync(path.join(folder.path, "again.flow.yaml"), flow);
  const { code, err } = await at("push", ".", "--allow-first-push");
  assert.equal(code, 1);
  assert.match(err, /also used by again\.flow\.yaml/);
});

test("a file whose revision another file claims isn't sent, even if only it is named", async () => {
  mkdirSync(path.join(folder.path, "sub"));
  writeFileSync(
    path.join(folder.path, "sub/again.flow.yaml"),
    flow.replace(/^revision:.*/m, (line) => line.toUpperCase().replace("REVISION", "revision")),
  );
  write(edited());
  const here = await at("push", FILE, "--allow-first-push");
  assert.equal(here.code, 1);
  assert.match(here.err, /also used by sub\/again\.flow\.yaml/);
  const elsewhere = folderWith({});
  const named = [path.join(folder.path, FILE), "--allow-first-push"];
  const away = await cli(["push", ...named], { cwd: elsewhere.path, env });
  elsewhere.remove();
  assert.equal(away.code, 1);
  rmSync(path.join(folder.path, "sub"), { recursive: true });
  assert.equal((await at("push", FILE, "--allow-first-push")).code, 0, "nobody else claims it any more");
});

test("check --platform finds what any editor of this user synced, with or without an address in any spelling", async () => {
  const home = { XDG_STATE_HOME: path.join(folder.path, "home"), LOCALAPPDATA: path.join(folder.path, "home") };
  const { ASSISTANT_FLOW_STATE_DIR: _, ...shared }: Record<string, string> = { ...env, ...home };
  const check = async (own: Record<string, string>) => {
    const flags = ["check", "--platform", "--format", "json", "--rule", "undefined-variable=off", FILE];
    const ran = await cli(flags, { cwd: folder.path, env: own });
    const { findings } = JSON.parse(ran.out).files[0];
    return { ...ran, found: findings.filter(({ source }: { source: string }) => source === "platform").length };
  };
  const before = await check(home);
  assert.equal(before.found, 0);
  assert.match(before.err, /hasn't been synced on this computer; save it in an editor, or push it/);
  write(edited(flawed));
  const pushed = await cli(["push", FILE, "--allow-first-push"], { cwd: folder.path, env: shared });
  assert.equal(pushed.code, 0, pushed.err);
  const { found } = await check(home);
  assert.ok(found > 0);
  assert.equal((await check({ ...home, ASSISTANT_FLOW_BASE_URL: `${sandbox.baseUrl}/` })).found, found);
  const elsewhere = await check({ ...home, ASSISTANT_FLOW_BASE_URL: "https://platform.example" });
  assert.equal(elsewhere.found, 0);
  assert.match(elsewhere.err, /hasn't been synced with https:\/\/platform\.example on this computer/);
});

test("a flow open in an editor can be read; push and pull take over its lock and return it", async () => {
  Object.assign(process.env, env);
  const editor = await Client.start({ folders: [pathToFileURL(folder.path).href] });
  for (const name of Object.keys(env)) delete process.env[name];
  try {
    await editor.open(pathToFileURL(path.join(folder.path, FILE)).href, flow);
    const state = path.join(folder.path, ".state");
    // Files that are being written have longer names.
    const kept = () =>
      existsSync(state) ? readdirSync(state).filter((name) => /^\w+\.(journal|lock|findings)$/.test(name)) : [];
    for (let waited = 0; kept().length < 2 && waited < 600; waited++) await sleep(50);
    assert.equal(kept().length, 2);
    const before = kept();
    assert.match((await at("status")).out, /in sync with version 1/);
    assert.equal((await at("plan")).code, 0);
    assert.equal((await at("diff", FILE)).code, 0);
    assert.deepEqual(kept(), before, "a look leaves something behind");
    const holder = () => {
      const lock = kept().find((name) => name.endsWith(".lock"));
      return lock && (JSON.parse(readFileSync(path.join(state, lock), "utf8")) as { label: string }).label;
    };
    assert.equal(holder(), "a language server");
    for (const command of ["push", "pull"]) {
      const { code, err } = await at(command, FILE);
      assert.deepEqual([code, err], [0, ""], command);
      for (let waited = 0; holder() !== "a language server" && waited < 600; waited++) await sleep(50);
      assert.equal(holder(), "a language server", "it went back");
    }
    await editor.close(pathToFileURL(path.join(folder.path, FILE)).href);
    for (let waited = 0; kept().some((name) => name.endsWith(".lock")) && waited < 600; waited++) await sleep(50);
    const closed = await at("push", FILE);
    assert.deepEqual([closed.code, closed.err], [0, ""], "it was closed there");
  } finally {
    await editor.stop();
  }
});

test("no address, no key, a wrong key, no server: exit 3 and what to do", async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /ASSISTANT_FLOW_BASE_URL/],
    [{ ASSISTANT_FLOW_BASE_URL: sandbox.baseUrl }, /ASSISTANT_FLOW_API_KEY.*--key-stdin/],
    [{ ...env, ASSISTANT_FLOW_API_KEY: "wrong-key-of-mine" }, /key/i],
    [{ ...env, ASSISTANT_FLOW_API_KEY: "two words" }, /API key/],
    [{ ...env, ASSISTANT_FLOW_BASE_URL: "http://example.com" }, /https/],
    [{ ...env, ASSISTANT_FLOW_BASE_URL: "http://127.0.0.1:9" }, /Can't reach/],
  ];
  for (const [own, words] of cases)
    for (const command of [["plan", FILE], ["push", FILE], ["status"], ["keys", "list"]]) {
      const { code, out, err } = await cli(command, {
        cwd: folder.path,
        env: { ASSISTANT_FLOW_STATE_DIR: env.ASSISTANT_FLOW_STATE_DIR as string, ...own },
      });
      assert.equal(code, 3, `${command} ${err}`);
      assert.match(err, words);
      assert.ok(!`${out}${err}`.includes("wrong-key-of-mine"));
    }
});
