/**
 * Loads the module of a command when it runs, by the command's name. Definitions know nothing of modules, so that modules
 * can use definitions without an import cycle.
 */
import type { CommandModule } from "./command";

export const loaders: Readonly<Record<string, () => Promise<CommandModule>>> = {
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
  pull: () => import("./commands/pull"),
  new: () => import("./commands/new"),
  status: () => import("./commands/status"),
  tools: () => import("./commands/tools"),
  login: () => import("./commands/login"),
  sandbox: () => import("./commands/sandbox"),
  lsp: () => import("./commands/lsp"),
  mcp: () => import("./commands/mcp"),
  dap: () => import("./commands/dap"),
  completion: () => import("./commands/completion"),
  "keys list": async () => (await import("./commands/keys")).list,
  "keys create": async () => (await import("./commands/keys")).create,
  "keys revoke": async () => (await import("./commands/keys")).revoke,
  "reviews list": async () => (await import("./commands/identity")).listReviews,
  "reviews reject": async () => (await import("./commands/identity")).rejectReview,
  "workflows list": async () => (await import("./commands/workflows")).list,
  "workflows get": async () => (await import("./commands/workflows")).get,
  "workflows execute": async () => (await import("./commands/workflows")).execute,
  "calls list": async () => (await import("./commands/calls")).list,
  "calls get": async () => (await import("./commands/calls")).get,
  "calls trace": () => import("./calls/trace"),
  "calls report": () => import("./calls/report"),
  "call create": async () => (await import("./commands/calls")).create,
  "assistants restore": async () => (await import("./commands/identity")).restoreAssistant,
  "webhooks catalog": async () => (await import("./commands/reports")).catalog,
  "analytics embeddings": async () => (await import("./commands/reports")).embeddings,
};
