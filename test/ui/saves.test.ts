/**
 * Kinds of saves in one VS Code, on a platform that normalizes everything: format on save, a window that loses and
 * regains the focus, the gutter, the source control view, and a fix that links.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { until } from "./sidebar";

const FILE = "support-line.flow.yaml";
/** With a field that the platform drops. */
const original = readFileSync(inProject(`examples/${FILE}`), "utf8").replace(
  "    name: Greeting\n",
  "    name: Greeting\n    mood: cheerful\n",
);
const UNLINKED = "unlinked.flow.yaml";
const unlinked = "entry: greet\nnodes:\n  greet: {type: end}\n";

let code: Code;
let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ flags: ["--normalize", "defaults,drop,retype,sort"] });
  code = await openCode({
    files: { [FILE]: original, [UNLINKED]: unlinked },
    open: FILE,
    sandbox,
    size: { width: 1280, height: 1000 },
    settings: { "files.autoSave": "onWindowChange", "editor.formatOnSave": true, "git.enabled": false },
  });
});

after(async () => {
  await code?.close();
  await sandbox?.stop();
});

function story(name: string, body: () => Promise<void>): void {
  test(name, () => code.screenshotOnFailure(`saves-${name.split(" ").slice(0, 3).join("-")}`, body));
}

const status = (words: string | RegExp) => code.statusItem("sync").filter({ hasText: words }).waitFor();
const headers = () => ({ "x-api-key": sandbox.apiKey, "content-type": "application/json" });

async function version(): Promise<number> {
  const address = `${sandbox.baseUrl}/v1/workflows/revisions/${sandbox.demo.revision}`;
  const answer = await fetch(address, { headers: headers() });
  return ((await answer.json()) as { graph_version: number }).graph_version;
}

async function colleague(node_id: string, fields: Record<string, string>): Promise<void> {
  const { assistant, revision } = sandbox.demo;
  const url = `${sandbox.baseUrl}/v1/assistants/${assistant}/revisions/${revision}/graph/ops`;
  const body = JSON.stringify({ ops: [{ op: "update_node_fields", node_id, fields }] });
  assert.equal((await fetch(url, { method: "POST", headers: headers(), body })).status, 200);
}

async function typeAt(text: string, typed: string): Promise<void> {
  const start = (await code.read(FILE)).split(text)[0] as string;
  await code.focusEditor(FILE);
  await code.goTo(start.split("\n").length, start.length - start.lastIndexOf("\n"));
  await code.type(typed);
}

/** Another window, or this one again, gets the focus, as the browser reports it to VS Code. */
const leaveWindow = () =>
  code.page.evaluate('document.hasFocus = () => false; window.dispatchEvent(new Event("blur")); undefined');
const returnToWindow = () =>
  code.page.evaluate('delete document.hasFocus; window.dispatchEvent(new Event("focus")); undefined');

const changed = () => code.page.locator(`.monaco-editor[data-uri$="/${FILE}"] [class*="dirty-diff-modified"]`);

story("Push on the plan page sends what it shows, also if an autosave has changed it since the question", async () => {
  await status(/Synced|Pending|Unpushed|Platform/);
  await typeAt("Greeting", "W");
  await code.save(FILE);
  await code.toast(/First push to/).waitFor();
  await code.type("arm ");
  await leaveWindow();
  await until("VS Code has saved by itself", async () => (await code.read(FILE)).includes("Warm Greeting"));
  await returnToWindow();
  await status("Pending (unpushed changes)");
  // The status offers to push, so the question isn't open beside it.
  await code.toast(/First push to/).waitFor({ state: "detached" });
  const page = await code.webview("Warm Greeting");
  await page.getByText(/^First push to \S+\. Push\?$/).waitFor();
  await code.screenshot("saves-question-withdrawn");
  await page.getByRole("button", { name: "Push", exact: true }).click();
  await status(/Synced v/);
  await code.page
    .locator(".tab")
    .filter({ hasText: `Plan: ${FILE}` })
    .waitFor({ state: "detached" });
});

story("on a platform with its own form a push comes to rest, and says once what isn't stored", async () => {
  const text = await code.read(FILE);
  assert.match(text, /name: Warm Greeting\n {4}mood: cheerful\n/, "the file stays as it is written");
  assert.doesNotMatch(text, /timeout: 30|No description\./, "what the platform adds isn't pulled");
  await code.squiggles("info").first().waitFor();
  const before = text.slice(0, text.indexOf("cheerful"));
  const hover = await code.hover(before.split("\n").length, before.length - before.lastIndexOf("\n") + 1);
  await hover.filter({ hasText: "The platform doesn't store `mood`" }).first().waitFor();
  await code.screenshot("saves-normalized");
  await code.page.keyboard.press("Escape");
});

story("a save with format on save pushes once, what was formatted", async () => {
  const before = await version();
  await typeAt("Warm Greeting", "  Very ");
  await code.save(FILE);
  await status(`Synced v${before + 1}`);
  assert.match(await code.read(FILE), /name: Very Warm Greeting\n/);
  assert.equal(await version(), before + 1);
  await changed().first().waitFor({ state: "detached" });
});

story("a window that loses the focus saves, and pushes nothing; gutter and status agree", async () => {
  const before = await version();
  await typeAt("Very Warm", "Quite ");
  await leaveWindow();
  await until("VS Code has saved by itself", async () => (await code.read(FILE)).includes("Quite Very Warm"));
  await returnToWindow();
  await status("Pending (unpushed changes)");
  await changed().first().waitFor();
  assert.equal(await version(), before);
  await code.screenshot("saves-unpushed");
  await code.focusEditor(FILE);
  await code.save();
  await status(`Synced v${before + 1}`);
  await changed().first().waitFor({ state: "detached" });
});

story("a colleague's push is seen when the window comes back to the front", async () => {
  const before = await code.read(FILE);
  await colleague("goodbye", { name: "The end" });
  const newer = code.statusItem("sync").filter({ hasText: "Platform has newer changes" });
  // Losing and regaining the focus in quick succession makes only one request, so this repeats it.
  await until("it is seen", async () => {
    await leaveWindow();
    await returnToWindow();
    return (await newer.count()) > 0;
  });
  assert.equal(await code.read(FILE), before, "looking writes nothing");
  await code.palette("Assistant Flow: Pull");
  await status(/Synced v/);
});

story("a source control view without changes says why it is empty", async () => {
  await code.view("Source Control");
  await code.page.locator(".scm-view .resource-group").filter({ hasText: "Nothing to push or pull" }).waitFor();
  await code.screenshot("saves-scm-empty");
});

story("an unlinked flow is linked by its light bulb", async () => {
  await code.openFile(UNLINKED);
  await code.focusEditor(UNLINKED);
  await code.goTo(1);
  await code.runAction("Link to Assistant…", code.input);
  await code.answer("7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001", "(1/2)");
  await code.answer("7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002", "(2/2)");
  // Only a linked flow has a plan.
  await code.page.locator(".codelens-decoration a").filter({ hasText: "Show Plan", visible: true }).first().waitFor();
  await code.save(UNLINKED);
  const ids = "assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001\nrevision: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002\n";
  assert.equal(await code.read(UNLINKED), ids + unlinked);
});
