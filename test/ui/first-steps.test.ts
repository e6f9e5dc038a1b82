/**
 * A new user's first minutes: the walkthrough, commands without an active file, linking a flow, rows of the sidebar.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { actUntil, type Code, openCode } from "./harness";

const FILE = "support-line.flow.yaml";
const unlinked = "# A flow of nobody yet.\nentry: bye\nnodes:\n  bye:\n    type: end\n";
const assistant = "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101";
const revision = "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0199";
const used = "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102";
const billing = {
  assistant: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001",
  revision: "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002",
};

let code: Code;

before(async () => {
  code = await openCode({
    files: {
      [FILE]: readFileSync(inProject(`examples/${FILE}`), "utf8"),
      "unlinked.flow.yaml": unlinked,
    },
    sandbox: true,
    theme: "light",
    size: { width: 1280, height: 900 },
    settings: { "workbench.startupEditor": "welcomePageInEmptyWorkbench", "files.autoSave": "off" },
  });
});

after(() => code?.close());

function story(name: string, body: () => Promise<void>): void {
  test(name, () => code.screenshotOnFailure(`first-${name.split(" ").slice(0, 3).join("-")}`, body));
}

const step = (title: string) =>
  code.page.locator(".getting-started-step").filter({ hasText: title }).locator(".codicon").first();
const isTicked = (title: string) =>
  code.page
    .locator(".getting-started-step")
    .filter({ hasText: title })
    .locator(".codicon-getting-started-step-checked.complete, .complete .codicon-pass-filled, .codicon-pass-filled")
    .first();
const lens = (title: string | RegExp) => code.lens(title);

story("the sidebar and the walkthrough are there on the first start; only what was done is ticked", async () => {
  await code.view("Assistant Flow");
  await code.page.locator(".gettingStartedContainer").filter({ hasText: "Get Started with Assistant Flow" }).waitFor();
  await step("Write a flow").waitFor();
  await code.screenshot("first-walkthrough");
  await isTicked("Connect").waitFor();
  assert.equal(await isTicked("Write a flow").count(), 0, "the flows were there before");
});

story("no step is a dead end: the graph and the plan ask for a flow of the workspace", async () => {
  await code.palette("Assistant Flow: Open Flow Graph");
  await code.pick(FILE);
  await code.page.locator(".tab").filter({ hasText: "Graph" }).first().waitFor();
  await code.closeEditors();
  await code.palette("Assistant Flow: Show Plan");
  await code.asked("Show Plan");
  await code.pick(FILE);
  await code.page.locator(".tab").filter({ hasText: /plan/i }).first().waitFor();
  await code.closeEditors();
});

story("rows of flows have what can be done with them; a linked one is not offered a link", async () => {
  await code.view("Assistant Flow");
  const menu = code.page.locator(".monaco-menu").first();
  const openMenu = (row: string) =>
    actUntil(menu, async (patience, again) => {
      // The tooltip of the row above would cover it. It may also open late, when its menu has closed.
      if (again) await code.page.keyboard.press("Escape");
      await code.page.mouse.move(900, 600);
      await code.row(row).click({ button: "right", ...patience });
    });
  const closeMenu = async () => {
    await code.page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
  };
  await openMenu("support-line");
  for (const action of ["Push", "Pull", "Show Plan", "Compare with Platform"])
    await menu.locator(".action-item").filter({ hasText: action }).first().waitFor();
  assert.equal(await menu.locator(".action-item").filter({ hasText: "Link to Assistant" }).count(), 0);
  await code.screenshot("first-row-menu");
  await closeMenu();
  await openMenu("unlinked");
  await menu.locator(".action-item").filter({ hasText: "Link to Assistant…" }).waitFor();
  assert.equal(await menu.locator(".action-item").filter({ hasText: "Push" }).count(), 0);
  await closeMenu();
});

story("an unlinked flow is linked by its lens; then the lens is gone and the plan is offered", async () => {
  await code.openFile("unlinked.flow.yaml");
  assert.equal(await lens("Show Plan").count(), 0);
  await code.pressLens("Link to Assistant…", code.input);
  await code.asked("(1/2)");
  assert.equal(await code.input.inputValue(), billing.assistant, "the demo's flow that no file is linked to");
  await code.answer(assistant, "(1/2)");
  await code.asked("(2/2)");
  assert.equal(await code.input.inputValue(), billing.revision);
  // Two files of one revision aren't synced, so this is reported before both are blocked.
  await code.input.fill(used);
  await code.validation.filter({ hasText: `${FILE} is linked to this revision` }).waitFor();
  await code.answer(revision, "(2/2)");
  await lens("Show Plan").waitFor();
  await lens("Link to Assistant…").waitFor({ state: "hidden" });
  await code.save("unlinked.flow.yaml");
  assert.equal(
    await code.read("unlinked.flow.yaml"),
    unlinked.replace("entry:", `assistant: ${assistant}\nrevision: ${revision}\nentry:`),
  );
});
