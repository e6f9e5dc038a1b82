/** The commands of the documents, run as a reader would: with the installed npm package, in a repository, against a sandbox. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { type Sandbox, startSandbox } from "../../sandbox";
import { packNpmPackage } from "../../scripts/npm-package";
import { filesBelow, inProject, temporaryFolder } from "../../scripts/project";
import { bash, type Job, runJob } from "../support/composite-action";
import { keysOf, startEnvironment, type TestEnvironment } from "../support/environments";
import { copyProject } from "../support/project-copy";

const read = (file: string) => readFileSync(inProject(file), "utf8");
const linesOf = (page: string) =>
  [...read(page).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n")).filter(Boolean);
const documents = ["README.md", "packages/cli/README.md", ...filesBelow("docs", ".md")].map((page) =>
  page.replaceAll("\\", "/"),
);

/** What runs the commands of the other pages. */
const elsewhere: Readonly<Record<string, string>> = {
  "README.md": "test/house/release.test.ts",
  // Its workflows about environments are run below.
  "docs/ci.md": "test/unit/cli/ci.test.ts",
  // Run below: they need a clone instead of the package.
  "docs/testing.md": "test/house/docs-commands.test.ts",
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sandbox: Sandbox;
const at = (...names: string[]) => path.join(folder.path, ...names);

before(async () => {
  folder = await temporaryFolder();
  process.env.ASSISTANT_FLOW_BUILT = "1"; // The bundles are in use by other tests.
  const tarball = await packNpmPackage(at("release"));
  mkdirSync(at("home"));
  const installed = await bash(`npm install --global '${tarball}'`, folder.path, environment("home"));
  assert.equal(installed.code, 0, installed.output);
  // Adds the server as Claude Code would, and starts it.
  const claude = '#!/bin/sh\n[ "$1 $2 $4" = "mcp add --" ] && shift 4 && exec "$@" </dev/null\n';
  writeFileSync(at("installed/bin/claude"), claude, { mode: 0o755 });
  sandbox = await startSandbox({ demo: true, calls: { count: 20, seed: "docs" } });
});
after(async () => {
  await sandbox?.stop();
  await folder?.remove();
});

function environment(page: string): NodeJS.ProcessEnv {
  return {
    PATH: `${at("installed/bin")}${path.delimiter}${process.env.PATH}`,
    HOME: at("home"),
    npm_config_cache: at("cache"),
    npm_config_prefix: at("installed"),
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
    ASSISTANT_FLOW_STATE_DIR: at(page, ".state"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "T",
    GIT_AUTHOR_EMAIL: "t@localhost",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@localhost",
  };
}

/** A repository with the billing flow and a change of it on a branch. */
async function repository(page: string): Promise<string> {
  const cwd = at(page);
  mkdirSync(cwd, { recursive: true });
  for (const name of ["billing.flow.yaml", "assistant-flow.tools.json", "assistant-flow.policies.yaml"])
    cpSync(inProject("examples", name), path.join(cwd, name));
  cpSync(inProject("examples/support-line.flow.yaml"), path.join(cwd, "support-line.flow.yaml"));
  if (!page.includes("testing"))
    cpSync(inProject("examples/billing.flowtest.yaml"), path.join(cwd, "billing.flowtest.yaml"));
  const change = `sed -i 's/type: message$/type: message\\n    description: New./' billing.flow.yaml`;
  const git = `git init -q -b main && git add -A && git commit -qm First && git checkout -qb change && ${change} && git commit -qam Second`;
  const made = await bash(git, cwd, environment(page));
  assert.equal(made.code, 0, made.output);
  return cwd;
}

/** Runs the lines of a page and returns what each printed. */
async function runPage(
  page: string,
  { more = {}, edit = (line: string) => line }: { more?: NodeJS.ProcessEnv; edit?: (line: string) => string } = {},
): Promise<string[]> {
  const env = { ...environment(page), ...more };
  const outputs: string[] = [];
  for (const line of linesOf(page)) {
    const { code, output } = / sandbox /.test(line)
      ? await runUntilReady(line, at(page), env)
      : await bash(edit(line), at(page), env);
    // 2: there are differences.
    const allowed = /^assistant-flow (diff|plan|drift|promote .*--dry-run)\b/.test(line) ? [0, 2] : [0];
    assert.ok(allowed.includes(code ?? -1), `${line}\n${code}\n${output}`);
    outputs.push(output);
  }
  return outputs;
}

/** A program that runs until it is stopped. */
async function runUntilReady(line: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn("bash", ["-c", `exec ${line}`], { cwd, env });
  let output = "";
  for await (const part of child.stdout) {
    output += part;
    // Once: a second signal ends it without waiting.
    if (!child.killed && /http:\/\/127\.0\.0\.1:\d+/.test(output)) child.kill("SIGTERM");
  }
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", resolve)));
  return { code, output };
}

interface Environments {
  readonly cwd: string;
  readonly both: readonly TestEnvironment[];
  readonly staging: TestEnvironment;
  readonly production: TestEnvironment;
}

/** A repository with the project file of docs/environments.md, and a flow that was pushed to staging. */
async function withEnvironments(page: string, work: (environments: Environments) => Promise<void>): Promise<void> {
  const cwd = await repository(page);
  const both = await Promise.all([startEnvironment("staging"), startEnvironment("production")]);
  const [staging, production] = both as [TestEnvironment, TestEnvironment];
  try {
    const [, project = ""] = /```yaml\n(default: [\s\S]*?)```/.exec(read("docs/environments.md")) ?? [];
    const [first = "", second = ""] = project.split(/^(?= {2}production:)/m);
    const own = (part: string, { url, assistant, revision, id }: TestEnvironment) =>
      part
        .replace(/^ +calling_url:.*\n/m, "")
        .replace(/url: .*/, `url: ${url}`)
        .replace(/assistant: [\w-]+/, `assistant: ${assistant}`)
        .replace(/revision: [\w-]+/, `revision: ${revision}`)
        .replace(/look_up_account: .*/, `look_up_account: ${id("look_up")}`);
    writeFileSync(path.join(cwd, "assistant-flow.project.yaml"), own(first, staging) + own(second, production));
    mkdirSync(path.join(cwd, "flows"));
    const flow = `persona: Calm.\nentry: find\nnodes:\n  find:\n    type: tool\n    tool: $look_up_account\n    edges: [{to: done}, {to: hand_over, on: error}]\n  hand_over: {type: transfer, destination: $front_desk}\n  done: {type: end}\n`;
    writeFileSync(path.join(cwd, "flows/billing.flow.yaml"), flow);
    const push = "assistant-flow push flows --allow-first-push --allow-removals";
    const pushed = await bash(push, cwd, { ...environment(page), ...keysOf(both) });
    assert.equal(pushed.code, 0, pushed.output);
    await work({ cwd, both, staging, production });
  } finally {
    await Promise.all(both.map((each) => each.stop()));
  }
}

const connected = () => ({
  ASSISTANT_FLOW_BASE_URL: sandbox.baseUrl,
  ASSISTANT_FLOW_WORKFLOW_BASE_URL: sandbox.workflowBaseUrl,
  ASSISTANT_FLOW_API_KEY: sandbox.apiKey,
});

/** A test for each page, by its path. */
const runs: Readonly<Record<string, (page: string) => Promise<void>>> = {
  async "packages/cli/README.md"(page) {
    await repository(page);
    const outputs = await runPage(page);
    assert.match(outputs[0] ?? "", /files checked/);
    assert.match(outputs.at(-1) ?? "", /Usage: assistant-flow/);
  },
  async "docs/agents.md"(page) {
    const cwd = await repository(page);
    await runPage(page);
    assert.ok(existsSync(path.join(cwd, "AGENTS.md")));
  },
  async "docs/calls.md"(page) {
    const cwd = await repository(page);
    const answer = await fetch(`${sandbox.workflowBaseUrl}/calls`, { headers: { "x-api-key": sandbox.apiKey } });
    const { calls } = (await answer.json()) as { calls: object[] };
    const write = (name: string, text: string) => writeFileSync(path.join(cwd, name), text);
    write("call.json", JSON.stringify(calls[0]));
    write("calls.jsonl", calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
    for (const name of ["old.flow.yaml", "new.flow.yaml"]) write(name, read("examples/billing.flow.yaml"));
    const outputs = await runPage(page, { more: connected() });
    assert.match(outputs[1] ?? "", /"verdict"/);
  },
  async "docs/editors.md"(page) {
    await repository(page);
    const [where = ""] = await runPage(page);
    for (const editor of ["nvim", "emacs", "helix", "kakoune"]) assert.ok(existsSync(path.join(where.trim(), editor)));
  },
  async "docs/environments.md"(page) {
    await withEnvironments(page, async ({ both, production }) => {
      // The version that the page restores is that of a longer history.
      const edit = (line: string) => line.replace(" 12 ", " 2 ");
      const outputs = await runPage(page, { more: keysOf(both), edit });
      assert.match(outputs.join(""), /flows\/billing\.flow\.yaml/);
      assert.equal((await production.graph()).graph.nodes.get("find")?.tool, production.id("look_up"));
    });
  },
  async "docs/policies.md"(page) {
    await repository(page);
    assert.match((await runPage(page)).join(""), /5 proved, 0 broken/);
  },
  async "docs/review.md"(page) {
    const cwd = await repository(page);
    await runPage(page);
    assert.match(readFileSync(path.join(cwd, ".git/config"), "utf8"), /\[merge "assistant-flow"\]/);
  },
  async "docs/sandbox.md"(page) {
    await repository(page);
    assert.match((await runPage(page)).join(""), /http:\/\/127\.0\.0\.1/);
  },
  async "docs/testing-flows.md"(page) {
    const cwd = await repository(page);
    await runPage(page);
    assert.ok(existsSync(path.join(cwd, "billing.flowtest.yaml")));
  },
  async "docs/tools.md"(page) {
    const cwd = await repository(page);
    const outputs = await runPage(page, { more: connected() });
    assert.match(outputs.at(-1) ?? "", /look_up_account/);
    assert.equal(
      readFileSync(path.join(cwd, "assistant-flow.tools.json"), "utf8"),
      read("examples/assistant-flow.tools.json"),
    );
  },
};

test("every page with commands is run by a test", () => {
  const pages = documents.filter((page) => linesOf(page).length > 0);
  assert.deepEqual(pages.sort(), [...Object.keys(runs), ...Object.keys(elsewhere)].sort());
  for (const file of Object.values(elsewhere)) assert.ok(existsSync(inProject(file)), file);
  for (const page of Object.keys(runs))
    for (const line of linesOf(page)) assert.doesNotMatch(line, /dist\/|npm run/, `${page}: readers have the package`);
});

test("files of the package that documents mention are in the package", () => {
  const named = documents.flatMap((page) =>
    [...read(page).matchAll(/node_modules\/(assistant-flow\/[\w./-]+\.\w+)/g)].map(([, file = ""]) => file),
  );
  assert.ok(named.length > 0);
  for (const file of named) assert.ok(existsSync(at("installed/lib/node_modules", file)), file);
});

for (const [page, run] of Object.entries(runs)) test(`the commands of ${page} work`, () => run(page));

test("the workflows of docs/ci.md promote, and open an issue about drift", () =>
  withEnvironments("workflows", async ({ cwd, both, production }) => {
    const workflows = [...read("docs/ci.md").matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => parse(text));
    const jobOf = (workflow: string, job: string): Job => workflows.find(({ name }) => name === workflow).jobs[job];
    const [tarball = ""] = readdirSync(at("release"));
    cpSync(at("release", tarball), path.join(cwd, tarball));
    writeFileSync(at("installed/bin/gh"), '#!/bin/sh\necho "$@" >> issues\ncat "$6" >> issues\n', { mode: 0o755 });
    const keys = keysOf(both);
    const secrets = {
      STAGING_KEY: keys.ASSISTANT_FLOW_API_KEY_STAGING as string,
      PRODUCTION_KEY: keys.ASSISTANT_FLOW_API_KEY_PRODUCTION as string,
    };
    // Each run is on a machine that remembers nothing. The URLs of the page are those of the sandboxes here.
    let machines = 0;
    const run = (job: Job) => {
      const machine = `workflows/machine-${++machines}`;
      const urls = Object.fromEntries(
        both.map(({ name, url }) => [`ASSISTANT_FLOW_BASE_URL_${name.toUpperCase()}`, url] as const),
      );
      const named = Object.entries(urls).filter(([name]) => name in (job.env ?? {}));
      const env = { ...environment(machine), ...Object.fromEntries(named) };
      return runJob(job, { cwd, temp: at(machine), env, secrets });
    };
    const issues = () => (existsSync(path.join(cwd, "issues")) ? readFileSync(path.join(cwd, "issues"), "utf8") : "");

    const promoted = await run(jobOf("Promote", "promote"));
    assert.equal(promoted.code, 0, promoted.log);
    assert.match(promoted.summary, /flows\/billing\.flow\.yaml/);
    assert.equal((await production.graph()).graph.nodes.get("find")?.tool, production.id("look_up"));

    const drift = jobOf("Drift", "drift");
    const none = await run(drift);
    assert.equal(none.code, 0, none.log);
    assert.equal(issues(), "");
    await production.apply({ op: "update_node_fields", node_id: "done", fields: { instructions: "Hotfix." } });
    const some = await run(drift);
    assert.equal(some.code, 0, some.log);
    assert.match(
      issues(),
      /^issue create --title Flows on production differ --body-file drift\.md\n<!-- assistant-flow/,
    );
    assert.match(issues(), /1 of 1 flow differs[\s\S]*changed node `done`/);
    production.isDown = true;
    const before = issues();
    const down = await run(drift);
    assert.deepEqual([down.code, issues()], [3, before], down.log);
  }));

test("the commands of docs/testing.md work in a clone", async () => {
  const clone = await copyProject({ tests: true });
  try {
    for (const line of linesOf("docs/testing.md")) {
      const { code, output } = await bash(line, clone.path, { ...process.env, NODE_TEST_CONTEXT: undefined });
      assert.equal(code, 0, `${line}\n${output}`);
      assert.match(output, /^. fail 0$/m, line);
    }
    for (const file of filesBelow("test/markers/rules", ".yaml"))
      assert.equal(readFileSync(path.join(clone.path, file), "utf8"), read(file), `${file} is up to date`);
  } finally {
    await clone.remove();
  }
});
