/**
 * Play and debug as a user does: a conversation from the title bar to a saved test, F5 there and back, a failing test.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { actUntil, type Code, openCode } from "./harness";
import { inEachTheme, script } from "./pages";

const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8").replace(/^(assistant|revision): .*\n/gm, "");
const lineOf = (words: string) => flow.split("\n").findIndex((line) => line.includes(words)) + 1;
const wrong = `flow: billing.flow.yaml
tests:
  - name: wrong
    steps:
      - take: the caller asks about a bill
      - take: goodbye
`;

const broken = flow.replace("entry: greet", "entry: {greet");

let code: Code;
before(async () => {
  code = await openCode({
    files: { "billing.flow.yaml": flow, "wrong.flowtest.yaml": wrong, ".vscode/settings.json": "{}" },
    open: "billing.flow.yaml",
    settings: { "debug.toolBarLocation": "docked", "debug.openDebug": "openOnDebugBreak" },
  });
});
after(() => code?.close());

test("Play from the title bar, go back once, and save as test", () =>
  code.screenshotOnFailure("play", async () => {
    await code.press(".editor-actions", "", 'a.action-label[aria-label^="Play Flow"]');
    const play = await code.webview("Which edge does");
    await play.getByRole("button", { name: "otherwise: goodbye" }).click();
    await play.locator(".turn.end").filter({ hasText: 'ended at "goodbye"' }).waitFor();
    await play.getByRole("button", { name: "Back" }).click();
    await play.getByRole("button", { name: "the caller asks about a bill" }).click();
    await play.getByLabel("Value of account_id").press("Enter");
    await play.getByRole("alert").filter({ hasText: "Enter a value." }).waitFor();
    // The field has the focus, so a user can type immediately.
    await play.getByLabel("Value of account_id").fill("4711");
    await play.getByLabel("Value of account_id").press("Enter");
    await play.getByRole("button", { name: "Return" }).waitFor();
    await inEachTheme(code, "play", play, [".turn p", ".turn"]);
    // Back offers the previous answer, and Ctrl+Enter sends a value or a tool's answer.
    await play.getByRole("button", { name: "Back" }).click();
    assert.equal(await play.getByLabel("Value of account_id").inputValue(), "4711");
    await play.getByLabel("Value of account_id").press("Control+Enter");
    const answer = play.getByLabel("Answer as JSON or YAML");
    const offered = await answer.inputValue();
    await answer.fill("{bad");
    await answer.press("Control+Enter");
    // Even in a small page, the reason is in sight.
    const reason = play.getByRole("alert").filter({ hasText: "Couldn't parse the answer" });
    await reason.waitFor();
    const isInSight = "(element) => element.getBoundingClientRect().bottom <= innerHeight";
    assert.equal(await reason.evaluate(script(isInSight)), true);
    await answer.fill(offered);
    await answer.press("Control+Enter");
    await play.getByRole("button", { name: "Save as Test" }).and(play.locator(":focus")).waitFor();
    await play.locator(".turn.end").filter({ hasText: 'ended at "goodbye"' }).waitFor();
    assert.match(await play.locator("aside").innerText(), /account_id\s+"4711"\s+plan\s+"basic"/);
    await play.getByRole("button", { name: "Save as Test" }).click();
    // Asks for the name, with a suggestion.
    await code.question("Save Run as Test").waitFor();
    await code.answer("a caller on basic");
    await code.toast('Saved as test "a caller on basic"').waitFor();
    await play.getByRole("button", { name: "Save as Test" }).and(play.locator(":focus")).waitFor();
    await play.getByText('Saved as test "a caller on basic". Go back, or start again.').waitFor();
    const saved = await code.read("billing.flowtest.yaml");
    assert.match(saved, /path: \[greet, ask_account, look_up, tell_plan, goodbye\]/);
    assert.match(saved, /give: \{account_id: "4711"\}/);
    await play.getByRole("button", { name: "Save as Test" }).click();
    await code.toast('Test "a caller on basic" already runs this conversation.').waitFor();
    assert.equal(await code.read("billing.flowtest.yaml"), saved);
  }));

/** VS Code sometimes expands a scope automatically; a click would then collapse it. */
async function expanded(scope: string, row: string): Promise<void> {
  const shown = code.page.locator(".debug-variables .monaco-list-row");
  const wanted = shown.filter({ hasText: row }).first();
  await actUntil(wanted, async (patience) => {
    if (!(await wanted.isVisible())) await shown.filter({ hasText: scope }).first().click(patience);
  });
}

test("F5 with a breakpoint, and a step back", () =>
  code.screenshotOnFailure("debug-flow", async () => {
    await code.closeEditors();
    await code.openFile("billing.flow.yaml");
    await code.goTo(lineOf("variable: account_id"));
    const editor = code.editor("billing.flow.yaml");
    const mark = editor.locator(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified").first();
    await actUntil(mark, async () => (await mark.isVisible()) || (await code.page.keyboard.press("F9")));
    await code.page.keyboard.press("F5");
    await code.pick("the caller asks about a bill");
    const stack = code.page.locator(".debug-call-stack .stack-frame");
    await stack.filter({ hasText: "ask_account" }).waitFor();
    await code.page.getByText("Paused on breakpoint").first().waitFor();
    await expanded("Variables", "plan");
    await expanded("Edges", "account_id is unset");
    await code.palette("Notifications: Clear All Notifications"); // Earlier messages would be in the screenshot.
    await code.screenshot("debugging");
    await code.press(".monaco-workbench", "", 'a.action-label[aria-label^="Step Back"]');
    await stack.filter({ hasText: "greet" }).waitFor();
    await code.palette("Debug: Stop");
    await stack.first().waitFor({ state: "detached" });
    await code.palette("Remove All Breakpoints");
  }));

test("Play from Here fills in the path, and the conversation links to the text", () =>
  code.screenshotOnFailure("play-from-here", async () => {
    await code.closeEditors();
    await code.openFile("billing.flow.yaml");
    await code.goTo(lineOf("on: error"));
    await code.palette("Assistant Flow: Play from Here");
    const play = await code.webview('What does the tool at "look_up" return?');
    await play.getByRole("button", { name: "ask_account", exact: true }).click();
    const cursor = code.page.locator('[id="status.editor.selection"]');
    await cursor.filter({ hasText: `Ln ${lineOf("  ask_account:")},` }).waitFor();
    // The run is repeated after each key, and the page must be ready for the next one.
    await code.page.keyboard.press("End");
    await code.page.keyboard.type(" # typed while it plays", { delay: 60 });
    await code.editor("billing.flow.yaml").getByText("# typed while it plays").waitFor();
    await code.page.keyboard.press("Control+z");
    await code.save("billing.flow.yaml");
  }));

test("a flow that can't run: its page names it, and Create Test… shows the place", () =>
  code.screenshotOnFailure("play-broken", async () => {
    await code.closeEditors();
    await code.write("broken.flow.yaml", broken);
    await code.openFile("broken.flow.yaml");
    await code.palette("Assistant Flow: Play Flow");
    const play = await code.webview("has a syntax error");
    await play.getByRole("heading", { level: 1, name: "broken.flow.yaml" }).waitFor();
    await play.locator("aside").waitFor({ state: "hidden" });
    await code.focusEditor("broken.flow.yaml");
    await code.goTo(1, 1);
    await code.palette("Assistant Flow: Create Test…");
    await code.pick("One Test");
    const toast = code.toast(/has a syntax error\. Line \d+: /);
    await toast.waitFor();
    await code.screenshot("play-broken");
    await code.toastButton("has a syntax error", "Show");
    await code.cursorAt(lineOf("entry: greet"), "entry: {".length);
    await code.closeEditors();
  }));

test("a test is debugged to its failing step", () =>
  code.screenshotOnFailure("debug-flow-test", async () => {
    await code.openFile("wrong.flowtest.yaml");
    await code.goTo(4);
    await code.page.keyboard.press("F5");
    await code.page
      .locator(".exception-widget")
      .filter({ hasText: 'asks at "ask_account" for "account_id"' })
      .waitFor();
    await code.giveUp();
    await code.palette("Debug: Stop");
  }));

test("Play from the graph's title bar highlights the path; a click on an open edge takes it", () =>
  code.screenshotOnFailure("play-graph", async () => {
    await code.closeEditors();
    await code.openFile("billing.flow.yaml");
    await code.palette("View: Close Primary Side Bar");
    await code.palette("Assistant Flow: Open Flow Graph");
    const graph = await code.webview("Arrange");
    await graph.locator('[data-node="greet"]').waitFor();
    // In a narrow group the graph starts at its entry, and the path continues outside the visible part.
    await graph.getByRole("button", { name: "Fit" }).click();
    const active = code.page.locator(".editor-group-container.active .tab.active").filter({ hasText: "Graph:" });
    await actUntil(active, (patience) => code.page.locator(".tab").filter({ hasText: "Graph:" }).click(patience));
    await code.press(".editor-group-container.active .editor-actions", "", 'a.action-label[aria-label^="Play Flow"]');
    await graph.locator('[data-node="greet"].way-here').waitFor();
    await graph.locator('.edge.way-open[aria-label*="greet to ask_account"] .grip').dispatchEvent("click");
    const play = await code.webview("What does the caller answer for");
    await graph.locator('[data-node="ask_account"].way-here').waitFor();
    await play.getByRole("button", { name: "Gives up" }).click();
    await play.locator(".turn.end").filter({ hasText: 'transferred at "hand_over"' }).waitFor();
    await graph.locator('[data-node="hand_over"].way-here').waitFor();
    await code.screenshot("play-graph");
  }));
