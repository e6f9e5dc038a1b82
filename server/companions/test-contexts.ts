/** The context of a test file for its features: its current flow, and the flows of the workspace. */
import type { FlowOf } from "../../flow/run";
import { readTestFile, type TestFile } from "../../flow/test";
import type { KnownTools } from "../../flow/tools";
import { path } from "../../system";
import type { TestContext } from "../features/tests/context";
import { pathOf, uriOf } from "../protocol/uris";
import type { Programs, RunnableFlow } from "../workspace/programs";
import type { Workspace } from "../workspace/workspace";
import type { Companions } from "./companion-files";

export interface LoadedTests extends TestContext {
  readonly flowUri: string | undefined;
  readonly runnable: RunnableFlow | undefined;
}

const none: FlowOf = () => undefined;

export class TestContexts {
  /** The parsed content of a file, valid while its text is unchanged. */
  readonly #read = new WeakMap<object, TestFile>();

  constructor(
    private readonly workspace: Workspace,
    private readonly programs: Programs,
    private readonly files: Companions,
    private readonly toolsFor: (flow: string) => KnownTools | undefined,
  ) {}

  load(file: { uri: string; document: { readonly text: string } }): Promise<LoadedTests> {
    return this.workspace.loadCurrent(() => this.#load(file));
  }

  async #load({ uri, document }: { uri: string; document: { readonly text: string } }): Promise<LoadedTests> {
    const file = this.read(document);
    const flowUri = flowOfTests(uri, file);
    const program =
      flowUri !== undefined && (await this.#mayRead(uri, flowUri)) ? await this.programs.of(flowUri) : undefined;
    const runnable = program && (await this.programs.withComponents(program));
    return {
      text: file.text,
      file,
      program,
      flowOf: runnable?.flowOf ?? none,
      tools: flowUri === undefined ? undefined : this.toolsFor(flowUri),
      flows: () => this.#flowsFrom(uri),
      tags: () => this.#tags(),
      flowUri,
      runnable,
    };
  }

  /** Whether a test file may access its flow, even if that is open: it may not read flows outside its scope. */
  async #mayRead(uri: string, flowUri: string): Promise<boolean> {
    const [by, flow] = [pathOf(uri), pathOf(flowUri)];
    return by !== undefined && flow !== undefined && this.workspace.scope().allows(flow, by);
  }

  read(document: { readonly text: string }): TestFile {
    const { text } = document;
    const known = this.#read.get(document);
    if (known?.text === text) return known;
    const file = readTestFile(text);
    this.#read.set(document, file);
    return file;
  }

  #tags(): string[] {
    const open = [...this.files.openFiles].filter(({ kind }) => kind === "test");
    const tests = open.flatMap(({ document }) => this.read(document).tests);
    return tests.flatMap(({ tags }) => tags.map(({ value }) => value)).sort();
  }

  #flowsFrom(uri: string): string[] {
    const own = pathOf(uri);
    const folder = own === undefined ? undefined : path.dirname(own);
    return [...this.workspace.facts()]
      .flatMap((facts) => {
        const flow = pathOf(facts.uri);
        return folder === undefined || flow === undefined
          ? []
          : [path.relative(folder, flow).split(path.sep).join("/")];
      })
      .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  }
}

/** The URI of the flow that a test file names. */
function flowOfTests(uri: string, { flow }: TestFile): string | undefined {
  const own = pathOf(uri);
  return own === undefined || !flow ? undefined : uriOf(path.resolve(path.dirname(own), flow.value));
}
