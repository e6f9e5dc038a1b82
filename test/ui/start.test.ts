import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import net from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { inProject, waitForOutput } from "../../scripts/project";
import { sandboxExists } from "../../scripts/sandbox";
import { browserSwitches } from "../../scripts/vscode/browser";
import { ensureBrowser } from "../../scripts/vscode/install";
import { npmStart } from "../support/start";

test("npm start: ready, connected and as it was left after a reload, the next port, and nothing left after Ctrl+C", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = (taken.address() as net.AddressInfo).port;
  const started = await npmStart(["--no-open", "--port", String(port)]);
  try {
    const ready = /VS Code \S+ is at (\S+)[\s\S]*Ctrl\+C ends everything/;
    const [, address] = await waitForOutput(started.running, ready, "npm start", 120);
    assert.ok(address);
    assert.ok(Number(new URL(address).port) > port, "the port in use was passed over");
    await looksConnected(address);
  } finally {
    taken.close();
    await started.interrupt();
  }
});

test("Ctrl+C while VS Code is packed for, installed into or started leaves nothing", async () => {
  // Each folder belongs to a step: its own, the sandbox's, and the one for packing, installing or serving.
  const started = await npmStart(["--no-open", "--port", "0"]);
  while (readdirSync(started.folder).length < 3) await pause(10);
  await started.interrupt();
});

async function looksConnected(address: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserSwitches });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    for (const round of ["first", "reloaded"]) {
      if (round === "reloaded") await page.reload();
      await page.locator('.monaco-editor[data-uri$="/support-line.flow.yaml"]').first().waitFor({ timeout: 60_000 });
      const connection = page.locator('[id="assistant-flow.assistant-flow.connection"]');
      await connection.waitFor({ timeout: 60_000 });
      if (sandboxExists()) assert.match(await connection.innerText(), /sandbox/i, round);
      // What was open beside the first file is open again after a reload.
      if (round === "first") {
        await page.locator('.editor-actions a.action-label[aria-label^="Open Flow Graph"]').first().click();
        await page.locator(".tab").filter({ hasText: "Graph: support-line" }).waitFor({ timeout: 60_000 });
      } else await page.locator(".tab").filter({ hasText: "Graph: support-line" }).waitFor({ timeout: 60_000 });
      assert.equal(await page.locator('[id="status.forwardedPorts"]:visible').count(), 0, "no port is forwarded");
      await page.screenshot({ path: inProject(`test/out/start-${round}.png`) });
    }
  } finally {
    await browser.close();
  }
}
