import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inProject, root, temporaryFolder } from "../../scripts/project";

test("npm run watch builds, and builds again when a file changes", async () => {
  // In a copy: the bundles of this folder are in use by other tests.
  const folder = await temporaryFolder();
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  for (const file of files.filter((each) => /\.(ts|mjs|json|css)$/.test(each) && !each.startsWith("test/"))) {
    if (!existsSync(inProject(file))) continue;
    mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
    cpSync(inProject(file), path.join(folder.path, file));
  }
  symlinkSync(inProject("node_modules"), path.join(folder.path, "node_modules"));
  const watching = spawn(process.execPath, ["scripts/run.mjs", "build", "--watch"], { cwd: folder.path });
  let said = "";
  watching.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  watching.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = new Promise((resolve) => watching.once("exit", resolve));
  try {
    await until(
      () => count(said, "build finished") === 1,
      () => said,
    );
    assert.ok(existsSync(path.join(folder.path, "dist/server.js")));
    appendFileSync(path.join(folder.path, "server/main.ts"), "\n// One more line.\n");
    await until(
      () => count(said, "build finished") === 2,
      () => said,
    );
  } finally {
    watching.kill();
    await ended;
    await folder.remove();
  }
});

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

async function until(holds: () => boolean, report: () => string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`Waited a minute in vain. It said: ${report()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
