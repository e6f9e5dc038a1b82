/** Development: `npm run watch`, and the launch files for F5, which test/ui/debug.test.ts runs. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inProject, manifest } from "../../scripts/project";
import { copyProject } from "../support/project-copy";

const json = (file: string) => JSON.parse(readFileSync(inProject(file), "utf8"));
const { configurations } = json(".vscode/launch.json");
const { tasks } = json(".vscode/tasks.json");

test("npm run watch builds with source maps, and rebuilds faster when a file changes", async () => {
  const folder = await copyProject();
  const watching = spawn(process.execPath, ["scripts/run.mjs", "build", "--watch"], { cwd: folder.path });
  let said = "";
  for (const stream of [watching.stdout, watching.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const ended = new Promise((resolve) => watching.once("exit", resolve));
  // Tells VS Code that the build that F5 waits for is done.
  const { beginsPattern, endsPattern } = tasks[0].problemMatcher.background;
  const builds = (pattern: string) => count(said, new RegExp(pattern, "g"));
  // One change may be reported in two parts, and built twice.
  const built = (before: number) =>
    until(
      () => builds(endsPattern) > before && builds(beginsPattern) === builds(endsPattern),
      () => said,
    );
  try {
    await built(0);
    const lastTime = () => Number(/build finished in (\d+) ms\s*$/.exec(said)?.[1]);
    const first = lastTime();
    for (const [bundle, source] of [
      ["dist/client.js", "client/extension.ts"],
      ["dist/server.js", "server/main.ts"],
    ] as const) {
      const place = path.join(folder.path, bundle);
      const [, map = ""] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(place, "utf8")) ?? [];
      assert.equal(map, `${path.basename(bundle)}.map`);
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(path.join(path.dirname(place), map), "utf8"));
      const named = sources.map((each) => path.relative(folder.path, path.resolve(path.dirname(place), each)));
      assert.ok(named.includes(path.normalize(source)), `${bundle} does not lead to ${source}`);
    }
    // The machine may be busy, so the best of a few times counts, compared with the first build.
    const times: number[] = [];
    while (times.length < 5 && !times.some((ms) => ms < first)) {
      const before = builds(endsPattern);
      appendFileSync(path.join(folder.path, "server/main.ts"), "\n// One more line.\n");
      await built(before);
      times.push(lastTime());
    }
    assert.ok(
      times.some((ms) => ms < first),
      `rebuilding took ${times.join(", ")} ms, the first build ${first}`,
    );
  } finally {
    watching.kill();
    await ended;
    await folder.remove();
  }
});

test("a build doesn't disturb programs running from dist/, and removes old files", async () => {
  const folder = await copyProject();
  try {
    const env = { ...process.env, ASSISTANT_FLOW_BUILT: undefined };
    const build = () =>
      spawn(process.execPath, ["scripts/run.mjs", "build"], { cwd: folder.path, env, stdio: "ignore" });
    const built = (child: ReturnType<typeof build>) => new Promise((resolve) => child.once("exit", resolve));
    if (process.env.ASSISTANT_FLOW_BUILT)
      cpSync(inProject("dist"), path.join(folder.path, "dist"), { recursive: true });
    else assert.equal(await built(build()), 0);
    const program = path.join(folder.path, "dist/server.js");
    const before = readFileSync(program, "utf8");
    const earlier = path.join(folder.path, "dist/webview/earlier.js");
    writeFileSync(earlier, "");
    let code: unknown;
    void built(build()).then((ended) => {
      code = ended;
    });
    const seen = new Set<string>();
    while (code === undefined) {
      seen.add(readFileSync(program, "utf8"));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(code, 0);
    for (const whole of [before, readFileSync(program, "utf8")]) seen.delete(whole);
    assert.equal(seen.size, 0, "the program was incomplete while it was replaced");
    assert.ok(!existsSync(earlier));
    const left = readdirSync(path.dirname(program)).filter(
      (name) => !/\.(js|md)$|^(web|webview)$|^sbom\.cdx\.json$|^third-party-notices\.txt$/.test(name),
    );
    assert.deepEqual(left, []);
  } finally {
    await folder.remove();
  }
});

test("F5 uses a task, bundles and a folder that exist", () => {
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
  for (const { command } of tasks) {
    const [, script = ""] = /^npm run (\S+)$/.exec(command) ?? [];
    assert.ok(manifest.scripts[script], command);
  }
});

function count(text: string, part: RegExp): number {
  return [...text.matchAll(part)].length;
}

async function until(holds: () => boolean, report: () => string): Promise<void> {
  const end = Date.now() + 180_000;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`Waited three minutes in vain. It said: ${report()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
