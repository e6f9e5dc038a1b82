/** The files of a debug session: the flow, the flows of its components, the test that answers. */

import path from "node:path";
import { filesBelow } from "../files";
import { DocumentCache, Suite } from "../files/suite";
import { isTestFile, whyNoRun } from "../flow";
import { type RunSetup, scriptWith } from "../flow/debug";
import type { FlowOf, Program } from "../flow/run";
import type { FlowTest, TestFile } from "../flow/test";
import type { LaunchConfiguration } from "./messages";

/** What the session needs of the world outside. */
export interface DebugWorld {
  readonly cwd: string;
  /** The text of a file as it is now, saved or not; undefined where there is none. */
  textOf(file: string): Promise<string | undefined>;
  /** Tells of files that changed, by their absolute paths. */
  watch(files: readonly string[], changed: (file: string) => void): { dispose(): void };
}

/** Said to the person; the session ends. */
export class CannotStart extends Error {}

/** Said where the text as it is now can't be run. */
export function staysAsItWas({ document }: Program): string {
  return `The run stays as it was: the flow ${whyNoRun(document)}`;
}

export interface Loaded {
  readonly setup: RunSetup;
  readonly flowFile: string;
  /** The test file, where a test is debugged. */
  readonly testFile: { readonly path: string; readonly file: TestFile } | undefined;
  readonly fileOf: (program: Program) => string | undefined;
  readonly files: readonly string[];
}

export class Sources {
  readonly #reader: DocumentCache;

  constructor(
    world: DebugWorld,
    readonly cwd: string,
  ) {
    this.#reader = new DocumentCache((file) => world.textOf(file));
  }

  /** A flow as it is now, the same object while its text stays the same. */
  flow(file: string): Promise<Program | undefined> {
    return this.#reader.flow(file);
  }

  async load(launch: LaunchConfiguration): Promise<Loaded> {
    if (typeof launch.program !== "string" || launch.program.trim() === "")
      throw new CannotStart("Set `program` to a flow file or a test file.");
    const program = absolute(this.cwd, launch.program);
    const found = isTestFile(program) ? await this.#testIn(program, launch.test) : undefined;
    const flowFile = found ? found.flowFile : program;
    const named = found ?? (launch.test === undefined ? undefined : await this.#testOf(flowFile, launch.test));
    const suite = new Suite(this.cwd, this.#reader);
    const flow = await suite.flow(flowFile);
    if (!flow) throw new CannotStart(`There's no flow file "${launch.program}".`);
    const { flowOf } = await suite.loaded();
    const files = new Map(suite.flows.map(([file, each]) => [each, file]));
    return {
      setup: { program: flow, flowOf: flowOf satisfies FlowOf, test: scriptOf(launch, named?.test) },
      flowFile,
      testFile: named && { path: named.path, file: named.file },
      fileOf: (each) => files.get(each),
      files: [...files.values(), ...(named ? [named.path] : [])],
    };
  }

  async #testIn(file: string, name: string | undefined) {
    const read = await this.#reader.tests(file);
    if (!read) throw new CannotStart(`There's no test file "${path.basename(file)}".`);
    const [problem] = read.problems;
    if (problem) throw new CannotStart(problem.message);
    const test = name === undefined ? read.tests[0] : read.tests.find((each) => each.name === name);
    if (!test) {
      const names = read.tests.map((each) => `"${each.name}"`).join(", ");
      throw new CannotStart(
        `There's no test "${name ?? ""}" in ${path.basename(file)}. Its tests: ${names || "none"}.`,
      );
    }
    const flowFile = Suite.flowPath(file, read);
    if (flowFile === undefined) throw new CannotStart("The test file doesn't name its flow.");
    return { path: file, file: read, test, flowFile };
  }

  /** A test by name, in the test files that name the flow. */
  async #testOf(flowFile: string, name: string) {
    const folders = [...new Set([path.dirname(flowFile), this.cwd])];
    for (const folder of folders)
      for (const file of (await filesBelow(folder, isTestFile, "readable")).sort()) {
        const read = await this.#reader.tests(file);
        if (!read || Suite.flowPath(file, read) !== flowFile) continue;
        const test = read.tests.find((each) => each.name === name);
        if (test) return { path: file, file: read, test };
      }
    throw new CannotStart(`No test of ${path.basename(flowFile)} is called "${name}".`);
  }
}

/** The test, or what the configuration gives; `given` and `tools` of the configuration win over the test's. */
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

/** A path as it is looked up; what is a URL already, of a file that isn't on a disk, stays one. */
export function absolute(cwd: string, file: string): string {
  return /^[a-z][\w+.-]+:/i.test(file) && !/^[a-z]:[\\/]/i.test(file) ? file : path.resolve(cwd, file);
}
