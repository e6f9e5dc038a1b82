/** Typing at human speed, with autosave on, while questions open and editors move: no typed character may be lost. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { actUntil, type Code, holds, openCode } from "./harness";

const FILE = "billing.flow.yaml";
const NEW_FILE = "new.flow.yaml";
const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8").replace(/^(assistant|revision): .*\n/gm, "");
const lineOf = (words: string) => flow.split("\n").findIndex((line) => line.includes(words)) + 1;

/** The time between two keys of a fast typist. */
const KEY_MS = 90;

let code: Code;
before(async () => {
  code = await openCode({
    files: { [FILE]: flow, [NEW_FILE]: "", ".vscode/settings.json": "{}" },
    open: FILE,
    settings: {
      "files.autoSave": "afterDelay",
      "files.autoSaveDelay": 300,
      "debug.openDebug": "neverOpen",
      "editor.quickSuggestions": { other: "off", strings: "off", comments: "off" },
    },
  });
});
after(() => code?.close());

/** Types as soon as the question is visible, wherever the focus is. */
async function typeAt(question: string, ...keys: string[]): Promise<void> {
  await code.asked(question);
  for (const key of keys) {
    if (key.length > 1 || key === " ") await code.page.keyboard.press(key, { delay: 20 });
    else await code.page.keyboard.type(key, { delay: KEY_MS });
    await new Promise((resolve) => setTimeout(resolve, KEY_MS));
  }
}

/** The box for a tool's result. It has the title of the list before it, but its own value. */
function answerBox() {
  const input = code.page.locator(".quick-input-widget:not(:has(.monaco-list-row:visible)) .quick-input-box input");
  return input.and(code.page.locator(":focus"));
}

/** The run is stopped at this line with no question open; the stop was revealed, so the cursor is there. */
async function stoppedAt(line: string): Promise<void> {
  await code.input.waitFor({ state: "hidden" });
  await code.cursorAt(lineOf(line), 3);
  await code.editor(FILE).locator(".debug-top-stack-frame-line").first().waitFor();
}

const saved = (text: string) =>
  holds("the text is saved as it was typed", async () => (await code.read(FILE)) === text);

test("every question of a run receives the keys, and none reaches the flow", () =>
  code.screenshotOnFailure("typing-questions", async () => {
    await code.focusEditor(FILE);
    for (let round = 0; round < 2; round++) {
      await code.page.keyboard.press("F5");
      await typeAt('Which edge does "greet" take?', "Enter");
      await typeAt('What does the caller answer for "account_id"?', "4", "7", "1", "1", "Enter");
      await typeAt('What does the tool at "look_up" return?', "Enter");
      await answerBox().waitFor();
      await code.page.keyboard.press("Enter");
      await stoppedAt("goodbye:");
      await code.page.keyboard.press("Shift+F5");
      await code.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
    }
    assert.equal(await code.page.locator(".tab.dirty").count(), 0);
    assert.equal(await code.read(FILE), flow);
  }));

test("an invalid answer stays in its box with the reason", () =>
  code.screenshotOnFailure("typing-refused", async () => {
    await code.focusEditor(FILE);
    await code.page.keyboard.press("F5");
    await typeAt('Which edge does "greet" take?', "Enter");
    await typeAt('What does the caller answer for "account_id"?', "1", "Enter");
    await typeAt('What does the tool at "look_up" return?', "Enter");
    await answerBox().fill("{bad");
    await code.page.keyboard.press("Enter");
    await code.validation.filter({ hasText: /JSON|YAML/ }).waitFor();
    await code.giveUp();
    await code.page.keyboard.press("Shift+F5");
    assert.equal(await code.read(FILE), flow);
  }));

test("a flow typed from nothing, with Enter after each value, comes out as typed", () =>
  code.screenshotOnFailure("typing-new", async () => {
    await code.openFile(NEW_FILE);
    await code.focusEditor(NEW_FILE);
    // The indentation is the editor's.
    const lines = [
      "entry: greet",
      "nodes:",
      "greet:",
      "type: message",
      "instructions: Hello.",
      "edges:",
      "- to: greet",
    ];
    for (const line of lines) {
      await code.page.keyboard.type(line, { delay: KEY_MS });
      // The suggestions are there when Enter is pressed.
      if (/type|to:/.test(line)) await code.suggestions.first().waitFor();
      await code.page.keyboard.press("Enter");
    }
    const text =
      "entry: greet\nnodes:\n  greet:\n    type: message\n    instructions: Hello.\n    edges:\n      - to: greet\n";
    await holds(
      "the text is saved as it was typed",
      async () => (await code.read(NEW_FILE)).trimEnd() === text.trimEnd(),
    ).waitFor({ timeout: 10_000 });
    await code.closeEditors();
    await code.openFile(FILE);
  }));

test("an edit of a stopped run keeps the cursor where it is", () =>
  code.screenshotOnFailure("typing-stopped", async () => {
    await code.focusEditor(FILE);
    await code.goTo(lineOf("variable: account_id"));
    const mark = code.editor(FILE).locator(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified").first();
    await actUntil(mark, async () => (await mark.isVisible()) || (await code.page.keyboard.press("F9")));
    await code.page.keyboard.press("F5");
    await typeAt('Which edge does "greet" take?', "Enter");
    await stoppedAt("ask_account:");
    const place = "Ask for the account number.";
    const line = lineOf(place);
    await code.goTo(line, (flow.split("\n")[line - 1] as string).length + 1);
    const added = " Ask kindly, and wait for the answer.";
    // A pause longer than the autosave delay: the run is repeated before the sentence continues.
    for (const [index, key] of [...added].entries()) {
      await code.page.keyboard.type(key);
      await new Promise((resolve) => setTimeout(resolve, index % 6 === 5 ? 600 : KEY_MS));
    }
    await saved(flow.replace(place, `${place}${added}`)).waitFor({ timeout: 10_000 });
    await code.page.keyboard.press("Shift+F5");
    await code.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  }));
