/** The sync state in one VS Code: autosave, blocking errors, another user's push, conflicts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { until } from "./sidebar";

const FILE = "support-line.flow.yaml";
const original = readFileSync(inProject(`examples/${FILE}`), "utf8");

let code: Code;
let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox();
  code = await openCode({
    files: { [FILE]: original, "notes.txt": "Notes.\n" },
    open: FILE,
    sandbox,
    size: { width: 1280, height: 1000 },
    settings: {
      "files.autoSave": "afterDelay",
      "files.autoSaveDelay": 400,
      // Our rule only warns about what the platform blocks.
      "assistantFlow.rules": { "undefined-variable": "warning" },
      "git.enabled": false,
    },
  });
});

after(async () => {
  await code?.close();
  await sandbox?.stop();
});

function story(name: string, body: () => Promise<void>): void {
  test(name, () => code.screenshotOnFailure(`state-${name.split(" ").slice(0, 3).join("-")}`, body));
}

const status = (words: string | RegExp) => code.statusItem("sync").filter({ hasText: words }).waitFor();
const revisionAddress = () => `${sandbox.baseUrl}/v1/workflows/revisions/${sandbox.demo.revision}`;
const headers = () => ({ "x-api-key": sandbox.apiKey, "content-type": "application/json" });
const version = async () => {
  const answer = await fetch(revisionAddress(), { headers: headers() });
  return ((await answer.json()) as { graph_version: number }).graph_version;
};

async function colleague(...changes: readonly [node: string, fields: Record<string, string>][]): Promise<void> {
  const { assistant, revision } = sandbox.demo;
  const url = `${sandbox.baseUrl}/v1/assistants/${assistant}/revisions/${revision}/graph/ops`;
  const ops = changes.map(([node_id, fields]) => ({ op: "update_node_fields", node_id, fields }));
  const body = JSON.stringify({ ops });
  assert.equal((await fetch(url, { method: "POST", headers: headers(), body })).status, 200);
}

async function goToText(text: string): Promise<void> {
  const start = (await code.read(FILE)).split(text)[0] as string;
  await code.focusEditor(FILE);
  await code.goTo(start.split("\n").length, start.length - start.lastIndexOf("\n"));
}

/** Types and waits until VS Code has saved automatically. */
async function typeAt(text: string, typed: string): Promise<void> {
  await goToText(text);
  await code.type(typed);
  await until("VS Code has saved by itself", async () => (await code.read(FILE)).includes(`${typed}${text}`));
}

const lens = (title: string | RegExp) => code.lens(title);

story("autosave pushes nothing, not even the first time: the status says so, and one click pushes", async () => {
  await status("Synced v1");
  const first = await version();
  await typeAt("Greeting", "TODO ");
  await status("Pending (unpushed changes)");
  assert.equal(await code.toast(/First push to/).count(), 0, "nothing is asked");
  assert.equal(await version(), first);
  await code.screenshot("state-autosaved");
  await code.statusItem("push").click();
  await code.toastButton(/First push to/, "Push");
  await status(/Synced v/);
  const second = await version();
  assert.ok(second > first);

  // Even after that one "Push", a pause in typing doesn't push; Ctrl+S does.
  await typeAt("TODO Greeting", "Another ");
  await status("Pending (unpushed changes)");
  assert.equal(await version(), second);
  await code.statusItem("push").waitFor();
  await code.focusEditor(FILE);
  await code.save();
  await status(`Synced v${second + 1}`);
  await code.statusItem("push").waitFor({ state: "hidden" });
});

story("what blocks the flow is red, an error in the list of problems, and a click leads to it", async () => {
  const text = await code.read(FILE);
  await code.replaceAll(FILE, text.replace("open on account {{account_id}}", "open on account {{acount_id}}"));
  await until("VS Code has saved by itself", async () => (await code.read(FILE)).includes("acount_id"));
  await code.focusEditor(FILE);
  await code.save();
  const item = code.statusItem("blocking");
  await item.filter({ hasText: "1 blocking" }).waitFor();
  await item.locator(".codicon-error").waitFor();
  assert.match((await item.getAttribute("class")) ?? "", /error-kind/);
  const rows = (await code.problems()).filter({ hasText: "acount_id" });
  // The platform's finding replaces the rule's.
  await rows
    .filter({ hasText: /Platform error: [\s\S]*assistant-flow, platform/ })
    .first()
    .waitFor();
  await until("it is said once", async () => (await rows.count()) === 1);
  assert.equal(await rows.first().locator(".codicon-error").count(), 1);
  await goToText("persona:");
  await item.click();
  const line = (await code.read(FILE)).split("{{acount_id}}")[0]?.split("\n").length;
  await code.page
    .locator('[id="status.editor.selection"]')
    .filter({ hasText: `Ln ${line},` })
    .waitFor();
  await code.screenshot("state-blocking");
});

story("the status bar shows a flow's state while its Play page is in front", async () => {
  await code.openFile(FILE);
  await code.palette("Assistant Flow: Play Flow");
  await code.page
    .locator(".tab.active")
    .filter({ hasText: `Play: ${FILE}` })
    .waitFor();
  await code.webview("Variables");
  await code.statusItem("sync").filter({ hasText: /\w/ }).waitFor();
  await code.closeEditors();
  await code.openFile(FILE);
});

story("a colleague's push is seen when the flow comes to the front, and nothing is written for it", async () => {
  await code.palette("View: Hide Panel");
  const before = await code.read(FILE);
  await code.openFile("notes.txt");
  await colleague(["goodbye", { name: "The end" }]);
  const there = await version();
  await code.openFile(FILE);
  await status("Platform has newer changes");
  assert.equal(await code.read(FILE), before);
  assert.equal(await version(), there);
  await code.screenshot("state-newer");
  await code.palette("Assistant Flow: Pull");
  await status(/Synced v/);
  assert.match(await code.read(FILE), /name: The end/);
});

story(
  "a conflict is decided on its line; automatic merges are marked; the comparison goes when it is over",
  async () => {
    await code.closeEditors();
    await code.openFile(FILE);
    await status(/Synced v/);
    // In one batch, so that VS Code sees both or none.
    await colleague(["greet", { name: "Theirs" }], ["goodbye", { name: "Goodbye" }]);
    await typeAt("Another TODO Greeting", "Mine ");
    // Ctrl+S while VS Code is auto-saving the same text isn't a separate save. If VS Code has read the platform in
    // between, that was already a conflict.
    await status(/Pending \(unpushed changes\)|Conflict/);
    await code.focusEditor(FILE);
    await code.save();
    await status("Conflict");
    const comparison = code.page.locator(".tab").filter({ hasText: "Platform ↔ File" }).first();
    await comparison.waitFor();
    await code.focusEditor(FILE);
    await code.goTo(1);
    await lens(/1 conflict/).waitFor();
    await goToText("Mine Another");
    await lens(/^Keep Mine$/).waitFor();
    await lens(/Use Platform: "Theirs"/).waitFor();
    await code.screenshot("state-conflict");
    await goToText("The end");
    // VS Code draws it after the line, without a separate element.
    await code.page.waitForFunction(`[...document.querySelectorAll(".view-lines span")].some((each) =>
      getComputedStyle(each, "::after").content.replaceAll("\u00a0", " ").includes("merges automatically"))`);
    await goToText("Mine Another");
    await code.pressLens(/Use Platform: "Theirs"/, code.statusItem("sync").filter({ hasText: /Synced v/ }));
    await comparison.waitFor({ state: "detached" });
    await code.focusEditor(FILE);
    await code.goTo(1);
    await lens("Show Plan").waitFor();
    await lens(/1 conflict/).waitFor({ state: "hidden" });
    const text = await code.read(FILE);
    assert.match(text, /name: Theirs\n/);
    assert.match(text, /name: Goodbye\n/);
  },
);

story(
  "a node with many edges that one key took away in the graph comes back by one click, and nothing was pushed",
  async () => {
    const before = await version();
    const text = await code.read(FILE);
    await code.palette("Assistant Flow: Open Flow Graph");
    // In a narrow page the toolbar's controls are in its menu; no other page is open.
    const graph = code.page.frameLocator("iframe.webview.ready").first().frameLocator("iframe#active-frame");
    // Deleted nodes stay as a faint outline until they are pushed.
    const node = graph.locator('[data-node="hand_over"]:not(.change-removed)');
    await graph.locator('[data-node="greet"]').waitFor();
    // The graph follows the cursor, and draws only the visible part.
    await goToText("hand_over:\n");
    await node.waitFor();
    await node.click();
    await code.page.keyboard.press("Delete");
    await node.waitFor({ state: "detached" });
    await code.toast(/Deleted node "hand_over" and \d+ edges/).waitFor();
    await code.screenshot("state-graph-undo");
    // Not while VS Code writes the file: an undo at that moment would not reach the disk.
    await until("VS Code has saved by itself", async () => !(await code.read(FILE)).includes("hand_over:\n"));
    // The file changes on disk before VS Code knows; save events follow.
    await status(/Pending|Blocked/);
    await code.toastButton(/Deleted node "hand_over"/, "Undo");
    await node.waitFor();
    await until("it is saved again", async () => (await code.read(FILE)).includes("hand_over:\n"));
    assert.equal(await code.read(FILE), text);
    assert.equal(await version(), before);
  },
);
