/** Options that several commands take, worded once. */
import type { ArgumentDefinition, OptionDefinition } from "../command";

export const keyOptions: readonly OptionDefinition[] = [
  {
    flags: "--key-stdin",
    about: "read the API key from standard input rather than from ASSISTANT_FLOW_API_KEY",
  },
  {
    flags: "--allow-new-origin",
    about: "send the API key to a URL other than the one it was first used with, from now on",
  },
];

export const textOrJson: OptionDefinition = {
  flags: "--format <kind>",
  about: "for people or for programs",
  choices: ["text", "json"],
  default: "text",
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
      "take assistantFlow.rules from this JSON file (default: the nearest .vscode/settings.json, upwards from this folder)",
  },
];

/** Files, folders and patterns. */
export const paths = (what: string, required = false): ArgumentDefinition => ({
  name: "paths",
  about: `${what}: files, folders, or patterns such as "flows/**/*.flow.yaml"${required ? "" : " (default: this folder)"}`,
  many: true,
  required,
});
