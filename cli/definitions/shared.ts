/** How commands are described, and options that several of them share. */
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "../command";

/** Options by their flags: what each is for, or more. */
export type Options = Readonly<Record<string, string | Omit<OptionDefinition, "flags">>>;

interface DescribedCommand extends Omit<CommandDefinition, "name" | "options" | "examples"> {
  readonly options?: Options;
  /** What each command line is for. */
  readonly examples: Readonly<Record<string, string>>;
}

/** Commands by their names. */
export type CommandTable = Readonly<Record<string, DescribedCommand>>;

export function commandsOf(table: CommandTable): CommandDefinition[] {
  return Object.entries(table).map(([name, { options = {}, examples, ...command }]) => ({
    ...command,
    name,
    options: Object.entries(options).map(([flags, described]) =>
      typeof described === "string" ? { flags, about: described } : { flags, ...described },
    ),
    examples: Object.entries(examples).map(([run, about]) => ({ run, about })),
  }));
}

export const accessOptions: Options = {
  "--key-stdin": "read the API key from standard input instead of ASSISTANT_FLOW_API_KEY",
  "--allow-new-origin": "allow the API key to be sent to a new URL, now and in the future",
};

export const environmentOption: Options = {
  "--env <name>": "the environment of assistant-flow.project.yaml to use",
};

export const keyOptions: Options = { ...accessOptions, ...environmentOption };

export const platformOptions: Options = {
  "--platform": "include the platform's findings from the last sync on this computer",
  "--env <name>": "with --platform: the environment (default: the one each flow is synced with)",
};

/** The first format is the default. */
export function format(...choices: readonly string[]): Options {
  return { "--format <kind>": { about: "output format", choices, default: choices[0] } };
}

export const take: Options = {
  "--take <side>": {
    about: "resolve every conflict: ours keeps the file's value, theirs uses the platform's",
    choices: ["ours", "theirs"],
  },
};

export const ruleOptions: Options = {
  "--rule <code=severity>": {
    about: "set the severity of a rule: off, hint, info, warning or error; may be repeated",
    many: true,
  },
  "--settings <file>":
    "read assistantFlow.rules from this JSON file (default: the nearest .vscode/settings.json in this folder or a parent)",
};

export const paths = (what: string, required = false): ArgumentDefinition => ({
  name: "paths",
  about: `${what}: files, folders, or patterns such as "flows/**/*.flow.yaml"${required ? "" : " (default: this folder)"}`,
  many: true,
  required,
});
