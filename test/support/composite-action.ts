/** Runs the steps of a composite GitHub action in bash, with the features of the real runner that action.yml uses. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly shell: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

export interface ActionRun {
  /** The outcome of each step by name: success, failure or skipped. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** The output of all steps. */
  readonly log: string;
  /** The folders that steps have added to the PATH. */
  readonly path: string;
}

interface ActionOptions {
  /** The repository that the workflow has checked out. */
  readonly cwd: string;
  /** The folder for files of the run. */
  readonly temp: string;
  readonly env: NodeJS.ProcessEnv;
  readonly with?: Readonly<Record<string, unknown>>;
  /** `github.event.pull_request.base.sha`. */
  readonly base?: string;
}

export async function runAction(file: string, options: ActionOptions): Promise<ActionRun> {
  const action = parse(readFileSync(file, "utf8"));
  rmSync(options.temp, { recursive: true, force: true });
  mkdirSync(options.temp, { recursive: true });
  const steps: Record<string, Record<string, string>> = {};
  const github = { event: { pull_request: { base: { sha: options.base ?? "" } } } };
  const fill = (text: string, inputs: object) =>
    text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, { inputs, steps, github }) ?? ""));
  const inputs = Object.fromEntries(
    Object.entries(action.inputs as Record<string, { default: string }>).map(([name, input]) => [
      name,
      String(options.with?.[name] ?? fill(input.default, {})),
    ]),
  );
  for (const name of Object.keys(options.with ?? {})) assert.ok(name in inputs, `the action has no input "${name}"`);
  const inTemp = (name: string) => path.join(options.temp, name);
  const env: NodeJS.ProcessEnv = {
    ...options.env,
    RUNNER_TEMP: options.temp,
    GITHUB_ACTION_PATH: path.dirname(path.resolve(file)),
    GITHUB_STEP_SUMMARY: inTemp("summary"),
    GITHUB_PATH: inTemp("path"),
    GITHUB_OUTPUT: inTemp("output"),
  };
  const outcomes: Record<string, string> = {};
  let log = "";
  for (const step of action.runs.steps as readonly Step[]) {
    assert.equal(step.shell, "bash", step.name);
    const hasFailed = Object.values(outcomes).includes("failure");
    const condition = (step.if ?? "success()").replace(/^\$\{\{(.*)\}\}$/, "$1");
    const wanted = evaluate(
      /\b(?:success|cancelled|always)\(/.test(condition) ? condition : `success() && ${condition}`,
      {
        inputs,
        steps,
        github,
        success: () => !hasFailed,
        cancelled: () => false,
        always: () => true,
      },
    );
    outcomes[step.name] = "skipped";
    if (!wanted) continue;
    rmSync(inTemp("output"), { force: true });
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, inputs)]));
    const cwd = path.resolve(options.cwd, fill(step["working-directory"] ?? ".", inputs));
    const result = await bash(fill(step.run, inputs), cwd, { ...env, ...own });
    log += result.output;
    outcomes[step.name] = result.code === 0 ? "success" : "failure";
    if (step.id) steps[step.id] = { ...outputsIn(inTemp("output")) };
    if (existsSync(inTemp("path")))
      env.PATH = [...readFileSync(inTemp("path"), "utf8").trim().split("\n").reverse(), options.env.PATH].join(":");
  }
  const scope = Object.fromEntries(Object.entries(steps).map(([id, outputs]) => [id, { outputs }]));
  const outputs = Object.fromEntries(
    Object.entries(action.outputs as Record<string, { value: string }>).map(([name, { value }]) => [
      name,
      value.replace(/\$\{\{(.*?)\}\}/g, (_, text) => String(evaluate(text, { steps: scope }) ?? "")),
    ]),
  );
  return { outcomes, outputs, log, path: env.PATH ?? "" };
}

/** A job of a workflow, with the features of GitHub that the documents use. */
export interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

/** Runs the steps of a job until one fails. The repository is checked out already. */
export async function runJob(
  job: Job,
  options: Pick<ActionOptions, "cwd" | "temp" | "env"> & { readonly secrets: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly log: string; readonly summary: string }> {
  mkdirSync(options.temp, { recursive: true });
  const summary = path.join(options.temp, "summary");
  writeFileSync(summary, "");
  const scope = { secrets: options.secrets, github: { token: "token" } };
  const own = Object.entries(job.env ?? {}).map(([name, text]) => [
    name,
    text.replace(/\$\{\{(.*?)\}\}/g, (all, expression) => {
      const value = evaluate(expression, scope);
      assert.ok(value !== undefined, all);
      return String(value);
    }),
  ]);
  const env = { ...Object.fromEntries(own), ...options.env, GITHUB_STEP_SUMMARY: summary };
  let log = "";
  for (const { uses, run } of job.steps) {
    if (run === undefined) assert.match(uses ?? "", /^actions\/checkout@/);
    const { code, output } = run === undefined ? { code: 0, output: "" } : await bash(run, options.cwd, env);
    log += output;
    if (code !== 0) return { code, log, summary: readFileSync(summary, "utf8") };
  }
  return { code: 0, log, summary: readFileSync(summary, "utf8") };
}

/** Expressions are JavaScript but for property names with dashes and for missing objects. */
function evaluate(expression: string, scope: Readonly<Record<string, unknown>>): unknown {
  const code = expression.replace(/\.([\w-]+)/g, '?.["$1"]');
  return new Function(...Object.keys(scope), `return (${code});`)(...Object.values(scope));
}

/** `name=value` lines, and `name<<END` blocks. */
function outputsIn(file: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    const [, name, end] = /^([^=]+)<<(.+)$/.exec(line) ?? [];
    if (name)
      outputs[name] = lines
        .splice(0, lines.indexOf(end ?? "") + 1)
        .slice(0, -1)
        .join("\n");
    else if (line) outputs[line.slice(0, line.indexOf("="))] = line.slice(line.indexOf("=") + 1);
  }
  return outputs;
}

/** As the real runner starts bash: a failed command ends the step. The sandbox of a test may be in this process. */
export function bash(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], { cwd, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}
