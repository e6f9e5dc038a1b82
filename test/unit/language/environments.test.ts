/** Flows with environments in the language server: names, protected environments, and connections to other platforms. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { fetchTransport, Secret } from "../../../platform";
import type { Sandbox } from "../../../sandbox";
import type { EnvironmentState, SeenVersions, SeenVersionView } from "../../../server/environment-messages";
import type { FlowSyncState } from "../../../server/messages";
import { Client } from "../../language/client";
import { Editor } from "../../language/editor";
import { NAMED_FLOW, projectText, startEnvironment, type TestEnvironment } from "../../support/environments";

const FILE = "flows/billing.flow.yaml";
const FLOW = NAMED_FLOW;

let staging: TestEnvironment;
let production: TestEnvironment;
let editor: Editor;

beforeEach(async () => {
  [staging, production] = await Promise.all([startEnvironment("staging"), startEnvironment("production")]);
});
afterEach(async () => {
  await editor.stop();
  await Promise.all([staging.stop(), production.stop()]);
});

/** Starts an editor with a connection, opens the flow, and returns the first state of a kind. */
async function start(
  kind: FlowSyncState["kind"],
  environments: readonly [TestEnvironment, TestEnvironment],
  text = FLOW,
  connection = environments[0],
): Promise<FlowSyncState> {
  const { url, key } = connection;
  editor = await Editor.start({ baseUrl: url, workflowBaseUrl: url, apiKey: key } as Sandbox);
  await mkdir(path.join(editor.folder, "flows"));
  // The server may have looked for project files before.
  await project(environments);
  await editor.watched("assistant-flow.project.yaml");
  await editor.write(FILE, text);
  const state = editor.next(kind);
  await editor.open(FILE, text);
  return state;
}

const project = (environments: readonly TestEnvironment[], guarded = ["production"]) =>
  writeFile(path.join(editor.folder, "assistant-flow.project.yaml"), projectText(environments, FILE, guarded));
const batches = ({ requests }: TestEnvironment) => requests.filter(({ line }) => line.startsWith("POST"));

test("a listed flow is synced with the default environment: values are sent, names stay in the file", async () => {
  await start("pending", [staging, production]);
  assert.equal((await editor.act(FILE, "push")).kind, "synced");
  const { graph } = await staging.graph();
  assert.equal(graph.nodes.get("find")?.tool, staging.id("look_up"));
  await staging.apply({ op: "update_node_fields", node_id: "greet", fields: { instructions: "Good day." } });
  assert.equal((await editor.act(FILE, "pull")).kind, "synced");
  assert.equal(editor.text(FILE), FLOW.replace("Hello.", "Good day."), "names and comments are kept");
  assert.ok(batches(staging).every(({ body }) => !body.includes(production.id("look_up"))));
  assert.deepEqual(production.requests, []);
});

test("a protected environment gets nothing from a save or a push", async () => {
  await start("pending", [production, staging]);
  await editor.save(FILE, FLOW.replace("Hello.", "Hi."));
  const state = await editor.act(FILE, "push");
  assert.deepEqual([state.kind, state.reason], ["blocked", "protected"]);
  assert.match(state.message, /^Environment "production" is protected/);
  assert.deepEqual(batches(production), []);
});

test("a protected environment that hides its graph can be compared by a pull", async () => {
  production.hidesGraph = true;
  const opened = await start("unknown", [production, staging]);
  assert.match(opened.message, /graph\. Pull to compare\.$/);
  assert.equal((await editor.act(FILE, "pull")).kind, "conflict", "the file and the platform differ");
  assert.ok(
    editor.states.every(({ kind }) => kind !== "blocked"),
    "the comparison isn't refused",
  );
  assert.deepEqual(
    batches(production).flatMap(({ body }) => JSON.parse(body).ops.map(({ op }: { op: string }) => op)),
    ["upsert_context_variable", "remove_context_variable"],
  );
  assert.equal((await editor.act(FILE, "push")).reason, "protected");
  assert.equal(batches(production).length, 1);
});

test("so does a flow with the IDs of a protected environment", async () => {
  const { assistant, revision } = production;
  await start("pending", [staging, production], `assistant: ${assistant}\nrevision: ${revision}\n${FLOW}`, production);
  assert.equal((await editor.act(FILE, "push")).reason, "protected");
  assert.deepEqual(batches(production), []);
});

test("so does a copy of it, and with a broken project file it isn't synced", async () => {
  const { assistant, revision } = production;
  const copy = `assistant: ${assistant}\nrevision: ${revision}\n${FLOW}`;
  await start("unlinked", [staging, production], FLOW, production);
  await editor.write("copy.flow.yaml", copy);
  const shown = editor.next("pending", ({ environment }) => environment === "production");
  await editor.open("copy.flow.yaml", copy);
  await shown;
  assert.equal((await editor.act("copy.flow.yaml", "push")).reason, "protected");
  const text = projectText([staging, production], FILE, ["production"]).replace(`revision: ${revision}`, "revision: x");
  await writeFile(path.join(editor.folder, "assistant-flow.project.yaml"), text);
  const stopped = editor.next("unlinked", ({ message }) => message.startsWith("The project file has errors."));
  await editor.watched("assistant-flow.project.yaml");
  await editor.save("copy.flow.yaml", `${copy}# changed\n`);
  const { text: words } = await stopped;
  assert.equal(words, "not synced (project file)", "it has its IDs, so it isn't unlinked");
  assert.deepEqual(batches(production), []);
});

test("an environment that became protected after the save gets nothing", async () => {
  await start("pending", [staging, production]);
  await project([staging, production], ["staging", "production"]);
  const state = await editor.act(FILE, "push");
  assert.equal(state.kind, "blocked");
  assert.match(state.message, /project file changed/);
  assert.deepEqual(batches(staging), []);
});

test("a connection to another platform isn't used", async () => {
  await start("unlinked", [staging, production], FLOW, production);
  const state = await editor.act(FILE, "look");
  assert.equal(state.reason, "no-key");
  assert.match(state.message, /^Environment "staging" is at http:.*, and there is no connection with this URL\.$/);
  assert.deepEqual([...staging.requests, ...production.requests], []);
});

/** Connects the editor to another environment, beside the active connection. */
async function connectTo({ url, key }: TestEnvironment, environment?: string): Promise<void> {
  editor.others.set(url, fetchTransport({ baseUrl: url, key: new Secret(key) }));
  const addresses = [editor.sandbox.baseUrl, ...editor.others.keys()];
  await editor.connected(editor.sandbox.baseUrl, { addresses, ...(environment ? { environment } : {}) });
}

test("an environment uses the connection with its URL, whichever is active; no other reason is shown before", async () => {
  await start("unlinked", [staging, production], FLOW, production);
  const pending = editor.next("pending");
  await connectTo(staging);
  const { environment, environments } = await pending;
  assert.equal(environment, "staging");
  assert.deepEqual(
    environments?.map(({ name, isProtected }) => [name, isProtected]),
    [
      ["staging", false],
      ["production", true],
    ],
  );
  assert.equal((await editor.act(FILE, "push")).kind, "synced");
  assert.ok(staging.requests.every(({ key }) => key.includes(staging.key)));
  assert.deepEqual(production.requests, []);
  assert.ok(editor.states.every(({ message }) => !message.includes("isn't linked")));
});

test("a flow that the project file lists only now also uses any connection with the URL", async () => {
  const { url, key, assistant, revision } = staging;
  const own = FLOW.replace("$look_up", staging.id("look_up")).replace("$front_desk", '"+15550199"');
  const text = `assistant: ${assistant}\nrevision: ${revision}\n${own}`;
  editor = await Editor.start({ baseUrl: url, workflowBaseUrl: url, apiKey: key } as Sandbox);
  await mkdir(path.join(editor.folder, "flows"));
  await editor.write(FILE, text);
  const linked = editor.next("pending", ({ environment }) => environment === undefined);
  await editor.open(FILE, text);
  await linked;
  const listed = editor.next("pending", ({ environment }) => environment === "staging");
  await project([staging, production]);
  await editor.watched("assistant-flow.project.yaml");
  await editor.connected(url, { projectChanged: true });
  await listed;
  const transport = fetchTransport({ baseUrl: url, key: new Secret(key) });
  let sent = 0;
  editor.others.set(url, {
    send(...request) {
      sent++;
      return transport.send(...request);
    },
  });
  assert.equal((await editor.act(FILE, "push")).kind, "synced");
  assert.ok(sent > 0, "the active connection may be to another environment by now");
});

test("the chosen environment is used instead of the default one; one that doesn't exist isn't", async () => {
  await start("pending", [staging, production]);
  const protectedState = editor.next("pending", ({ environment }) => environment === "production");
  await connectTo(production, "production");
  await protectedState;
  assert.equal((await editor.act(FILE, "push")).reason, "protected");
  assert.deepEqual([...batches(production), ...batches(staging)], []);
  const back = editor.next("pending", ({ environment }) => environment === "staging");
  await connectTo(production, "elsewhere");
  await back;
});

test("the findings of an environment are shown only while it is the flow's environment", async () => {
  await start("pending", [staging, production], FLOW.replace("Hello.", "Hello {{foo}}."));
  // Our own rule finds it too, so the platform is named beside it.
  const isFound = (found: readonly Diagnostic[]) => found.some(({ source }) => source === "assistant-flow, platform");
  const shows = (match: typeof isFound) => editor.client.showing(editor.uri(FILE), match);
  assert.equal((await editor.act(FILE, "push")).kind, "synced");
  await shows(isFound);
  const switched = editor.next("pending", ({ environment }) => environment === "production");
  await connectTo(production, "production");
  await switched;
  await shows((found) => !isFound(found));
  const back = editor.next("synced", ({ environment }) => environment === "staging");
  await connectTo(production, "staging");
  await back;
  await shows(isFound);
});

test("a URL that changed in the project file gets no request until there is a connection with it", async () => {
  await start("pending", [staging, production]);
  const changed = editor.next("unlinked", ({ reason }) => reason === "no-key");
  await project([{ ...staging, url: production.url }, production]);
  await editor.connected(editor.sandbox.baseUrl, { projectChanged: true });
  assert.match((await changed).message, new RegExp(`"staging" is at ${production.url}`));
  await editor.save(FILE, FLOW.replace("Hello.", "Hi."));
  assert.equal((await editor.act(FILE, "push")).reason, "no-key");
  assert.deepEqual([...batches(staging), ...production.requests], []);
});

const request = <T>(method: string, params: object): Promise<T> =>
  editor.client.connection.sendRequest(`assistantFlow/${method}`, { uri: editor.uri(FILE), ...params }) as Promise<T>;

test("the state in each environment is read without a change there", async () => {
  const states = async () =>
    (await request<EnvironmentState[]>("environmentStates", {})).map(({ name, state, isCurrent }) => [
      name,
      state,
      isCurrent,
    ]);
  await start("pending", [staging, production]);
  assert.deepEqual(await states(), [
    ["staging", "diverged", true],
    ["production", "unknown", false],
  ]);
  assert.deepEqual(production.requests, [], "there is no connection with its URL");
  await connectTo(production);
  await editor.act(FILE, "push");
  assert.deepEqual(await states(), [
    ["staging", "in-step", true],
    ["production", "diverged", false],
  ]);
  await staging.apply({ op: "update_node_fields", node_id: "greet", fields: { instructions: "Good day." } });
  assert.deepEqual((await states())[0], ["staging", "behind", true]);
  await editor.write(FILE, FLOW.replace("$look_up", "$look_uq"));
  assert.deepEqual((await states())[0], ["staging", "diverged", true], "a wrong name is compared");
  await editor.write(FILE, "nodes: [");
  assert.deepEqual((await states())[0], ["staging", "unknown", true]);
  await editor.write(FILE, FLOW);
  const now = await request<string>("versionText", { environment: "staging" });
  assert.equal(now, FLOW.replace("Hello.", "Good day."));
  assert.deepEqual(batches(production), []);
});

test("every version seen can be brought back as a text with comments and names", async () => {
  await start("pending", [staging, production]);
  await editor.act(FILE, "push");
  const { version } = await staging.graph();
  const changed = FLOW.replace("Hello. # friendly", "Hi. # shorter");
  await editor.save(FILE, changed);
  assert.equal((await editor.act(FILE, "push")).kind, "synced");
  const seen = await request<SeenVersions>("versions", {});
  const { versions } = seen;
  assert.equal(versions[0]?.version, (await staging.graph()).version);
  assert.equal(versions[0]?.environment, "staging");
  const first = versions.find((each) => each.version === version) as SeenVersionView;
  const text = await request<string>("versionText", { environment: "staging", version: first.graph });
  assert.equal(text, changed.replace("Hi.", "Hello."));
  assert.equal(await request("versionText", { environment: "staging", version: "0".repeat(32) }), null);
  assert.equal(await request("versionText", { environment: "production", version: first.graph }), null);
  await editor.close(FILE);
  assert.deepEqual(await request("versions", {}), seen, "the Flows view lists them without opening the file");
});

test("while the project file has errors, the versions are unknown, not none", async () => {
  await start("pending", [staging, production]);
  await editor.act(FILE, "push");
  const seen = await request<SeenVersions>("versions", {});
  assert.ok(seen.versions.length > 0);
  const file = path.join(editor.folder, "assistant-flow.project.yaml");
  const text = await readFile(file, "utf8");
  await writeFile(file, "environments: {");
  await editor.watched("assistant-flow.project.yaml");
  const { versions, problem } = await request<SeenVersions>("versions", {});
  assert.deepEqual(versions, []);
  assert.match(problem ?? "", /^The project file has errors\./);
  await writeFile(file, text);
  await editor.watched("assistant-flow.project.yaml");
  assert.deepEqual(await request("versions", {}), seen);
});

test("a project file that can't be read stops sync, since it may protect an environment", async () => {
  const { assistant, revision } = staging;
  await start("pending", [staging, production], `assistant: ${assistant}\nrevision: ${revision}\n${FLOW}`);
  const file = path.join(editor.folder, "assistant-flow.project.yaml");
  await rm(file);
  await mkdir(file);
  assert.match((await editor.act(FILE, "push")).message, /project file changed/);
  const stopped = editor.next("unlinked", ({ message }) => message.startsWith("The project file can't be read: "));
  await editor.save(FILE, `${editor.text(FILE)}# changed\n`);
  await stopped;
  assert.deepEqual(batches(staging), []);
});

test("an unknown name is reported on its line and prevents a push", async () => {
  const text = FLOW.replace("$look_up", "$look_uq");
  await start("blocked", [staging, production], text);
  const isShown = (all: readonly Diagnostic[]) => all.some(({ code }) => code === "unknown-name");
  const found = await editor.client.showing(editor.uri(FILE), isShown);
  const problem = found.find(({ code }) => code === "unknown-name") as Diagnostic;
  assert.equal(problem.range.start.line, 8);
  const [fix] = await editor.fixes(FILE, problem);
  assert.equal(fix?.edit?.changes?.[editor.uri(FILE)]?.[0]?.newText, "$look_up");
  assert.equal((await editor.act(FILE, "push")).kind, "blocked");
  assert.deepEqual(batches(staging), []);
});

test("the IDs of a listed flow are those of all its environments", async () => {
  await start("pending", [staging, production]);
  const uris = [editor.uri(FILE), editor.uri("flows/other.flow.yaml")];
  const ids = [staging, production].flatMap(({ assistant, revision }) => [assistant, revision]);
  assert.deepEqual(await request("listedIds", { uris }), [ids, []]);
});

test("an editor without our client uses the environment that a variable names, if it has the URL", async () => {
  await start("pending", [staging, production]);
  const variables = {
    ASSISTANT_FLOW_BASE_URL: production.url,
    ASSISTANT_FLOW_API_KEY: production.key,
    ASSISTANT_FLOW_STATE_DIR: path.join(editor.folder, ".plain"),
  };
  const statesWith = async (more: Record<string, string>) => {
    const all = { ...variables, ...more };
    Object.assign(process.env, all);
    const client = await Client.start({ folders: [pathToFileURL(editor.folder).href] });
    for (const name of Object.keys(all)) delete process.env[name];
    const states = await client.request<EnvironmentState[]>("assistantFlow/environmentStates", {
      uri: editor.uri(FILE),
    });
    await client.stop();
    return states.map(({ name, state, isCurrent }) => [name, state, isCurrent]);
  };
  staging.requests.length = 0;
  assert.deepEqual(await statesWith({}), [
    ["staging", "unknown", true],
    ["production", "diverged", false],
  ]);
  assert.deepEqual(await statesWith({ ASSISTANT_FLOW_ENV: "production" }), [
    ["staging", "unknown", false],
    ["production", "diverged", true],
  ]);
  assert.deepEqual(staging.requests, []);
});
