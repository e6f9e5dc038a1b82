/** Options shared by several commands. */
import type { ArgumentDefinition, OptionDefinition } from "../command";

export const accessOptions: readonly OptionDefinition[] = [
  {
    flags: "--key-stdin",
    about: "read the API key from standard input instead of ASSISTANT_FLOW_API_KEY",
  },
  {
    flags: "--allow-new-origin",
    about: "allow the API key to be sent to a new URL, now and in the future",
  },
];

export const keyOptions: readonly OptionDefinition[] = [
  ...accessOptions,
  { flags: "--env <name>", about: "the environment of assistant-flow.project.yaml to use" },
];

export const platformOptions: readonly OptionDefinition[] = [
  { flags: "--platform", about: "include the platform's findings from the last sync on this computer" },
  { flags: "--env <name>", about: "with --platform: the environment (default: the one each flow is synced with)" },
];

export const textOrJson: OptionDefinition = {
  flags: "--format <kind>",
  about: "output format",
  choices: ["text", "json"],
  default: "text",
};

export const take: OptionDefinition = {
  flags: "--take <side>",
  about: "resolve every conflict: ours keeps the file's value, theirs uses the platform's",
  choices: ["ours", "theirs"],
};

export const ruleOptions: readonly OptionDefinition[] = [
  {
    flags: "--rule <code=severity>",
    about: "set the severity of a rule: off, hint, info, warning or error; may be repeated",
    many: true,
  },
  {
    flags: "--settings <file>",
    about:
      "read assistantFlow.rules from this JSON file (default: the nearest .vscode/settings.json in this folder or a parent)",
  },
];

export const paths = (what: string, required = false): ArgumentDefinition => ({
  name: "paths",
  about: `${what}: files, folders, or patterns such as "flows/**/*.flow.yaml"${required ? "" : " (default: this folder)"}`,
  many: true,
  required,
});
