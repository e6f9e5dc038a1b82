/** Loads the files of a debug session: the flow, the flows of its components, and the test. */

import { filesBelow } from "../files";
import { DocumentCache, Suite } from "../files/suite";
import { fileKind, isTestFile, nearest, whyNoRun } from "../flow";
import { type RunSetup, scriptWith } from "../flow/debug";
import type { FlowOf, Program } from "../flow/run";
import type { FlowTest, TestFile } from "../flow/test";
import { KnownTools } from "../flow/tools";
import { fileURLToPath, isFileUri, path } from "../system";
import type { LaunchConfiguration } from "./messages";

/** What a session needs from its host. */
export interface DebugHost {
  readonly cwd: string;
  /** The current text of a file, saved or not; undefined if it doesn't exist. */
  textOf(file: string): Promise<string | undefined>;
  /** Reports each change of a file by its absolute path. */
  watch(files: readonly string[], changed: (file: string) => void): { dispose(): void };
  /** The known tools of a flow as the text of a snapshot; undefined if they aren't known. */
  toolsFor(flow: string): Promise<string | undefined>;
}

/** Shown to the user; the session ends. */
export class CannotStart extends Error {}

/** Shown when the current text can't be run. */
export function runUnchanged({ document }: Program): string {
  return `The run wasn't updated: the flow ${whyNoRun(document)}`;
}

export interface Loaded {
  readonly setup: RunSetup;
  readonly flowFile: string;
  /** The test file, if a test is debugged. */
  readonly testFile: { readonly path: string; readonly file: TestFile } | undefined;
  readonly fileOf: (program: Program) => string | undefined;
  readonly files: readonly string[];
}

export class Sources {
  readonly #reader: DocumentCache;

  constructor(
    private readonly host: DebugHost,
    readonly cwd: string,
  ) {
    this.#reader = new DocumentCache((file) => host.textOf(file));
  }

  /** The current flow; the same object while its text stays the same. */
  flow(file: string): Promise<Program | undefined> {
    return this.#reader.flow(file);
  }

  async load(launch: LaunchConfiguration): Promise<Loaded> {
    if (typeof launch.program !== "string" || launch.program.trim() === "")
      throw new CannotStart("Set `program` to a flow file or a test file.");
    const program = absolute(this.cwd, launch.program);
    const found = isTestFile(program) ? await this.#testIn(program, launch.test) : undefined;
    const flowFile = found ? found.flowFile : program;
    const kind = fileKind(flowFile);
    if (kind !== undefined && kind !== "flow")
      throw new CannotStart(`"${path.basename(flowFile)}" isn't a flow file or a test file.`);
    const named = found ?? (launch.test === undefined ? undefined : await this.#testOf(flowFile, launch.test));
    const suite = new Suite(this.cwd, this.#reader);
    const flow = await suite.flow(flowFile);
    if (!flow) throw new CannotStart(`Flow file "${launch.program}" doesn't exist.`);
    const script = scriptOf(launch, named?.test);
    expectDeclared(Object.keys(launch.given ?? {}), flow);
    const { flowOf } = await suite.loaded();
    const files = new Map(suite.flows.map(([file, each]) => [each, file]));
    return {
      setup: {
        program: flow,
        flowOf: flowOf satisfies FlowOf,
        test: script,
        tools: KnownTools.ofSnapshot(await this.host.toolsFor(flowFile), await suite.environmentsOf(flowFile)),
      },
      flowFile,
      testFile: named && { path: named.path, file: named.file },
      fileOf: (each) => files.get(each),
      files: [...files.values(), ...(named ? [named.path] : [])],
    };
  }

  async #testIn(file: string, name: string | undefined) {
    const read = await this.#reader.tests(file);
    if (!read) throw new CannotStart(`Test file "${path.basename(file)}" doesn't exist.`);
    const [problem] = read.problems;
    if (problem) throw new CannotStart(problem.message);
    const test = name === undefined ? read.tests[0] : read.tests.find((each) => each.name === name);
    if (!test) {
      const names = read.tests.map((each) => `"${each.name}"`).join(", ");
      throw new CannotStart(
        `Test "${name ?? ""}" doesn't exist in ${path.basename(file)}. Its tests: ${names || "none"}.`,
      );
    }
    const flowFile = Suite.flowPath(file, read);
    if (flowFile === undefined) throw new CannotStart("The test file doesn't name its flow.");
    return { path: file, file: read, test, flowFile };
  }

  /** Finds a test by name in the test files of the flow. */
  async #testOf(flowFile: string, name: string) {
    const folders = [...new Set([path.dirname(flowFile), this.cwd])];
    for (const folder of folders)
      for (const file of (await filesBelow(folder, isTestFile, "readable")).sort()) {
        const read = await this.#reader.tests(file);
        if (!read || Suite.flowPath(file, read) !== flowFile) continue;
        const test = read.tests.find((each) => each.name === name);
        if (test) return { path: file, file: read, test };
      }
    throw new CannotStart(`Test "${name}" doesn't exist for ${path.basename(flowFile)}.`);
  }
}

/** The script of the run: the test, with `given` and `tools` of the configuration taking precedence. */
function scriptOf({ given, tools }: LaunchConfiguration, test: FlowTest | undefined): FlowTest {
  const problem = test?.problems[0];
  if (problem) throw new CannotStart(problem.message);
  const script = scriptWith({ given, tools });
  if ("problem" in script) throw new CannotStart(script.problem);
  if (!test) return script.test;
  return {
    ...test,
    given: new Map([...test.given, ...script.test.given]),
    tools: new Map([...test.tools, ...script.test.tools]),
  };
}

/** A misspelled name would become a variable of its own. */
function expectDeclared(given: readonly string[], { document }: Program): void {
  const declared = document.variables.map(({ name }) => name);
  const unknown = given.find((name) => declared.length > 0 && !declared.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, declared);
  const advice = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new CannotStart(`\`given\`: Variable "${unknown}" doesn't exist.${advice}`);
}

/** Resolves a path; a URI of a file that isn't on disk is returned unchanged. */
export function absolute(cwd: string, file: string): string {
  if (!/^[a-z][\w+.-]+:/i.test(file)) return path.resolve(cwd, file);
  return isFileUri(file) ? fileURLToPath(file) : file;
}
