/** Test, policy and project files: the open ones, their diagnostics, and their requests. */
import { type Connection, type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import {
  type CompanionProblem,
  KeptProblems,
  type PolicyContext,
  type PolicyFlow,
  problemsOfFile,
  problemsOfPolicy,
  problemsOfProject,
  problemsWithoutRuns,
  unreadablePolicies,
} from "../../files/suite";
import { type FileKind, type FlowDocument, fileKind, getOrCreate } from "../../flow";
import { testsWithCases } from "../../flow/test";
import type { ToolDefinitions } from "../../flow/tools";
import { shownMessage } from "../../text";
import { inBackground } from "../background";
import type { Diagnostics } from "../diagnostics/diagnostics";
import type { LoadedCompanion } from "../features/companion";
import { loadedPolicies } from "../features/policies/loaded";
import { loadedProject } from "../features/project/loaded";
import { loadedTests } from "../features/tests/loaded";
import { Converter, firstLine, protocolSeverity, TextConverter } from "../protocol/to-protocol";
import { isBelow, keyOf } from "../protocol/uris";
import { Components } from "../workspace/components";
import { isDeleted } from "../workspace/files";
import { Programs } from "../workspace/programs";
import { Tools } from "../workspace/tools";
import type { Workspace } from "../workspace/workspace";
import { type Companion, Companions } from "./companion-files";
import { Policies, pathFrom } from "./policies";
import { Projects } from "./projects";
import { TestContexts } from "./test-contexts";

/** How many flows a policy file is checked against while typing. */
const MAX_FLOWS = 200;

/** Files of a workspace are read one after the other, so refreshes are batched. */
const REFRESH_MS = 100;

/** In the order of `CompanionService.nearest`. */
const NEAREST: readonly (FileKind | undefined)[] = ["policies", "project", "tools"];

export class CompanionService {
  readonly files: Companions;
  readonly programs: Programs;
  readonly tests: TestContexts;
  readonly components: Components;
  readonly policies: Policies;
  readonly projects: Projects;
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
    this.projects = new Projects(workspace, this.files);
    workspace.namesOf = (flow, own) => this.projects.namesOf(flow, own);
    this.programs = new Programs(workspace, (written) => this.projects.component(written));
    this.components = new Components(workspace, this.programs, (users) => {
      options.flowDiagnostics.checkAgain(users);
      this.#flowOnDisk();
    });
    this.tools = new Tools(workspace, options.liveTools, (flow) => this.projects.environmentsOf(flow));
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
      edits: () => workspace.edits,
      problems: (file) => this.#problems(file),
    });
    workspace.onFile(() => this.#flowOnDisk());
  }

  /** Files that apply to the flows around them. */
  get nearest() {
    return [this.policies, this.projects, this.tools] as const;
  }

  isNearest(uri: string): boolean {
    return NEAREST.includes(fileKind(uri));
  }

  /** Reads the policy files, project files and tool definitions of the workspace; true if something changed. */
  async updateNearest(): Promise<boolean> {
    let isChanged = false;
    for (const { disk } of this.nearest) isChanged = (await disk.update()) || isChanged;
    for (const uri of this.tools.disk.uris) this.#showToolsProblem(uri);
    return isChanged;
  }

  /** Reads one of them again; true if it changed. */
  async rereadNearest(uri: string): Promise<boolean> {
    const { disk } = this.nearest[NEAREST.indexOf(fileKind(uri))] as (typeof this.nearest)[number];
    if (!(await disk.reread(uri))) return false;
    if (disk === this.tools.disk) this.#showToolsProblem(uri);
    return true;
  }

  /** A file or folder on disk changed: open files that are deleted have no diagnostics. */
  async noteDeleted(changed: string): Promise<void> {
    for (const file of this.files.openFiles) {
      if (keyOf(file.uri) !== keyOf(changed) && !isBelow(file.uri, changed)) continue;
      const isGone = await isDeleted(file.uri);
      if (file.isDeleted === isGone) continue;
      file.isDeleted = isGone;
      this.diagnostics.changed(file);
      this.options.refresh();
    }
  }

  /** Unusable tool definitions get one diagnostic, on their own file. */
  #showToolsProblem(uri: string): void {
    const { connection } = this.options;
    const message = this.tools.problemOf(uri);
    const diagnostic = { range: firstLine, severity: DiagnosticSeverity.Error, source: "assistant-flow" };
    const diagnostics = message === undefined ? [] : [{ ...diagnostic, code: "bad-tools", message }];
    inBackground({ connection }, connection.sendDiagnostics({ uri, diagnostics }));
  }

  /** The URI of a flow that is open or was returned before. */
  uriOf(flow: FlowDocument): string | undefined {
    const open = [...this.workspace.openFiles].find(({ document }) => document === flow);
    return open?.uri ?? this.programs.uriOf(flow);
  }

  async load(file: Companion): Promise<LoadedCompanion> {
    if (file.kind === "policies") return loadedPolicies(await this.loadPolicies(file));
    if (file.kind === "project") return this.#loadProject(file);
    const context = await this.tests.load(file);
    return loadedTests(context, context.flowUri);
  }

  #loadProject({ uri, document }: Companion): LoadedCompanion {
    const project = this.projects.disk.read(document);
    return loadedProject({
      project,
      uriOf: (path) => this.projects.flowAt(uri, path),
      flows: () =>
        new Map(
          [...this.workspace.facts()]
            .filter((facts) => this.projects.of(facts.uri)?.project === project)
            .map(({ uri: flow, assistant, revision }) => [
              pathFrom(uri, flow),
              { ...(assistant ? { assistant } : {}), ...(revision ? { revision } : {}) },
            ]),
        ),
    });
  }

  /** A policy file with the flows it applies to. */
  loadPolicies(file: { uri: string; document: { readonly text: string } }): Promise<PolicyContext> {
    return this.workspace.loadCurrent(() => this.#loadPolicies(file));
  }

  async #loadPolicies({ uri, document }: { uri: string; document: { readonly text: string } }): Promise<PolicyContext> {
    const file = this.policies.disk.read(document);
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
  }

  #refreshing: NodeJS.Timeout | undefined;

  #problems(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    if (file.kind === "project") return this.#problemsOfProject(file);
    return file.kind === "test" ? this.#problemsOfTests(file) : this.#problemsOfPolicies(file);
  }

  async *#problemsOfProject({ document }: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    yield problemsOfProject(this.projects.disk.read(document));
  }

  async *#problemsOfPolicies(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    const context = await this.loadPolicies(file);
    yield unreadablePolicies(context.file.problems);
    for (const policy of context.file.policies) yield problemsOfPolicy(policy, context);
  }

  async *#problemsOfTests(file: Companion): AsyncGenerator<readonly CompanionProblem[]> {
    const { file: tests, text, program, runnable, flowUri, tools } = await this.tests.load(file);
    yield problemsOfFile(tests);
    const withoutRuns = problemsWithoutRuns(tests, program, flowUri !== undefined);
    if (withoutRuns) yield withoutRuns;
    if (withoutRuns || !program || !runnable) return;
    const kept = getOrCreate(this.#kept, file, () => new KeptProblems());
    kept.begin(runnable.all);
    for (const cases of testsWithCases(tests.tests)) yield kept.of(text, cases, program, runnable.flowOf, tools);
    kept.end();
  }
}

/**
 * Diagnostics of open test and policy files. Running the tests of a long file takes a while, so it is done in slices,
 * between which other requests are answered; work for an older text of the file or of its flows is abandoned.
 */
interface CompanionDiagnosticsOptions {
  readonly connection: Connection;
  readonly companions: Companions;
  readonly programs: Programs;
  /** Increases with each edit of an open file. */
  readonly edits: () => number;
  readonly encoding: () => string;
  readonly pushes: () => boolean;
  readonly showsRelated: () => boolean;
  /** All problems of a file, as a sequence of lists. */
  readonly problems: (file: Companion) => AsyncGenerator<readonly CompanionProblem[]>;
}

/** An editor shows at most this many per file. */
const MAX_PROBLEMS = 1000;
const SLICE_MS = 8;

class CompanionDiagnostics {
  /** Files being checked, and whether they must be checked once more. */
  readonly #running = new Map<Companion, { again: boolean }>();

  constructor(private readonly options: CompanionDiagnosticsOptions) {}

  /** The text changed, or a flow that it refers to. */
  changed(file: Companion): void {
    if (!this.options.pushes()) return;
    const running = this.#running.get(file);
    if (running) running.again = true;
    else inBackground(this.options, this.#push(file));
  }

  /** A flow, a setting or a file on disk changed. */
  allChanged(): void {
    for (const file of this.options.companions.openFiles) this.changed(file);
  }

  cleared(uri: string): void {
    if (this.options.pushes()) void this.options.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  async #push(file: Companion): Promise<void> {
    const state = { again: false };
    this.#running.set(file, state);
    try {
      do {
        state.again = false;
        await new Promise((resolve) => setImmediate(resolve));
        const { version } = file;
        const items = await this.of(file);
        if (!items || this.options.companions.get(file.uri) !== file) continue;
        void this.options.connection.sendDiagnostics({ uri: file.uri, version, diagnostics: items });
      } while (state.again && this.options.companions.get(file.uri) === file);
    } finally {
      this.#running.delete(file);
    }
  }

  /** Undefined if a file changed in the meantime. */
  async of(file: Companion): Promise<Diagnostic[] | undefined> {
    if (file.isDeleted) return [];
    const found = await this.problemsOf(file);
    if (!found) return undefined;
    const { uri, document } = file;
    const converter = new TextConverter(uri, document, this.options.encoding());
    return found.map((problem) => this.#diagnostic(problem, converter));
  }

  async problemsOf(file: Companion): Promise<CompanionProblem[] | undefined> {
    const edits = this.options.edits();
    const found: CompanionProblem[] = [];
    let since = performance.now();
    for await (const some of this.options.problems(file)) {
      for (const each of some.slice(0, MAX_PROBLEMS - found.length)) found.push(each);
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.options.edits() !== edits) return undefined;
      since = performance.now();
    }
    return this.options.edits() === edits ? found : undefined;
  }

  #diagnostic(problem: CompanionProblem, converter: TextConverter): Diagnostic {
    const { code, severity, message, span } = problem;
    const related = this.options.showsRelated() ? this.#related(problem) : [];
    return {
      range: converter.range(span),
      message: shownMessage(message),
      severity: protocolSeverity[severity],
      source: "assistant-flow",
      code,
      ...(related.length > 0 ? { relatedInformation: related } : {}),
    };
  }

  #related({ related }: CompanionProblem) {
    return related.flatMap(({ document, span, message }) => {
      const uri = this.options.programs.uriOf(document);
      const location = uri === undefined ? undefined : new Converter(uri, document, this.options.encoding());
      return location ? [{ message: shownMessage(message), location: location.location(span) }] : [];
    });
  }
}
