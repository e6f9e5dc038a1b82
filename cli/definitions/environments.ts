/** The commands about environments, which a project file lists. */
import { type CommandDefinition, EXIT } from "../command";
import { accessOptions, keyOptions, paths, ruleOptions, textOrJson } from "./shared";

const format = {
  flags: "--format <kind>",
  about: "output format",
  choices: ["text", "json", "markdown"],
  default: "text",
} as const;

export const environmentCommands: readonly CommandDefinition[] = [
  {
    name: "promote",
    summary: "Push flows from one environment to another",
    about:
      "A flow is ready if its file matches the source environment, has no errors, and passes its tests and policies, and if the target has no changes that are missing in the file. If any flow isn't ready, nothing is pushed. Only this command can change protected environments.",
    args: [paths("the flows to promote")],
    options: [
      { flags: "--from <name>", about: "the environment to promote from" },
      { flags: "--to <name>", about: "the environment to change" },
      { flags: "--dry-run", about: "show the changes without pushing them" },
      { flags: "--yes", about: "confirm first pushes and removals" },
      format,
      ...accessOptions,
      ...ruleOptions,
    ],
    examples: [
      { run: "assistant-flow promote --from staging --to production --dry-run", about: "preview the changes" },
      { run: "assistant-flow promote --from staging --to production --yes", about: "in CI" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "drift",
    summary: "Show how platforms differ from flow files",
    about:
      "Doesn't change anything. Exits with 2 if a platform differs from the files, and with 3 if a platform can't be compared, even if others differ. With --all, an environment without a usable key or URL is listed with the reason, and the others are compared. In a scheduled job, use the Markdown as the body of an issue.",
    args: [paths("the flows to compare")],
    options: [
      { flags: "--env <name>", about: "the environment to compare (default: the project's default)" },
      { flags: "--all", about: "compare all environments" },
      format,
      ...accessOptions,
    ],
    examples: [
      { run: "assistant-flow drift --all", about: "every environment" },
      { run: "assistant-flow drift --env production --format markdown > issue.md", about: "in a scheduled job" },
    ],
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "history",
    summary: "List the versions of a flow that this computer pushed or read",
    about: "Works without a connection. The newest version is last.",
    args: [{ name: "file", about: "the flow", required: true }],
    options: [
      { flags: "--env <name>", about: "the environment (default: the one the flow is synced with)" },
      textOrJson,
    ],
    examples: [
      { run: "assistant-flow history billing.flow.yaml --env production", about: "the versions on production" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "restore",
    summary: "Write an earlier version into a flow file",
    about: "Keeps comments and names. Nothing is pushed: review the file, then plan and push it as usual.",
    args: [
      { name: "file", about: "the flow", required: true },
      { name: "version", about: "the version, from `history`", required: true },
    ],
    options: keyOptions.filter(({ flags }) => flags.startsWith("--env")),
    examples: [{ run: "assistant-flow restore billing.flow.yaml 12", about: "the content of version 12" }],
    exits: [EXIT.failed],
  },
];
