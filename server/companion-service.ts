/** Test and policy files behind one face: what is open, what is said of it, who answers for it. */
import type { CompanionDiagnosticsOptions } from "./companion-diagnostics";
import { CompanionDiagnostics } from "./companion-diagnostics";
import { CompanionRequests } from "./companion-requests";
import { type Companion, Companions } from "./companions";
import type { CompanionProblem, LoadedCompanion } from "./features/companion";
import { loadedTests } from "./features/tests/loaded";
import { KeptProblems, problemsOfFile } from "./features/tests/problems";
import { Programs } from "./programs";
import type { Server } from "./server";
import { TestContexts } from "./test-contexts";
import type { Workspace } from "./workspace";

export class CompanionService {
  readonly files: Companions;
  readonly programs: Programs;
  readonly tests: TestContexts;
  readonly diagnostics: CompanionDiagnostics;
  readonly requests: CompanionRequests;
  readonly #kept = new WeakMap<Companion, KeptProblems>();

  constructor(
    workspace: Workspace,
    server: () => Server,
    options: Pick<CompanionDiagnosticsOptions, "connection" | "encoding" | "pushes" | "showsRelated">,
  ) {
    this.files = new Companions(workspace);
    this.programs = new Programs(workspace);
    this.tests = new TestContexts(workspace, this.programs);
    this.diagnostics = new CompanionDiagnostics({
      ...options,
      companions: this.files,
      programs: this.programs,
      problems: (file) => this.#problems(file),
    });
    this.requests = new CompanionRequests(server, this);
    workspace.onFile(() => this.diagnostics.allChanged());
  }

  async load(file: Companion): Promise<LoadedCompanion> {
    const context = await this.tests.load(file);
    return loadedTests(context, context.flowUri);
  }

  async *#problems(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    if (file.kind !== "test") return;
    const { file: tests, text, program, runnable, flowUri } = await this.tests.load(file);
    yield problemsOfFile(tests);
    const { flow } = tests;
    if (!program || !runnable) {
      if (!flow) return;
      const message =
        flowUri === undefined
          ? "Save this file: `flow` is relative to it."
          : `There's no flow file "${flow.value}". \`flow\` is relative to this file.`;
      yield [{ code: "bad-test", severity: "error", message, span: flow.span, related: [], fixes: () => [] }];
      return;
    }
    let kept = this.#kept.get(file);
    if (!kept) {
      kept = new KeptProblems();
      this.#kept.set(file, kept);
    }
    kept.begin(runnable.all);
    for (const test of tests.tests) yield kept.of(text, test, program, runnable.flowOf);
    kept.end();
  }
}
