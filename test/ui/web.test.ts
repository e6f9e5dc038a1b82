/** VS Code in a browser alone: the extension and the language server run in web workers, and no file is on disk. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { startSandbox } from "../../scripts/sandbox";
import { actUntil, type Code, holds, PATIENCE_MS } from "./harness";
import { type Middle, startProxy } from "./proxy";
import { counts, only, reject } from "./sidebar";
import { openInBrowser } from "./web";

const FLOW = "billing.flow.yaml";
const TESTS = "billing.flowtest.yaml";
const BROKEN = "broken.flow.yaml";
const LINKED = "support-line.flow.yaml";
const example = (name: string) => readFileSync(inProject("examples", name), "utf8");
const POLICIES = "assistant-flow.policies.yaml";
const files = {
  [FLOW]: example(FLOW),
  [TESTS]: example(TESTS),
  [POLICIES]: "policies:\n  - {id: greet-first, every_path_to: {type: end}, passes: {node: greet}}\n",
  [LINKED]: example(LINKED),
  [BROKEN]: "entry: gret\nnodes:\n  greet:\n    type: message\n    instructions: Hello.\n    terminal: true\n",
};

const revisions = {
  HEAD: { [FLOW]: files[FLOW].replace("name: Greeting", "name: Hello") },
  "release/1": {
    [FLOW]: files[FLOW].replace("name: Greeting", "name: Hello").replace("Thank the caller", "Thank them"),
  },
};

let code: Code;
let platform: Middle;
let allowsSites = false;
before(async () => {
  platform = await startProxy(await startSandbox(), { allowsSites: () => allowsSites });
  code = await openInBrowser({ files, revisions, open: FLOW });
});
after(async () => {
  await code?.close();
  await platform?.sandbox.stop();
});

/** A screenshot when a wait times out. */
function story(name: string, body: () => Promise<void>): void {
  test(name, () => code.screenshotOnFailure(`web-${name.replace(/\W+/g, "-").slice(0, 30)}`, body));
}

/** Opens a file from the explorer, because VS Code's search doesn't find files here. */
async function openFile(from: Code, name: string): Promise<void> {
  await actUntil(from.editor(name), async (patience) => {
    await from.view("Explorer");
    await from.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }).dblclick(patience);
  });
}

story("problems are found, and a fix is applied and saved", async () => {
  await openFile(code, BROKEN);
  await code.squiggles("error").first().waitFor();
  await code.palette("Test: Count Fixes");
  await code.toast(/There are [1-9]\d* fixes\./).waitFor();
  await code.palette("Notifications: Clear All Notifications");
  await code.goTo(1, 9);
  await code.quickFix('Set entry to "greet"');
  // In a browser, VS Code saves after a delay.
  const saved = holds("the fix is saved", async () => /^entry: greet$/m.test(await code.read(BROKEN)));
  await saved.waitFor({ timeout: PATIENCE_MS });
  await code.squiggles("error").first().waitFor({ state: "detached" });
});

story("names are completed", async () => {
  await openFile(code, BROKEN);
  await code.goTo(1, 8);
  await code.page.keyboard.press("Control+Space");
  await code.suggestions.filter({ hasText: "greet" }).first().waitFor();
  await code.page.keyboard.press("Escape");
});

story("the graph is drawn, and the Play page runs the flow", async () => {
  await openFile(code, FLOW);
  await code.palette("Assistant Flow: Open Flow Graph");
  const graph = await code.webview("Greeting");
  await graph.getByText("Greeting").first().waitFor();
  await code.palette("Assistant Flow: Play Flow");
  const play = await code.webview("Which edge does");
  await play.getByRole("button", { name: "otherwise: goodbye" }).click();
  await play.locator(".turn.end").filter({ hasText: 'ended at "goodbye"' }).waitFor();
  await code.closeEditors();
});

story("a flow is compared with its last commit, with a branch, and with a revision that doesn't exist", async () => {
  await openFile(code, FLOW);
  await code.paletteAndPick("Assistant Flow: Compare Graphs", "HEAD");
  const graph = await code.webview("Compare with…");
  await graph.getByText("Compared with HEAD: 1 change").waitFor();
  await code.paletteAndPick("Assistant Flow: Compare Graphs", "release/1");
  await graph.getByText("Compared with release/1: 2 changes").waitFor();
  await code.paletteAndPick("Assistant Flow: Compare Graphs", "nowhere");
  await graph.getByText('There is no revision "nowhere" here.').waitFor();
  await code.closeEditors();
});

story("the Test Explorer finds the tests, and runs them with coverage", async () => {
  await openFile(code, TESTS);
  const glyph = (kind: string) => code.editor(TESTS).locator(`.testing-run-glyph.codicon-testing-${kind}-icon`);
  await code.editor(TESTS).locator(".testing-run-glyph").first().waitFor();
  await code.palette("Test: Run All Tests with Coverage");
  await glyph("passed").first().waitFor();
  await openFile(code, FLOW);
  await code.editor(FLOW).locator(".coverage-deco-gutter.coverage-deco-hit").first().waitFor();
  await code.closeEditors();
});

story("policies are checked", async () => {
  await openFile(code, POLICIES);
  await code.page.locator(".codelens-decoration").filter({ hasText: "proved for all conditions · 3 flows" }).waitFor();
});

story("a debug session stops at a breakpoint", async () => {
  await openFile(code, FLOW);
  const line = files[FLOW].split("\n").findIndex((text) => text.startsWith("  greet:")) + 1;
  await code.goTo(line, 3);
  await code.palette("Debug: Toggle Breakpoint");
  await code.palette("Assistant Flow: Debug Flow");
  const frame = code.editor(FLOW).locator(".debug-top-stack-frame-line");
  await frame.waitFor();
  await code.palette("Debug: Stop");
  await frame.waitFor({ state: "detached" });
});

const rowsOf = (view: string) => code.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);

story("the local sandbox runs in the window: reviews, calls and keys are there, and no request leaves it", async () => {
  const sent: string[] = [];
  code.page.on("request", (request) => void sent.push(request.url()));
  await code.palette("Assistant Flow: Start Local Sandbox");
  await code.statusItem("connection").filter({ hasText: "Local sandbox" }).waitFor();
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  const review = rowsOf("Reviews").and(code.page.locator('[aria-level="2"]')).first();
  const said = await code.listen();
  await reject(code, (await review.locator(".label-name").innerText()).trim());
  await said(/Rejecting.*Rejected/).waitFor({ timeout: PATIENCE_MS });
  await counts(code, "Reviews", 9);
  await only(code, "Calls");
  await rowsOf("Calls").first().waitFor();
  await only(code, "API Keys");
  await counts(code, "API Keys", 1);
  assert.deepEqual(
    sent.filter((url) => url.includes(".invalid")),
    [],
  );
  // Another site can neither reach the sandbox nor see stored data.
  const other = await code.context.newPage();
  await other.goto(new URL("/repository/package.json", code.page.url().replace("localhost", "127.0.0.1")).href);
  assert.notEqual(new URL(other.url()).origin, new URL(code.page.url()).origin);
  const seen = await other.evaluate(`(async () => ({
    stored: (await indexedDB.databases()).length + localStorage.length + document.cookie.length,
    sandbox: await fetch("https://sandbox.invalid/v1/identity/whoami").then(() => "reached", () => "nothing"),
  }))()`);
  await other.close();
  assert.deepEqual(seen, { stored: 0, sandbox: "nothing" });
  await code.palette("Assistant Flow: Stop Local Sandbox");
  assert.match(await code.dialogText.innerText(), /Stop the local sandbox\?/);
  await code.dialog("Stop");
  await code.statusItem("connection").filter({ hasText: "Not connected" }).waitFor();
});

story("in a folder that can't be changed, problems are shown, but no fix is offered", async () => {
  const readOnly = await openInBrowser({ files: { [BROKEN]: files[BROKEN] }, open: BROKEN, isReadOnly: true });
  try {
    await readOnly.squiggles("error").first().waitFor();
    await readOnly.palette("Test: Count Fixes");
    await readOnly.toast("There are 0 fixes.").waitFor();
  } finally {
    await readOnly.close();
  }
});

const status = (words: string) => code.statusItem("sync").filter({ hasText: words }).waitFor();

/** Inserts a word before the name of the first node, and saves like a user. */
async function rename(word: string): Promise<void> {
  const [before = ""] = (await code.read(LINKED)).split("Greeting");
  await code.focusEditor(LINKED);
  await code.goTo(before.split("\n").length, before.length - before.lastIndexOf("\n"));
  await code.type(`${word} `);
  await code.save(LINKED);
}

story("a platform that doesn't accept requests from the site gets no key, and says so once", async () => {
  await openFile(code, LINKED);
  await code.palette("Assistant Flow: Add Connection");
  const { baseUrl, workflowBaseUrl, apiKey } = platform.sandbox;
  for (const [at, text] of ["Far", baseUrl, workflowBaseUrl, apiKey, ""].entries())
    await code.answer(text, `(${at + 1}/5`);
  await code.toastButton("The platform doesn't accept requests from this site.", "Save Anyway");
  await status("Pending (this site isn't accepted)");
  assert.ok(platform.seen.length > 0);
  assert.deepEqual([...new Set(platform.seen.map(({ key }) => key))], [""]);
});

story("a save is pushed, and what sync knows is still there after a reload", async () => {
  allowsSites = true;
  await rename("The");
  await code.toastButton(/First push to/, "Push");
  await status("Synced v2");
  await code.reload();
  await openFile(code, LINKED);
  await status("Synced v2");
  // The journal has the confirmation, so the push doesn't ask again.
  await rename("Our");
  await status("Synced v3");
});
