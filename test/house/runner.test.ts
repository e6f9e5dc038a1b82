/** The test runner: a failing test is reported and doesn't keep the run or a process alive. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { bundleTests, countLine, type Result } from "../../scripts/node-tests";
import { inProject, root, stopAll } from "../../scripts/project";

test("a test that times out with a running process fails, and the run ends all processes", {
  timeout: 60_000,
}, async (t) => {
  const { result, folder } = await run(
    t,
    `import { spawn } from "node:child_process";
     import { writeFileSync } from "node:fs";
     import { join } from "node:path";
     import { test } from "node:test";
     test("fine", () => {});
     test("not here", (t) => t.skip("What it needs is not on this machine."));
     test("stuck", { timeout: 200 }, async () => {
       const children = [false, true].map((detached) =>
         spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit", detached }));
       writeFileSync(join(__dirname, "pids"), children.map((child) => child.pid).join(" "));
       await new Promise(() => {});
     });`,
  );
  const { output } = result;
  assert.equal(countLine([result]), "1 passed, 1 failed, 1 skipped", output);
  assert.equal(countLine([result, { passed: 2, failed: 0, output: "" }]), "3 passed, 1 failed, 1 skipped");
  assert.equal(countLine([{ passed: 2, failed: 0, output: "" }]), "2 passed, 0 failed");
  assert.match(output, /case\.test\.ts:7/, "the failure is not told where the test is written");
  const pids = readFileSync(path.join(folder, "pids"), "utf8").split(" ").map(Number);
  assert.equal(pids.length, 2);
  await allEnd(pids);
});

test("every test is counted, even if its process prints a lot at the end", { timeout: 60_000 }, async (t) => {
  // More than fits in a pipe: the reports are still pending when the tests are over.
  const { result } = await run(
    t,
    `import { test } from "node:test";
     setInterval(() => {}, 1000);
     test("loud", () => void process.stdout.write("x".repeat(20_000_000) + "\\n"));
     test("fine", () => {});`,
  );
  assert.equal(countLine([result]), "2 passed, 0 failed", result.output.slice(-200));
});

test("the hooks of a file are over before its process ends", { timeout: 60_000 }, async (t) => {
  const { result, folder } = await run(
    t,
    `import { writeFileSync } from "node:fs";
     import { join } from "node:path";
     import { setTimeout as wait } from "node:timers/promises";
     import { after, test } from "node:test";
     setInterval(() => {}, 1000);
     after(async () => { await wait(100); writeFileSync(join(__dirname, "after"), ""); });
     test("fine", () => {});`,
  );
  assert.equal(countLine([result]), "1 passed, 0 failed", result.output);
  assert.ok(existsSync(path.join(folder, "after")));
});

test("a file that ends before all of its tests were reported fails", { timeout: 60_000 }, async (t) => {
  const { result } = await run(
    t,
    `import { test } from "node:test";
     test("fine", () => {});
     test("ends the process", () => process.exit(0));
     test("never run", () => {});`,
  );
  assert.ok(result.failed > 0, countLine([result]));
  assert.match(result.output, /ended before all of its tests were reported/);
});

test("a test that hangs is named, and ends its file", { timeout: 60_000 }, async (t) => {
  process.env.ASSISTANT_FLOW_TEST_LIMIT_MS = "1000";
  t.after(() => delete process.env.ASSISTANT_FLOW_TEST_LIMIT_MS);
  const { result } = await run(
    t,
    `import { test } from "node:test";
     setInterval(() => {}, 1000);
     test("fine", () => {});
     test("stuck", () => new Promise(() => {}));
     test("never run", () => {});`,
  );
  assert.ok(result.failed > 0, countLine([result]));
  assert.match(result.output, /✔ fine(.|\n)*✖ stuck\n {2}It took more than 1 s/);
});

test("a run that is stopped ends all processes of its files", { timeout: 60_000 }, async (t) => {
  const { folder } = await run(
    t,
    `import { spawn } from "node:child_process";
     import { renameSync, writeFileSync } from "node:fs";
     import { join } from "node:path";
     import { test } from "node:test";
     test("starts VS Code", async () => {
       const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
       writeFileSync(join(__dirname, "new"), child.pid + " " + process.pid);
       renameSync(join(__dirname, "new"), join(__dirname, "pids"));
       await new Promise(() => {});
     });
     setInterval(() => {}, 1000);`,
    async (place) => {
      while (!existsSync(path.join(place, "pids"))) await new Promise(setImmediate);
      await stopAll();
    },
  );
  const pids = readFileSync(path.join(folder, "pids"), "utf8").split(" ").map(Number);
  assert.equal(pids.length, 2);
  await allEnd(pids);
});

/** Runs a test file with this text, and does something else meanwhile. */
async function run(
  t: TestContext,
  text: string,
  meanwhile?: (folder: string) => Promise<void>,
): Promise<{ result: Result; folder: string }> {
  mkdirSync(inProject("test/out"), { recursive: true });
  const folder = mkdtempSync(inProject("test/out/runner-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "case.test.ts");
  writeFileSync(file, text);
  const name = path.relative(root, file);
  const runTests = await bundleTests([name]);
  const [result] = await Promise.all([runTests(name), meanwhile?.(folder)]);
  return { result, folder };
}

/** A process that was killed may take a moment to end. */
async function allEnd(pids: readonly number[]): Promise<void> {
  const until = Date.now() + 10_000;
  while (pids.some(isRunning) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const pid of pids) assert.ok(!isRunning(pid), `${pid} outlives the run`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process still has an ID.
    return !existsSync("/proc/self/stat") || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
