import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { buildSync } from "esbuild";
import { FlowDocument, graphOf, sameGraph } from "../../../flow";
import { startSandbox } from "../../../sandbox";
import { Desk } from "./desk";

function bigFlow(assistant: string, revision: string, nodes: number): string {
  const lines = [`assistant: ${assistant}`, `revision: ${revision}`, "entry: n0", "nodes:"];
  for (let i = 0; i < nodes; i++) {
    lines.push(`  n${i}:`, "    type: message", `    instructions: Say ${i}.`);
    if (i + 1 < nodes) lines.push("    edges:", `      - to: n${i + 1}`);
  }
  return `${lines.join("\n")}\n`;
}

test("a push killed at any moment resumes where it was, and nothing is sent twice", async (t) => {
  const sandbox = await startSandbox({ demo: true, clockSpeed: 200 });
  const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-kill-"));
  const [file, script] = [path.join(folder, "big.flow.yaml"), path.join(folder, "push.cjs")];
  const desk = new Desk(sandbox, { assistant, revision });
  const running = new Set<ChildProcess>();
  try {
    buildSync({
      entryPoints: [path.join(__dirname, "push-child.ts")],
      bundle: true,
      platform: "node",
      outfile: script,
    });
    const text = bigFlow(assistant, revision, 700);
    writeFileSync(file, text);
    const args = [script, sandbox.baseUrl, sandbox.apiKey, assistant, revision, path.join(folder, "state"), file];

    /** Runs the child; it is killed after this many lines and milliseconds. */
    const push = (lines: number, delay: number) =>
      new Promise<{ signal: string | null; code: number | null; out: string }>((resolve) => {
        const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
        running.add(child);
        let out = "";
        child.stdout.on("data", (data) => {
          const before = out.split("\n").length;
          out += data;
          if (before <= lines && out.split("\n").length > lines) setTimeout(() => child.kill("SIGKILL"), delay);
        });
        child.on("close", (code, signal) => {
          running.delete(child);
          resolve({ signal, code, out });
        });
      });

    let killed = 0;
    for (const [lines, delay] of [
      [2, 0],
      [2, 10],
      [2, 20],
      [2, 30],
      [3, 12],
    ] as const)
      if ((await push(lines, delay)).signal === "SIGKILL") killed++;
    assert.ok(killed >= 3, `${killed} were killed`);
    const last = await push(Number.POSITIVE_INFINITY, 0);
    assert.equal(last.code, 0, last.out);
    t.diagnostic(`killed ${killed} times; the last process said ${last.out.trim().split("\n").join(" ")}`);
    assert.ok(sameGraph(await desk.remote(), graphOf(FlowDocument.read(text))));
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await desk.close();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
