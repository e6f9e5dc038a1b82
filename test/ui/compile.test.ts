/** Compile results and the revision of a flow, as a user sees them: `sandbox --compile fail`, on a clock that the test advances. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { screenshotInEachTheme } from "./pages";
import { admin } from "./sidebar";

const FILE = "support-line.flow.yaml";
const original = readFileSync(inProject(`examples/${FILE}`), "utf8");
const TOOLS_FILE = "assistant-flow.tools.json";

let code: Code;
let sandbox: Sandbox;
before(async () => {
  // The clock is so slow that a compile starts and ends only when a test advances it.
  sandbox = await startSandbox({ flags: ["--compile", "fail", "--admin-port", "0", "--clock-speed", "0.001"] });
  code = await openCode({
    files: { [FILE]: original, ".vscode/settings.json": "{}" },
    open: FILE,
    sandbox,
    settings: { "files.autoSave": "off" },
  });
});
after(async () => {
  await code?.close();
  await sandbox?.stop();
});

test("the installed extension checks a flow, shows its graph and its sync state", () =>
  code.screenshotOnFailure("installed", async () => {
    await code.statusItem("sync").filter({ hasText: "Synced v1" }).waitFor();
    await code.replaceAll(FILE, original.replace("entry: greet", "entry: gret"));
    const problem = (await code.problems()).filter({ hasText: "unknown-entry" }).first();
    await problem.waitFor();
    await code.replaceAll(FILE, original);
    await problem.waitFor({ state: "detached" });
    await code.palette("Assistant Flow: Open Flow Graph");
    const graph = await code.webview("Arrange");
    await graph.locator(".node").first().waitFor();
    await code.screenshot("installed");
    await code.save(FILE);
    await code.closeEditors();
  }));

test("a compile is shown while it runs", () =>
  code.screenshotOnFailure("compile-slow", async () => {
    await code.openFile(FILE);
    await code.statusItem("sync").filter({ hasText: "Synced v1" }).waitFor();
    await code.replaceAll(FILE, original.replace("name: Greeting", "name: Welcome"));
    await code.save(FILE);
    await code.statusMenu("sync", "Always Push This File");
    await code.statusItem("sync").filter({ hasText: "Synced v2" }).waitFor();
    await admin(sandbox).advance(1);
    await code.view("Assistant Flow");
    await code.row("Compiling v2…").first().waitFor();
    await screenshotInEachTheme(code, "compile-slow");
  }));

/** The text of a read-only document; VS Code renders spaces as no-break spaces. */
async function documentText(ending: string): Promise<string> {
  const lines = code.page.locator(`.monaco-editor[data-uri*="${ending}"] .view-lines`).first();
  await lines.filter({ hasText: "read-only" }).waitFor();
  return (await lines.innerText()).replaceAll("\u00a0", " ");
}

test("a compile that fails is visible, and the revision, its report and its tools can be read", () =>
  code.screenshotOnFailure("compile-fail", async () => {
    await admin(sandbox).advance(60);
    const row = code.row(/compile failed: 1 error/).first();
    await row.waitFor();
    const label = row.locator(".monaco-icon-label-container").first();
    const isCut = await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    assert.equal(isCut, false, "the whole description is visible");
    const problems = await code.problems();
    await problems.filter({ hasText: "can't be compiled" }).first().waitFor();
    await screenshotInEachTheme(code, "compile-fail");

    await code.palette("Assistant Flow: Show Revision");
    const revision = await documentText("revision");
    assert.match(revision, /state: failed/);
    await code.screenshot("compile-revision");
    await code.closeEditors();

    const editor = await code.openFile(FILE);
    await editor.waitFor();
    await code.palette("Assistant Flow: Save Tool Definitions");
    await code.toast(/Saved \d+ tools to assistant-flow\.tools\.json/).waitFor();
    assert.equal(JSON.parse(await code.read(TOOLS_FILE)).version, 1);

    const before = original.split("tool: 6a2d")[0] as string;
    await code.focusEditor(FILE);
    await code.goTo(before.split("\n").length, before.length - before.lastIndexOf("\n") + "tool: 6a".length);
    await code.page
      .locator('.monaco-editor [class*="dyn-rule"]')
      .filter({ hasText: "find_account_by_phone" })
      .waitFor();
    await code.screenshot("compile-tool-hint");
    await code.page.keyboard.press("F12");
    const tool = await documentText("find_account_by_phone");
    assert.match(tool, /name: find_account_by_phone/);
    await code.screenshot("compile-tool");

    const line = original.split("\n")[before.split("\n").length - 1] as string;
    await code.openFile(FILE);
    await code.goTo(before.split("\n").length, line.indexOf("6a2d") + 1);
    await code.page.keyboard.press("Shift+End");
    await code.type("find_acc");
    await code.complete("find_account_by_phone");
    await code.save(FILE);
    assert.equal((await code.read(FILE)).split("\n")[before.split("\n").length - 1], line);
  }));
