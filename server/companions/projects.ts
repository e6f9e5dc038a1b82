/** Project files of the workspace: for each flow the nearest one, with its live text if it is open. */
import { environmentsOf, type FlowEnvironment, getOrCreate, PROJECT_FILE, readProjectFile } from "../../flow";
import { componentIn, type ProjectFile, writtenFor } from "../../flow/project";
import { path } from "../../system";
import { keyOf, pathOf, uriOf } from "../protocol/uris";
import { NearestFiles } from "../workspace/nearest-files";
import type { Workspace } from "../workspace/workspace";
import type { Companions } from "./companion-files";
import { pathFrom } from "./policies";

export interface FoundProject {
  readonly uri: string;
  readonly project: ProjectFile;
}

const none: readonly FlowEnvironment[] = [];

export class Projects {
  readonly disk: NearestFiles<ProjectFile>;
  readonly #listed = new WeakMap<ProjectFile, Map<string, readonly FlowEnvironment[]>>();

  constructor(
    private readonly workspace: Workspace,
    private readonly companions: Companions,
  ) {
    this.disk = new NearestFiles(PROJECT_FILE, workspace, readProjectFile);
  }

  /** The project of a flow, a test file or a policy file. */
  of(file: string): FoundProject | undefined {
    const found = this.companions.nearestTo(file, this.disk);
    return found && { uri: found.uri, project: found.content };
  }

  /** The environments that list a flow. The same object while the project file is the same. */
  environmentsOf(flow: string): readonly FlowEnvironment[] {
    const found = this.of(flow);
    if (!found) return none;
    const { uri, project } = found;
    const listed = getOrCreate(this.#listed, project, () => new Map<string, readonly FlowEnvironment[]>());
    const at = pathFrom(uri, flow);
    return getOrCreate(listed, at, () => environmentsOf(project, at));
  }

  /** The text of a flow's project file and the flow's path in it, for the thread that checks files that aren't open. */
  textFor(flow: string): { readonly text: string; readonly path: string } | undefined {
    const found = this.of(flow);
    return found && { text: found.project.text, path: pathFrom(found.uri, flow) };
  }

  /** The flow that a `component` names. Undefined if projects of the workspace differ about it. */
  component(written: string): string | undefined {
    const found = new Set<string>();
    const byId = (id: string) => this.workspace.withId(id).sort()[0];
    for (const { uri, project } of this.all()) {
      const flow = componentIn(written, project, byId, (listed) => this.flowAt(uri, listed));
      if (flow !== undefined) found.add(keyOf(flow));
    }
    return found.size === 1 ? [...found][0] : undefined;
  }

  /** What a `component` may name a flow by, if there is a project file: IDs and names. */
  namesOf(flow: string, own: readonly (string | undefined)[]): readonly string[] | undefined {
    const found = this.of(flow);
    const ids = own.flatMap((id) => id?.toLowerCase() ?? []);
    return found && writtenFor(pathFrom(found.uri, flow), ids, found.project);
  }

  flowAt(uri: string, listed: string): string | undefined {
    const own = pathOf(uri);
    return own === undefined ? undefined : uriOf(path.join(path.dirname(own), listed));
  }

  *all(): Generator<FoundProject> {
    for (const { uri, kind, document } of this.companions.openFiles)
      if (kind === "project") yield { uri, project: this.disk.read(document) };
    for (const uri of this.disk.uris) {
      const project = this.companions.get(uri) ? undefined : this.disk.get(uri);
      if (project) yield { uri, project };
    }
  }
}
