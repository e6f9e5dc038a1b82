/** The commands about environments, which a project file lists. */
import { EXIT } from "../command";
import { accessOptions, type CommandTable, environmentOption, format, paths, ruleOptions } from "./shared";

export const environmentCommands: CommandTable = {
  promote: {
    summary: "Push flows from one environment to another",
    about:
      "A flow is ready if its file matches the source environment, has no errors, and passes its tests and policies, and if the target has no changes that are missing in the file. If any flow isn't ready, nothing is pushed. Only this command can change protected environments.",
    args: [paths("the flows to promote")],
    options: {
      "--from <name>": "the environment to promote from",
      "--to <name>": "the environment to change",
      "--dry-run": "show the changes without pushing them",
      "--yes": "confirm first pushes and removals",
      ...format("text", "json", "markdown"),
      ...accessOptions,
      ...ruleOptions,
    },
    examples: {
      "assistant-flow promote --from staging --to production --dry-run": "preview the changes",
      "assistant-flow promote --from staging --to production --yes": "in CI",
    },
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  drift: {
    summary: "Show how platforms differ from flow files",
    about:
      "Doesn't change anything. Exits with 2 if a platform differs from the files, and with 3 if a platform can't be compared, even if others differ. With --all, an environment without a usable key or URL is listed with the reason, and the others are compared. In a scheduled job, use the Markdown as the body of an issue.",
    args: [paths("the flows to compare")],
    options: {
      "--env <name>": "the environment to compare (default: the project's default)",
      "--all": "compare all environments",
      ...format("text", "json", "markdown"),
      ...accessOptions,
    },
    examples: {
      "assistant-flow drift --all": "every environment",
      "assistant-flow drift --env production --format markdown > issue.md": "in a scheduled job",
    },
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided],
  },
  history: {
    summary: "List the versions of a flow that this computer pushed or read",
    about: "Works without a connection. The newest version is last.",
    args: [{ name: "file", about: "the flow", required: true }],
    options: {
      "--env <name>": "the environment (default: the one the flow is synced with)",
      ...format("text", "json"),
    },
    examples: {
      "assistant-flow history billing.flow.yaml --env production": "the versions on production",
    },
    exits: [EXIT.failed],
  },
  restore: {
    summary: "Write an earlier version into a flow file",
    about: "Keeps comments and names. Nothing is pushed: review the file, then plan and push it as usual.",
    args: [
      { name: "file", about: "the flow", required: true },
      { name: "version", about: "the version, from `history`", required: true },
    ],
    options: environmentOption,
    examples: { "assistant-flow restore billing.flow.yaml 12": "the content of version 12" },
    exits: [EXIT.failed],
  },
};
