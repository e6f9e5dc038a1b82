/** Runs the shell steps and the hook in docs/ci.md, in a repository, against the sandbox. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { bundleCli } from "../../support/sandbox-process";
import { folderWith } from "./cli";

const doc = readFileSync("docs/ci.md", "utf8");
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(doc)?.[1] ?? "";
const workflow = parse(block("yaml"));
const flow = readFileSync("examples/support-line.flow.yaml", "utf8");

let bundle: Awaited<ReturnType<typeof bundleCli>>;
let folder: ReturnType<typeof folderWith>;
let sandbox: Sandbox;
let env: NodeJS.ProcessEnv;

before(async () => {
  bundle = await bundleCli();
  sandbox = await startSandbox({ demo: true });
  const tests = readFileSync("examples/support-line.flowtest.yaml", "utf8").replace(
    "support-line.flow",
    "support.flow",
  );
  folder = folderWith({ "repo/flows/support.flow.yaml": flow, "repo/flows/support.flowtest.yaml": tests });
  const bin = path.join(folder.path, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${path.resolve(bundle.path)}' "$@"\n`;
  writeFileSync(path.join(bin, "assistant-flow"), script, { mode: 0o755 });
  env = {
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    HOME: folder.path,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "T",
    GIT_AUTHOR_EMAIL: "t@localhost",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@localhost",
  };
});
after(async () => {
  await sandbox?.stop();
  folder?.remove();
  bundle?.remove();
});

const repo = () => path.join(folder.path, "repo");
const write = (text: string) => writeFileSync(path.join(repo(), "flows/support.flow.yaml"), text);

/**
 * Like the runner: each step with `bash -e`, in the repository. The sandbox runs in this process, so nothing may block.
 */
function step(script: string, more: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; output: string }> {
  const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: repo(), env: { ...env, ...more } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

const stepsOf = (job: Job) => job.steps.flatMap(({ name, run }) => (run ? [{ name, run }] : []));

test("the check job passes on a sound repository and writes a report", async () => {
  for (const { name, run } of stepsOf(workflow.jobs.check)) {
    const { code, output } = await step(run);
    assert.equal(code, 0, `${name}: ${output}`);
    if (name === "Annotations") assert.match(output, /^::warning file=flows\/support\.flow\.yaml,line=/m);
  }
  assert.equal(JSON.parse(readFileSync(path.join(repo(), "flows.sarif"), "utf8")).version, "2.1.0");
});

test("the check job fails on a flow with an error, and says where", async () => {
  write(flow.replace("entry: greet", "entry: gret"));
  const outcomes = [];
  for (const { name, run } of stepsOf(workflow.jobs.check)) outcomes.push([name, (await step(run)).code]);
  write(flow);
  assert.deepEqual(outcomes, [
    ["Layout", 0],
    ["Annotations", 1],
    ["Tests", 1],
    ["Report for code scanning", 0],
    ["Reports to keep", 0],
  ]);
});

test("the push job plans and sends; a wrong key fails it at the plan", async () => {
  assert.deepEqual(Object.keys(workflow.jobs.push.env), ["ASSISTANT_FLOW_BASE_URL", "ASSISTANT_FLOW_API_KEY"]);
  const [plan, push] = stepsOf(workflow.jobs.push);
  const own = (key: string) => ({ ASSISTANT_FLOW_BASE_URL: sandbox.baseUrl, ASSISTANT_FLOW_API_KEY: key });
  write(flow.replace("type: message\n", "type: message\n    description: From CI.\n"));
  assert.equal((await step(plan?.run ?? "", own("wrong"))).code, 3);
  const planned = await step(plan?.run ?? "", own(sandbox.apiKey));
  assert.equal(planned.code, 0, planned.output);
  assert.match(planned.output, /1 node changed/);
  const sent = await step(push?.run ?? "", own(sandbox.apiKey));
  assert.equal(sent.code, 0, sent.output);
  assert.match(sent.output, /in sync with version 2/);
});

test("the hook lets sound flows in, stops others, and looks at what is staged", async () => {
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: repo(), env, encoding: "utf8" });
    return { code: status, output: `${stdout}${stderr}` };
  };
  write(flow);
  assert.equal(git("init", "-q").code, 0);
  const hook = path.join(repo(), ".git/hooks/pre-commit");
  writeFileSync(hook, /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(doc)?.[1] ?? "");
  chmodSync(hook, 0o755);
  git("add", "flows");
  const first = git("commit", "-qm", "Sound");
  assert.equal(first.code, 0, first.output);
  write(flow.replace("entry: greet", "entry: gret"));
  git("add", "flows");
  write(flow);
  const wrong = git("commit", "-qm", "Staged with an error");
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.output, /unknown-entry/);
  git("add", "flows");
  writeFileSync(path.join(repo(), "README"), "x");
  git("add", "README");
  assert.equal(git("commit", "-qm", "No flow in it").code, 0);
  write(`${flow}\n\n\n`);
  git("add", "flows");
  assert.match(git("commit", "-qm", "Untidy").output, /isn't formatted/);
});

test("every workflow can be read, and names actions by their commits alone", async () => {
  const blocks = [...doc.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => parse(text));
  assert.equal(blocks.length, 3);
  const uses = [...doc.matchAll(/uses: (\S+@.*)$/gm)].map(([, name]) => name);
  assert.ok(uses.length > 5);
  for (const name of uses) assert.match(name ?? "", /^[\w/-]+@<commit of v\d+>$/);
});

test("the review job writes the comment of a change", async () => {
  const review = parse([...doc.matchAll(/```yaml\n([\s\S]*?)```/g)][1]?.[1] ?? "");
  const run = stepsOf(review.jobs.review).find(({ name }) => name === "What changes")?.run ?? "";
  const git = (...args: string[]) => spawnSync("git", args, { cwd: repo(), env, encoding: "utf8" }).stdout.trim();
  git("checkout", "-q", "--", ".");
  git("commit", "-q", "--allow-empty", "--no-verify", "-m", "base");
  const base = git("rev-parse", "HEAD");
  write(flow.replace("type: message\n", "type: message\n    description: In review.\n"));
  git("commit", "-q", "--no-verify", "-am", "change");
  const { code, output } = await step(run, { BASE: base, GITHUB_STEP_SUMMARY: path.join(repo(), "summary.md") });
  assert.equal(code, 0, output);
  assert.match(
    readFileSync(path.join(repo(), "comment.md"), "utf8"),
    /^<!-- assistant-flow diff -->\n## Flow changes\n/,
  );
  assert.notEqual((await step(run, { BASE: "nothing", GITHUB_STEP_SUMMARY: "/dev/null" })).code, 0);
});
