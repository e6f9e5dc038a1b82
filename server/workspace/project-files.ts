/**
 * The project file of a flow: the nearest one, in its folder or above, inside its repository or workspace folder. It is read
 * each time, because what is sent depends on it.
 */
import { FileScope, isBelow } from "../../files";
import { PROJECT_FILE } from "../../flow";
import { path } from "../../system";
import { pathOf } from "../protocol/uris";

interface ProjectText {
  readonly folder: string;
  readonly text: string;
}

export class ProjectFiles {
  readonly #scope: FileScope;
  /** By the folder of a flow. */
  readonly #known = new Map<string, Promise<ProjectText | undefined>>();

  /** `workspaceFolders` are URIs. */
  constructor(workspaceFolders: readonly string[]) {
    this.#scope = new FileScope(workspaceFolders.flatMap((uri) => pathOf(uri) ?? []));
  }

  /**
   * The text of a flow's project file, and the flow's path relative to it, with forward slashes. Rejects if there is a file
   * that can't be read: it may protect an environment.
   */
  async of(uri: string): Promise<{ readonly text: string; readonly flow: string } | undefined> {
    const flow = pathOf(uri);
    if (flow === undefined) return undefined;
    const folder = path.dirname(flow);
    const reading = this.#known.get(folder) ?? this.#nearest(flow);
    this.#known.set(folder, reading);
    const found = await reading;
    return found && { text: found.text, flow: path.relative(found.folder, flow).split(path.sep).join("/") };
  }

  async #nearest(flow: string): Promise<ProjectText | undefined> {
    const home = await this.#scope.homeOf(flow);
    for (let folder = path.dirname(flow); isBelow(folder, [home]); folder = path.dirname(folder)) {
      const text = await this.#scope.read(path.join(folder, PROJECT_FILE), flow).catch((error) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (text !== undefined) return { folder, text };
      if (folder === path.dirname(folder)) return undefined;
    }
    return undefined;
  }
}
