/** A save in VS Code is pushed to the platform, in one VS Code for all tests. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator } from "playwright-core";
import { inProject } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { actUntil, Code, openCode } from "./harness";
import { script } from "./pages";

const FILE = "support-line.flow.yaml";
const SETTINGS = ".vscode/settings.json";
const original = readFileSync(inProject(`examples/${FILE}`), "utf8");
const flawed = readFileSync(inProject("test/support/flawed.flow.yaml"), "utf8");

/** The platform's finding doesn't repeat that of a rule; without the rules, all findings of the platform are shown. */
const quiet = Object.fromEntries(
  "duplicate-edge unreachable-node missing-default undefined-variable unused-variable tool-without-error-edge"
    .split(" ")
    .map((code) => [code, "off"]),
);

let code: Code;
let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ flags: ["--admin-port", "0"] });
  code = await openCode({
    files: { [FILE]: original, [SETTINGS]: "{}" },
    open: FILE,
    sandbox,
    // High enough for the Problems view, which contains only the visible rows.
    size: { width: 1280, height: 2000 },
    settings: { "assistantFlow.rules": quiet, "files.autoSave": "off" },
  });
});

after(async () => {
  await code?.close();
  await sandbox?.stop();
});

/** A test that takes a screenshot when it fails. */
function story(name: string, body: () => Promise<void>): void {
  test(name, () => code.screenshotOnFailure(`sync-${name.split(" ").slice(0, 3).join("-")}`, body));
}

const status = (words: string | RegExp) => code.statusItem("sync").filter({ hasText: words }).waitFor();
const found = async (rule: string) => (await code.problems()).filter({ hasText: rule });

/** Moves the cursor to a text of the file as it is on disk. */
async function goToText(text: string): Promise<void> {
  const start = (await code.read(FILE)).split(text)[0] as string;
  await code.focusEditor(FILE);
  await code.goTo(start.split("\n").length, start.length - start.lastIndexOf("\n"));
}

/** Types before a text of the file and saves. */
async function typeAt(text: string, typed: string): Promise<void> {
  await goToText(text);
  await code.type(typed);
  await code.save(FILE);
}

async function colleague(node_id: string, fields: Record<string, string>): Promise<void> {
  const { assistant, revision } = sandbox.demo;
  const answer = await fetch(`${sandbox.baseUrl}/v1/assistants/${assistant}/revisions/${revision}/graph/ops`, {
    method: "POST",
    headers: { "x-api-key": sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ ops: [{ op: "update_node_fields", node_id, fields }] }),
  });
  assert.equal(answer.status, 200);
}

/** A row of the source control view, below the title of its group. */
async function changeRow(group: string): Promise<Locator> {
  await code.view("Source Control");
  await code.page.locator(".scm-view .resource-group").filter({ hasText: group }).waitFor();
  return code.page.locator(".scm-view .resource").filter({ hasText: FILE }).first();
}

const rowAction = (action: string) =>
  code.press(".scm-view .resource", FILE, `a.action-label[aria-label^="${action}"]`);

/** The diff editor with this text in its title. */
const diff = (title: string) =>
  code.page
    .locator(".tab")
    .filter({ hasText: title })
    .or(code.page.locator(`.tab[aria-label*="${title}"]`))
    .first();

story("save, findings, and every kind of fix: text, YAML and operations are applied, prose is shown", async () => {
  await status("Synced v1");
  await typeAt("Greeting", "The ");
  // The plan offers answers as long as the question is open, and closes with it. The keyboard focus stays.
  const plan = code.page.locator(".tab").filter({ hasText: `Plan: ${FILE}` });
  await plan.waitFor();
  await code.page.locator(`.monaco-editor.focused[data-uri$="/${FILE}"]`).first().waitFor();
  const page = await code.webview("1 node changed");
  await page.locator("dd").filter({ hasText: '"Greeting" → "The Greeting"' }).waitFor();
  const added = page.locator("dd ins").filter({ hasText: "The" }).first();
  assert.equal(await added.evaluate(script("(element) => getComputedStyle(element).textDecorationLine")), "underline");
  await code.screenshot("sync-plan");
  await page.getByRole("button", { name: "Not Now" }).click();
  await plan.waitFor({ state: "detached" });
  await code.page.locator(`.monaco-editor.focused[data-uri$="/${FILE}"]`).first().waitFor();
  await status("Pending (unpushed changes)");
  await code.palette("Assistant Flow: Push");
  await code.toast(/First push to/).waitFor();
  // While the question is open, the command leads to its answers.
  await code.paletteAndPick("Assistant Flow: Push", "Always Push This File");
  await status("Synced v2");
  await code.toast(/First push to/).waitFor({ state: "detached" });
  await plan.waitFor({ state: "detached" });
  // Only a changed node is sent with its lines, which the platform's findings and fixes refer to.
  const named = flawed.replace("Set up the payment plan", "Set up the plan").replace("Move confirmed", "Moving");
  await code.replaceAll(FILE, named.replace("name: Greeting", "name: The Greeting"));
  await code.save(FILE);
  await status("Synced v3");
  await (await found("variable.unknown")).first().waitFor();
  await code.screenshot("sync-findings");

  // The hover shows the lines that the fix would change, and links to it.
  const at = (await code.read(FILE)).split("acount_id")[0] as string;
  const hover = await code.hover(at.split("\n").length, at.length - at.lastIndexOf("\n") + 1);
  const shown = hover.filter({ hasText: "Found by the platform, under variables" }).first();
  await shown.waitFor();
  assert.match(await shown.innerText(), /-.*\{\{acount_id\}\}[\s\S]*\+.*\{\{account_id\}\}/);
  await code.screenshot("sync-hover");
  // No mouse: it would close the hover on its way to the link.
  await code.press(".monaco-hover", "Found by the platform, under variables", "a", "Apply this fix");
  await code.page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).waitFor();
  await code.save(FILE);
  await status("Synced v4");
  await (await found("variable.unknown")).waitFor({ state: "detached" });

  for (const [step, [rule, place, fix]] of [
    ["tool.no-error-path", "set_up_plan:", /Add "- to: hand_over on: error"/],
    ["edge.duplicate", "name: Moving", /Remove edge "confirm_move--anything_else--2"/],
  ].entries() as unknown as Iterable<[number, [string, string, RegExp]]>) {
    await (await found(rule)).first().waitFor();
    await goToText(place);
    if (step === 0) {
      // VS Code offers to preview an action whose edits it has.
      await code.quickFix(fix, "Control+Enter");
      const preview = code.page.locator(".part.panel").filter({ hasText: "Refactor Preview" });
      await preview.locator(".monaco-list-row").filter({ hasText: "to: hand_over" }).first().waitFor();
      await preview.locator(".monaco-button").filter({ hasText: "Discard" }).click();
      assert.equal(await code.page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).count(), 0);
      await goToText(place);
    }
    await code.quickFix(fix);
    await code.page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).waitFor();
    await code.save(FILE);
    await status(`Synced v${5 + step}`);
    await (await found(rule)).waitFor({ state: "detached" });
  }
  const text = await code.read(FILE);
  await goToText("promote_app:");
  await code.runAction("Show the platform's advice", code.toast(/Add an edge that leads here/));
  assert.equal(await code.page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).count(), 0);
  assert.equal(await code.read(FILE), text);
  assert.match(text, /open on account \{\{account_id\}\}/);
  assert.match(text, /confirm_plan\n\s+- to: hand_over\n\s+on: error/);
});

story("the status bar shows the flow's state, and its menu the actions for it", async () => {
  await actUntil(code.picks.filter({ hasText: "Push" }).first(), (patience) => code.statusItem("sync").click(patience));
  const rows = await code.picks.allInnerTexts();
  for (const row of ["Push", "Pull", "Show Plan", "Compare with Last Synced", "Open Sync Journal", "Show Log"])
    assert.ok(
      rows.some((each) => each.includes(row)),
      `${row}: ${rows.join(" | ")}`,
    );
  await code.screenshot("sync-menu");
  await code.pick("Open Sync Journal");
  const journal = code.page.locator('.monaco-editor[data-uri*="journal.json"] .view-lines').first();
  await journal.filter({ hasText: '"format"' }).waitFor();
  await code.page.locator(".tab.active").filter({ hasText: "journal.json" }).waitFor();
  await code.page.keyboard.press("Control+w");
  await journal.waitFor({ state: "detached" });
});

story("source control lists local and platform changes, with diff editors and gutter marks", async () => {
  // The breadcrumbs show that VS Code has applied the settings.
  const crumbs = code.page.locator(".breadcrumbs-control").first();
  await code.write(SETTINGS, JSON.stringify({ "assistantFlow.sync.onSave": "off", "breadcrumbs.enabled": false }));
  await crumbs.waitFor({ state: "hidden" });
  await typeAt("The Greeting", "Quiet ");
  await status("Pending (unpushed changes)");
  await code.page.locator(".monaco-editor .dirty-diff-glyph").first().waitFor();
  const local = await changeRow("Local Changes");
  await code.screenshot("sync-scm");
  await actUntil(diff("Last Synced ↔ File"), (patience) => local.click(patience));
  await rowAction("Push");
  await status(/Synced/);

  await colleague("goodbye", { name: "The end" });
  await code.palette("Assistant Flow: Check for Platform Changes");
  await status("Platform has newer changes");
  const remote = await changeRow("Platform Changes");
  await actUntil(diff("Platform ↔ File"), (patience) => remote.click(patience));
  await code.screenshot("sync-remote");
  await rowAction("Pull");
  await status(/Synced/);
  assert.match(await code.read(FILE), /name: The end/);
  await code.write(SETTINGS, "{}");
  await crumbs.waitFor();
});

story("a conflict is shown with both sides, and settled by a choice for each field", async () => {
  await code.closeEditors();
  await code.openFile(FILE);
  await colleague("greet", { name: "Theirs" });
  await goToText("Quiet The Greeting");
  await code.type("Mine ");
  await code.save(FILE);
  await status("Conflict");
  await diff("Platform ↔ File").waitFor();
  await changeRow("Conflicts");
  await code.toastButton(/changes conflict with/, "Resolve…");
  await code.picks.filter({ hasText: "Mine Quiet" }).waitFor();
  await code.screenshot("sync-conflict");
  await code.pick("Use Platform");
  await status(/Synced/);
  assert.match(await code.read(FILE), /name: Theirs\n/);
});

story("a second window on the same file says who syncs it, and takes it over by a push", async () => {
  const page = await code.context.newPage();
  const second = new Code(page, code.context, code.server, code.folder, code.sandbox, () => page.close());
  try {
    await page.goto(code.server.address(code.folder, `${code.folder}/${FILE}`));
    await second.screenshotOnFailure("sync-two-windows", async () => {
      await second.started();
      // It has the editor groups that the first window has or just had: an empty one may be active.
      await second.focusEditor(FILE);
      await second.statusItem("sync").filter({ hasText: "Pending (another window)" }).waitFor();
      await actUntil(
        second.page.locator(".quick-input-widget:visible input[placeholder*='synced by the window \"flows\"']"),
        (patience) => second.statusItem("sync").click(patience),
      );
      await second.screenshot("sync-two-windows");
      await second.pick("Push");
      await second
        .statusItem("sync")
        .filter({ hasText: /Synced/ })
        .waitFor();
      await status("Pending (another window)");
    });
  } finally {
    // Closes the window like a user. If only its page is closed, the window stays alive for a while, and might continue
    // to sync the file.
    await page.goto("about:blank");
    await second.close();
  }
});

story("a chain of batches says how far it is, can be stopped between two, and goes on", async () => {
  await code.closeEditors();
  await code.openFile(FILE);
  // The server of a window that wasn't closed properly keeps the file for a while; a push takes over the lock.
  await code.palette("Assistant Flow: Push");
  await status(/Synced/);
  const slow = await fetch(`${sandbox.adminUrl}/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      match: { method: "POST", path: "/v1/assistants/*" },
      times: 4,
      fault: { kind: "latency", ms: 10_000 },
    }),
  });
  assert.equal(slow.status, 201);
  const many = Array.from({ length: 650 }, (_, i) => `  step_${i}:\n    type: end\n`).join("");
  await code.replaceAll(FILE, (await code.read(FILE)).replace(/\nnodes:\n/, `\nnodes:\n${many}`));
  await code.save(FILE);
  const progress = /Syncing support-line\.flow\.yaml.*batch \d of 4/;
  await code.toast(progress).waitFor();
  await status(/Syncing \d\/4|Waiting for the platform/);
  await code.screenshot("sync-chain");
  await code.toastButton(progress, "Stop after This Batch");
  await fetch(`${sandbox.adminUrl}/faults`, { method: "DELETE" });
  await status("Pending (stopped)");
  await code.palette("Assistant Flow: Push");
  await status(/Synced/);
});
