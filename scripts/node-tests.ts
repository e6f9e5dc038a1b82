/**
 * Runs test files with node:test. They are bundled first, all at once, which takes a few seconds: translating each file
 * and all that it imports when its process starts would take longer than most tests do.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { SourceMap } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { capture, inProject, root } from "./project";

export interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
  /** Processor time, where the system reports it. The rest of a job's time was waiting. */
  readonly cpuSeconds?: number;
  /** What was printed, shown when something failed. */
  readonly output: string;
}

/** Bundles test files, given by their paths in the project, until this process ends. The function it returns runs one of them. */
export async function bundleTests(files: readonly string[]): Promise<RunFile> {
  await mkdir(inProject("test/out"), { recursive: true });
  const folder = await mkdtemp(inProject("test/out/bundled-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await bundle(files, folder);
  return (file, env) => runBundled(folder, file, env);
}

export type RunFile = (file: string, env?: Readonly<Record<string, string>>) => Promise<Result>;

/**
 * A test that fails may leave a program running that holds its process, or our pipe, open. So a file ends when its tests
 * have, and what it has started ends with it (test-process.cjs).
 */
async function runBundled(folder: string, file: string, more: Readonly<Record<string, string>> = {}): Promise<Result> {
  const bundled = path.join(folder, file.replace(/\.ts$/, ".js"));
  const args = ["--test-reporter=spec", "--require", testProcess, bundled];
  // The product keeps its state here, so that no test sees that of another file or of the user.
  const state = `${bundled}.state`;
  const cpu = `${bundled}.cpu`;
  const own = {
    XDG_STATE_HOME: state,
    LOCALAPPDATA: state,
    ASSISTANT_FLOW_TEST_CPU: cpu,
    ASSISTANT_FLOW_TEST_BUNDLES: folder,
  };
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, ...own, ...more };
  const { code, output } = await capture(process.execPath, args, { env, timeout: FILE_MS, detached: true });
  const count = (name: string) => Number([...output.matchAll(new RegExp(`^ℹ ${name} (\\d+)`, "gm"))].at(-1)?.[1] ?? 0);
  const failed = count("fail") + count("cancelled");
  return {
    passed: count("pass"),
    // A process that ended badly without reporting a failed test has failed all the same.
    failed: code === 0 ? failed : Math.max(1, failed),
    skipped: count("skipped"),
    ...(existsSync(cpu) ? { cpuSeconds: Number(readFileSync(cpu, "utf8")) } : {}),
    output: (code === 0 ? output : withSources(output, folder)).replaceAll(
      `${path.relative(root, folder)}${path.sep}`,
      "",
    ),
  };
}

/** Replaces places in bundled files by those in the sources. `--enable-source-maps` would take time in each process. */
function withSources(output: string, folder: string): string {
  const maps = new Map<string, SourceMap>();
  const mapOf = (file: string) => {
    const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
    maps.set(file, map);
    return map;
  };
  const names = [folder, path.relative(root, folder)].map((name) => name.replace(/[\\.+]/g, "\\$&")).join("|");
  const place = new RegExp(`((?:${names})[^\\s:()]+\\.js):(\\d+):(\\d+)`, "g");
  return output.replace(place, (bundled: string, name: string, line: string, column: string) => {
    const file = path.resolve(root, name);
    if (!existsSync(`${file}.map`)) return bundled;
    const origin = mapOf(file).findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in origin)) return bundled;
    const source = path.resolve(path.dirname(file), origin.originalSource);
    return `${path.relative(root, source)}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  });
}

/** `N passed, N failed`, and `, N skipped` where something could not run. */
export function countLine(results: readonly Result[]): string {
  const sum = (pick: (result: Result) => number | undefined) =>
    results.reduce((total, result) => total + (pick(result) ?? 0), 0);
  const skipped = sum((result) => result.skipped);
  const line = `${sum((result) => result.passed)} passed, ${sum((result) => result.failed)} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** The limit for a whole file. It is generous: VS Code is slow where other programs use the machine. */
const FILE_MS = 20 * 60_000;

const testProcess = inProject("scripts/test-process.cjs");

const toNode: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  logLevel: "error",
};

/**
 * What several test files import is put into parts that they share; a copy for each of them would take half a minute. esbuild
 * makes parts only of ES modules, so these are turned into CommonJS afterwards, which a process loads faster.
 */
async function bundle(files: readonly string[], outdir: string): Promise<void> {
  if (files.length === 0) return;
  const packages = path.join(outdir, "packages");
  const modules = path.join(outdir, "modules");
  await build({ ...toNode, entryPoints: IN_ONE_FILE.map((name) => ({ in: name, out: name })), outdir: packages });
  await build({
    ...toNode,
    ...withMaps,
    entryPoints: [...files],
    outdir: modules,
    outbase: root,
    format: "esm",
    splitting: true,
    packages: "external",
    external: [testProcess],
    plugins: [whereItWas(files.map((file) => inProject(file))), inOneFile(packages), stubOfCode],
  });
  await build({
    ...toNode,
    ...withMaps,
    bundle: false,
    entryPoints: [`${modules}/**/*.js`],
    outdir,
    outbase: modules,
  });
}

const withMaps: BuildOptions = { sourcemap: "linked", sourcesContent: false };

/** Packages of many small files that most tests need. Loading them file by file takes longer than many tests do. */
const IN_ONE_FILE = ["yaml", "zod/mini"];

function inOneFile(folder: string): Plugin {
  return {
    name: "in-one-file",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^(${IN_ONE_FILE.join("|")})$`) }, ({ path: name }) => ({
        path: path.join(folder, `${name}.js`),
        external: true,
      }));
    },
  };
}

/** A bundled file must still know its path in the project. A test file ends its process. */
function whereItWas(tests: readonly string[]): Plugin {
  return {
    name: "where-it-was",
    setup(build) {
      build.initialOptions.define = { "import.meta.dirname": "__dirname", "import.meta.url": "__address" };
      build.onLoad({ filter: /[\\/](test|scripts|bench)[\\/][^\0]*\.(ts|mjs)$/ }, ({ path: file }) => {
        const [folder, address] = [path.dirname(file), pathToFileURL(file).href].map((each) => JSON.stringify(each));
        const text = readFileSync(file, "utf8");
        // Last in the file, so that its hooks are over when the process ends.
        const end = tests.includes(file) ? `\nrequire(${JSON.stringify(testProcess)}).endsWithItsTests();` : "";
        return { contents: `const __dirname = ${folder}, __address = ${address}; ${text}${end}`, loader: "ts" };
      });
    },
  };
}

/** Parts don't keep the order of imports, so whatever imports `vscode` imports the stub itself. */
const stubOfCode: Plugin = {
  name: "stub-of-code",
  setup(build) {
    const stub = JSON.stringify(inProject("test/support/vscode.ts"));
    const contents = `require(${stub}); module.exports = require("vscode");`;
    build.onResolve({ filter: /^vscode$/ }, ({ path: name, namespace }) =>
      namespace === "stub" ? { path: name, external: true } : { path: name, namespace: "stub" },
    );
    build.onLoad({ filter: /^vscode$/, namespace: "stub" }, () => ({ contents, resolveDir: root }));
  },
};
