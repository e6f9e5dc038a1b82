/** Every command there is, in the order of help and docs/cli.md. */
import type { CommandDefinition } from "../command";
import { flowCommands } from "./flows";
import { platformCommands } from "./platform";

export const VERSION = "0.1.0";

export const PROGRAM = {
  name: "assistant-flow",
  about: "Assistant flows without an editor: check, plan, push, pull, and the platform around them.",
} as const;

/** The first words of commands that have two. */
export const groups: Readonly<Record<string, string>> = {
  keys: "API keys",
  reviews: "Identity review requests",
  workflows: "Calling workflows",
  calls: "Calls",
  call: "A call inquiry",
  assistants: "Assistants",
  webhooks: "Webhook events",
  analytics: "What things cost",
};

export const definitions: readonly CommandDefinition[] = [...flowCommands, ...platformCommands];
