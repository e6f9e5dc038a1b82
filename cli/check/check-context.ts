import { FileScope, openState } from "../../files";
import { Projects } from "../../files/suite";
import type { BlockingRules } from "../../flow/findings";
import { stateDirectory } from "../../platform";
import { blockingRules } from "../../sync";
import type { Terminal } from "../terminal";
import { PlatformRevisions } from "./platform-revisions";
import { cached, PolicyFiles } from "./policy-files";
import { ToolSnapshots } from "./tool-snapshots";

/** Where a check runs: its working folder, the folders the user named, and its environment variables. */
interface CheckPlace {
  readonly cwd: string;
  readonly folders: readonly string[];
  readonly env: Terminal["env"];
}

/** The files beside flows that count for them. Each is read once for all flows of a check. */
export class CheckContext {
  readonly policies: PolicyFiles;
  readonly tools: ToolSnapshots;
  readonly projects: Projects;
  readonly revisions: PlatformRevisions;
  readonly #env: Terminal["env"];
  readonly #blocking = new Map<string | undefined, Promise<BlockingRules>>();

  constructor({ cwd, folders, env }: CheckPlace) {
    this.#env = env;
    this.revisions = new PlatformRevisions(env);
    this.policies = new PolicyFiles(cwd);
    this.tools = new ToolSnapshots(new FileScope(folders, cwd));
    this.projects = new Projects(new FileScope(folders, cwd));
  }

  /** The rules that a platform blocks on, learned from pushes of this computer. */
  blockingOf(address = this.#env.ASSISTANT_FLOW_BASE_URL || undefined): Promise<BlockingRules> {
    return cached(this.#blocking, address, () => blockingRules(openState(stateDirectory(this.#env)), address));
  }
}
