/** Finds and reads project files: for each flow the nearest one, in its folder or above, inside the repository. */
import { PROJECT_FILE } from "../../flow";
import { environmentsOf, type FlowEnvironment, type ProjectFile, readProjectFile } from "../../flow/project";
import { path } from "../../system";
import { type FileScope, isBelow, NearestFile } from "..";

export interface FoundProject {
  readonly absolute: string;
  readonly project: ProjectFile;
}

export class Projects {
  readonly #nearest = new NearestFile(PROJECT_FILE);
  readonly #read = new Map<string, Promise<FoundProject>>();

  constructor(private readonly scope: FileScope) {}

  /** The project of a flow; undefined if there is none. */
  async of(flow: string): Promise<FoundProject | undefined> {
    const file = await this.#nearest.to(flow);
    if (file === undefined || !isBelow(file, [await this.scope.homeOf(flow)])) return undefined;
    const found = this.#read.get(file) ?? this.#readNow(file);
    this.#read.set(file, found);
    return found;
  }

  /** The environments that list a flow. */
  async environmentsOf(flow: string): Promise<FlowEnvironment[]> {
    const found = await this.of(flow);
    return found ? environmentsOf(found.project, pathIn(found, flow)) : [];
  }

  async #readNow(absolute: string): Promise<FoundProject> {
    return { absolute, project: readProjectFile(await this.scope.read(absolute)) };
  }
}

/** The path of a flow as its project file writes it. */
export function pathIn({ absolute }: FoundProject, flow: string): string {
  return path.relative(path.dirname(absolute), flow).split(path.sep).join("/");
}
