/** Typing at human speed, with autosave on, while questions open and editors move: no typed character may be lost. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import type { Sandbox } from "../../scripts/sandbox";
import { actUntil, type Code, holds, openCode } from "./harness";

const FILE = "billing.flow.yaml";
const NEW_FILE = "new.flow.yaml";
const LINKED = "support-line.flow.yaml";
const TESTS = "billing.flowtest.yaml";
const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8").replace(/^(assistant|revision): .*\n/gm, "");
const linked = readFileSync(inProject(`examples/${LINKED}`), "utf8");
const lineOf = (words: string) => flow.split("\n").findIndex((line) => line.includes(words)) + 1;

/** The time between two keys of a fast typist. */
const KEY_MS = 90;

let code: Code;
before(async () => {
  code = await openCode({
    files: { [FILE]: flow, [NEW_FILE]: "", [LINKED]: linked, ".vscode/settings.json": "{}" },
    open: FILE,
    sandbox: true,
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

test("Enter at the start of a key adds a line above it, and the key stays at its indentation", () =>
  code.screenshotOnFailure("typing-enter", async () => {
    await code.focusEditor(FILE);
    for (const [key, column] of [
      ["  look_up:\n", 1],
      ["  look_up:\n", 3],
      ["component_outputs:\n", 1],
    ] as const) {
      await code.goTo(lineOf(key.trimEnd()), column);
      await code.page.keyboard.press("Enter");
      await code.page.keyboard.press("ArrowUp");
      await code.page.keyboard.type("# Above", { delay: KEY_MS });
      await saved(flow.replace(key, `${" ".repeat(column - 1)}# Above\n${key}`)).waitFor({ timeout: 10_000 });
      await code.replaceAll(FILE, flow);
      await saved(flow).waitFor({ timeout: 10_000 });
    }
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
    await typeSlowly(added);
    await saved(flow.replace(place, `${place}${added}`)).waitFor({ timeout: 10_000 });
    await code.page.keyboard.press("Shift+F5");
    await code.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  }));

/** Types with a pause longer than the autosave delay after some keys, so that what happens then happens in between. */
async function typeSlowly(text: string): Promise<void> {
  for (const [index, key] of [...text].entries()) {
    await code.page.keyboard.type(key);
    await new Promise((resolve) => setTimeout(resolve, index % 6 === 5 ? 600 : KEY_MS));
  }
}

const isOnDisk = (name: string, text: string) =>
  holds(`${name} is saved as it was typed`, async () => (await code.read(name)) === text).waitFor({ timeout: 10_000 });

test("Create Test… opens the test with its name selected, and what is typed then is the name", () =>
  code.screenshotOnFailure("typing-create-test", async () => {
    await code.focusEditor(FILE);
    const before = await code.read(FILE);
    await code.palette("Assistant Flow: Create Test…");
    await typeAt("Create Test", "O", "n", "e", "Enter");
    await code.page.locator(`.monaco-editor.focused[data-uri$="/${TESTS}"]`).waitFor();
    await code.page.locator(`.monaco-editor.focused[data-uri$="/${TESTS}"] .selected-text`).first().waitFor();
    await typeSlowly("a caller who only says hello");
    await holds("the name is saved", async () =>
      (await code.read(TESTS)).includes("\n  - name: a caller who only says hello\n"),
    ).waitFor({ timeout: 10_000 });
    assert.equal(await code.read(FILE), before);
    await code.closeEditors();
    await code.openFile(FILE);
  }));

test("the IDs typed for a link reach its boxes, and only the link is written", () =>
  code.screenshotOnFailure("typing-link", async () => {
    const before = await code.read(FILE);
    const [assistant, revision] = ["7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001", "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002"];
    await code.goTo(lineOf("entry: greet"));
    await code.palette("Assistant Flow: Link to Assistant…");
    await typeAt("(1/2)", ...assistant, "Enter");
    await typeAt("(2/2)", ...revision, "Enter");
    await code.page.locator(`.monaco-editor.focused[data-uri$="/${FILE}"]`).first().waitFor();
    const [comment = "", ...rest] = before.split("\n");
    await code.goTo(1, comment.length + 1);
    const added = " Typed while the link is compared.";
    await typeSlowly(added);
    const link = [`assistant: ${assistant}`, `revision: ${revision}`];
    await isOnDisk(FILE, [comment + added, ...link, ...rest].join("\n"));
  }));

test("a conflict that appears while the user types takes no key, and its choice takes only its own", () =>
  code.screenshotOnFailure("typing-conflict", async () => {
    await code.closeEditors();
    await code.openFile(LINKED);
    await code.statusItem("sync").filter({ hasText: "Synced v" }).waitFor();
    const { baseUrl, apiKey, demo } = code.sandbox as Sandbox;
    const url = `${baseUrl}/v1/assistants/${demo.assistant}/revisions/${demo.revision}/graph/ops`;
    const body = JSON.stringify({
      ops: [{ op: "update_node_fields", node_id: "greet", fields: { name: "Theirs" } }],
    });
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    assert.equal((await fetch(url, { method: "POST", headers, body })).status, 200);
    const line = linked.split("\n").findIndex((each) => each.includes("name: Greeting")) + 1;
    await code.goTo(line, (linked.split("\n")[line - 1] as string).length + 1);
    await code.page.keyboard.type(" and", { delay: KEY_MS });
    await code.save();
    // The comparison opens beside the file in the middle of the word.
    await typeSlowly(" a friendly word for everybody who calls us about anything");
    await code.page.locator(".tab").filter({ hasText: "Platform ↔ File" }).first().waitFor();
    const name = "name: Greeting and a friendly word for everybody who calls us about anything";
    await isOnDisk(LINKED, linked.replace("name: Greeting", name));
    await code.palette("Assistant Flow: Resolve Conflicts");
    await typeAt("Conflict 1 of 1", "U", "s", "e", "Enter");
    await code.question("Conflict 1 of 1").waitFor({ state: "hidden" });
    await holds("the platform's name is in the file", async () =>
      (await code.read(LINKED)).includes("name: Theirs\n"),
    ).waitFor({ timeout: 10_000 });
    assert.equal(await code.read(LINKED), linked.replace("name: Greeting", "name: Theirs"));
  }));
