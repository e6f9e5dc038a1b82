/** `npm start` with a desktop VS Code, simulated by a script; test/ui tests it with the web version. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder, waitForOutput } from "../../scripts/project";
import { npmStart } from "../support/start";

/** Like the real one, it opens its window in another process, which writes to its profile when it ends. */
const window = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  const profile = process.argv[process.argv.indexOf("--user-data-dir") + 1];
  const write = (name) => { mkdirSync(profile, { recursive: true }); writeFileSync(profile + "/" + name, ""); };
  setInterval(() => {}, 1000);
  process.on("SIGTERM", () => setTimeout(() => { write("closed"); process.exit(); }, 300));
  write("open");
`;

async function desktop(): Promise<{ env: Record<string, string>; remove: () => Promise<void> }> {
  const folder = await temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder.path, name), text);
    return path.join(folder.path, name);
  };
  const shown = file("window.cjs", window);
  const code = file("code", `#!/bin/sh\n"${process.execPath}" "${shown}" "$@" &\nwait\n`);
  chmodSync(code, 0o755);
  return { env: { VSCODE_EXECUTABLE: code }, remove: folder.remove };
}

test("a desktop VS Code is ended before the folder it writes to is removed", async (t) => {
  const code = await desktop();
  t.after(code.remove);
  const started = await npmStart([], code.env);
  await waitForOutput(started.running, /Press Ctrl\+C to stop/, "npm start");
  await until(() =>
    readdirSync(started.folder).some((name) => existsSync(path.join(started.folder, name, "data/open"))),
  );
  await started.interrupt();
});

test("SIGTERM to npm ends everything it started", async (t) => {
  const code = await desktop();
  t.after(code.remove);
  const started = await npmStart([], code.env, { byNpm: true });
  await waitForOutput(started.running, /Press Ctrl\+C to stop/, "npm start");
  await started.terminate();
});

test("Ctrl+C during startup ends everything that was started", async (t) => {
  const code = await desktop();
  t.after(code.remove);
  // The first folder is its own, the second the sandbox's, which is about to start then.
  for (const folders of [1, 2]) {
    const started = await npmStart([], code.env);
    await until(() => readdirSync(started.folder).length >= folders);
    await started.interrupt();
  }
});

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round += 1) {
    assert.ok(round < 6000, "it did not come to that in a minute");
    await pause(10);
  }
}
