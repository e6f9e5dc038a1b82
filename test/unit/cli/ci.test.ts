/**
 * Runs docs/ci.md in a repository, against the sandbox: the action as the workflow uses it, the steps of the workflow, the
 * commands that install, and both kinds of hooks.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { packNpmPackage } from "../../../scripts/npm-package";
import { bash, runAction } from "../../support/composite-action";
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
    npm_config_cache: path.join(folder.path, "npm-cache"),
    npm_config_offline: "true",
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

const git = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: repo(), env, encoding: "utf8" });
  return { code: status, output: `${stdout}${stderr}` };
};
const commit = (...args: string[]) => {
  const { code, output } = git("commit", "-q", "--no-verify", ...args);
  assert.equal(code, 0, output);
  return git("rev-parse", "HEAD").output.trim();
};
const repo = () => path.join(folder.path, "repo");
const write = (text: string) => writeFileSync(path.join(repo(), "flows/support.flow.yaml"), text);

const step = (script: string, more: NodeJS.ProcessEnv = {}) => bash(script, repo(), { ...env, ...more });

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly name?: string;
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const stepsOf = (job: Job) => job.steps.flatMap(({ name, run }) => (run ? [{ name, run }] : []));

/** The action with the inputs that a job of the page has. */
const actionOf = (job: Job, more: { base?: string; with?: Record<string, unknown> } = {}) => {
  const { with: inputs } = job.steps.find(({ uses }) => uses?.startsWith("OWNER/assistant-flow@")) ?? assert.fail();
  const temp = path.join(folder.path, "runner");
  return runAction("action.yml", { cwd: repo(), temp, env, ...more, with: { ...inputs, ...more.with } });
};

test("the action passes on flows with a warning, with a report, and without a comment where there is no base", async () => {
  const edge = "stays the same.\n    edges:\n      - to: anything_else\n";
  assert.ok(flow.includes(edge));
  write(flow.replace(edge, `${edge}      - to: anything_else\n`));
  const { outcomes, outputs, log } = await actionOf(workflow.jobs.check);
  assert.deepEqual(
    outcomes,
    { Install: "success", Check: "success", Test: "success", Policies: "success", "Describe changes": "skipped" },
    log,
  );
  assert.match(log, /^::warning file=flows\/support\.flow\.yaml,line=/m);
  assert.equal(JSON.parse(readFileSync(outputs.sarif ?? "", "utf8")).version, "2.1.0");
  assert.equal(outputs.comment, "");
  write(flow);
});

test("the action describes the changes of a pull request, for a comment", async () => {
  git("init", "-q");
  git("add", "flows");
  const base = commit("-m", "Base");
  write(flow.replace("type: message\n", "type: message\n    description: In review.\n"));
  commit("-am", "Change");
  const { outcomes, outputs, log } = await actionOf(workflow.jobs.check, { base });
  assert.equal(outcomes["Describe changes"], "success", log);
  assert.match(outputs.comment ?? "", /^<!-- assistant-flow diff -->\n## Flow changes\n/);
  assert.equal(readFileSync(outputs["comment-file"] ?? "", "utf8").trimEnd(), outputs.comment?.trimEnd());
  const unknown = await actionOf(workflow.jobs.check, { base: "nothing" });
  assert.equal(unknown.outcomes["Describe changes"], "failure");
  write(flow);
  commit("-am", "Back");
});

test("the action fails on a flow with an error, names the place, and still writes the report", async () => {
  write(flow.replace("entry: greet", "entry: gret"));
  const { outcomes, outputs, log } = await actionOf(workflow.jobs.check);
  write(flow);
  assert.deepEqual([outcomes.Check, outcomes.Test], ["failure", "failure"], log);
  assert.match(log, /^::error file=flows\/support\.flow\.yaml,line=.*gret/m);
  assert.match(readFileSync(outputs.sarif ?? "", "utf8"), /unknown-entry/);
});

test("parts of the action can be turned off, and a repository without tests passes", async () => {
  const parts = { check: false, test: false, policies: false };
  const { outcomes } = await actionOf(workflow.jobs.check, { with: parts });
  assert.deepEqual([outcomes.Check, outcomes.Test, outcomes.Policies], ["skipped", "skipped", "skipped"]);
  mkdirSync(path.join(repo(), "other"));
  writeFileSync(path.join(repo(), "other/a.flow.yaml"), flow);
  const other = await actionOf(workflow.jobs.check, { with: { "working-directory": "other" } });
  rmSync(path.join(repo(), "other"), { recursive: true });
  assert.equal(other.outcomes.Test, "success", other.log);
});

test("the action installs the tarball of a release, and so do the commands of the page", async () => {
  const tarball = await packNpmPackage(folder.path);
  const { outcomes, path: found, log } = await actionOf(workflow.jobs.push, { with: { package: tarball } });
  assert.equal(outcomes.Check, "success", log);
  const { output } = await step("command -v assistant-flow", { PATH: found });
  assert.equal(output.trim(), path.join(folder.path, "runner/assistant-flow/bin/assistant-flow"));
  const [install = ""] = /(?<=```sh\n)npm install --global[\s\S]*?(?=```)/.exec(doc) ?? [];
  cpSync(tarball, path.join(repo(), path.basename(tarball)));
  const prefix = path.join(folder.path, "global");
  const installed = await step(install, { npm_config_prefix: prefix, PATH: `${prefix}/bin:${process.env.PATH}` });
  rmSync(path.join(repo(), path.basename(tarball)));
  assert.equal(installed.code, 0, installed.output);
  assert.match(installed.output, /^\d+\.\d+\.\d+$/m);
});

test("actionlint accepts the workflow", (t) => {
  if (spawnSync("actionlint", ["--version"]).status !== 0) return t.skip("actionlint is not installed here.");
  const text = block("yaml").replaceAll(/<commit of v\d+>/g, "0".repeat(40));
  const { status, stdout } = spawnSync("actionlint", ["-"], { input: text, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("the hooks of pre-commit format, check and test what is staged", (t) => {
  const program = process.env.PRE_COMMIT ?? "pre-commit";
  if (spawnSync(program, ["--version"]).status !== 0) return t.skip("pre-commit is not installed here.");
  const hooks = path.join(folder.path, "hooks");
  mkdirSync(hooks);
  cpSync(".pre-commit-hooks.yaml", path.join(hooks, ".pre-commit-hooks.yaml"));
  const inHooks = (...args: string[]) => spawnSync("git", args, { cwd: hooks, env, encoding: "utf8" }).stdout.trim();
  inHooks("init", "-q");
  inHooks("add", "-A");
  inHooks("commit", "-qm", "Hooks");
  const rev = inHooks("rev-parse", "HEAD");
  const config = /```yaml\n(repos:[\s\S]*?)```/.exec(doc)?.[1] ?? "";
  const own = config.replace("https://github.com/OWNER/assistant-flow", hooks).replace("<commit of v0>", rev);
  writeFileSync(path.join(repo(), ".pre-commit-config.yaml"), own);
  const run = () => {
    git("add", "-A");
    const options = { cwd: repo(), env: { ...env, PRE_COMMIT_HOME: path.join(folder.path, "pre-commit") } };
    const { status, stdout, stderr } = spawnSync(program, ["run", "--color=never"], { ...options, encoding: "utf8" });
    return { status, output: `${stdout}${stderr}` };
  };
  write(`${flow}\n`);
  const untidy = run();
  assert.match(untidy.output, /Format assistant flows\.+Failed/);
  assert.equal(readFileSync(path.join(repo(), "flows/support.flow.yaml"), "utf8"), flow, "it was formatted");
  write(flow.replace("entry: greet", "entry: gret"));
  const wrong = run();
  assert.match(wrong.output, /Check assistant flows\.+Failed[\s\S]*unknown-entry/);
  assert.match(wrong.output, /Test assistant flows\.+Failed/);
  write(flow.replace("type: message\n", "type: message\n    description: With a hook.\n"));
  const sound = run();
  assert.equal(sound.status, 0, sound.output);
  git("rm", "-q", "--cached", ".pre-commit-config.yaml");
  rmSync(path.join(repo(), ".pre-commit-config.yaml"));
  write(flow);
  git("add", "-A");
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

test("the GitLab job checks, reports, and writes one comment that it updates", async (t) => {
  const { flows: job } = parse(/```yaml\n(flows:\n[\s\S]*?)```/.exec(doc)?.[1] ?? "");
  if (spawnSync("curl", ["--version"]).status !== 0) return t.skip("curl isn't installed");
  const notes: { id: number; body: string }[] = [{ id: 1, body: "Looks good" }];
  const asked: string[] = [];
  const api = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push(`${request.method} ${request.url} ${request.headers["private-token"]}`);
    const text = new URLSearchParams(body).get("body") ?? "";
    if (request.method === "POST") notes.push({ id: 7, body: text });
    for (const note of notes) if (request.method === "PUT" && request.url?.endsWith(`/${note.id}`)) note.body = text;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(notes));
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  try {
    git("init", "-q");
    write(flow);
    git("add", "flows");
    const base = commit("--allow-empty", "-m", "Base of the merge request");
    write(flow.replace("type: message\n", "type: message\n    description: In review.\n"));
    git("add", "flows");
    const head = commit("-m", "Change");
    const own = {
      CI_API_V4_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      CI_PROJECT_ID: "5",
      CI_MERGE_REQUEST_IID: "3",
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_COMMIT_SHA: head,
      FLOW_COMMENT_TOKEN: "token",
    };
    assert.deepEqual(job.before_script, ['npm install --global "$FLOW_PACKAGE"']);
    for (let pipeline = 1; pipeline <= 2; pipeline++) {
      const checked = await step(job.script.join("\n"), own);
      assert.equal(checked.code, 0, checked.output);
      const after = await step(job.after_script.join("\n"), own);
      assert.equal(after.code, 0, after.output);
    }
    const place = "/projects/5/merge_requests/3/notes";
    assert.deepEqual(asked, [
      `GET ${place}?per_page=100 token`,
      `POST ${place} token`,
      `GET ${place}?per_page=100 token`,
      `PUT ${place}/7 token`,
    ]);
    assert.equal(notes.length, 2);
    assert.match(notes[1]?.body ?? "", /^<!-- assistant-flow diff -->[\s\S]*greet/);
    for (const name of [...job.artifacts.paths, job.artifacts.reports.junit])
      assert.ok(readFileSync(path.join(repo(), name), "utf8").length > 0, name);
  } finally {
    api.close();
    for (const name of ["flows.xml", "flows.sarif", "comment.md"]) rmSync(path.join(repo(), name), { force: true });
    write(flow);
  }
});

test("the hook accepts valid flows, rejects others, and checks the staged content", async () => {
  write(flow.replace("type: message\n", "type: message\n    description: Staged.\n"));
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

test("every workflow is valid, and pins actions by commit", async () => {
  const blocks = [...doc.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => parse(text));
  assert.equal(blocks.length, 5, "GitHub, promote, drift, GitLab and pre-commit");
  const uses = [...doc.matchAll(/uses: (\S+@.*)$/gm)].map(([, name]) => name);
  assert.ok(uses.length > 5);
  for (const name of uses) assert.match(name ?? "", /^[\w/-]+@<commit of v\d+>$/);
});
