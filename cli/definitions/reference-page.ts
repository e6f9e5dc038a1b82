/** docs/cli.md, made from the definitions of the commands. A test holds that the file is what this makes. */
import { type CommandDefinition, EXIT, EXIT_MEANINGS, type ExitCode } from "../command";
import { definitions, PROGRAM } from ".";

export function reference(): string {
  return [
    "# The command line",
    "",
    "<!-- Made from cli/definitions by `npm run docs:cli`. -->",
    "",
    `${PROGRAM.about} It is \`node dist/cli.js\` in this repository and \`${PROGRAM.name}\` where it is installed.`,
    "",
    "## The environment",
    "",
    "| variable | what it is |",
    "|---|---|",
    "| `ASSISTANT_FLOW_BASE_URL` | the platform's URL |",
    "| `ASSISTANT_FLOW_WORKFLOW_BASE_URL` | the URL of outbound calling; only its commands need it |",
    "| `ASSISTANT_FLOW_API_KEY` | the API key. `--key-stdin` takes it from standard input instead; it is never an argument, where other users of the machine could see it, and never stored |",
    "| `ASSISTANT_FLOW_STATE_DIR` | where sync and `test --last-failed` keep what they know (default: `assistant-flow` in the user's state folder) |",
    "| `NO_COLOR`, `FORCE_COLOR` | no colors, or colors where there is no terminal |",
    "",
    "Nothing ever waits for an answer. What the editor would ask fails with exit code 4 and the flag that allows it.",
    "",
    "## Exit codes",
    "",
    "| code | meaning |",
    "|---|---|",
    ...Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    "## Formats",
    "",
    "`check --format json` gives `{version, files: [{path, findings}], summary}`. A finding is what the language server says of the same",
    "file, byte for byte: `source` (`assistant-flow` or `platform`), `code`, `severity`, `message`, `range` (zero-based lines and",
    "UTF-16 columns, as in the language server protocol) and, where there are some, `related` places. `sarif` is SARIF 2.1.0",
    "with fixes, `github` is workflow commands for annotations, `junit` has a suite for each flow.",
    "",
    "Severities of rules come from `assistantFlow.rules` in the nearest `.vscode/settings.json`, from the working folder upwards to the",
    "root of the repository, so that a pull request is checked as the editor checks; `--settings` names another file and `--rule` goes over both.",
    "",
    "## Commands",
    "",
    "| command | what it does |",
    "|---|---|",
    ...definitions.map(({ name, summary }) => `| [\`${name}\`](#${anchor(name)}) | ${summary} |`),
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

function anchor(name: string): string {
  return name.replace(/ /g, "-");
}
