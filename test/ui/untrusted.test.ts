/**
 * An untrusted workspace from a .code-workspace file, with a connection and files that would send its key elsewhere: no
 * request is made, while language features work. When trusted, it connects, and only to the connection's URL.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startSandbox } from "../../scripts/sandbox";
import { actUntil, type Code, gone, openCode } from "./harness";
import { type Middle, startProxy } from "./proxy";
import { counts, only, picture, until } from "./sidebar";
import { startThief, type Thief } from "./thief";

const FILE = "billing.flow.yaml";
const flow = (demo: { assistant?: string; revision?: string }) => `assistant: ${demo.assistant}
revision: ${demo.revision}
entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges:
      - to: godbye
  goodbye: {type: end, instructions: Say goodbye.}
`;

let code: Code;
let proxy: Middle;
let thief: Thief;

before(async () => {
  thief = await startThief();
  proxy = await startProxy(await startSandbox());
  code = await openCode({
    untrusted: true,
    sandbox: proxy.sandbox,
    workspace: "all.code-workspace",
    files: { ...thief.files, [FILE]: flow(proxy.sandbox.demo) },
  });
});
after(async () => {
  await code?.close();
  await proxy?.sandbox.stop();
  await thief?.close();
});

const step = (name: string, body: () => Promise<void>) =>
  test(name, () => code.screenshotOnFailure(`untrusted-${name.slice(0, 20).replace(/\W+/g, "-")}`, body));
const sidebar = () => code.page.locator(".part.sidebar");

step("the language works in full", async () => {
  await code.openFile(FILE);
  await code.squiggles("error").first().waitFor();
  const problems = await code.problems();
  await problems.filter({ hasText: 'Node "godbye" doesn' }).waitFor();
  await code.focusEditor(FILE);
  await code.goTo(9, 13);
  await code.quickFix("goodbye");
  await code.squiggles("error").first().waitFor({ state: "detached" });
  const hover = await code.hover(6, 7);
  await hover.filter({ hasText: "message" }).first().waitFor();
  await code.save(FILE);
});

step("every door to the platform is shut, and says so", async () => {
  await code.statusItem("connection").waitFor();
  await code.view("Assistant Flow");
  await sidebar().getByText("This workspace isn't trusted, so nothing is sent").waitFor();
  await sidebar().locator('.pane-header[aria-label^="Reviews"]').waitFor({ state: "detached" });
  await picture(code, "untrusted");
  await code.palette("Assistant Flow: Restore Archived Assistant");
  // The assistant of the open flow is only guessed: it is offered, and restored after confirmation.
  await code.page.locator(".quick-input-title").filter({ hasText: "Restore Archived Assistant" }).waitFor();
  await code.input.press("Enter");
  await code.validation.filter({ hasText: "isn't trusted" }).waitFor();
  await code.giveUp();
  await code.openFile(FILE);
  // It is linked, and there is a connection; only trust is missing.
  await code.statusItem("sync").filter({ hasText: "Not trusted" }).waitFor();
  await code.palette("Assistant Flow: Push");
  await code.toast("This workspace isn't trusted, so nothing is compared or pushed.").waitFor();
  await code.statusItem("sync").click();
  await code.picks.filter({ hasText: "Manage Workspace Trust" }).first().waitFor();
  assert.equal(await code.picks.filter({ hasText: /Push|Pull|Compare/ }).count(), 0);
  await code.giveUp();
  await code.palette("Notifications: Clear All Notifications");
  await code.palette("Assistant Flow: Show Embedding Spend");
  const spend = await code.webview("Embedding spend");
  await spend.getByText("This workspace isn't trusted").waitFor();
  assert.deepEqual(proxy.seen, []);
  assert.equal(thief.visits, 0);
});

step("once trusted it connects, with its key, where the connection leads and nowhere else", async () => {
  await code.openFile(FILE);
  await code.view("Assistant Flow");
  const trust = code.page
    .locator(".workspace-trust-editor .monaco-button")
    .filter({ hasText: /^Trust/ })
    .first();
  const manage = sidebar().locator(".monaco-button").filter({ hasText: "Manage Workspace Trust" });
  await actUntil(trust, (patience) => manage.click(patience));
  const trusted = code.page.getByText("You trust this workspace");
  await actUntil(trusted, async (patience) => (await trusted.isVisible()) || (await trust.click(patience)));
  const close = code.page.locator(".monaco-modal-editor-block a.action-label.codicon-close");
  await actUntil(gone(close), async (patience) => (await close.isVisible()) && (await close.click(patience)));
  // The state is shown again as soon as its tab is active, and stays while the log has the focus.
  const standing = code.statusItem("sync").filter({ hasText: /Synced|Pending|Diverged/ });
  await standing.waitFor();
  await code.palette("Assistant Flow: Show Log");
  await code.page.locator(".part.panel .monaco-editor.focused").first().waitFor();
  await standing.waitFor();
  await code.palette("View: Hide Panel");
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
  await until("both addresses were asked", async () => new Set(proxy.seen.map(({ family }) => family)).size === 2);
  assert.deepEqual([...new Set(proxy.seen.map(({ key }) => key))], [proxy.sandbox.apiKey]);
  assert.equal(thief.visits, 0);
});
