/** Loads test files with their flows and the flows of components, reading each file once. */
import { type FlowDocument, isFlowFile, topText } from "../../flow";
import { componentIn, type FlowEnvironment } from "../../flow/project";
import type { FlowOf, Program } from "../../flow/run";
import type { SuiteFile, TestFile } from "../../flow/test";
import { path } from "../../system";
import { FileScope, isBelow } from "..";
import { filesBelow, shownPath } from "../find";
import type { DocumentCache } from "./document-cache";
import { type FoundProject, Projects } from "./projects";

export interface LoadedSuite {
  readonly files: readonly SuiteFile[];
  readonly flowOf: FlowOf;
  /** The path of a flow for display. */
  readonly pathOf: (document: FlowDocument) => string | undefined;
}

export class Suite {
  readonly #programs = new Map<string, Program | undefined>();
  readonly #paths = new Map<FlowDocument, string>();
  readonly #files: SuiteFile[] = [];
  /** Folders that may contain components of the requested flows. */
  readonly #homes = new Set<string>();
  #byId: Map<string, Program> | undefined;
  /** The project files of the flows. */
  #projects: readonly FoundProject[] = [];

  /** Paths are displayed relative to `cwd`. Flows below it may be components if `scope` contains them. */
  constructor(
    readonly cwd: string,
    private readonly reader: Pick<DocumentCache, "flow">,
    private readonly scope = new FileScope([cwd], cwd),
  ) {}

  /** The absolute path of the flow that a test file names. */
  static flowPath(absolute: string, { flow }: TestFile): string | undefined {
    return flow && path.resolve(path.dirname(absolute), flow.value);
  }

  async add(absolute: string, file: TestFile): Promise<void> {
    const flowAt = Suite.flowPath(absolute, file);
    this.#files.push({
      path: shownPath(absolute, this.cwd),
      file,
      flowPath: flowAt && shownPath(flowAt, this.cwd),
      flow: flowAt === undefined ? undefined : await this.flow(flowAt, absolute),
    });
  }

  /** Loads a flow that the user named; with `by`, one that a test file names. */
  async flow(absolute: string, by?: string): Promise<Program | undefined> {
    if (by !== undefined && (!isFlowFile(absolute) || !(await this.scope.allows(absolute, by)))) return undefined;
    this.#homes.add(await this.scope.homeOf(by ?? absolute));
    if (!this.#programs.has(absolute)) {
      const program = await this.reader.flow(absolute);
      this.#programs.set(absolute, program);
      if (program) this.#paths.set(program.document, shownPath(absolute, this.cwd));
    }
    return this.#programs.get(absolute);
  }

  /** Returns everything added, with the components of the flows. */
  async loaded(): Promise<LoadedSuite> {
    await this.#readComponents();
    return {
      files: this.#files,
      flowOf: (id) => this.#component(id),
      pathOf: (document) => this.#paths.get(document),
    };
  }

  /** The environments that list a flow. */
  environmentsOf(absolute: string): Promise<readonly FlowEnvironment[]> {
    return new Projects(this.scope).environmentsOf(absolute);
  }

  /** The flow of a component. Undefined if several project files differ about a name. */
  #component(written: string): Program | undefined {
    const byId = (id: string) => this.#byId?.get(id);
    const own = byId(written.toLowerCase());
    if (own || this.#projects.length === 0) return own;
    const found = this.#projects.flatMap(({ absolute, project }) => {
      const byPath = (listed: string) => this.#programs.get(path.join(path.dirname(absolute), listed));
      return componentIn(written, project, byId, byPath) ?? [];
    });
    return new Set(found).size === 1 ? found[0] : undefined;
  }

  /** All flows read so far, with their absolute paths. */
  get flows(): readonly (readonly [string, Program])[] {
    return [...this.#programs].flatMap(([absolute, program]) => (program ? [[absolute, program] as const] : []));
  }

  async #readComponents(): Promise<void> {
    const programs = [...this.#programs.values()];
    if (!programs.some((program) => program && hasComponents(program))) return;
    this.#byId = new Map();
    const found = await filesBelow(this.cwd, isFlowFile, "readable");
    const homes = [...this.#homes];
    for (const absolute of found.sort()) if (isBelow(absolute, homes)) await this.flow(absolute);
    const projects = new Projects(this.scope);
    const known = new Map<string, FoundProject>();
    for (const [absolute, program] of this.#programs) {
      if (!program) continue;
      // A project file that can't be read has no names; `check` reports it.
      const project = await projects.of(absolute).catch(() => undefined);
      if (project) known.set(project.absolute, project);
      for (const key of ["revision", "assistant"]) {
        const id = topText(program.document, key)?.toLowerCase();
        if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, program);
      }
    }
    this.#projects = [...known.values()];
  }
}

function hasComponents({ nodes }: Program): boolean {
  for (const node of nodes.values()) if (node.type === "component") return true;
  return false;
}
