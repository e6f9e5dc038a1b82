/** Generates docs/cli.md from the command definitions. A test checks that the file is current. */
import { type CommandDefinition, EXIT, EXIT_MEANINGS, type ExitCode } from "../command";
import { definitions, PROGRAM } from ".";

export function reference(): string {
  return [
    "# Command line",
    "",
    "<!-- Generated from cli/definitions by `npm run docs:cli`. -->",
    "",
    `${PROGRAM.about} [Install it](ci.md#install), or run \`node dist/cli.js\` in this repository.`,
    "",
    "## Environment",
    "",
    "| variable | meaning |",
    "|---|---|",
    "| `ASSISTANT_FLOW_BASE_URL` | the platform URL |",
    "| `ASSISTANT_FLOW_WORKFLOW_BASE_URL` | the URL of outbound calling; only the calling commands need it |",
    "| `ASSISTANT_FLOW_API_KEY` | the API key. `--key-stdin` reads it from standard input instead. The key is never stored. You can't pass it as an argument, because other users of the computer could see it |",
    "| `ASSISTANT_FLOW_API_KEY_<NAME>` | the API key of an environment, with its name in upper case and `_` for `-` ([Environments](environments.md)) |",
    "| `ASSISTANT_FLOW_BASE_URL_<NAME>` | the URL that the key of an environment may be sent to, for CI |",
    "| `ASSISTANT_FLOW_WORKFLOW_BASE_URL_<NAME>` | the URL of outbound calling that this key may be sent to. If `ASSISTANT_FLOW_BASE_URL_<NAME>` is set, `calling_url` is used only if its origin matches one of the two URLs |",
    "| `ASSISTANT_FLOW_STATE_DIR` | the folder for the state of sync and `test --last-failed` (default: `assistant-flow` in the user's state folder) |",
    "| `NO_COLOR`, `FORCE_COLOR` | turn colors off, or on without a terminal |",
    "",
    "Commands never prompt. If confirmation is required, a command fails with exit code 4, and the message names the flag to pass.",
    "",
    "## Exit codes",
    "",
    "| code | meaning |",
    "|---|---|",
    ...Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    "## Formats",
    "",
    "`check --format json` prints `{version, files: [{path, findings}], summary}`. A finding is identical to the one that the language server reports for the same",
    "file: `source` (`assistant-flow` or `platform`), `code`, `severity`, `message`, `range` (0-based lines and",
    "UTF-16 columns, as in the Language Server Protocol) and, if any, `related` locations. `sarif` is SARIF 2.1.0",
    "with fixes, `github` prints workflow commands for annotations, and `junit` has one suite per flow.",
    "",
    "Rule severities come from `assistantFlow.rules` in the nearest `.vscode/settings.json`, from the working folder up to the",
    "root of the repository, so results are the same in CI and in the editor. `--settings` selects another file, and `--rule` overrides both.",
    "",
    "## Commands",
    "",
    "| command | description |",
    "|---|---|",
    ...definitions.map(({ name, summary }) => `| [\`${name}\`](#${name.replace(/ /g, "-")}) | ${summary} |`),
    "",
    ...definitions.map(section),
  ].join("\n");
}

function section(definition: CommandDefinition): string {
  const { name, summary, about, args = [], options = [], examples, exits } = definition;
  const shownArgs = args.map((arg) => {
    const word = `${arg.name}${arg.many ? "..." : ""}`;
    return arg.required ? `<${word}>` : `[${word}]`;
  });
  const usage = [PROGRAM.name, name, ...(options.length > 0 ? ["[options]"] : []), ...shownArgs].join(" ");
  const rows = [
    ...args.map((arg) => [`\`${arg.name}\``, withFacts(arg.about, arg.choices)]),
    ...options.map((option) => [`\`${option.flags}\``, withFacts(option.about, option.choices, option.default)]),
  ];
  const codes = ([EXIT.fine, ...exits] as ExitCode[]).join(", ");
  return [
    `### ${name}`,
    "",
    `${summary}.${about ? ` ${about}` : ""}`,
    "",
    "```",
    usage,
    "```",
    "",
    ...(rows.length > 0 ? ["| | |", "|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`), ""] : []),
    ...examples.flatMap((example) => [`- ${example.about}: \`${example.run.replace(/\|/g, "|")}\``]),
    "",
    `Exit codes: ${codes}.`,
    "",
  ].join("\n");
}

function withFacts(about: string, choices?: readonly string[], initial?: string): string {
  const facts = [
    ...(choices ? [`one of ${choices.map((choice) => `\`${choice}\``).join(", ")}`] : []),
    ...(initial === undefined ? [] : [`default \`${initial}\``]),
  ];
  return `${about}${facts.length > 0 ? ` (${facts.join("; ")})` : ""}`.replace(/(?<!\\)\|/g, "\\|");
}
