/** Commands for flow files. */
import { type CommandDefinition, EXIT } from "../command";
import { keyOptions, paths, platformOptions, ruleOptions, take, textOrJson } from "./shared";

export const flowCommands: readonly CommandDefinition[] = [
  {
    name: "check",
    summary: "Check flow files",
    about:
      "Checks flows, tests and policy files offline, with the same diagnostics as the editor. Use - to read a flow from standard input. --fail-on sets which severities fail the check.",
    args: [paths("what to check")],
    options: [
      {
        flags: "--format <kind>",
        about: "output format",
        choices: ["text", "json", "sarif", "github", "junit"],
        default: "text",
      },
      { flags: "--fix", about: "apply all automatic fixes first" },
      { flags: "--fixes", about: "with --format json: include the fix of each finding, if there is one" },
      ...platformOptions,
      {
        flags: "--fail-on <severity>",
        about: "exit with 1 if there are findings of this severity or higher",
        choices: ["error", "warning", "info", "hint", "never"],
        default: "error",
      },
      { flags: "--quiet", about: "report errors only" },
      { flags: "--watch", about: "check again when a file changes" },
      ...ruleOptions,
    ],
    examples: [
      { run: "assistant-flow check", about: "every flow, test and policy file below this folder" },
      { run: "assistant-flow check --fix billing.flow.yaml", about: "apply automatic fixes and report the rest" },
      { run: "assistant-flow check --format sarif > flows.sarif", about: "for code scanning" },
      { run: "assistant-flow check --rule dead-end=error --fail-on warning", about: "stricter than the default" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "test",
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
    options: [
      { flags: "--coverage", about: "report which nodes and edges are covered" },
      { flags: "--min-nodes <percent>", about: "exit with 1 if fewer of the reachable nodes are covered" },
      { flags: "--min-edges <percent>", about: "exit with 1 if fewer of the reachable edges are covered" },
      {
        flags: "--format <kind>",
        about: "output format",
        choices: ["text", "json", "junit", "github", "lcov"],
        default: "text",
      },
      { flags: "--filter <text>", about: "run only tests whose name contains this text" },
      {
        flags: "--tag <name>",
        about: "run only tests with this tag; may be repeated to allow several tags",
        many: true,
      },
      {
        flags: "--last-failed",
        about: "run only the tests that failed in the last run in this folder, or all tests if none failed",
      },
      { flags: "--watch", about: "rerun when a flow or test changes" },
      { flags: "--update", about: "update expectations to the actual results, and print the diff" },
      { flags: "--generate <flow>", about: "generate tests that cover every reachable edge of a flow" },
      { flags: "--output <file>", about: "output file of --generate (default: standard output)" },
    ],
    examples: [
      { run: "assistant-flow test", about: "every test below this folder" },
      { run: "assistant-flow test --last-failed", about: "rerun failed tests" },
      { run: "assistant-flow test --coverage --min-edges 80", about: "in CI" },
      {
        run: "assistant-flow test --generate billing.flow.yaml --output billing.flowtest.yaml",
        about: "a first set of tests",
      },
      { run: "assistant-flow test --coverage --format lcov > coverage.lcov", about: "for a coverage service" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "policies",
    summary: "Check policies on every path of a flow",
    about:
      "Verifies offline that each flow satisfies the policies of the nearest assistant-flow.policies.yaml in its folder or a parent folder. A violated policy is shown with the shortest path that violates it. Also runs the examples of policies, and reports exceptions that have expired or have no effect. Pass flows, folders or patterns; pass a policy file to check its flows. See docs/policies.md for the policy format.",
    args: [paths("the flows to check")],
    options: [
      { flags: "--list", about: "list the policies that apply to each flow, without checking them" },
      textOrJson,
    ],
    examples: [
      { run: "assistant-flow policies", about: "every flow below this folder" },
      { run: "assistant-flow policies --list", about: "the policies that apply to each flow" },
      { run: "assistant-flow policies billing.flow.yaml --format json", about: "one flow, for a program" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "fmt",
    summary: "Format flow files",
    about:
      "Formats flows, tests and policy files. Only the layout changes; the graph, comments and order stay the same. Use - to format standard input to standard output. Files with syntax errors are skipped.",
    args: [paths("what to format")],
    options: [{ flags: "--check", about: "don't write; exit with 1 if a file isn't formatted" }],
    examples: [
      { run: "assistant-flow fmt", about: "every flow, test and policy file below this folder" },
      { run: "assistant-flow fmt --check", about: "in CI" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "graph",
    summary: "Draw a flow",
    args: [{ name: "file", about: "the flow file, or - for standard input", required: true }],
    options: [
      {
        flags: "--format <kind>",
        about: "Mermaid text, an SVG image, or the graph in the platform's JSON format",
        choices: ["mermaid", "svg", "json"],
        default: "mermaid",
      },
      { flags: "--output <file>", about: "write to a file instead of standard output" },
    ],
    examples: [
      { run: "assistant-flow graph billing.flow.yaml", about: "Mermaid, for a document" },
      { run: "assistant-flow graph billing.flow.yaml --format svg --output billing.svg", about: "an image" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "diff",
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
    options: [
      {
        flags: "--format <kind>",
        about: "output format; markdown is a pull request comment, mermaid and svg draw a single flow",
        choices: ["text", "markdown", "svg", "mermaid", "json", "html"],
        default: "text",
      },
      { flags: "--base <revision>", about: "the revision to compare with" },
      { flags: "--head <revision>", about: "the revision to compare (default: the working tree)" },
      {
        flags: "--calls <file>",
        about: "calls of the flow as JSON, one per line; reports how many would take another path",
      },
      ...keyOptions,
    ],
    examples: [
      { run: "assistant-flow diff billing.flow.yaml", about: "differences between a file and the platform" },
      { run: "assistant-flow diff old.flow.yaml new.flow.yaml --format json", about: "two files" },
      { run: "assistant-flow diff", about: "changes in the working tree" },
      { run: "assistant-flow diff --base origin/main --format markdown", about: "a pull request comment" },
      { run: "assistant-flow diff v1.0..v1.1 flows --format html > changes.html", about: "between two revisions" },
    ],
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  {
    name: "merge",
    summary: "Merge two versions of a flow file",
    about:
      "Writes the result to <ours>. Each node, edge, variable and field comes from the side that changed it, with the comments of both sides. Changes to the same value are written as conflict markers. Exits with 0 if merged, and with 1 if there are conflict markers. If a file is missing or invalid, exits with 2 and writes nothing.",
    args: [
      { name: "base", about: "the common ancestor", required: true },
      { name: "ours", about: "our version; the result is written here", required: true },
      { name: "theirs", about: "their version", required: true },
    ],
    options: [
      { flags: "--marker-size <number>", about: "length of the conflict markers", default: "7" },
      { flags: "--name <path>", about: "the file name to show in messages" },
    ],
    examples: [{ run: "assistant-flow merge base.flow.yaml ours.flow.yaml theirs.flow.yaml", about: "three files" }],
    exits: [EXIT.failed, EXIT.changes],
  },
  {
    name: "install-merge-driver",
    summary: "Configure Git to merge flow files with Assistant Flow in this repository",
    about: "Writes the driver to the repository's Git configuration and the file patterns to .gitattributes.",
    examples: [{ run: "assistant-flow install-merge-driver", about: "in any folder of the repository" }],
    exits: [EXIT.failed],
  },
  {
    name: "plan",
    summary: "Show the operations that a push would send",
    about:
      "Changes neither the file nor the platform. If the platform doesn't return graphs, the file is compared with the last synced state on this computer; without one, the platform version is unknown until a push or pull. Exits with 2 if there are changes.",
    args: [paths("what to plan")],
    options: [textOrJson, ...keyOptions, ...ruleOptions],
    examples: [
      { run: "assistant-flow plan", about: "every flow below this folder" },
      { run: "assistant-flow plan billing.flow.yaml --format json", about: "the operations as they would be sent" },
    ],
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  {
    name: "push",
    summary: "Push flow files to the platform",
    about:
      "Platform changes are merged into the file first, field by field. Without local changes nothing is written, and the command exits with 5 if the platform has newer changes. The command never prompts. If confirmation is required, it fails, and the message names the flag to pass.",
    args: [paths("what to push", true)],
    options: [
      { flags: "--allow-first-push", about: "push a file that was never pushed from this computer" },
      { flags: "--allow-removals", about: "push even if more than 20% of the nodes are removed" },
      { flags: "--wait [seconds]", about: "wait for the compile, and fail if it fails or takes longer (default: 600)" },
      take,
      textOrJson,
      ...keyOptions,
      ...ruleOptions,
    ],
    examples: [
      { run: "assistant-flow push billing.flow.yaml", about: "one flow" },
      { run: "assistant-flow push --allow-first-push flows", about: "a folder, in a fresh CI environment" },
      { run: "assistant-flow push --wait=120 billing.flow.yaml", about: "fail if the flow doesn't compile" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  {
    name: "pull",
    summary: "Pull platform changes into flow files",
    about:
      "Merges field by field, keeps comments and layout, and doesn't change the graph on the platform. If the platform doesn't return graphs, a batch that adds and removes a variable is sent, which creates a version without changes.",
    args: [paths("what to update", true)],
    options: [take, textOrJson, ...keyOptions],
    examples: [
      { run: "assistant-flow pull billing.flow.yaml", about: "one flow" },
      { run: "assistant-flow pull flows --take theirs", about: "resolve conflicts with the platform's values" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "new",
    summary: "Create a flow file",
    about:
      "With --revision, the file contains the platform's flow; otherwise a small starter flow. If the platform doesn't return revisions, --assistant is required to fetch the flow.",
    args: [{ name: "file", about: "the file to create; must end in .flow.yaml or .flow.yml" }],
    options: [
      { flags: "--revision <id>", about: "the revision to write to the file" },
      { flags: "--assistant <id>", about: "the assistant it belongs to; required to sync" },
      {
        flags: "--agents",
        about: "write instructions for coding agents into this folder: a section of AGENTS.md, and a file for Copilot",
      },
      ...keyOptions,
    ],
    examples: [
      { run: "assistant-flow new billing.flow.yaml", about: "a starter flow" },
      {
        run: "assistant-flow new billing.flow.yaml --assistant $ASSISTANT --revision $REVISION",
        about: "a flow from the platform",
      },
      { run: "assistant-flow new --agents", about: "only instructions for coding agents" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "status",
    summary: "Show the connection and the sync state of flow files",
    args: [paths("the flows to show")],
    options: [textOrJson, ...keyOptions],
    examples: [{ run: "assistant-flow status", about: "the connection, and every flow below this folder" }],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "tools",
    summary: "List the tools of flows, and save their definitions",
    about:
      "The tools come from the flows' revisions on the platform. Saved definitions (assistant-flow.tools.json) let check and editors verify tool nodes without a connection; commit the file. They contain no URLs, headers, bodies or default values.",
    args: [paths("the flows to show")],
    options: [
      {
        flags: "--save [path]",
        about: "save the definitions (default: the nearest assistant-flow.tools.json, or one beside the flow)",
      },
      textOrJson,
      ...keyOptions,
    ],
    examples: [
      { run: "assistant-flow tools", about: "every tool, its inputs, and the nodes that use it" },
      { run: "assistant-flow tools --save", about: "save the definitions for CI and offline use" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "login",
    summary: "Check the API key and show how to configure it",
    about:
      "The key isn't stored. It is read from ASSISTANT_FLOW_API_KEY or, with --key-stdin, from standard input. Keep it in a password manager or in the secrets of your CI.",
    options: [textOrJson, ...keyOptions],
    examples: [
      { run: "assistant-flow login", about: "with the key in the environment" },
      { run: "pass show flow-key | assistant-flow login --key-stdin", about: "with a password manager" },
    ],
    exits: [EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "sandbox",
    summary: "Start the local platform on 127.0.0.1",
    about:
      "Prints its URLs and an API key with all permissions. With the same --data-dir, the key in ASSISTANT_FLOW_API_KEY is reused if it is still valid.",
    options: [
      { flags: "--port <number>", about: "port of the platform URL; 0 for a free port", default: "0" },
      {
        flags: "--calling-port <number>",
        about: "port of the calling URL (default: the next port after --port, or a free port)",
      },
      { flags: "--admin-port <number>", about: "port for faults, the request log and the clock (default: off)" },
      { flags: "--data-dir <directory>", about: "store the state here (default: in memory)" },
      { flags: "--demo", about: "add a demo organization if the state is empty" },
      { flags: "--calls <number>", about: "with --demo: add this many calls of the demo flow" },
      { flags: "--seed <text>", about: "the seed of --calls", default: "1" },
      {
        flags: "--on-version-mismatch <behavior>",
        about: "response to a stale batch: 409, 412, 422, apply or ignore",
        default: "409",
      },
      {
        flags: "--normalize <forms>",
        about: "simulate server-side normalization: defaults, drop, rename, retype, sort or all (comma-separated)",
      },
      { flags: "--without <parts>", about: "disable endpoints: whoami, revision-read, review-list (comma-separated)" },
      { flags: "--compile <behavior>", about: "result of a compile: ok, fail or slow", default: "ok" },
      { flags: "--clock-speed <factor>", about: "speed of the sandbox clock", default: "1" },
      { flags: "--json", about: "print one line of JSON when ready" },
      { flags: "--shared", about: "make this sandbox available to VS Code (default without --json)" },
    ],
    examples: [
      { run: "assistant-flow sandbox --demo", about: "with demo data" },
      { run: "assistant-flow sandbox --port 4010 --data-dir ./sandbox-data", about: "with persistent state" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "lsp",
    summary: "Start the language server on standard input and output",
    about: "For editors. See docs/editors.md.",
    options: [{ flags: "--stdio", about: "use standard input and output (always on)" }],
    examples: [{ run: "assistant-flow lsp --stdio", about: "the command an editor runs" }],
    exits: [],
  },
  {
    name: "mcp",
    summary: "Start the MCP server for coding agents on standard input and output",
    about:
      "Provides Model Context Protocol tools (check, outline, paths, run, test, policies, calls_report, tools and plan), the format reference, and prompts. Files outside the roots aren't accessed, and only plan and push send requests to the platform. See docs/agents.md.",
    options: [
      {
        flags: "--root <folder>",
        about: "a folder the server may access, instead of the agent's open folders or this folder; may be repeated",
        many: true,
      },
      { flags: "--allow-push", about: "add the push tool, which requires the fingerprint of a plan" },
    ],
    examples: [{ run: "assistant-flow mcp --root flows", about: "the command an agent runs" }],
    exits: [],
  },
  {
    name: "dap",
    summary: "Start the debug adapter on standard input and output",
    about: "For editors. See docs/debugging.md.",
    options: [],
    examples: [{ run: "assistant-flow dap", about: "the command an editor runs" }],
    exits: [],
  },
  {
    name: "completion",
    summary: "Print shell completions",
    args: [{ name: "shell", about: "the shell", required: true, choices: ["bash", "zsh", "fish"] }],
    examples: [
      { run: "source <(assistant-flow completion bash)", about: "bash, for this session" },
      {
        run: "assistant-flow completion zsh > ~/.zfunc/_assistant-flow",
        about: "zsh, permanently, with ~/.zfunc in fpath",
      },
      {
        run: "assistant-flow completion fish > ~/.config/fish/completions/assistant-flow.fish",
        about: "fish, permanently",
      },
    ],
    exits: [],
  },
];
