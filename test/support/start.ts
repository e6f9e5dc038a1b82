/** `npm start` as a program, with a temporary folder of its own so that whatever it leaves behind is seen. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { capture, inProject, type Running, start, temporaryFolder } from "../../scripts/project";

export interface NpmStart {
  readonly running: Running;
  /** Its temporary folder. */
  readonly folder: string;
  /** Ctrl+C; fails where a process or a file is left. */
  interrupt(): Promise<void>;
}

export async function npmStart(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<NpmStart> {
  const folder = await temporaryFolder();
  const running = start(process.execPath, [inProject("scripts/run.mjs"), "start", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: folder.path, ...env },
  });
  return {
    running,
    folder: folder.path,
    async interrupt() {
      running.process.kill("SIGINT");
      const code = await running.exited;
      const files = readdirSync(folder.path);
      const { output } = await capture("ps", ["-eo", "args="]);
      await folder.remove();
      assert.equal(code, 0);
      assert.deepEqual(files, [], "a temporary file is left");
      const left = output.split("\n").filter((line) => line.includes(folder.path));
      assert.deepEqual(left, [], "a process is left");
    },
  };
}
