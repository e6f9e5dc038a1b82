/** The commands about flow files. */
import { type CommandDefinition, EXIT } from "../command";
import { keyOptions, paths, ruleOptions, textOrJson } from "./shared";

const take = {
  flags: "--take <side>",
  about: "settle every conflict: ours keeps the file's value, theirs takes the platform's",
  choices: ["ours", "theirs"],
};

export const flowCommands: readonly CommandDefinition[] = [
  {
    name: "check",
    summary: "Check flow files",
    about:
      "Checks flows, tests and policy files offline, with the findings of the editor. A path of - reads a flow from standard input. What fails the check is set by --fail-on.",
    args: [paths("what to check")],
    options: [
      {
        flags: "--format <kind>",
        about: "how to report",
        choices: ["text", "json", "sarif", "github", "junit"],
        default: "text",
      },
      { flags: "--fix", about: "first apply every fix that the editor's fix-all would" },
      { flags: "--fixes", about: "with --format json: add to each finding the edit that fixes it, where there is one" },
      { flags: "--platform", about: "add what the platform said at the last sync, by any editor or from here" },
      {
        flags: "--fail-on <severity>",
        about: "exit with 1 from this severity on",
        choices: ["error", "warning", "info", "hint", "never"],
        default: "error",
      },
      { flags: "--quiet", about: "report errors only" },
      ...ruleOptions,
    ],
    examples: [
      { run: "assistant-flow check", about: "every flow, test and policy file below this folder" },
      { run: "assistant-flow check --fix billing.flow.yaml", about: "fix what can be fixed, report the rest" },
      { run: "assistant-flow check --format sarif > flows.sarif", about: "for code scanning" },
      { run: "assistant-flow check --rule dead-end=error --fail-on warning", about: "stricter than by default" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "test",
    summary: "Run the tests of flows",
    about:
      "Runs test files (*.flowtest.yaml) offline: without the platform and without a model. A path may name test files, folders and patterns, or a flow, which stands for the tests below this folder that name it. docs/testing-flows.md tells what a test says.",
    args: [
      {
        ...paths("what to run"),
        about:
          'what to run: test files, flows, folders, or patterns such as "tests/**/*.flowtest.yaml" (default: this folder)',
      },
    ],
    options: [
      { flags: "--coverage", about: "say which nodes and edges the tests cover" },
      { flags: "--min-nodes <percent>", about: "exit with 1 where fewer of the reachable nodes are covered" },
      { flags: "--min-edges <percent>", about: "exit with 1 where fewer of the reachable edges are covered" },
      {
        flags: "--format <kind>",
        about: "how to report",
        choices: ["text", "json", "junit", "github", "lcov"],
        default: "text",
      },
      { flags: "--filter <text>", about: "run only tests whose name contains this text" },
      {
        flags: "--tag <name>",
        about: "run only tests with this tag; may be repeated: one of the tags is enough",
        many: true,
      },
      {
        flags: "--last-failed",
        about: "run only tests that failed when they last ran in this folder; where none did, all of them run",
      },
      { flags: "--watch", about: "run again whenever a flow or a test changes" },
      { flags: "--update", about: "show what the expected paths, variables and ends become, and write them" },
      { flags: "--generate <flow>", about: "write tests that take every edge of a flow that a run can take" },
      { flags: "--output <file>", about: "where --generate writes to (default: standard output)" },
    ],
    examples: [
      { run: "assistant-flow test", about: "every test below this folder" },
      { run: "assistant-flow test --last-failed", about: "what failed, again" },
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
    summary: "Check what must hold on every path",
    about:
      "Proves or breaks the policies of the nearest assistant-flow.policies.yaml, upwards from each flow, offline. A broken one is shown with its shortest path. The examples of policies are run, too, and exceptions that expired or have no effect are problems. A path may name flows, folders and patterns, or a policy file, which stands for its flows. docs/policies.md tells what a policy says.",
    args: [paths("the flows to check")],
    options: [{ flags: "--list", about: "show which policies bind which flows, without judging them" }, textOrJson],
    examples: [
      { run: "assistant-flow policies", about: "every flow below this folder" },
      { run: "assistant-flow policies --list", about: "which policies bind which flows" },
      { run: "assistant-flow policies billing.flow.yaml --format json", about: "one flow, for a program" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "fmt",
    summary: "Format flow files",
    about:
      "Formats flows, tests and policy files. It changes layout only: the graph stays the same, and so do comments and the order of things. A path of - formats standard input to standard output. Files with syntax errors are left alone.",
    args: [paths("what to format")],
    options: [{ flags: "--check", about: "write nothing; exit with 1 if a file would change" }],
    examples: [
      { run: "assistant-flow fmt", about: "every flow, test and policy file below this folder" },
      { run: "assistant-flow fmt --check", about: "in CI" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "graph",
    summary: "Draw a flow",
    args: [{ name: "file", about: "the flow; - is standard input", required: true }],
    options: [
      {
        flags: "--format <kind>",
        about: "Mermaid text, an SVG picture, or the graph as the platform knows it",
        choices: ["mermaid", "svg", "json"],
        default: "mermaid",
      },
      { flags: "--output <file>", about: "write to a file rather than to standard output" },
    ],
    examples: [
      { run: "assistant-flow graph billing.flow.yaml", about: "Mermaid, for a document" },
      { run: "assistant-flow graph billing.flow.yaml --format svg --output billing.svg", about: "a picture" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "diff",
    summary: "Show what a change does: nodes, edges, variables and fields, and what becomes of the conversation",
    about:
      "Compares two files; a file with what the platform has, where one is named; or the flows of a Git revision with those of another one, or with the working tree. <base> may be a..b, or a...b for what b changed since it left a. It names each element that was added, removed, changed or moved, with the words marked, then what can be reached now, which ways to an end or a transfer opened or closed, which variables may be unset, which policies and tests flip, and the coverage before and after. Exits with 2 when there are changes, and with 1 where a file or a revision isn't there, or where a file can't be read as a flow. docs/review.md has more.",
    args: [
      {
        name: "base",
        about:
          "a revision to compare the working tree with (default: HEAD), or a flow file; then files, folders or a second revision",
        many: true,
      },
    ],
    options: [
      {
        flags: "--format <kind>",
        about: "how to report; markdown is a comment for a pull request, mermaid and svg are pictures of one flow",
        choices: ["text", "markdown", "svg", "mermaid", "json", "html"],
        default: "text",
      },
      { flags: "--base <revision>", about: "the revision to compare with" },
      { flags: "--head <revision>", about: "the revision that is compared with it (default: the working tree)" },
      ...keyOptions,
    ],
    examples: [
      { run: "assistant-flow diff billing.flow.yaml", about: "what the platform has not got yet, and the reverse" },
      { run: "assistant-flow diff old.flow.yaml new.flow.yaml --format json", about: "two files" },
      { run: "assistant-flow diff", about: "what the working tree changes" },
      { run: "assistant-flow diff --base origin/main --format markdown", about: "a comment for a pull request" },
      { run: "assistant-flow diff v1.0..v1.1 flows --format html > changes.html", about: "between two revisions" },
    ],
    exits: [EXIT.failed, EXIT.changes, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  {
    name: "merge",
    summary: "Merge two versions of a flow file",
    about:
      "Writes the result over <ours>: each node, edge, variable and field as the side that changed it has it, with the comments of both sides. What both sides changed stands between conflict markers. Exits with 0 when merged, 1 with conflict markers, and 2 where a file is missing or can't be read; then nothing is written.",
    args: [
      { name: "base", about: "the version both sides started from", required: true },
      { name: "ours", about: "our version; the result is written here", required: true },
      { name: "theirs", about: "their version", required: true },
    ],
    options: [
      { flags: "--marker-size <number>", about: "length of the conflict markers", default: "7" },
      { flags: "--name <path>", about: "the file's name in messages" },
    ],
    examples: [{ run: "assistant-flow merge base.flow.yaml ours.flow.yaml theirs.flow.yaml", about: "three files" }],
    exits: [EXIT.failed, EXIT.changes],
  },
  {
    name: "install-merge-driver",
    summary: "Let Git merge flow files with Assistant Flow in this repository",
    about: "Writes the driver to the repository's Git configuration and the file patterns to .gitattributes.",
    examples: [{ run: "assistant-flow install-merge-driver", about: "in any folder of the repository" }],
    exits: [EXIT.failed],
  },
  {
    name: "plan",
    summary: "Show what a push would send: operations and batches",
    about:
      "Only reads: neither the file nor the platform is written. Where the platform does not show a graph by reading, the file is compared with what was last seen from this machine; where nothing was, the platform version is unknown until a push or a pull. Exits with 2 when there are changes, so that scripts can tell.",
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
    summary: "Send flow files to the platform",
    about:
      "What colleagues changed meanwhile is merged into the file first, field by field, and the command says so. Without local changes nothing is written: where the platform has newer changes, it exits with 5. Nothing is asked: what the editor would ask about fails, and the message names the flag that allows it.",
    args: [paths("what to send", true)],
    options: [
      { flags: "--allow-first-push", about: "send a file that was never sent from this machine" },
      { flags: "--allow-removals", about: "send a plan that removes more than 20% of the nodes" },
      take,
      textOrJson,
      ...keyOptions,
      ...ruleOptions,
    ],
    examples: [
      { run: "assistant-flow push billing.flow.yaml", about: "one flow" },
      { run: "assistant-flow push --allow-first-push flows", about: "a folder, from a fresh CI machine" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided, EXIT.behind],
  },
  {
    name: "pull",
    summary: "Take the platform's changes into flow files",
    about:
      "Merges field by field, keeps comments and layout, and changes nothing on the platform. Where the platform does not show a graph by reading, one batch that adds and removes a variable is sent, which makes a version with nothing changed.",
    args: [paths("what to bring up to date", true)],
    options: [take, textOrJson, ...keyOptions],
    examples: [
      { run: "assistant-flow pull billing.flow.yaml", about: "one flow" },
      { run: "assistant-flow pull flows --take theirs", about: "the platform is right wherever both changed the same" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "new",
    summary: "Write a new flow file",
    about:
      "With --revision the file says what the platform has; without, it is a small flow to begin with. Where the platform does not let a revision be read, it is asked as a sync asks, which needs --assistant.",
    args: [{ name: "file", about: "must end in .flow.yaml or .flow.yml and not exist yet" }],
    options: [
      { flags: "--revision <id>", about: "the revision to write down" },
      { flags: "--assistant <id>", about: "the assistant it belongs to; required to sync" },
      {
        flags: "--agents",
        about: "write instructions for coding agents into this folder: a section of AGENTS.md, and a file for Copilot",
      },
      ...keyOptions,
    ],
    examples: [
      { run: "assistant-flow new billing.flow.yaml", about: "a flow to begin with" },
      {
        run: "assistant-flow new billing.flow.yaml --assistant $ASSISTANT --revision $REVISION",
        about: "what the platform has",
      },
      { run: "assistant-flow new --agents", about: "instructions for coding agents alone" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "status",
    summary: "Say which platform is used and how flow files stand to it",
    args: [paths("which flows")],
    options: [textOrJson, ...keyOptions],
    examples: [{ run: "assistant-flow status", about: "the connection, and every flow below this folder" }],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "tools",
    summary: "List the tools of flows, and save their definitions",
    about:
      "The tools come from the flows' revisions on the platform. Saved definitions (assistant-flow.tools.json) let check and editors verify tool nodes without a connection; commit the file. They contain no URLs, headers, bodies or default values.",
    args: [paths("which flows")],
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
      { run: "assistant-flow tools --save", about: "save the definitions for CI and for work without a connection" },
    ],
    exits: [EXIT.failed, EXIT.unreachable, EXIT.undecided],
  },
  {
    name: "login",
    summary: "Check the key and say how to hand it to this program and to editors",
    about:
      "Nothing is stored: the key comes from ASSISTANT_FLOW_API_KEY or, with --key-stdin, from standard input, and a secret store or the CI's secrets are the place to keep it.",
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
      "It prints its addresses and a key with every permission. Started again on the same --data-dir, it makes no new key where ASSISTANT_FLOW_API_KEY has one of an earlier start.",
    options: [
      { flags: "--port <number>", about: "port of the platform URL; 0 takes a free one", default: "0" },
      {
        flags: "--calling-port <number>",
        about: "port of the calling URL (default: the one after --port, or a free one)",
      },
      { flags: "--admin-port <number>", about: "port for faults, the request log and the clock (default: off)" },
      { flags: "--data-dir <directory>", about: "keep the state here (default: in memory only)" },
      { flags: "--demo", about: "fill an empty state with a demo organization" },
      {
        flags: "--on-version-mismatch <behavior>",
        about: "what a batch made for another version gets: 409, 412, 422, apply or ignore",
        default: "409",
      },
      {
        flags: "--normalize <forms>",
        about:
          "keep what is written in a form of its own: defaults, drop, rename, retype, sort or all (comma-separated)",
      },
      { flags: "--without <parts>", about: "leave out: whoami, revision-read, review-list (comma-separated)" },
      { flags: "--compile <behavior>", about: "what a compile does: ok, fail or slow", default: "ok" },
      { flags: "--clock-speed <factor>", about: "let sandbox time run faster", default: "1" },
      { flags: "--json", about: "print one line of JSON when ready" },
      { flags: "--shared", about: "let VS Code find and use it, which it does in any case without --json" },
    ],
    examples: [
      { run: "assistant-flow sandbox --demo", about: "something to try everything on" },
      { run: "assistant-flow sandbox --port 4010 --data-dir ./sandbox-data", about: "one that remembers" },
    ],
    exits: [EXIT.failed],
  },
  {
    name: "lsp",
    summary: "Start the language server on standard input and output",
    about: "For editors; docs/editors.md shows how to set them up.",
    options: [{ flags: "--stdio", about: "talk over standard input and output, which it does in any case" }],
    examples: [{ run: "assistant-flow lsp --stdio", about: "what an editor runs" }],
    exits: [],
  },
  {
    name: "mcp",
    summary: "Start the server for coding agents on standard input and output",
    about:
      "Speaks the Model Context Protocol: tools check, outline, paths, run, test and plan, the format's reference, and prompts. Files outside the roots are neither read nor written, and no request is made but by plan and push. docs/agents.md shows how to set up agents.",
    options: [
      {
        flags: "--root <folder>",
        about: "a folder to work in; may be repeated. Without it: the folders the agent has open, else this folder",
        many: true,
      },
      { flags: "--allow-push", about: "add the push tool, which needs the fingerprint of a plan" },
    ],
    examples: [{ run: "assistant-flow mcp --root flows", about: "what an agent runs" }],
    exits: [],
  },
  {
    name: "dap",
    summary: "Start the debug adapter on standard input and output",
    about: "For editors; docs/debugging.md shows how to set them up.",
    options: [],
    examples: [{ run: "assistant-flow dap", about: "what an editor runs" }],
    exits: [],
  },
  {
    name: "completion",
    summary: "Print completions for a shell",
    args: [{ name: "shell", about: "which shell", required: true, choices: ["bash", "zsh", "fish"] }],
    examples: [
      { run: "source <(assistant-flow completion bash)", about: "bash, for this session" },
      {
        run: "assistant-flow completion zsh > ~/.zfunc/_assistant-flow",
        about: "zsh, for good, with ~/.zfunc in fpath",
      },
      {
        run: "assistant-flow completion fish > ~/.config/fish/completions/assistant-flow.fish",
        about: "fish, for good",
      },
    ],
    exits: [],
  },
];
