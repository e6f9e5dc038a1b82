/**
 * Two environments as a user sees them: keys, the environment in the status bar and in the Flows view, a promotion with
 * its plan, drift after another user's edit, a restored version, and a URL that changes in the project file.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { NAMED_FLOW, projectText, startEnvironment, type TestEnvironment } from "../support/environments";
import { type Code, openCode, PATIENCE_MS } from "./harness";
import { screenshotInEachTheme } from "./pages";
import { only, picture, until } from "./sidebar";

const PROJECT = "assistant-flow.project.yaml";
const FILE = "flows/billing.flow.yaml";
const FLOW = `# Answers questions about bills.\n${NAMED_FLOW}`;

let staging: TestEnvironment;
let production: TestEnvironment;
let thief: Server;
let stolen = 0;
let code: Code;

const withCalling = (text: string) =>
  [staging, production].reduce(
    (all, { url, callingUrl }) => all.replace(`url: ${url}\n`, `url: ${url}\n    calling_url: ${callingUrl}\n`),
    text,
  );
/** The flow as a platform stores it. */
const storedIn = (environment: TestEnvironment, text: string) =>
  text.replace("$look_up", environment.id("look_up")).replace("$front_desk", '"+15550199"');

before(async () => {
  [staging, production] = await Promise.all([startEnvironment("staging"), startEnvironment("production")]);
  await staging.set(storedIn(staging, FLOW));
  await production.set(
    storedIn(production, FLOW.replace("Hello.", "Welcome.").replace(/ {6}- \{to: hand_over.*\n/, "")),
  );
  thief = createServer((_request, response) => {
    stolen++;
    response.end("{}");
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  code = await openCode({
    files: {
      [PROJECT]: withCalling(projectText([staging, production], FILE, ["production"])),
      [FILE]: FLOW,
      ".vscode/settings.json": "{}",
    },
    open: FILE,
    settings: { "files.autoSave": "off" },
  });
});
after(async () => {
  await code?.close();
  await Promise.all([staging?.stop(), production?.stop()]);
  thief?.close();
});

const step = (name: string, body: () => Promise<void>) =>
  test(name, () => code.screenshotOnFailure(`environments-${name.slice(0, 30).replace(/\W+/g, "-")}`, body));
const environment = (text: string | RegExp) => code.statusItem("environment").filter({ hasText: text });
const batches = ({ requests }: TestEnvironment) => requests.filter(({ line }) => line.startsWith("POST"));
/** Enters a key for an environment, without a separate key for calls. */
const enterKey = async ({ name, key }: TestEnvironment) => {
  await code.answer(key, `Enter API Key for ${name}`);
  await code.answer("", "(2/");
};
/** The text of a read-only document; VS Code renders spaces as no-break spaces. */
const documentText = async (name: string) =>
  (await code.page.locator(`.monaco-editor[data-uri*="${name}"] .view-lines`).first().innerText()).replaceAll(
    "\u00a0",
    " ",
  );
const openFlow = async () => {
  await code.closeEditors();
  await code.openFile(FILE);
};

step("the environment is shown, and its key is requested for its URL", async () => {
  await environment("staging").waitFor();
  await code.toastButton('Environment "staging" is at', "Enter API Key…");
  await enterKey(staging);
  await code
    .statusItem("sync")
    .filter({ hasText: /pending|not pushed|waiting/i })
    .waitFor();
  assert.deepEqual(production.requests, []);
});

step("a push goes to the environment", async () => {
  await code.focusEditor(FILE);
  await code.replaceAll(FILE, FLOW.replace("Hello.", "Hello, how can I help?"));
  await code.save(FILE);
  await code.statusMenu("sync", "Always Push This File");
  await code.statusItem("sync").filter({ hasText: "Synced v" }).waitFor();
  const { graph } = await staging.graph();
  assert.equal(graph.nodes.get("find")?.tool, staging.id("look_up"));
  assert.deepEqual(production.requests, []);
});

step("the Flows view shows the flow in each environment; without a key, the environment isn't switched", async () => {
  await code.statusMenu("environment", "production");
  await code.asked("Enter API Key for production");
  await code.giveUp();
  await only(code, "Flows");
  await code.row("staging synced, production unknown").waitFor();
  await code.expand("billing");
  await code.row(/production.*unknown.*protected/).waitFor();
  assert.match(await code.statusItem("environment").innerText(), /staging/);
});

step("a promotion shows its plan and the changed behavior, and Enter alone promotes nothing", async () => {
  await code.paletteAndPick("Assistant Flow: Promote…", "staging → production");
  await enterKey(production);
  await code.asked("staging → production");
  const text = await documentText("Promote");
  assert.match(text, /flows\/billing\.flow\.yaml: \d+ operations? for production/);
  assert.match(text, /~ node greet/);
  assert.match(text, /Behavior/);
  await screenshotInEachTheme(code, "environments-promote");
  await code.page.keyboard.press("Enter");
  await code.question("staging → production").waitFor({ state: "hidden" });
  assert.deepEqual(batches(production), []);
});

step("a confirmed promotion pushes the plan to the protected environment", async () => {
  await openFlow();
  await code.paletteAndPick("Assistant Flow: Promote…", "staging → production");
  await code.asked("staging → production");
  const heard = await code.listen();
  await code.pick('Promote to "production"');
  await heard(/Promoting flows\/billing\.flow\.yaml to "production"…/).waitFor({ timeout: PATIENCE_MS });
  await code.toast('Promoted flows/billing.flow.yaml to "production"').waitFor();
  const { graph } = await production.graph();
  assert.equal(graph.nodes.get("greet")?.instructions, "Hello, how can I help?");
  assert.equal(graph.nodes.get("find")?.tool, production.id("look_up"));
  for (const [from, to] of [
    [staging, production],
    [production, staging],
  ] as const)
    assert.ok(batches(to).every(({ body }) => !body.includes(from.id("look_up"))));
  await code.row("staging synced, production synced").waitFor();
});

step("a second promotion has nothing to send", async () => {
  const sent = batches(production).length;
  await code.paletteAndPick("Assistant Flow: Promote…", "staging → production");
  await code.toast('"production" already matches flows/billing.flow.yaml').waitFor();
  assert.equal(batches(production).length, sent);
});

step("drift after a colleague's edit", async () => {
  await production.apply({ op: "update_node_fields", node_id: "greet", fields: { instructions: "Hotfix." } });
  await code.palette("Assistant Flow: Check for Drift");
  await code.page.locator('.monaco-editor.focused[data-uri*="Drift"]').waitFor();
  assert.match(
    await documentText("Drift"),
    /production: flows\/billing.*the platform has changes that the file doesn't have/,
  );
  await code.row("staging synced, production behind").waitFor();
  await code.expand("billing");
  await code.row(/production.*behind.*protected.*1 operation/).waitFor();
  await code.expand("History");
  await code.row(/Version \d+.*production.*pushed from here/).waitFor();
  await screenshotInEachTheme(code, "environments-drift");
  await picture(code, "environments");
});

step("a protected environment is marked and refuses a push; the choice survives a reload", async () => {
  await openFlow();
  await code.statusMenu("environment", "production");
  await environment("production (protected)").waitFor();
  await code.statusItem("connection").filter({ hasText: "production" }).waitFor();
  await code
    .statusItem("sync")
    .filter({ hasText: /platform/i })
    .waitFor();
  const sent = batches(production).length;
  await code.palette("Assistant Flow: Push");
  await code.said('Environment "production" is protected');
  await code.palette("Notifications: Clear All Notifications");
  assert.equal(batches(production).length, sent);
  await screenshotInEachTheme(code, "environments-protected");
  await code.reloadWindow();
  await environment("production (protected)").waitFor();
  await code.statusMenu("environment", "staging");
  await environment(/staging$/).waitFor();
  await code.statusItem("sync").filter({ hasText: "Synced v" }).waitFor();
});

step("a version is compared and restored into the editor, then pushed by a save", async () => {
  await openFlow();
  const { version } = await staging.graph();
  await code.replaceAll(FILE, FLOW.replace("Hello.", "Something worse."));
  await code.save(FILE);
  await until("the edit is pushed", async () => (await staging.graph()).version > version);
  await code
    .statusItem("sync")
    .filter({ hasText: `Synced v${version + 1}` })
    .waitFor();
  await code.palette("Assistant Flow: Restore Version…");
  await code.asked("Versions of");
  await code.screenshot("environments-versions");
  await code.pick(new RegExp(`Version ${version}.*staging`));
  await code.asked(`Restore version ${version} of ${FILE} from "staging"`);
  await code.page
    .locator(".tab")
    .filter({ hasText: `Version ${version} of staging ↔ File` })
    .waitFor();
  await code.page.locator(".monaco-diff-editor").first().waitFor();
  await screenshotInEachTheme(code, "environments-restore");
  await code.pick(`Restore Version ${version}`);
  await code.editor(FILE).filter({ hasText: "Hello, how can I help?" }).waitFor();
  assert.equal((await staging.graph()).version, version + 1, "nothing is pushed before the save");
  await code.focusEditor(FILE);
  await code.save();
  await until("the version is pushed", async () => (await staging.graph()).version > version + 1);
  assert.equal(await code.read(FILE), FLOW.replace("Hello.", "Hello, how can I help?"), "with comments and names");
});

step("any two versions are compared in the graph", async () => {
  await openFlow();
  const { version } = await staging.graph();
  await code.paletteAndPick("Assistant Flow: Compare Graphs", `Version ${version - 1} of staging`);
  await code.asked(`Compare Version ${version - 1} of staging with`);
  await code.pick(`Version ${version} of staging`);
  const graph = await code.webview("Compare with…");
  await graph
    .getByText(`Version ${version} of staging compared with Version ${version - 1} of staging: 1 change`)
    .waitFor();
  await graph.locator(".before").filter({ hasText: "Something worse." }).waitFor();
  await graph.locator(".after").filter({ hasText: "Hello, how can I help?" }).waitFor();
  await code.screenshot("environments-compare");
  await graph.getByRole("button", { name: "Compare with…" }).click();
  await code.pick(`Version ${version - 1} of staging`);
  await code.asked(`Compare Version ${version - 1} of staging with`);
  await code.pick("This File");
  await graph.getByText(`Compared with Version ${version - 1} of staging: 1 change`, { exact: true }).waitFor();
});

step("the history in the Flows view compares and restores versions, by mouse and by keyboard", async () => {
  await openFlow();
  await only(code, "Flows");
  await code.expand("billing");
  await code.expand("History");
  const { version } = await staging.graph();
  const versionRow = (number: number) => new RegExp(`^Version ${number}staging`);
  await code.row(versionRow(version)).waitFor();
  const [newest = ""] = await code.page
    .locator(".customview-tree .monaco-list-row")
    .filter({ hasText: /^Version/ })
    .allTextContents();
  assert.match(newest, versionRow(version), "the newest is first");
  await code.openPage(code.row(versionRow(version - 1)), `(Version ${version - 1} of staging ↔ File)`);
  await screenshotInEachTheme(code, "environments-history");
  await code.selectRow(code.row(versionRow(version - 1)));
  await code.page.keyboard.press("ArrowUp");
  await code.page.keyboard.press("Enter");
  await code.said(`already has the content of version ${version}`);
  await code.palette("Notifications: Clear All Notifications");
  await code.rowMenu(versionRow(version - 1), "Compare Graphs…");
  await code.asked(`Compare Version ${version - 1} of staging with`);
  await code.page.keyboard.press("Escape");
  await code.rowAction(versionRow(version - 1), "Restore Version…");
  await code.asked(`Restore version ${version - 1} of`);
  await code.pick(`Restore Version ${version - 1}`);
  await code.editor(FILE).filter({ hasText: "Something worse." }).waitFor();
  assert.equal((await staging.graph()).version, version, "nothing is pushed before the save");
  await code.focusEditor(FILE);
  await code.palette("File: Revert File");
  await code.editor(FILE).filter({ hasText: "Hello, how can I help?" }).waitFor();
});

step("a changed URL needs a key of its own; the old key isn't sent", async () => {
  const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  await code.write(PROJECT, (await code.read(PROJECT)).replace(staging.url, url));
  await code.toastButton(`Environment "staging" is at ${url}`, "Enter API Key…");
  await code.dialogText.filter({ hasText: `changed from ${staging.url} to ${url}` }).waitFor();
  await code.screenshot("environments-new-url");
  await code.dialog("Cancel");
  assert.equal(stolen, 0);
});
