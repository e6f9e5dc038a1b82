/**
 * The sandbox that the extension starts: it answers, and ends with the process that started it, even if that crashes.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { inProject } from "../../../scripts/project";

const host = `
require(${JSON.stringify(inProject("test/support/vscode.ts"))});
const { startBundledSandbox } = require(${JSON.stringify(inProject("client/connections/sandbox-process.ts"))});
const [cli, folder] = process.argv.slice(1);
startBundledSandbox(cli, folder).then(({ secret }) => console.log(JSON.stringify({ address: secret.baseUrl, key: secret.key.reveal() })));
setInterval(() => {}, 1000);
`;

test("a sandbox started by the extension ends when the extension host is killed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-bundled-"));
  const env = {
    ...process.env,
    NODE_OPTIONS: "--import tsx",
    NODE_TEST_CONTEXT: undefined,
    ASSISTANT_FLOW_STATE_DIR: `${folder}-state`,
  };
  const parent = spawn(process.execPath, ["--eval", host, inProject("cli/main.ts"), folder], {
    cwd: inProject("."),
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
    const { address, key } = JSON.parse(line) as { address: string; key: string };
    const ask = () =>
      fetch(`${address}/v1/webhooks/event-catalog`, { headers: { "x-api-key": key } }).then(
        ({ status }) => status,
        () => "gone",
      );
    assert.equal(await ask(), 200);
    parent.kill("SIGKILL");
    const until = Date.now() + 20_000;
    while ((await ask()) !== "gone") {
      assert.ok(Date.now() < until, "the sandbox still answers");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    parent.kill("SIGKILL");
    for (const each of [folder, `${folder}-state`]) rmSync(each, { recursive: true, force: true });
  }
});
