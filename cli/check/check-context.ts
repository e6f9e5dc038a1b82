import { FileScope } from "../../files";
import { Projects } from "../../files/suite";
import type { Terminal } from "../terminal";
import { KnownBlocking } from "./known-blocking";
import { PlatformRevisions } from "./platform-revisions";
import { PolicyFiles } from "./policy-files";
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
  readonly blocking: KnownBlocking;

  constructor({ cwd, folders, env }: CheckPlace) {
    this.revisions = new PlatformRevisions(env);
    this.blocking = new KnownBlocking(env);
    this.policies = new PolicyFiles(cwd);
    this.tools = new ToolSnapshots(new FileScope(folders, cwd));
    this.projects = new Projects(new FileScope(folders, cwd));
  }
}
