/** All commands, in the order of help and docs/cli.md. */
import type { CommandDefinition } from "../command";
import { environmentCommands } from "./environments";
import { flowCommands } from "./flows";
import { platformCommands } from "./platform";
import { commandsOf } from "./shared";

export const VERSION = "0.1.0";

export const PROGRAM = {
  name: "assistant-flow",
  about: "Check, test, plan, push, and pull assistant flows from the command line.",
} as const;

/** Groups of commands, by the first word of their names. */
export const groups: Readonly<Record<string, string>> = {
  keys: "API keys",
  reviews: "Identity review requests",
  workflows: "Calling workflows",
  calls: "Calls",
  call: "Call inquiries",
  assistants: "Assistants",
  webhooks: "Webhook events",
  analytics: "Spending",
};

export const definitions: readonly CommandDefinition[] = [flowCommands, environmentCommands, platformCommands].flatMap(
  commandsOf,
);
