/** Test and policy files behind one face: what is open, what is said of it, who answers for it. */

import {
  type CompanionProblem,
  KeptProblems,
  noFlowProblem,
  type PolicyContext,
  type PolicyFlow,
  problemsOfFile,
  problemsOfPolicy,
  problemsOfText,
  unreadablePolicies,
} from "../../files/suite";
import type { FlowDocument } from "../../flow";
import { testsWithCases } from "../../flow/test";
import type { Server } from "../context";
import type { LoadedCompanion } from "../features/companion";
import { loadedPolicies } from "../features/policies/loaded";
import { loadedTests } from "../features/tests/loaded";
import { keyOf } from "../protocol/uris";
import { Components } from "../workspace/components";
import { Programs } from "../workspace/programs";
import { Tools } from "../workspace/tools";
import type { Workspace } from "../workspace/workspace";
import type { CompanionDiagnosticsOptions } from "./companion-diagnostics";
import { CompanionDiagnostics } from "./companion-diagnostics";
import { type Companion, Companions } from "./companion-files";
import { CompanionRequests } from "./companion-requests";
import { Policies, pathFrom } from "./policies";
import { TestContexts } from "./test-contexts";

/** As many flows as one policy file is held against while it is typed. */
const MAX_FLOWS = 200;

/** The files of a workspace are read one after the other: the editor is told of many at once. */
const REFRESH_MS = 100;

export class CompanionService {
  readonly files: Companions;
  readonly programs: Programs;
  readonly tests: TestContexts;
  readonly components: Components;
  readonly policies: Policies;
  readonly tools: Tools;
  readonly diagnostics: CompanionDiagnostics;
  readonly requests: CompanionRequests;
  readonly #kept = new WeakMap<Companion, KeptProblems>();

  constructor(
    readonly workspace: Workspace,
    server: () => Server,
    private readonly options: Pick<
      CompanionDiagnosticsOptions,
      "connection" | "encoding" | "pushes" | "showsRelated"
    > & {
      /** Has the editor ask again for diagnostics and lenses. */
      readonly refresh: () => void;
    },
  ) {
    this.files = new Companions(workspace);
    this.programs = new Programs(workspace);
    this.components = new Components(workspace, this.programs, (users) => {
      server().diagnostics.usersChanged(users);
      this.#flowOnDisk();
    });
    this.tests = new TestContexts(workspace, this.programs);
    this.tools = new Tools(workspace);
    this.policies = new Policies(
      workspace,
      this.files,
      (id) => this.components.of(id),
      () => server().diagnostics.allChanged(),
      () => server().diagnostics.canTellLater,
    );
    this.diagnostics = new CompanionDiagnostics({
      ...options,
      companions: this.files,
      programs: this.programs,
      problems: (file) => this.#problems(file),
    });
    this.requests = new CompanionRequests(server, this);
    workspace.onFile(() => this.#flowOnDisk());
  }

  /** The address of a flow, open or given out before. */
  uriOf(flow: FlowDocument): string | undefined {
    const open = [...this.workspace.openFiles].find(({ document }) => document === flow);
    return open?.uri ?? this.programs.uriOf(flow);
  }

  async load(file: Companion): Promise<LoadedCompanion> {
    if (file.kind === "policies") return loadedPolicies(await this.loadPolicies(file));
    const context = await this.tests.load(file);
    return loadedTests(context, context.flowUri);
  }

  /** A policy file with the flows it counts for. */
  async loadPolicies({ uri, document }: { uri: string; document: { readonly text: string } }): Promise<PolicyContext> {
    const file = this.policies.read(document);
    const key = keyOf(uri);
    const flows: PolicyFlow[] = [];
    for (const flow of [...this.workspace.facts()].map((facts) => facts.uri).sort()) {
      if (flows.length >= MAX_FLOWS) break;
      const nearest = this.policies.fileFor(flow)?.uri;
      if (nearest === undefined || keyOf(nearest) !== key) continue;
      const program = await this.programs.of(flow);
      if (program)
        flows.push({ uri: flow, path: pathFrom(uri, flow), program, judged: this.policies.judgedOf(program.document) });
    }
    // Names of components can't be told before their flows are read, nor can what those have as components in turn.
    do for (const { judged } of flows) void judged.whole;
    while (await this.components.settled());
    return { text: document.text, file, flows };
  }

  /** A flow on disk came, went or changed. Editors ask again by themselves only for what is typed. */
  #flowOnDisk(): void {
    this.diagnostics.allChanged();
    if (this.#refreshing || [...this.files.openFiles].length === 0) return;
    this.#refreshing = setTimeout(() => {
      this.#refreshing = undefined;
      this.options.refresh();
    }, REFRESH_MS);
    this.#refreshing.unref();
  }

  #refreshing: NodeJS.Timeout | undefined;

  #problems(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    return file.kind === "test" ? this.#problemsOfTests(file) : this.#problemsOfPolicies(file);
  }

  async *#problemsOfPolicies(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    const context = await this.loadPolicies(file);
    yield unreadablePolicies(context.file.problems);
    for (const policy of context.file.policies) yield problemsOfPolicy(policy, context);
  }

  async *#problemsOfTests(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    const { file: tests, text, program, runnable, flowUri } = await this.tests.load(file);
    yield problemsOfFile(tests);
    const { flow } = tests;
    if (!program || !runnable) {
      for (const [test] of testsWithCases(tests.tests)) if (test) yield problemsOfText(test);
      if (!flow) return;
      yield [noFlowProblem(flow, flowUri !== undefined)];
      return;
    }
    let kept = this.#kept.get(file);
    if (!kept) {
      kept = new KeptProblems();
      this.#kept.set(file, kept);
    }
    kept.begin(runnable.all);
    for (const cases of testsWithCases(tests.tests)) yield kept.of(text, cases, program, runnable.flowOf);
    kept.end();
  }
}
