/** Commands for flow files. */
import { EXIT } from "../command";
import { type CommandTable, format, keyOptions, paths, platformOptions, ruleOptions, take } from "./shared";

export const flowCommands: CommandTable = {
  check: {
    summary: "Check flow files",
    about:
      "Checks flows, tests and policy files offline, with the same diagnostics as the editor. Use - to read a flow from standard input. --fail-on sets which severities fail the check.",
    args: [paths("what to check")],
    options: {
      ...format("text", "json", "sarif", "github", "junit"),
      "--fix": "apply all automatic fixes first",
      "--fixes": "with --format json: include the fix of each finding, if there is one",
      ...platformOptions,
      "--fail-on <severity>": {
        about: "exit with 1 if there are findings of this severity or higher",
        choices: ["error", "warning", "info", "hint", "never"],
        default: "error",
      },
      "--quiet": "report errors only",
      "--watch": "check again when a file changes",
      ...ruleOptions,
    },
    examples: {
      "assistant-flow check": "every flow, test and policy file below this folder",
      "assistant-flow check --fix billing.flow.yaml": "apply automatic fixes and report the rest",
      "assistant-flow check --format sarif > flows.sarif": "for code scanning",
      "assistant-flow check --rule dead-end=error --fail-on warning": "stricter than the default",
    },
    exits: [EXIT.failed],
  },
  test: {
    summary: "Run flow tests",
    about:
      "Runs test files (*.flowtest.yaml) offline, without the platform or a model. Pass test files, folders or patterns; pass a flow to run all tests of that flow below this folder. See docs/testing-flows.md for the test format.",
    args: [
      {
        ...paths("what to run"),
        about:
          'what to run: test files, flows, folders, or patterns such as "tests/**/*.flowtest.yaml" (default: this folder)',
      },
    ],
    options: {
      "--coverage": "report which nodes and edges are covered",
      "--min-nodes <percent>": "exit with 1 if fewer of the reachable nodes are covered",
      "--min-edges <percent>": "exit with 1 if fewer of the reachable edges are covered",
      ...format("text", "json", "junit", "github", "lcov"),
      "--filter <text>": "run only tests whose name contains this text",
      "--tag <name>": {
        about: "run only tests with this tag; may be repeated to allow several tags",
        many: true,
      },
      "--last-failed": "run only the tests that failed in the last run in this folder, or all tests if none failed",
      "--watch": "rerun when a flow or test changes",
      "--update": "update expectations to the actual results, and print the diff",
      "--generate <flow>": "generate tests that cover every reachable edge of a flow",
      "--output <file>": "output file of --generate (default: standard output)",
    },
    examples: {
      "assistant-flow test": "every test below this folder",
      "assistant-flow test --last-failed": "rerun failed tests",
      "assistant-flow test --coverage --min-edges 80": "in CI",
      "assistant-flow test --generate billing.flow.yaml --output billing.flowtest.yaml": "a first set of tests",
      "assistant-flow test --coverage --format lcov > coverage.lcov": "for a coverage service",
    },
    exits: [EXIT.failed],
  },
  policies: {
    summary: "Check policies on every path of a flow",
    about:
      "Verifies offline that each flow satisfies the policies of the nearest assistant-flow.policies.yaml in its folder or a parent folder. A violated policy is shown with the shortest path that violates it. Also runs the examples of policies, and reports exceptions that have expired or have no effect. Pass flows, folders or patterns; pass a policy file to check its flows. See docs/policies.md for the policy format.",
    args: [paths("the flows to check")],
    options: {
      "--list": "list the policies that apply to each flow, without checking them",
      ...format("text", "json"),
    },
    examples: {
      "assistant-flow policies": "every flow below this folder",
      "assistant-flow policies --list": "the policies that apply to each flow",
      "assistant-flow policies billing.flow.yaml --format json": "one flow, for a program",
    },
    exits: [EXIT.failed],
  },
  fmt: {
    summary: "Format flow files",
    about:
      "Formats flows, tests and policy files. Only the layout changes; the graph, comments and order stay the same. Use - to format standard input to standard output. Files with syntax errors are skipped.",
    args: [paths("what to format")],
    options: { "--check": "don't write; exit with 1 if a file isn't formatted" },
    examples: {
      "assistant-flow fmt": "every flow, test and policy file below this folder",
      "assistant-flow fmt --check": "in CI",
    },
    exits: [EXIT.failed],
  },
  graph: {
    summary: "Draw a flow",
    args: [{ name: "file", about: "the flow file, or - for standard input", required: true }],
    options: {
      "--format <kind>": {
        about: "Mermaid text, an SVG image, or the graph in the platform's JSON format",
        choices: ["mermaid", "svg", "json"],
        default: "mermaid",
      },
      "--output <file>": "write to a file instead of standard output",
    },
    examples: {
      "assistant-flow graph billing.flow.yaml": "Mermaid, for a document",
      "assistant-flow graph billing.flow.yaml --format svg --output billing.svg": "an image",
    },
    exits: [EXIT.failed],
  },
  diff: {
    summary: "Show changes between flow versions and their effect on the conversation",
    about:
      "Compares two files, one file with the platform, or the flows of a Git revision with another revision or the working tree. <base> may be a..b, or a...b for the changes on b since it branched from a. Lists each element that was added, removed, changed or moved, with changed words highlighted, and then changes in reachable nodes, in paths to an end or a transfer, in variables that may be unset, in policy and test results, and in coverage. Exits with 2 if there are changes, and with 1 if a file or revision is missing or a file isn't a valid flow. See docs/review.md.",
    args: [
      {
        name: "base",
        about:
          "the revision to compare the working tree with (default: HEAD), or a flow file; then files, folders or a second revision",
        many: true,
      },
    ],
    options: {
      "--format <kind>": {
        about: "output format; markdown is a pull request comment, mermaid and svg draw a single flow",
        choices: ["text", "markdown", "svg", "mermaid", "json", "html"],
        default: "text",
      },
      "--base <revision>": "the revision to compare with",
      "--head <revision>": "the revision to compare (default: the working tree)",
      "--calls <file>": "calls of the flow as JSON, one per line; reports how many would take another path",
      ...keyOptions,
    },
    examples: {
      "assistant-flow diff billing.flow.yaml": "differences between a file and the platform",
      "assistant-flow diff old.flow.yaml new.flow.yaml --format json": "two files",
      "assistant-flow diff": "changes in the working tree",
      "assistant-flow diff --base origin/main --format markdown": "a pull request comment",
      "assistant-flow diff v1.0..v1.1 flows --format html > changes.html": "between two revisions",
    },
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  merge: {
    summary: "Merge two versions of a flow file",
    about:
      "Writes the result to <ours>. Each node, edge, variable and field comes from the side that changed it, with the comments of both sides. Changes to the same value are written as conflict markers. Exits with 0 if merged, and with 1 if there are conflict markers. If a file is missing or invalid, exits with 2 and writes nothing.",
    args: [
      { name: "base", about: "the common ancestor", required: true },
      { name: "ours", about: "our version; the result is written here", required: true },
      { name: "theirs", about: "their version", required: true },
    ],
    options: {
      "--marker-size <number>": {
        about: "length of the conflict markers",
        default: "7",
      },
      "--name <path>": "the file name to show in messages",
    },
    examples: { "assistant-flow merge base.flow.yaml ours.flow.yaml theirs.flow.yaml": "three files" },
    exits: [EXIT.failed, EXIT.changes],
  },
  "install-merge-driver": {
    summary: "Configure Git to merge flow files with Assistant Flow in this repository",
    about: "Writes the driver to the repository's Git configuration and the file patterns to .gitattributes.",
    examples: { "assistant-flow install-merge-driver": "in any folder of the repository" },
    exits: [EXIT.failed],
  },
  plan: {
    summary: "Show the operations that a push would send",
    about:
      "Changes neither the file nor the platform. If the platform doesn't return graphs, the file is compared with the last synced state on this computer; without one, the platform version is unknown until a push or pull. Exits with 2 if there are changes.",
    args: [paths("what to plan")],
    options: { ...format("text", "json"), ...keyOptions, ...ruleOptions },
    examples: {
      "assistant-flow plan": "every flow below this folder",
      "assistant-flow plan billing.flow.yaml --format json": "the operations as they would be sent",
    },
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  push: {
    summary: "Push flow files to the platform",
    about:
      "Platform changes are merged into the file first, field by field. Without local changes nothing is written, and the command exits with 5 if the platform has newer changes. The command never prompts. If confirmation is required, it fails, and the message names the flag to pass.",
    args: [paths("what to push", true)],
    options: {
      "--allow-first-push": "push a file that was never pushed from this computer",
      "--allow-removals": "push even if more than 20% of the nodes are removed",
      "--wait [seconds]": "wait for the compile, and fail if it fails or takes longer (default: 600)",
      ...take,
      ...format("text", "json"),
      ...keyOptions,
      ...ruleOptions,
    },
    examples: {
      "assistant-flow push billing.flow.yaml": "one flow",
      "assistant-flow push --allow-first-push flows": "a folder, in a fresh CI environment",
      "assistant-flow push --wait=120 billing.flow.yaml": "fail if the flow doesn't compile",
    },
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  pull: {
    summary: "Pull platform changes into flow files",
    about:
      "Merges field by field, keeps comments and layout, and doesn't change the graph on the platform. If the platform doesn't return graphs, a batch that adds and removes a variable is sent, which creates a version without changes.",
    args: [paths("what to update", true)],
    options: { ...take, ...format("text", "json"), ...keyOptions },
    examples: {
      "assistant-flow pull billing.flow.yaml": "one flow",
      "assistant-flow pull flows --take theirs": "resolve conflicts with the platform's values",
    },
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  "new": {
    summary: "Create a flow file",
    about:
      "With --revision, the file contains the platform's flow; otherwise a small starter flow. If the platform doesn't return revisions, --assistant is required to fetch the flow.",
    args: [{ name: "file", about: "the file to create; must end in .flow.yaml or .flow.yml" }],
    options: {
      "--revision <id>": "the revision to write to the file",
      "--assistant <id>": "the assistant it belongs to; required to sync",
      "--agents":
        "write instructions for coding agents into this folder: a section of AGENTS.md, and a file for Copilot",
      ...keyOptions,
    },
    examples: {
      "assistant-flow new billing.flow.yaml": "a starter flow",
      "assistant-flow new billing.flow.yaml --assistant $ASSISTANT --revision $REVISION": "a flow from the platform",
      "assistant-flow new --agents": "only instructions for coding agents",
    },
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  status: {
    summary: "Show the connection and the sync state of flow files",
    args: [paths("the flows to show")],
    options: { ...format("text", "json"), ...keyOptions },
    examples: { "assistant-flow status": "the connection, and every flow below this folder" },
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  tools: {
    summary: "List the tools of flows, and save their definitions",
    about:
      "The tools come from the flows' revisions on the platform. Saved definitions (assistant-flow.tools.json) let check and editors verify tool nodes without a connection; commit the file. They contain no URLs, headers, bodies or default values.",
    args: [paths("the flows to show")],
    options: {
      "--save [path]": "save the definitions (default: the nearest assistant-flow.tools.json, or one next to the flow)",
      ...format("text", "json"),
      ...keyOptions,
    },
    examples: {
      "assistant-flow tools": "every tool, its inputs, and the nodes that use it",
      "assistant-flow tools --save": "save the definitions for CI and offline use",
    },
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  login: {
    summary: "Check the API key and show how to configure it",
    about:
      "The key isn't stored. It is read from ASSISTANT_FLOW_API_KEY or, with --key-stdin, from standard input. Keep it in a password manager or in the secrets of your CI.",
    options: { ...format("text", "json"), ...keyOptions },
    examples: {
      "assistant-flow login": "with the key in the environment",
      "pass show flow-key | assistant-flow login --key-stdin": "with a password manager",
    },
    exits: [EXIT.unreachable, EXIT.undecided],
  },
  sandbox: {
    summary: "Start the local platform on 127.0.0.1",
    about:
      "Prints its URLs and an API key with all permissions. With the same --data-dir, the key in ASSISTANT_FLOW_API_KEY is reused if it is still valid.",
    options: {
      "--port <number>": {
        about: "port of the platform URL; 0 for a free port",
        default: "0",
      },
      "--calling-port <number>": "port of the calling URL (default: the next port after --port, or a free port)",
      "--admin-port <number>": "port for faults, the request log and the clock (default: off)",
      "--data-dir <directory>": "store the state here (default: in memory)",
      "--demo": "add a demo organization if the state is empty",
      "--calls <number>": "with --demo: add this many calls of the demo flow",
      "--seed <text>": {
        about: "the seed of --calls",
        default: "1",
      },
      "--on-version-mismatch <behavior>": {
        about: "response to a stale batch: 409, 412, 422, apply or ignore",
        default: "409",
      },
      "--normalize <forms>":
        "simulate server-side normalization: defaults, drop, rename, retype, sort or all (comma-separated)",
      "--without <parts>": "disable endpoints: whoami, revision-read, review-list (comma-separated)",
      "--compile <behavior>": {
        about: "result of a compile: ok, fail or slow",
        default: "ok",
      },
      "--clock-speed <factor>": {
        about: "speed of the sandbox clock",
        default: "1",
      },
      "--json": "print one line of JSON when ready",
      "--shared": "make this sandbox available to VS Code (default without --json)",
    },
    examples: {
      "assistant-flow sandbox --demo": "with demo data",
      "assistant-flow sandbox --port 4010 --data-dir ./sandbox-data": "with persistent state",
    },
    exits: [EXIT.failed],
  },
  lsp: {
    summary: "Start the language server on standard input and output",
    about: "For editors. See docs/editors.md.",
    options: { "--stdio": "use standard input and output (always on)" },
    examples: { "assistant-flow lsp --stdio": "the command an editor runs" },
    exits: [],
  },
  mcp: {
    summary: "Start the MCP server for coding agents on standard input and output",
    about:
      "Provides Model Context Protocol tools (check, outline, paths, run, test, policies, calls_report, tools and plan), the format reference, and prompts. Files outside the roots aren't accessed, and only plan and push send requests to the platform. See docs/agents.md.",
    options: {
      "--root <folder>": {
        about: "a folder the server may access, instead of the agent's open folders or this folder; may be repeated",
        many: true,
      },
      "--allow-push": "add the push tool, which requires the fingerprint of a plan",
    },
    examples: { "assistant-flow mcp --root flows": "the command an agent runs" },
    exits: [],
  },
  dap: {
    summary: "Start the debug adapter on standard input and output",
    about: "For editors. See docs/debugging.md.",
    options: {},
    examples: { "assistant-flow dap": "the command an editor runs" },
    exits: [],
  },
  completion: {
    summary: "Print shell completions",
    args: [{ name: "shell", about: "the shell", required: true, choices: ["bash", "zsh", "fish"] }],
    examples: {
      "source <(assistant-flow completion bash)": "bash, for this session",
      "assistant-flow completion zsh > ~/.zfunc/_assistant-flow": "zsh, permanently, with ~/.zfunc in fpath",
      "assistant-flow completion fish > ~/.config/fish/completions/assistant-flow.fish": "fish, permanently",
    },
    exits: [],
  },
};
