/**
 * A project file comes with the repository, so it may be hostile: commands and the language server answer quickly and
 * safely.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { everyQuestion, type Question, startAbleClient } from "./every-request";
import { UNSEEN } from "./hostile-texts";
import { inFolder, posix, runInProcess } from "./outsider";

const FLOW = `entry: a
nodes:
  a: {type: tool, tool: $look_up, edges: [{to: b}]}
  b: {type: transfer, destination: $desk}
`;
const ID = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a000";
const LINKED = `{assistant: ${ID}1, revision: ${ID}2}`;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const environment = (body: string, name = "staging") => `default: ${name}\nenvironments:\n  ${name}: ${body}\n`;
const listing = (file: string) =>
  environment(`{url: "https://a.example", flows: {${JSON.stringify(file)}: ${LINKED}}}`);
const strange = ["\u001b[2J\u001b]0;x\u0007", "\u202egnp.exe", "a\nERROR: forged", "\u{e0041}\u{e0042}", "::error::x"];

/** Text that a message must never contain. */
const SECRETS = ["pa55word", "TOP-SECRET-LINE"];

const projects: Record<string, string> = {
  "a file of 300 kB": `${environment("{}")}# ${"x".repeat(300_000)}\n`,
  "5,000 environments": `environments:\n${numbers(5_000)
    .map((at) => `  e${at}: {url: "https://e${at}.example", flows: {a.flow.yaml: ${LINKED}}}`)
    .join("\n")}\n`.slice(0, 250_000),
  "20,000 names": environment(
    `\n    url: https://a.example\n    names:\n${numbers(12_000)
      .map((at) => `      n${at}: v${at}`)
      .join("\n")}`,
  ),
  "deep lists": environment(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  "deep maps": environment(`${"{a: ".repeat(5_000)}1${"}".repeat(5_000)}`),
  "deep indentation": `environments:\n${numbers(700)
    .map((at) => `${"  ".repeat(at + 1)}e:`)
    .join("\n")}\n`,
  "anchors that multiply": `a: &a [x, x, x, x, x, x, x, x, x]\n${"abcdefgh"
    .split("")
    .slice(1)
    .map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]}, `.repeat(9)}]`)
    .join("\n")}\n${environment("{names: *h, flows: *h, url: *h}")}`,
  "an anchor inside itself": environment("&a {names: *a, flows: {a.flow.yaml: *a}}"),
  "merge keys": environment("{<<: {url: 'https://u:pa55word@a.example'}, <<: [{a: 1}]}"),
  "names of Object": `default: __proto__\nenvironments:\n  __proto__: {url: "https://a.example", names: {constructor: x, __proto__: y}}\n  constructor: {flows: {__proto__: ${LINKED}}}\n`,
  "no maps": "default: [x]\nenvironments: 5\n",
  "not YAML": "environments: {staging: {url: 'https://u:pa55word@a.example'\n\t- : [",
  "many syntax errors": "- : [{\n".repeat(5_000),
  "a key": environment("{url: 'https://a.example', key: pa55word, api_key: pa55word, token: pa55word}"),
  ...Object.fromEntries(
    [
      "https://u:pa55word@a.example",
      "https://pa55word@a.example",
      "http://pa55word:80@a.example",
      "javascript:alert('pa55word')",
      "file:///etc/passwd",
      "http://169.254.169.254/latest",
      "//evil.example",
      "https://a.example/\u202e\u0007",
    ].map((url) => [
      `the URL ${JSON.stringify(url)}`,
      environment(
        `{url: ${JSON.stringify(url)}, calling_url: ${JSON.stringify(url)}, flows: {a.flow.yaml: ${LINKED}}}`,
      ),
    ]),
  ),
  ...Object.fromEntries(
    [
      "../outside/secret.flow.yaml",
      "./../outside/secret.flow.yaml",
      "x/../../outside/secret.flow.yaml",
      "/etc/passwd",
      "link.flow.yaml",
      "folder/secret.flow.yaml",
      "pipe.flow.yaml",
      "\\\\evil\\share\\a.flow.yaml",
      "C:\\a.flow.yaml",
      "a.flow.yaml\u0000.txt",
    ].map((file) => [`the path ${JSON.stringify(file)}`, listing(file)]),
  ),
  ...Object.fromEntries(
    strange.map((text) => {
      const name = JSON.stringify(text);
      return [
        `signs ${name}`,
        `default: ${name}\nenvironments:\n  ${name}: {url: ${name}, ${name}: ${name}, names: {${name}: ${name}}, flows: {${name}: ${LINKED}}}\n`,
      ];
    }),
  ),
};

const commands = [
  ["check"],
  ["check", "--format", "json"],
  ["check", "--format", "github"],
  ["status", "--env", "staging"],
  ["plan", "a.flow.yaml", "--env", "staging"],
  ["push", "a.flow.yaml", "--allow-first-push"],
  ["promote", "--from", "staging", "--to", "production", "--dry-run"],
  ["drift", "--all"],
  ["history", "a.flow.yaml"],
  ["fmt", "--check", "assistant-flow.project.yaml"],
];

/** A repository next to a folder that isn't in it. */
function inRepository(work: (repository: string) => Promise<void>): Promise<void> {
  const files = {
    "repository/a.flow.yaml": FLOW,
    "outside/secret.flow.yaml": "entry: TOP-SECRET-LINE\nnodes: {a: [\n",
  };
  return inFolder(files, async (folder) => {
    const repository = path.join(folder, "repository");
    mkdirSync(path.join(repository, ".git"));
    if (!posix.skip) {
      symlinkSync("../outside/secret.flow.yaml", path.join(repository, "link.flow.yaml"));
      symlinkSync("../outside", path.join(repository, "folder"));
      execFileSync("mkfifo", [path.join(repository, "pipe.flow.yaml")]);
    }
    await work(repository);
  });
}

function assertHarmless(text: string, what: string): void {
  assert.ok(!/\n\s+at .*:\d+:\d+/.test(text), `${what}: ${text.slice(0, 500)}`);
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${what}: ${text.slice(0, 500)}`);
  assert.ok(!UNSEEN.test(text), `${what}: ${JSON.stringify(text.slice(0, 500))}`);
  assert.ok(!/^(?:ERROR: forged|::error::x)/m.test(text), `${what}: ${text.slice(0, 500)}`);
}

test("commands answer to every project file", () =>
  inRepository(async (repository) => {
    const env = {
      ASSISTANT_FLOW_API_KEY: "afk_a1b2c3d4e5f6g7h8i9j0",
      ASSISTANT_FLOW_STATE_DIR: path.join(repository, "state"),
      // No request leaves this machine: one that is made fails at once.
      HTTPS_PROXY: "http://127.0.0.1:9",
      HTTP_PROXY: "http://127.0.0.1:9",
    };
    const all = Object.entries(projects);
    for (const [at, [what, text]] of all.entries()) {
      writeFileSync(path.join(repository, "assistant-flow.project.yaml"), text);
      // A different command for each one, since all of them read it with the same function.
      const command = commands[at % commands.length] ?? [];
      const { code, out, err } = await runInProcess(command, { cwd: repository, env });
      assert.ok(code !== null && code !== 70, `${what}, ${command.join(" ")}: ${code} ${err}`);
      assertHarmless(out + err, `${what}, ${command.join(" ")}`);
    }
  }));

test("the language server answers every request on every project file", () =>
  inRepository(async (repository) => {
    const project = path.join(repository, "assistant-flow.project.yaml");
    writeFileSync(project, environment("{}"));
    const client = await startAbleClient({ folders: [pathToFileURL(repository).href] });
    try {
      for (const [what, text] of Object.entries(projects)) {
        const uri = pathToFileURL(project).href;
        await client.open(uri, text);
        const ask = async (question: Question): Promise<void> => {
          const answer = await client.request(question.method, question.params).catch((error: Error) => {
            assertHarmless(error.message, `${what}, ${question.method}`);
          });
          const said = JSON.stringify(answer ?? null);
          assert.ok(!said.includes("TOP-SECRET-LINE"), `${what}, ${question.method}: ${said.slice(0, 500)}`);
          if (answer) for (const next of question.then?.(answer as never) ?? []) await ask(next);
        };
        const lines = text.split("\n").map((line) => line.slice(0, 1_000));
        const places = [{ line: 2, character: Math.min(20, (lines[2] ?? "").length) }];
        for (const question of everyQuestion(client.server.capabilities, { uri, lines, places })) await ask(question);
        await client.close(uri);
      }
    } finally {
      await client.stop();
    }
  }));

test("a project file that is a link out of the repository, a pipe or a folder isn't read", posix, () =>
  inRepository(async (repository) => {
    const project = path.join(repository, "assistant-flow.project.yaml");
    const secret = path.join(repository, "..", "outside", "project.yaml");
    writeFileSync(secret, "environments: {TOP-SECRET-LINE: [\n");
    for (const make of [
      () => symlinkSync(secret, project),
      () => execFileSync("mkfifo", [project]),
      () => mkdirSync(project),
      () => symlinkSync("/proc/self/environ", project),
      () => symlinkSync(project, project),
    ]) {
      rmSync(project, { force: true, recursive: true });
      make();
      for (const command of [["check"], ["status", "--env", "staging"], ["plan", "a.flow.yaml"], ["drift", "--all"]]) {
        const env = { ASSISTANT_FLOW_API_KEY: "pa55word-pa55word-pa55word" };
        const { code, out, err } = await runInProcess(command, { cwd: repository, env });
        assert.ok(code !== null && code !== 70, `${make}, ${command}: ${code} ${err}`);
        assertHarmless(out + err, `${make}, ${command}`);
      }
    }
  }),
);
