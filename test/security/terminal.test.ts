/** Messages of a platform and names of files in a terminal and in the log of a build server. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { liveIn, UNSEEN } from "./hostile-texts";
import { cli, FLOW, inFolder, posix, runInProcess } from "./outsider";

const EVIL = "pay\u200bpal\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp\u2066\r\n::add-mask::x\n##[command]y ##vso[task.x]z";
const IDS = "assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001\nrevision: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002\n";

/** No output controls the terminal, and no line is a command of a build server. */
function assertHarmless(shown: string, what: string): void {
  assert.ok(!UNSEEN.test(shown), `${what}: ${JSON.stringify(UNSEEN.exec(shown)?.[0])}`);
  assert.doesNotMatch(shown, /^\s*::|##\w*\[/m, what);
}

/** A platform that answers every request with hostile strings, and records the requests. */
async function withPlatform<Result>(
  answer: (request: IncomingMessage) => { status: number; body: unknown },
  work: (env: Record<string, string>, asked: string[]) => Promise<Result>,
): Promise<Result> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { status, body } = answer(request);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ASSISTANT_FLOW_BASE_URL: url, ASSISTANT_FLOW_WORKFLOW_BASE_URL: url, ASSISTANT_FLOW_API_KEY: KEY };
  try {
    return await work(env, asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const KEY = "afk_a1b2c3d4e5f6g7h8i9j0";

test("file names and flow text, in every format", posix, () => {
  const name = "::error::a\n::warning::b\x1b[2J\u202ec.flow.yaml";
  const flow = FLOW.replace("bye\n", `"no ${JSON.stringify(EVIL).slice(1, -1)} [x](command:y)"\n`);
  return inFolder({ [name]: flow }, async (folder) => {
    for (const format of ["text", "json", "sarif", "junit", "github"]) {
      const { out, err } = await runInProcess(["check", "--format", format], { cwd: folder });
      assert.match(out, /unknown-target/, format);
      const lines = format === "github" ? out.replace(/^::(?:error|warning|notice) file=/gm, "") : out;
      if (format === "github") assert.match(out, /^::error file=/);
      assertHarmless(lines + err, format);
      if (format === "json" || format === "sarif") assert.doesNotThrow(() => JSON.parse(out), format);
      if (format === "sarif") assert.doesNotMatch(JSON.parse(out).runs[0].results[0].message.text, /[^\\]\]\(/);
    }
    for (const args of [["fmt", "--check"], ["check", "nothing\x1b[2J\n::x"], ["\x1b[2J\u202e"], ["graph"]]) {
      const { out, err } = await runInProcess(args, { cwd: folder, env: { FORCE_COLOR: "0" } });
      assertHarmless(out + err, args.join(" "));
    }
    const colored = await cli(["check"], { cwd: folder, env: { FORCE_COLOR: "1", NO_COLOR: undefined } });
    assert.ok(colored.out.includes("\x1b[31m"));
    assertHarmless(stripVTControlCharacters(colored.out), "colors come afterwards");
  });
});

test("a build server skips whitespace of any kind before a command", posix, async () => {
  for (const space of ["\u00a0", "\u3000\t", " \u2003\u202f", "\u1680", "\u205f\u2000"])
    await inFolder({ [`${space}::set-output name=x::y.flow.yaml`]: FLOW }, async (folder) => {
      for (const args of [
        ["fmt", "--check"],
        ["check", "--fail-on", "never"],
        ["check", `${space}::add-mask::x`],
      ]) {
        const { out, err } = await runInProcess(args, { cwd: folder });
        assertHarmless(out + err, args.join(" "));
      }
    });
});

test("text of flows, tests and policies in reports of tests, policies, diffs and pictures", posix, async () => {
  const words = `${EVIL} <script>alert(1)</script> ]]> \ufffe\uffff\u0000 ![](https://evil.test/b.png) \n\n[x](command:y)`;
  const quoted = JSON.stringify(words).replace(
    /[\u007f-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const flow = (last: string) =>
    `entry: greet\ncontext_variables:\n  ${quoted}: {type: string, description: ${quoted}}\nnodes:\n  greet:\n    type: message\n    name: ${quoted}\n    instructions: ${quoted}\n    edges: [{to: ${quoted}, when: ${quoted}}, {to: ${last}}]\n  ${quoted}: {type: message, name: ${last}, instructions: ${last} ${quoted
      .slice(1, -1)
      .replaceAll("\\", "")
      .replace(/[#:{}[\],]/g, " ")}, edges: [{to: ${last}}]}\n  ${last}: {type: end}\n`;
  const name = "::error::a\x1b[2J\u202e<x>.flow.yaml";
  const files = {
    [name]: flow("bye"),
    "b.flow.yaml": flow("end"),
    "a.flowtest.yaml": `flow: b.flow.yaml\ntests:\n  - name: ${quoted}\n    given: {${quoted}: ${quoted}}\n    steps: [{take: ${quoted}, says: ${quoted}}, {take: nowhere}]\n    expect: {path: [greet, ${quoted}], ends_at: ${quoted}}\n`,
    "assistant-flow.policies.yaml": `policies:\n  - id: a\n    because: ${quoted}\n    every_path_to: {node: end}\n    passes: {node: ${quoted}}\n  - id: ${quoted}\n    every_path_to: {name: ${quoted}}\n    passes: {node: nowhere}\n`,
  };
  const runs = [
    ...["text", "json", "junit", "github", "lcov"].map((format) => ["test", "--coverage", "--format", format]),
    ...["text", "json"].map((format) => ["policies", "--format", format]),
    ...["text", "json", "markdown", "html", "mermaid", "svg"].map((format) => [
      "diff",
      name,
      "b.flow.yaml",
      "--format",
      format,
    ]),
    ...["mermaid", "svg", "json"].map((format) => ["graph", name, "--format", format]),
    ["test", "--update"],
    ["merge", name, "b.flow.yaml", "a.flowtest.yaml", "--name", EVIL],
    ["diff", name, "\x1b[2J"],
  ];
  await inFolder(files, async (folder) => {
    for (const args of runs) {
      const { out, err, code } = await runInProcess(args, { cwd: folder });
      const what = args.join(" ");
      assert.ok(code !== 70 && !/\n\s+at /.test(err), `${what}: ${err}`);
      // Our own symbols have a colored form.
      const shown = (out + err).replaceAll("\ufe0f", "");
      assertHarmless(args.includes("github") ? shown.replace(/^::(?:error|warning|notice) file=/gm, "") : shown, what);
      if (args.includes("json") && out !== "") assert.doesNotThrow(() => JSON.parse(out), what);
      if (/svg|html|junit|mermaid/.test(what)) assert.ok(!out.includes("<script"), what);
      // Characters that XML doesn't allow.
      if (/svg|junit/.test(what)) assert.ok(!/[\ufffe\uffff]/.test(out), what);
      const own = /^(?:heading|html_\w+ <(?:!-- assistant-flow diff --|\/?(?:details|summary|ins|del))>)/;
      if (args.includes("markdown"))
        assert.deepEqual(
          liveIn(out.replaceAll("\ufe0f", "")).filter((each) => !own.test(each)),
          [],
        );
    }
  });
});

test("formatted text is passed to other programs unchanged", async () => {
  const text =
    'entry: a\nnodes:\n  a:\n    type: message\n    name: "z\u200bw \u202e ##[x]"\n    edges: [{to: b}]\n  b: {type: end}\n';
  assert.match((await runInProcess(["fmt", "-"], { input: text })).out, /z\u200bw \u202e ##\[x\]/);
});

test("responses and errors of the platform, in every command that shows them", () =>
  inFolder({ "a.flow.yaml": IDS + FLOW }, async (folder) => {
    const thing = { id: EVIL, name: EVIL, type: EVIL, status: EVIL, description: EVIL, email: EVIL, message: EVIL };
    const all = { ...thing, data: [thing], events: [thing], calls: [thing], scopes: [EVIL], organization_name: EVIL };
    const commands = [
      ["login"],
      ["status"],
      ["keys", "list"],
      ["calls", "list"],
      ["workflows", "list"],
      ["events"],
      ["identity", "list"],
      ["push", "--allow-first-push", "a.flow.yaml"],
    ];
    for (const status of [200, 422]) {
      const detail = [{ loc: ["body", EVIL], msg: EVIL, type: EVIL }];
      const body = status === 200 ? all : { error: EVIL, message: EVIL, detail };
      await withPlatform(
        () => ({ status, body }),
        (env) =>
          Promise.all(
            commands.map(async (args) => {
              const place = { cwd: folder, env: { ...env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") } };
              const { out, err } = await runInProcess(args, place);
              assertHarmless(out + err, `${status} ${args.join(" ")}`);
            }),
          ),
      );
    }
  }));

test("no platform text or file name starts its own line", posix, async () => {
  const id = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0003";
  const commands = [
    ["keys", "create", "x"],
    ["reviews", "reject", id],
    ["workflows", "execute", id],
    ["call", "create", "--workflow-id", id],
    ["assistants", "restore", id],
    ["calls", "get", id],
    ["workflows", "get", id],
    ["login"],
    ["status"],
    ["plan", "."],
    ["pull", "."],
    ["push", "--allow-first-push", "."],
  ];
  const evil = ["\n", "\r\n", " \n\n\t"].reduce((text, breaks) => `${text}${breaks}FORGED: in step`, "x");
  const thing = { id: evil, name: evil, status: evil, scopes: [evil], key_prefix: evil, organization_name: evil };
  const transcript = [{ user: evil, text: evil }];
  const answers = [
    { status: 200, body: { ...thing, [evil]: evil, transcript, plain_text_key: evil, email: evil } },
    { status: 422, body: { detail: [{ loc: ["body", "ops", 0, evil], msg: evil, type: evil }] } },
    { status: 401, body: { error: evil, message: evil } },
    { status: 404, body: evil },
  ];
  await inFolder({ "a\nFORGED\r\nFORGED \n\tFORGED.flow.yaml": IDS + FLOW }, async (folder) => {
    for (const answer of answers)
      await withPlatform(
        () => answer,
        (env) =>
          Promise.all(
            commands.map(async (args, index) => {
              const state = path.join(folder, `state-${answer.status}-${index}`);
              const { out, err } = await runInProcess(args, {
                cwd: folder,
                env: { ...env, ASSISTANT_FLOW_STATE_DIR: state },
              });
              const [shown, what] = [`${out}\n${err}`, `${answer.status} ${args.join(" ")}`];
              assert.doesNotMatch(shown, /^\s*FORGED/m, what);
              if (answer.status === 200) assert.match(shown, /FORGED/, `${what} shows it`);
            }),
          ),
      );
  });
});

test("an encoded echo of a key is never shown", () =>
  inFolder({ "a.flow.yaml": IDS + FLOW }, async (folder) => {
    const each = (spell: (code: number) => string) => [...KEY].map((sign) => spell(sign.charCodeAt(0))).join("");
    const spellings = [
      KEY,
      each((code) => `\\u${code.toString(16).padStart(4, "0")}`),
      each((code) => `%${code.toString(16)}`),
      each((code) => `&#${code};`),
    ];
    for (const spelling of spellings)
      for (const status of [200, 403, 500])
        await withPlatform(
          () => ({ status, body: `{"error":"x","message":"key ${spelling}","name":"${spelling}","${spelling}":1}` }),
          async (env) => {
            for (const args of [["login"], ["status", "--format", "json"]]) {
              const place = { cwd: folder, env: { ...env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") } };
              const { out, err } = await runInProcess(args, place);
              const shown = (out + err).replace(/\\u([0-9a-f]{4})/gi, (_, code) =>
                String.fromCharCode(Number.parseInt(code, 16)),
              );
              assert.ok(!shown.includes(KEY) && !(out + err).includes(spelling), `${status} ${args[0]} ${spelling}`);
            }
          },
        );
  }));

test("IDs that aren't UUIDs never reach a request, even if the rule is off", () =>
  inFolder({ ".vscode/settings.json": '{"assistantFlow.rules": {"invalid-uuid": "off"}}' }, async (folder) => {
    const ids = ["../../v1/identity/api-keys", "{{x}}", "..", "a", "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001/../x"];
    await withPlatform(
      () => ({ status: 200, body: {} }),
      async (env, asked) => {
        for (const [index, id] of ids.entries()) {
          const text = `# flow-ignore invalid-uuid\nassistant: "${id}"\n# flow-ignore invalid-uuid\nrevision: "${id}"\n${FLOW}`;
          writeFileSync(path.join(folder, `${index}.flow.yaml`), text);
          const place = { cwd: folder, env: { ...env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") } };
          for (const args of [["push", "--allow-first-push"], ["pull"], ["plan"]])
            await runInProcess([...args, `${index}.flow.yaml`], place);
          await runInProcess(["new", `n${index}.flow.yaml`, "--revision", id], place);
        }
        assert.deepEqual(
          asked.filter((each) => /assistants|revisions/.test(each)),
          [],
        );
      },
    );
  }));

test("credentials in an address are rejected and never shown", () =>
  inFolder({ "a.flow.yaml": IDS + FLOW }, async (folder) => {
    const url = "https://someone:hunter2@platform.example";
    const env = { ASSISTANT_FLOW_API_KEY: KEY, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
    for (const own of [
      { ASSISTANT_FLOW_BASE_URL: url },
      { ASSISTANT_FLOW_BASE_URL: "https://platform.example", ASSISTANT_FLOW_WORKFLOW_BASE_URL: url },
    ])
      for (const args of [["status"], ["login"], ["check", "--platform"], ["calls", "list"]]) {
        const { out, err } = await runInProcess(args, { cwd: folder, env: { ...env, ...own } });
        assert.ok(!(out + err).includes("hunter2"), args.join(" "));
      }
  }));

test("settings of any length are read in linear time", () =>
  inFolder({ "a.flow.yaml": FLOW, ".vscode/settings.json": `{"a": "${'\\"'.repeat(200_000)}` }, async (folder) => {
    for (const text of [`{"a": "${'\\"'.repeat(200_000)}`, "/*".repeat(200_000), `[${",".repeat(400_000)}]`]) {
      writeFileSync(path.join(folder, ".vscode/settings.json"), text);
      await runInProcess(["check"], { cwd: folder });
    }
    const good = '// a\n{/* b */"assistantFlow.rules": {"dead-end": "off",},}';
    writeFileSync(path.join(folder, ".vscode/settings.json"), good);
    assert.equal((await runInProcess(["check"], { cwd: folder })).code, 0);
  }));

test("a name with line breaks stays on one line of the error message", () =>
  inFolder({ "a.flow.yaml": FLOW }, async (folder) => {
    for (const sign of ["\n", "\r", "\u2028"]) {
      const name = `x${sign}FORGED: all is well${sign}.flow.yaml`;
      for (const args of [
        ["check", name],
        ["graph", name],
        ["fmt", name],
        ["test", "--generate", name],
        ["diff", name],
      ]) {
        const { out, err } = await runInProcess(args, { cwd: folder });
        assert.match(out + err, /FORGED/, args.join(" "));
        assert.doesNotMatch(out + err, /^FORGED/m, args.join(" "));
      }
    }
  }));

test("lists and files of any length are shown: rows, keys, wrong items and items of a flow", () =>
  inFolder({}, async (folder) => {
    // As arguments of one call, they would exceed the stack.
    const many = 140_000;
    const bodies: Record<string, unknown> = {
      rows: { data: Array.from({ length: many }, (_, at) => ({ id: `i${at}`, name: "n" })) },
      "wrong items": { data: Array.from({ length: many }, () => 1) },
      keys: Object.fromEntries(Array.from({ length: many }, (_, at) => [`k${at}`, 1])),
    };
    for (const [what, body] of Object.entries(bodies))
      await withPlatform(
        () => ({ status: 200, body }),
        async (env) => {
          const state = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
          for (const args of [
            ["keys", "list"],
            ["workflows", "get", "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0003"],
          ]) {
            const { code, err } = await runInProcess(args, { cwd: folder, env: { ...env, ...state } });
            assert.notEqual(code, 70, `${what}, ${args.join(" ")}: ${err.slice(0, 200)}`);
          }
        },
      );
    const items = Array.from({ length: many }, () => "{to: b}");
    for (const edges of [`[${items.join(", ")}]`, `\n${items.map((item) => `      - ${item}\n`).join("")}`]) {
      const text = `entry: a\nnodes:\n  a:\n    type: message\n    edges: ${edges}\n  b: {type: end}\n`;
      writeFileSync(path.join(folder, "a.flow.yaml"), text);
      const { code, err } = await runInProcess(["fmt", "--check"], { cwd: folder });
      assert.notEqual(code, 70, err.slice(0, 200));
    }
  }));
