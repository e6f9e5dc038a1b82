/** Test and policy files: the open ones, their diagnostics, and their requests. */

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
import type { ToolDefinitions } from "../../flow/tools";
import type { Diagnostics } from "../diagnostics/diagnostics";
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
import { Policies, pathFrom } from "./policies";
import { TestContexts } from "./test-contexts";

/** How many flows a policy file is checked against while typing. */
const MAX_FLOWS = 200;

/** Files of a workspace are read one after the other, so refreshes are batched. */
const REFRESH_MS = 100;

export class CompanionService {
  readonly files: Companions;
  readonly programs: Programs;
  readonly tests: TestContexts;
  readonly components: Components;
  readonly policies: Policies;
  readonly tools: Tools;
  readonly diagnostics: CompanionDiagnostics;
  readonly #kept = new WeakMap<Companion, KeptProblems>();

  constructor(
    readonly workspace: Workspace,
    private readonly options: Pick<
      CompanionDiagnosticsOptions,
      "connection" | "encoding" | "pushes" | "showsRelated"
    > & {
      readonly flowDiagnostics: Diagnostics;
      /** The tools of a flow's revision, as the platform last listed them. */
      readonly liveTools: (flow: string) => ToolDefinitions | undefined;
      /** Makes the editor request diagnostics and lenses again. */
      readonly refresh: () => void;
    },
  ) {
    this.files = new Companions(workspace);
    this.programs = new Programs(workspace);
    this.components = new Components(workspace, this.programs, (users) => {
      options.flowDiagnostics.usersChanged(users);
      this.#flowOnDisk();
    });
    this.tools = new Tools(workspace, options.liveTools);
    this.tests = new TestContexts(workspace, this.programs, this.files, (flow) => this.tools.toolsFor(flow));
    this.policies = new Policies(
      workspace,
      this.files,
      (id) => this.components.of(id),
      () => options.flowDiagnostics.allChanged(),
      () => options.flowDiagnostics.canUpdateLater,
    );
    this.diagnostics = new CompanionDiagnostics({
      ...options,
      companions: this.files,
      programs: this.programs,
      problems: (file) => this.#problems(file),
    });
    workspace.onFile(() => this.#flowOnDisk());
  }

  /** The URI of a flow that is open or was returned before. */
  uriOf(flow: FlowDocument): string | undefined {
    const open = [...this.workspace.openFiles].find(({ document }) => document === flow);
    return open?.uri ?? this.programs.uriOf(flow);
  }

  async load(file: Companion): Promise<LoadedCompanion> {
    if (file.kind === "policies") return loadedPolicies(await this.loadPolicies(file));
    const context = await this.tests.load(file);
    return loadedTests(context, context.flowUri);
  }

  /** A policy file with the flows it applies to. */
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
    // Names in components are unknown until their flows are read, and so are nested components.
    do for (const { judged } of flows) void judged.whole;
    while (await this.components.settled());
    return { text: document.text, file, flows };
  }

  /** A flow on disk was added, removed or changed. Editors request again only for text that is typed. */
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
    const { file: tests, text, program, runnable, flowUri, tools } = await this.tests.load(file);
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
    for (const cases of testsWithCases(tests.tests)) yield kept.of(text, cases, program, runnable.flowOf, tools);
    kept.end();
  }
}
