/**
 * Loads the module of a command when it runs, by the command's name. Definitions know nothing of modules, so that modules
 * can use definitions without an import cycle.
 */
import type { CommandModule } from "./command";
import { platformCommands } from "./definitions/platform";

export const loaders: Readonly<Record<string, () => Promise<CommandModule>>> = {
  ...Object.fromEntries(Object.keys(platformCommands).map((name) => [name, () => platformCommand(name)])),
  check: () => import("./commands/check"),
  test: () => import("./commands/test"),
  policies: () => import("./commands/policies"),
  fmt: () => import("./commands/fmt"),
  graph: () => import("./commands/graph"),
  diff: () => import("./commands/diff"),
  merge: () => import("./commands/merge"),
  "install-merge-driver": () => import("./commands/install-merge-driver"),
  plan: () => import("./commands/plan"),
  push: () => import("./commands/push"),
  pull: async () => (await import("./commands/push")).pull,
  new: () => import("./commands/new"),
  status: () => import("./commands/status"),
  promote: () => import("./environments/promote"),
  drift: () => import("./environments/drift"),
  history: async () => (await import("./environments/history")).list,
  restore: async () => (await import("./environments/history")).restore,
  tools: () => import("./commands/tools"),
  login: () => import("./commands/login"),
  sandbox: () => import("./commands/sandbox"),
  lsp: () => import("./commands/lsp"),
  mcp: () => import("./commands/mcp"),
  dap: () => import("./commands/dap"),
  completion: () => import("./commands/completion"),
  "calls trace": async () => (await import("./calls/report")).trace,
  "calls report": () => import("./calls/report"),
};

async function platformCommand(name: string): Promise<CommandModule> {
  return (await import("./commands/platform")).platformCommands[name] as CommandModule;
}
