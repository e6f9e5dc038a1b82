/**
 * Runs test files with node:test. They are bundled first, all at once, which takes a second or two: translating each file
 * and all that it imports when its process starts would take longer than most tests do.
 */
import { readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { inProject, root, start } from "./project";

export interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
  /** What was printed, shown when something failed. */
  readonly output: string;
  /** A few words about how it ran. */
  readonly note?: string;
}

/** `files` are paths in the project, `options` further ones of `node --test`. */
export async function runNodeTests(files: readonly string[], options: readonly string[] = []): Promise<Result> {
  if (files.length === 0) return { passed: 0, failed: 0, output: "", note: "no files" };
  await mkdir(inProject("test/out"), { recursive: true });
  const folder = await mkdtemp(inProject("test/out/bundled-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // Where the run is interrupted.
  try {
    await bundle(files, folder);
    const bundled = files.map((file) => path.join(folder, file.replace(/\.ts$/, ".js")));
    const { code, output } = await nodeTest([...options, ...bundled], path.join(folder, "state"));
    const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)`, "m").exec(output)?.[1] ?? 0);
    const failed = count("fail") + count("cancelled");
    return {
      passed: count("pass"),
      // A run that ended badly without saying how many failed has failed all the same.
      failed: code === 0 ? failed : Math.max(1, failed),
      skipped: count("skipped"),
      output: output.replaceAll(`${path.relative(root, folder)}${path.sep}`, ""),
    };
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** `N passed, N failed`, and `, N skipped` where something could not run. */
export function countLine(results: readonly Result[]): string {
  const sum = (pick: (result: Result) => number | undefined) =>
    results.reduce((total, result) => total + (pick(result) ?? 0), 0);
  const skipped = sum((result) => result.skipped);
  const line = `${sum((result) => result.passed)} passed, ${sum((result) => result.failed)} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** For a whole file, not for each of its tests: what waits for VS Code takes long where others use the machine too. */
const FILE_MS = 40 * 60_000;

/** Says how a process of tests ends. */
const testProcess = inProject("scripts/test-process.cjs");

async function bundle(files: readonly string[], outdir: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir,
    outbase: root,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "error",
    // Last in the file, so that its hooks are over when the process ends.
    footer: { js: `require(${JSON.stringify(testProcess)}).endsWithItsTests();` },
    plugins: [whereItWas],
  });
}

/** In a bundle a file must still know where it lies in the project. */
const whereItWas: Plugin = {
  name: "where-it-was",
  setup(build) {
    build.initialOptions.define = { "import.meta.dirname": "__dirname", "import.meta.url": "__address" };
    build.onLoad({ filter: /[\\/](test|scripts|bench)[\\/][^\0]*\.(ts|mjs)$/ }, ({ path: file }) => {
      const [folder, address] = [path.dirname(file), pathToFileURL(file).href].map((each) => JSON.stringify(each));
      const text = readFileSync(file, "utf8");
      return { contents: `const __dirname = ${folder}, __address = ${address}; ${text}`, loader: "ts" };
    });
  },
};

/**
 * A test that fails may leave a program running that holds its process, or our pipe, open. So a file ends when its tests
 * have, and what it has started ends with it.
 */
async function nodeTest(args: readonly string[], state: string): Promise<{ code: number; output: string }> {
  const always = ["--enable-source-maps", "--test", "--test-reporter=spec", "--require", testProcess];
  const running = start(process.execPath, [...always, `--test-timeout=${FILE_MS}`, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    // What the product keeps for its user is kept for nobody here.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, XDG_STATE_HOME: state, LOCALAPPDATA: state },
  });
  const interrupted = () => void running.stop().then(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  let output = "";
  for (const stream of [running.process.stdout, running.process.stderr])
    stream?.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  const closed = new Promise((resolve) => running.process.once("close", resolve));
  const code = await running.exited;
  await running.stop();
  await closed;
  for (const signal of SIGNALS) process.off(signal, interrupted);
  return { code, output };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
