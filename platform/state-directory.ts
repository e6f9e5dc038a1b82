/** The folder for the product's state: one per user, shared by all editors and the command line. */
import { homedir, path } from "../system";

export function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env.ASSISTANT_FLOW_STATE_DIR) return path.resolve(env.ASSISTANT_FLOW_STATE_DIR);
  const shared = process.platform === "win32" ? env.LOCALAPPDATA : env.XDG_STATE_HOME;
  // A relative path would depend on the current repository.
  const own = shared && path.isAbsolute(shared) ? shared : undefined;
  return path.join(own ?? path.join(homedir(), ".local", "state"), "assistant-flow");
}
