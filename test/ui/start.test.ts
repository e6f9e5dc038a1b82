import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import net from "node:net";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { capture, inProject, start, temporaryFolder, waitForOutput } from "../../scripts/project";
import { sandboxExists } from "../../scripts/sandbox";
import { browserSwitches } from "../../scripts/vscode/browser";
import { ensureCodeHost } from "../../scripts/vscode/install";

test("npm start: ready, connected also after a reload, the next port, and nothing left after Ctrl+C", async () => {
  const folder = await temporaryFolder();
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = (taken.address() as net.AddressInfo).port;
  const started = start(
    process.execPath,
    [inProject("scripts/run.mjs"), "start", "--no-open", "--port", String(port)],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TMPDIR: folder.path },
    },
  );
  try {
    const [, address] = await waitForOutput(
      started,
      /VS Code \S+ is at (\S+)[\s\S]*Ctrl\+C ends everything/,
      "npm start",
      120,
    );
    assert.ok(address);
    assert.ok(Number(new URL(address).port) > port, "the port in use was passed over");
    await looksConnected(address);
  } finally {
    started.process.kill("SIGINT");
    const code = await started.exited;
    taken.close();
    assert.equal(code, 0);
  }
  assert.deepEqual(readdirSync(folder.path), [], "no temporary file is left");
  const { output } = await capture("ps", ["-eo", "args="]);
  assert.deepEqual(
    output.split("\n").filter((line) => line.includes(folder.path)),
    [],
    "no process is left",
  );
  await folder.remove();
});

async function looksConnected(address: string): Promise<void> {
  const host = await ensureCodeHost();
  const browser = await chromium.launch({ executablePath: host.browser, args: browserSwitches });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    for (const round of ["first", "reloaded"]) {
      if (round === "reloaded") await page.reload();
      await page.locator('.monaco-editor[data-uri$="/support-line.flow.yaml"]').first().waitFor({ timeout: 60_000 });
      const connection = page.locator('[id="assistant-flow.assistant-flow.connection"]');
      await connection.waitFor({ timeout: 60_000 });
      if (sandboxExists()) assert.match(await connection.innerText(), /sandbox/i, round);
      await page.screenshot({ path: inProject(`test/out/start-${round}.png`) });
    }
  } finally {
    await browser.close();
  }
}
