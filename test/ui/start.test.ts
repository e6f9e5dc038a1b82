import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import net from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { inProject, waitForOutput } from "../../scripts/project";
import { sandboxExists } from "../../scripts/sandbox";
import { ensureBrowser } from "../../scripts/vscode/install";
import { drawNothing } from "../support/calm";
import { npmStart } from "../support/start";
import { actUntil, EXTENSION_HOST_MS, gone, launchBrowser, PATIENCE_MS } from "./harness";

test("npm start: ready, connected after a reload, uses the next port, and leaves nothing after Ctrl+C", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = (taken.address() as net.AddressInfo).port;
  const started = await npmStart(["--no-open", "--port", String(port)]);
  try {
    const ready = /VS Code \S+ is at (\S+)[\s\S]*Press Ctrl\+C to stop/;
    const [, address] = await waitForOutput(started.running, ready, "npm start", 300);
    assert.ok(address);
    assert.ok(Number(new URL(address).port) > port, "the port in use was passed over");
    await refusesStrangers(new URL(address));
    await looksConnected(address);
    await opensTheFile(address);
  } finally {
    taken.close();
    await started.interrupt();
  }
});

test("Ctrl+C while packing, installing or starting leaves nothing", async () => {
  // Each folder belongs to a step: its own, the sandbox's, and that of packaging, installing or serving.
  const started = await npmStart(["--no-open", "--port", "0"]);
  while (readdirSync(started.folder).length < 3) await pause(10);
  await started.interrupt();
});

/** Another page and another user of this machine know the port, but not the token. */
async function refusesStrangers(address: URL): Promise<void> {
  assert.match(address.searchParams.get("tkn") ?? "", /^[0-9a-f]{32,}$/);
  for (const token of [undefined, "", "0".repeat(48)]) {
    const guess = new URL(address);
    if (token === undefined) guess.searchParams.delete("tkn");
    else guess.searchParams.set("tkn", token);
    const answer = await fetch(guess, { redirect: "manual" });
    assert.ok(answer.status === 403 || answer.status === 401, `${answer.status} with ${token}`);
  }
  const files = await fetch(new URL(`/vscode-remote-resource?path=${inProject("package.json")}`, address));
  assert.ok(files.status >= 400, "files are not served either");
}

/** A user does so once; the browser remembers it. */
async function trust(page: Page): Promise<void> {
  const button = page
    .locator(".workspace-trust-editor .monaco-button")
    .filter({ hasText: /^Trust/ })
    .first();
  await page.locator(".part.banner").getByText("Manage").waitFor();
  await actUntil(button, (patience) => page.locator(".part.banner").getByText("Manage").click(patience));
  await actUntil(gone(button), async (patience) => (await button.isVisible()) && (await button.click(patience)));
}

/**
 * Another browser, such as a private window, opens the file too: only a browser that has already opened it restores its
 * own editors.
 */
async function opensTheFile(address: string): Promise<void> {
  const signedIn = await fetch(address, { redirect: "manual" });
  const cookie = (answer: Response) => answer.headers.getSetCookie().map((each) => each.split(";")[0]);
  const target = new URL(signedIn.headers.get("location") ?? "", address);
  const first = await fetch(target, { redirect: "manual", headers: { cookie: cookie(signedIn).join("; ") } });
  assert.equal(first.status, 200, "a browser without cookies opens the file");
  const known = [...cookie(signedIn), ...cookie(first)].join("; ");
  const again = await fetch(target, { redirect: "manual", headers: { cookie: known } });
  assert.doesNotMatch(again.headers.get("location") ?? "payload", /payload/);
}

async function looksConnected(address: string): Promise<void> {
  const browser = await launchBrowser(await ensureBrowser());
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    await drawNothing(context);
    const page = await context.newPage();
    page.setDefaultTimeout(2 * PATIENCE_MS); // From the start of VS Code, twice.
    await page.goto(address);
    for (const round of ["first", "reloaded"]) {
      if (round === "reloaded") await page.reload();
      else await trust(page);
      const tab = page.locator('.tab[data-resource-name="support-line.flow.yaml"]').first();
      // The page about trust may cover it, or VS Code lost the startup file: a user looks for the tab, or reloads.
      await actUntil(
        page.locator('.monaco-editor[data-uri$="/support-line.flow.yaml"]').first(),
        async (patience, again) => again && ((await tab.isVisible()) ? tab.click(patience) : page.reload()),
        EXTENSION_HOST_MS,
      );
      const connection = page.locator('[id="assistant-flow.assistant-flow.connection"]');
      await actUntil(connection, async (_patience, again) => again && (await page.reload()), EXTENSION_HOST_MS);
      if (sandboxExists()) await connection.filter({ hasText: /sandbox/i }).waitFor();
      assert.equal(await page.locator('[id="status.forwardedPorts"]:visible').count(), 0, "no port is forwarded");
    }
  } finally {
    await browser.close();
  }
}
