/** What a developer has in hand: `npm run watch`, and F5 with breakpoints in the client and in the server. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inProject, manifest, root, temporaryFolder } from "../../scripts/project";

const json = (file: string) => JSON.parse(readFileSync(inProject(file), "utf8"));
const { configurations, compounds } = json(".vscode/launch.json");
const { tasks } = json(".vscode/tasks.json");

test("npm run watch builds with what breakpoints need, and again in under a second when a file changes", async () => {
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
  for (const stream of [watching.stdout, watching.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const ended = new Promise((resolve) => watching.once("exit", resolve));
  // What tells VS Code that the build which F5 waits for is done.
  const { beginsPattern, endsPattern } = tasks[0].problemMatcher.background;
  const builds = (pattern: string) => count(said, new RegExp(pattern, "g"));
  const built = (times: number) =>
    until(
      () => builds(beginsPattern) === times && builds(endsPattern) === times,
      () => said,
    );
  try {
    await built(1);
    for (const [bundle, source] of [
      ["dist/client.js", "client/extension.ts"],
      ["dist/server.js", "server/main.ts"],
    ] as const) {
      const place = path.join(folder.path, bundle);
      const [, map = ""] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(place, "utf8")) ?? [];
      assert.ok(map, `${bundle} has no source map`);
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(path.join(path.dirname(place), map), "utf8"));
      const named = sources.map((each) => path.relative(folder.path, path.resolve(path.dirname(place), each)));
      assert.ok(named.includes(path.normalize(source)), `${bundle} does not lead to ${source}`);
    }
    // The time is wall-clock time, and the machine may have other work: the best of a few counts.
    const times: number[] = [];
    while (times.length < 5 && !times.some((ms) => ms < 1000)) {
      appendFileSync(path.join(folder.path, "server/main.ts"), "\n// One more line.\n");
      await built(2 + times.length);
      times.push(Number(/build finished in (\d+) ms\s*$/.exec(said)?.[1]));
    }
    assert.ok(
      times.some((ms) => ms < 1000),
      `rebuilding took ${times.join(", ")} ms`,
    );
  } finally {
    watching.kill();
    await ended;
    await folder.remove();
  }
});

test("F5 starts what exists: the task before it, the bundles, the folder, the server's port", () => {
  for (const { name, preLaunchTask, outFiles = [], args = [] } of configurations) {
    if (preLaunchTask)
      assert.ok(
        tasks.some(({ label }: { label: string }) => label === preLaunchTask),
        name,
      );
    for (const pattern of outFiles)
      assert.match(pattern, new RegExp(`^\\$\\{workspaceFolder\\}/${path.basename(path.dirname(manifest.main))}/`));
    for (const arg of args as string[]) {
      const [, place] = /\$\{workspaceFolder\}\/?(.*)$/.exec(arg) ?? [];
      if (place !== undefined) assert.ok(existsSync(inProject(place)), arg);
    }
  }
  for (const { type, script } of tasks) assert.ok(type === "npm" && manifest.scripts[script], script);
  const names = configurations.map(({ name }: { name: string }) => name);
  for (const each of compounds) for (const name of each.configurations) assert.ok(names.includes(name), name);
  const { port } = configurations.find(({ request }: { request: string }) => request === "attach");
  assert.match(readFileSync(inProject("client/language-client.ts"), "utf8"), new RegExp(`--inspect=${port}"`));
});

function count(text: string, part: RegExp): number {
  return [...text.matchAll(part)].length;
}

async function until(holds: () => boolean, report: () => string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`Waited a minute in vain. It said: ${report()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
