/** Runs `npm start` with a temporary folder of its own, so that leftovers are detected. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { capture, inProject, type Running, start, temporaryFolder } from "../../scripts/project";

export interface NpmStart {
  readonly running: Running;
  /** Its temporary folder. */
  readonly folder: string;
  /** Ctrl+C; fails if a process or a file is left. */
  interrupt(): Promise<void>;
  /** Ends `npm start` like a service manager: SIGTERM, to npm alone. Fails if a process or a file is left. */
  terminate(): Promise<void>;
}

export async function npmStart(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { byNpm = false } = {},
): Promise<NpmStart> {
  const folder = await temporaryFolder();
  const [program, first] = byNpm
    ? ["npm", ["--prefix", inProject("."), "start", "--"]]
    : [process.execPath, [inProject("scripts/run.mjs"), "start"]];
  const running = start(program, [...first, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: folder.path, ...env },
  });
  const left = async () => {
    const { output } = await capture("ps", ["-eo", "args="]);
    return [
      ...readdirSync(folder.path).map((name) => `file ${name}`),
      ...output.split("\n").filter((line) => line.includes(folder.path)),
    ];
  };
  return {
    running,
    folder: folder.path,
    async interrupt() {
      running.process.kill("SIGINT");
      const code = await running.exited;
      const remains = await left();
      await folder.remove();
      assert.equal(code, 0);
      assert.deepEqual(remains, [], "something is left");
    },
    async terminate() {
      running.process.kill("SIGTERM");
      await running.exited;
      // The processes that npm started end a moment later.
      for (let round = 0; round < 600 && (await left()).length > 0; round += 1)
        await new Promise((resolve) => setTimeout(resolve, 100));
      const remains = await left();
      await folder.remove();
      assert.deepEqual(remains, [], "something is left");
    },
  };
}
