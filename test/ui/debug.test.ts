/** F5 in VS Code with this project open: it builds, opens the extension in a second window and stops at breakpoints. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { copyProject } from "../support/project-copy";
import { actUntil, type Code, holds, openCode, PATIENCE_MS } from "./harness";

const places = [
  { file: "client/extension.ts", text: "createLog(" },
  { file: "server/main.ts", text: "serve(connection);" },
] as const;

/** Tasks run in the user's shell, which the user of the test run may not have. */
const settings = { "terminal.integrated.automationProfile.linux": { path: "/bin/sh" } };

let code: Code;
let project: Awaited<ReturnType<typeof copyProject>>;
before(async () => {
  project = await copyProject();
  code = await openCode({ folder: project.path, open: places[0].file, development: true, settings });
});
after(async () => {
  await code?.close();
  await project?.remove();
});

test("F5 stops in the client and in the server, each on the line of its source, and Shift+F5 ends it", () =>
  code.screenshotOnFailure("debug", async () => {
    for (const [index, { file, text }] of places.entries()) {
      if (index > 0) await openByPath(file);
      await setBreakpoint(file, text);
    }
    const developed = await startDebugging(places[0].file);
    for (const { file, text } of places) {
      const mark = stoppedIn(file);
      await mark.waitFor({ timeout: 2 * PATIENCE_MS });
      const frame = code.page.locator(".debug-call-stack .monaco-list-row").filter({ hasText: file }).first();
      assert.match(await frame.innerText(), new RegExp(`${file}\\s+${await lineNumber(file, text)}:\\d+`));
      await code.screenshot(`debug-${file.split("/")[0]}`);
      await code.page.keyboard.press("F5");
      await mark.waitFor({ state: "detached" });
    }
    await looksAlive(developed);
    await stopDebugging(developed);
  }));

test("a build error is a problem on its line until it's fixed", () =>
  code.screenshotOnFailure("debug-problem", async () => {
    const [{ file, text }] = places;
    const whole = await code.read(file);
    await code.write(file, whole.replace(text, `${text}(`));
    const row = (await code.problems()).filter({ hasText: `[Ln ${await lineNumber(file, text)}, ` }).first();
    await row.waitFor();
    await code.write(file, whole);
    await row.waitFor({ state: "detached" });
  }));

/**
 * Builds the whole project, opens the second window and stops in a file. VS Code ends the session if the second window
 * takes too long to start.
 */
async function startDebugging(file: string): Promise<Page> {
  let developed: Page | undefined;
  const start = async (_patience: unknown, again: boolean) => {
    if (again && (await code.page.locator(".debug-toolbar").isVisible())) return;
    const opened = code.context.waitForEvent("page", { timeout: 3 * PATIENCE_MS });
    await code.page.keyboard.press("F5");
    developed = await opened;
  };
  await actUntil(stoppedIn(file), start, PATIENCE_MS - 1);
  return developed as Page;
}

/** Shift+F5 stops the session in focus. On a slow machine the focus may still be changing, so it's pressed again, as a user would. */
async function stopDebugging(developed: Page): Promise<void> {
  const closed = holds("the second window closes", async () => developed.isClosed());
  await actUntil(closed, () => code.page.keyboard.press("Shift+F5"));
}

function stoppedIn(file: string): Locator {
  return code.page.locator(`.monaco-editor[data-uri$="/${file}"] .debug-top-stack-frame-line`);
}

/** Quick Open finds no files here (its search program isn't in the packages), but opens a full path. */
async function openByPath(file: string): Promise<void> {
  const row = code.picks.filter({ hasText: file.split("/").at(-1) ?? "" }).first();
  await actUntil(code.editor(file), async (patience, again) => {
    if (again) await code.page.keyboard.press("Escape");
    await code.page.keyboard.press("Control+p");
    await code.input.fill(`${code.folder}/${file}`, patience);
    await row.waitFor(patience);
    await code.page.keyboard.press("Enter");
  });
}

/** The key does nothing until the debugger's extension is registered, soon after the start. */
async function setBreakpoint(file: string, text: string): Promise<void> {
  const mark = code.editor(file).locator(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified").first();
  await actUntil(mark, async ({ timeout }) => {
    // A second press would remove the breakpoint.
    if (await mark.isVisible()) return;
    // By now VS Code has given up on an extension host that hasn't started, and so on the debugger's extension.
    if (timeout >= PATIENCE_MS / 2) await code.page.reload();
    await line(file, text).click();
    await code.page.keyboard.press("F9");
  });
}

function line(file: string, text: string): Locator {
  return code.editor(file).locator(".view-line").filter({ hasText: text }).first();
}

async function lineNumber(file: string, text: string): Promise<number> {
  return (await code.read(file)).split("\n").findIndex((each) => each.includes(text)) + 1;
}

async function looksAlive(page: Page): Promise<void> {
  await page.locator('[id="assistant-flow.assistant-flow.connection"]').waitFor();
}
