import { FileScope } from "../../files";
import { PolicyFiles } from "./policy-files";
import { ToolSnapshots } from "./tool-snapshots";

/** The files beside flows that count for them. Each is read once for all flows of a check. */
export class CheckContext {
  readonly policies: PolicyFiles;
  readonly tools: ToolSnapshots;

  constructor({ cwd, folders }: { readonly cwd: string; readonly folders: readonly string[] }) {
    this.policies = new PolicyFiles(cwd);
    this.tools = new ToolSnapshots(new FileScope(folders, cwd));
  }
}
