/**
 * A repository refers to files outside it: by the `flow` of a test, by links, by paths. They are never read, so their
 * content never appears in any format of any command, in the language server, the debugger or an agent's server.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { isUnsafeOnWindows } from "../../files";
import { FlowDocument } from "../../flow";
import { readPolicyFile } from "../../flow/policy";
import { readTestFile } from "../../flow/test";
import { NearestFiles } from "../../server/workspace/nearest-files";
import type { Workspace } from "../../server/workspace/workspace";
import { Client } from "../language/client";
import { cli, FLOW, inFolder, posix, runInProcess } from "./outsider";

/** Text that only the file outside contains. */
const WORD = "hunter2hunter2";
const SECRET = `AWS_SECRET=${WORD}\nnot: [yaml ${WORD}\n`;
/** A flow of another project with its own name. */
const FOREIGN = `entry: ${WORD}\nnodes:\n  ${WORD}: {type: end}\n`;

const testOf = (flow: string) => `flow: ${JSON.stringify(flow)}\ntests:\n  - name: one\n    expect: {ends: bye}\n`;
const POLICIES = "assistant-flow.policies.yaml";

interface Planted {
  /** The repository, or a folder without one. */
  readonly repo: string;
  readonly outside: string;
}

/** A folder with a repository and, next to it, files that don't belong to it. */
function planted(isRepository: boolean, work: (place: Planted) => Promise<void>): Promise<void> {
  const files = {
    "outside/secret": SECRET,
    "outside/secret.flow.yaml": FOREIGN,
    "outside/.git/HEAD": "ref: refs/heads/main\n",
    "repo/a.flow.yaml": FLOW,
    "repo/.env": SECRET,
    [`repo/${POLICIES}`]: "policies:\n  - {id: p, every_path_to: {type: end}, passes: entry}\n",
    "repo/sub/b.flow.yaml": FLOW,
  };
  return inFolder(files, async (folder) => {
    const [repo, outside] = [path.join(folder, "repo"), path.join(folder, "outside")];
    if (isRepository) execFileSync("git", ["init", "-q", repo]);
    symlinkSync(outside, path.join(repo, "linked"));
    symlinkSync(path.join(outside, "secret"), path.join(repo, "link.flow.yaml"));
    symlinkSync(path.join(outside, "secret.flow.yaml"), path.join(repo, "foreign.flow.yaml"));
    symlinkSync(".env", path.join(repo, "env.flow.yaml"));
    symlinkSync("/proc/self/environ", path.join(repo, "environ.flow.yaml"));
    symlinkSync("a.flow.yaml", path.join(repo, "alias.flow.yaml"));
    await work({ repo, outside });
  });
}

/** Ways to refer to a file that isn't a flow of the repository. */
const foreignNames = ({ outside }: Planted) => [
  "/proc/self/environ",
  "/proc/self/root/proc/self/environ",
  path.join(outside, "secret"),
  path.join(outside, "secret.flow.yaml"),
  "../outside/secret.flow.yaml",
  "sub/../../outside/secret.flow.yaml",
  "linked/secret.flow.yaml",
  "link.flow.yaml",
  "foreign.flow.yaml",
  "env.flow.yaml",
  "environ.flow.yaml",
  ".env",
  "a.flow.yaml/../.env",
];

/** The environment of a separate process. This process has a different one, including a `PATH`. */
const env = { ASSISTANT_FLOW_PLANTED: WORD };
const leaks = (text: string) => text.includes(WORD) || text.includes("PATH=");

for (const isRepository of [true, false]) {
  const where = isRepository ? "a repository" : "a folder";

  test(`the flow of a test is read in ${where} only, whatever links and paths say`, posix, () =>
    planted(isRepository, async (place) => {
      for (const [index, name] of foreignNames(place).entries()) {
        const file = path.join(place.repo, `t${index}.flowtest.yaml`);
        writeFileSync(file, testOf(name));
      }
      for (const [format, args] of [
        ["text", ["test"]],
        ["json", ["test", "."]],
        ["junit", ["test", "t0.flowtest.yaml", "t3.flowtest.yaml", "t6.flowtest.yaml"]],
        ["github", ["test", "*.flowtest.yaml"]],
      ] as const) {
        const run = format === "text" ? cli : runInProcess;
        const { code, out, err } = await run([...args, "--format", format], { cwd: place.repo, env });
        assert.equal(code, 1, err);
        assert.ok(!leaks(`${out}${err}`), `${args.join(" ")} ${format}: ${out}${err}`);
      }
      const ok = path.join(place.repo, "sub/ok.flowtest.yaml");
      for (const flow of ["../a.flow.yaml", "../alias.flow.yaml", "b.flow.yaml"]) {
        writeFileSync(ok, testOf(flow));
        const { code, out, err } = await runInProcess(["test", "sub/ok.flowtest.yaml"], { cwd: place.repo });
        assert.equal(code, 0, `${flow}: ${out}${err}`);
      }
    }),
  );

  test(`links and other files that are named in ${where} aren't read`, posix, () =>
    planted(isRepository, async (place) => {
      const names = foreignNames(place).filter(
        (name) => !/secret\.flow\.yaml$/.test(name) || name.startsWith("linked"),
      );
      const commands = [
        ["check"],
        ["check", "--format", "json"],
        ["check", "--format", "sarif"],
        ["fmt", "--check"],
        ["diff", "a.flow.yaml"],
        ["graph"],
        ["policies"],
        ["test", "--generate"],
        ["plan"],
        ["push"],
      ];
      const connection = { ASSISTANT_FLOW_BASE_URL: "http://127.0.0.1:9", ASSISTANT_FLOW_API_KEY: "k".repeat(20) };
      // Each name with three commands, and so each command with at least three names.
      for (const [index, name] of names.entries())
        for (const command of [0, 1, 2].map((more) => commands[(index * 3 + more) % commands.length] as string[])) {
          const { code, out, err } = await runInProcess([...command, name], {
            cwd: place.repo,
            env: { ...env, ...connection },
          });
          const said = `${command.join(" ")} ${name}: ${out}${err}`;
          assert.ok(code !== 0, said);
          assert.ok(!leaks(`${out}${err}`), said);
          assert.ok(!/\n\s+at /.test(err), said);
        }
      const { code, out, err } = await runInProcess(["check", "alias.flow.yaml"], { cwd: place.repo });
      assert.equal(code, 0, out + err);
    }),
  );

  test(`a policy file that is a link out of ${where} isn't read`, posix, () =>
    planted(isRepository, async ({ repo, outside }) => {
      writeFileSync(path.join(outside, POLICIES), `policies:\n  - ${WORD}: [\n`);
      for (const target of [path.join(outside, "secret"), path.join(outside, POLICIES), ".env"]) {
        execFileSync("rm", ["-f", path.join(repo, POLICIES)]);
        symlinkSync(target, path.join(repo, POLICIES));
        for (const args of [
          ["check"],
          ["check", POLICIES],
          ["policies"],
          ["policies", POLICIES],
          ["fmt", "--check", POLICIES],
        ]) {
          const { code, out, err } = await runInProcess(args, { cwd: repo });
          assert.ok(code !== 0 && !`${out}${err}`.includes(WORD), `${args.join(" ")} ${target}: ${out}${err}`);
        }
      }
    }),
  );

  test(`the language server reads no flow outside ${where} for a test`, posix, () =>
    planted(isRepository, async (place) => {
      const client = await Client.start({ folders: [pathToFileURL(place.repo).href] });
      try {
        for (const [index, name] of foreignNames(place).entries()) {
          const uri = pathToFileURL(path.join(place.repo, `t${index}.flowtest.yaml`)).href;
          const text = `flow: ${JSON.stringify(name)}\ntests:\n  - name: one\n    expect:\n      ends: \n`;
          await client.open(uri, text);
          const textDocument = { uri };
          const answers = await Promise.all([
            client.request("textDocument/completion", { textDocument, position: { line: 4, character: 12 } }),
            client.request("textDocument/diagnostic", { textDocument }),
            client.request("textDocument/hover", { textDocument, position: { line: 0, character: 8 } }),
            client.request("textDocument/codeLens", { textDocument }),
          ]);
          assert.ok(!JSON.stringify(answers).includes(WORD), `${name}: ${JSON.stringify(answers)}`);
        }
      } finally {
        await client.stop();
      }
    }),
  );
}

test("companion files above a repository, or in a folder that everyone can write to, don't count", posix, () => {
  const flow = "entry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n  b: {type: end}\n";
  const policies = `policies:\n  - {id: ${WORD}, every_path_to: {type: end}, passes: {node: c}}\n`;
  const files = {
    [`shared/${POLICIES}`]: policies,
    "shared/assistant-flow.project.yaml": `${WORD}: 1\n`,
    "shared/assistant-flow.tools.json": `{"${WORD}": `,
    "shared/.vscode/settings.json": `{"${WORD}`,
    "shared/inner/flows/a.flow.yaml": flow,
  };
  const commands = [
    ["check"],
    ["policies"],
    ["check", "--format", "json"],
    ["status"],
    ["tools"],
    ["diff", "a.flow.yaml"],
  ];
  return inFolder(files, async (folder) => {
    const [shared, inner] = [path.join(folder, "shared"), path.join(folder, "shared/inner")];
    const cwd = path.join(inner, "flows");
    const leaked = async () => {
      const runs = await Promise.all(commands.map((args) => runInProcess(args, { cwd })));
      return runs.some(({ out, err }) => leaks(out + err) || /settings\.json/.test(err));
    };
    assert.ok(await leaked(), "without a repository, a folder of one's own counts");
    mkdirSync(path.join(inner, ".git"));
    assert.ok(!(await leaked()), "above the repository");
    execFileSync("rm", ["-r", path.join(inner, ".git")]);
    chmodSync(shared, 0o777);
    assert.ok(!(await leaked()), "everyone can write there");
    chmodSync(shared, 0o1777);
    assert.ok(!(await leaked()), "everyone can create files there");
  });
});

test(
  "a comparison uses no policies from above the repository, or from a folder that everyone can write to",
  posix,
  () => {
    const flow = (to: string) => `entry: a\nnodes:\n  a: {type: message, edges: [{to: ${to}}]}\n  ${to}: {type: end}\n`;
    const files = {
      [`shared/${POLICIES}`]: `policies:\n  - {id: ${WORD}, every_path_to: {node: c}, passes: {node: d}}\n`,
      "shared/inner/flows/a.flow.yaml": flow("b"),
      "shared/inner/flows/b.flow.yaml": flow("c"),
    };
    return inFolder(files, async (folder) => {
      const [shared, inner] = [path.join(folder, "shared"), path.join(folder, "shared/inner")];
      const cwd = path.join(inner, "flows");
      const leaked = async () => {
        const formats = ["text", "json", "markdown"].map((format) => ["--format", format]);
        const runs = formats.map((format) => runInProcess(["diff", "a.flow.yaml", "b.flow.yaml", ...format], { cwd }));
        return (await Promise.all(runs)).map(({ out, err }) => (out + err).includes(WORD));
      };
      assert.deepEqual(await leaked(), [true, true, true], "without a repository, a folder of one's own counts");
      mkdirSync(path.join(inner, ".git"));
      assert.deepEqual(await leaked(), [false, false, false], "above the repository");
      execFileSync("rm", ["-r", path.join(inner, ".git")]);
      chmodSync(shared, 0o1777);
      assert.deepEqual(await leaked(), [false, false, false], "everyone can create files there");
    });
  },
);

test(
  "the language server reads no companion file in a folder that everyone can write to, repository or not",
  posix,
  async () => {
    for (const [mode, isUsed] of [
      [0o755, true],
      [0o777, false],
      [0o1777, false],
    ] as const)
      await inFolder(
        { [`shared/${POLICIES}`]: WORD, "shared/.git/HEAD": "", "shared/inner/flows/a.flow.yaml": FLOW },
        async (folder) => {
          chmodSync(path.join(folder, "shared"), mode);
          const flow = pathToFileURL(path.join(folder, "shared/inner/flows/a.flow.yaml")).href;
          const files = new NearestFiles(POLICIES, { folders: [] as string[] } as unknown as Workspace, (text) => text);
          assert.equal(await files.lookAbove(flow), isUsed, mode.toString(8));
          assert.equal([...files.uris].length, Number(isUsed));
        },
      );
  },
);

/** A message in the debugger's protocol. */
function framed(message: object): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

test("the debugger and the MCP server read no flow outside for a test", posix, () =>
  planted(false, async (place) => {
    for (const [index, name] of foreignNames(place).entries())
      writeFileSync(path.join(place.repo, `t${index}.flowtest.yaml`), testOf(name));
    for (const index of [0, 4, 7, 9]) {
      const launch = {
        seq: 2,
        type: "request",
        command: "launch",
        arguments: { program: `t${index}.flowtest.yaml`, stopOnEntry: true },
      };
      const initialize = { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "assistant-flow" } };
      const input = [initialize, launch].map(framed).join("");
      const { out, err } = await cli(["dap"], { cwd: place.repo, env, input });
      assert.ok(!`${out}${err}`.includes(WORD), `t${index}: ${out}${err}`);
    }
    const lines = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "test", arguments: {} } },
      {
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: { name: "check", arguments: { paths: ["env.flow.yaml"] } },
      },
      {
        jsonrpc: "2.0",
        id: 4,
        method: "tools/call",
        params: { name: "outline", arguments: { file: "linked/secret.flow.yaml" } },
      },
    ];
    const { out } = await cli(["mcp"], {
      cwd: place.repo,
      env,
      input: `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`,
    });
    assert.ok(!out.includes(WORD), out);
  }),
);

test("special files under any name are rejected and never block", posix, () =>
  inFolder({ "a.flow.yaml": FLOW }, async (folder) => {
    execFileSync("mkfifo", [path.join(folder, "pipe.flow.yaml"), path.join(folder, "pipe.flowtest.yaml")]);
    symlinkSync("/dev/zero", path.join(folder, "zero.flow.yaml"));
    symlinkSync("/dev/stdin", path.join(folder, "stdin.flow.yaml"));
    mkdirSync(path.join(folder, "folder.flow.yaml"));
    symlinkSync("loop.flow.yaml", path.join(folder, "loop.flow.yaml"));
    const names = [
      "pipe.flow.yaml",
      "zero.flow.yaml",
      "stdin.flow.yaml",
      "loop.flow.yaml",
      "/dev/zero",
      "/dev/stdin",
      "/proc/self/mem",
    ];
    for (const name of names)
      for (const command of [["check"], ["fmt", "--check"], ["diff", "a.flow.yaml"], ["test"], ["graph"]]) {
        const { code, err } = await runInProcess([...command, name], { cwd: folder, input: "entry: a\n" });
        assert.ok(code !== 0 && !/\n\s+at /.test(err), `${command.join(" ")} ${name}: ${err}`);
      }
    const { code } = await runInProcess(["test", "pipe.flowtest.yaml"], { cwd: folder });
    assert.notEqual(code, 0);
  }),
);

test("on Windows, devices and files of other machines are rejected", () => {
  const isUnsafe = (file: string, ...folders: string[]) => isUnsafeOnWindows(file, folders, "win32");
  const devices = [
    "CON",
    "nul",
    "NUL.flow.yaml",
    "aux.flow.yaml",
    "COM1",
    "com¹.flow.yaml",
    "LPT9.flow.yaml",
    "CONIN$",
    "con .flow.yaml",
  ];
  for (const name of devices) {
    assert.ok(isUnsafe(`C:\\repo\\${name}`), name);
    assert.ok(isUnsafe(`C:/repo/${name}/x.flow.yaml`), name);
  }
  for (const name of [
    "\\\\.\\pipe\\x.flow.yaml",
    "\\\\?\\C:\\x.flow.yaml",
    "//./x.flow.yaml",
    "//?/C:/x.flow.yaml",
    "\\??\\C:\\x.flow.yaml",
  ])
    assert.ok(isUnsafe(name), name);
  for (const name of ["\\\\evil\\share\\x.flow.yaml", "//evil/share/x.flow.yaml", "\\\\evil"])
    assert.ok(isUnsafe(name, "C:\\repo", "\\\\good\\share\\repo"), name);
  for (const name of [
    "C:x.flow.yaml",
    "C:\\repo\\x.txt:y.flow.yaml",
    "C:\\repo \\x.flow.yaml",
    "C:\\repo\\x.flow.yaml.",
  ])
    assert.ok(isUnsafe(name), name);
  for (const name of [
    "C:\\repo\\x.flow.yaml",
    "c:/repo/../x.flow.yaml",
    "C:\\repo\\console.flow.yaml",
    "C:\\com10\\x.flow.yaml",
    "C:\\.git\\x",
  ])
    assert.ok(!isUnsafe(name), name);
  assert.ok(!isUnsafe("\\\\good\\share\\repo\\x.flow.yaml", "\\\\GOOD\\share\\repo"));
  assert.ok(!isUnsafeOnWindows("/repo/nul", [], "linux"));
});

test("a file that isn't a flow is quoted with at most 60 characters", () => {
  const word = WORD.repeat(40);
  const texts = [
    word,
    `${word}\n${word}\n`,
    `${word}=${word}\0${word}`,
    `${word}:${word}`,
    `a: 1\n${word}: 1\n${word}: 2\n`,
    `*${word}`,
    `nodes:\n  a:\n  ${word}: x\n    ${word}: y\n`,
    `nodes:\n  a: b: ${word}\n`,
    `-${word}: x\n`,
    `entry: "${word}\n`,
    `nodes: {${word}: [${word}\n`,
    `{{${word}}} ${word}`,
    `nodes:\n\t${word}: ${word}`,
    `? ${word}`,
    `- ${word}\n${word}`,
    `entry: &${word} ${word}`,
  ];
  for (const text of texts) {
    const problems = [
      ...FlowDocument.read(text).problems,
      ...readTestFile(text).problems,
      ...readPolicyFile(text).problems,
    ];
    for (const { message } of problems) {
      const quoted = message.match(/(?:hunter2)+/g) ?? [];
      const all = quoted.reduce((sum, each) => sum + each.length, 0);
      assert.ok(all <= 60, `${message}`);
    }
  }
});

test("every report of an unparsable file shows at most 60 consecutive characters", async () => {
  const word = WORD.repeat(40);
  const texts = [`${word}\n  - [${word}\n`, `SECRET=${word}\n`, `nodes: {${word}: [${word}\n`];
  const files = [
    "a.flow.yaml",
    "a.flowtest.yaml",
    POLICIES,
    "assistant-flow.tools.json",
    "assistant-flow.project.yaml",
    ".assistant-flow.json",
  ];
  for (const text of texts)
    await inFolder(
      { "ok.flow.yaml": FLOW, ...Object.fromEntries(files.map((file) => [file, text])) },
      async (folder) => {
        for (const args of [
          ["check"],
          ["check", "--format", "json"],
          ["check", "--format", "sarif"],
          ["check", "--format", "github"],
          ["test"],
          ["test", "--format", "junit"],
          ["policies"],
          ["fmt", "--check"],
          ["diff", "ok.flow.yaml", "a.flow.yaml"],
          ["tools"],
        ]) {
          const { out, err } = await runInProcess(args, { cwd: folder });
          const longest = Math.max(0, ...(`${out}${err}`.match(/(?:hunter2)+/g) ?? []).map(({ length }) => length));
          assert.ok(longest <= 60, `${args.join(" ")} (${text.slice(0, 10)}): ${longest}\n${out}${err}`);
        }
      },
    );
});
