/**
 * The output of the agent and debug protocols, byte by byte: no invisible characters from foreign text, and invalid
 * input doesn't end the process.
 */
import "../support/vscode";

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { ToolServer } from "../../client/agents/tool-server";
import { inProject } from "../../scripts/project";
import { UNSEEN } from "./hostile-texts";
import { inFolder, posix } from "./outsider";

type Json = Record<string, unknown>;

const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill();
});

/** One of the built programs, with handwritten messages. */
class Program {
  readonly child: ChildProcess;
  readonly messages: Json[] = [];
  onMessage: (message: Json) => unknown = () => undefined;
  err = "";
  #rest: Buffer = Buffer.alloc(0);
  #waiting: (() => void)[] = [];

  constructor(
    args: readonly string[],
    cwd: string,
    private readonly take: (rest: Buffer) => { readonly message: Json; readonly rest: Buffer } | undefined,
  ) {
    const env = { PATH: process.env.PATH ?? "" };
    this.child = spawn(process.execPath, [inProject("dist/cli.js"), ...args], { cwd, env });
    running.add(this.child);
    this.child.once("exit", () => running.delete(this.child));
    this.child.stderr?.on("data", (chunk) => {
      this.err += String(chunk);
    });
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      for (let taken = this.take(this.#rest); taken; taken = this.take(this.#rest)) {
        this.#rest = taken.rest;
        this.messages.push(taken.message);
        this.onMessage(taken.message);
      }
      this.#wake();
    });
    this.child.once("exit", () => this.#wake());
  }

  write(text: string | Buffer): void {
    this.child.stdin?.write(text);
  }

  async message(is: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const found = this.messages.find(is);
      if (found) return found;
      assert.equal(this.child.exitCode, null, `It ended: ${this.err}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async end(): Promise<number | null> {
    const exit = once(this.child, "exit");
    this.child.stdin?.end();
    return this.child.exitCode ?? ((await exit)[0] as number);
  }
}

/** `assistant-flow mcp`, with one message per line. */
class Mcp extends Program {
  #next = 1;

  constructor(cwd: string, args: readonly string[] = []) {
    super(["mcp", ...args], cwd, (rest) => {
      const end = rest.indexOf(10);
      return end < 0
        ? undefined
        : { message: JSON.parse(rest.toString("utf8", 0, end)) as Json, rest: rest.subarray(end + 1) };
    });
  }

  /** `roots` is the client's answer to the request for its open folders. */
  async start(roots?: (id: unknown) => Json): Promise<this> {
    if (roots) this.onMessage = ({ method, id }) => method === "roots/list" && this.say(roots(id));
    const capabilities = roots ? { roots: {} } : {};
    await this.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities,
      clientInfo: { name: "x", version: "1" },
    });
    this.say({ jsonrpc: "2.0", method: "notifications/initialized" });
    return this;
  }

  say(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  ask(method: string, params: object): Promise<Json> {
    const id = this.#next++;
    this.say({ jsonrpc: "2.0", id, method, params });
    return this.message((message) => message.id === id && !("method" in message));
  }

  async call(name: string, input: object): Promise<{ isError: boolean; text: string; data: Json }> {
    const { result, error } = await this.ask("tools/call", { name, arguments: input });
    assert.ok(result, JSON.stringify(error));
    const { content, structuredContent, isError } = result as {
      content: { text: string }[];
      structuredContent: Json;
      isError?: boolean;
    };
    return { isError: isError === true, text: content[0]?.text ?? "", data: structuredContent };
  }
}

/** `assistant-flow dap`. */
class Dap extends Program {
  #seq = 0;

  constructor(cwd: string) {
    super(["dap"], cwd, (rest) => {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString("latin1", 0, 60));
      const start = head?.[0].length ?? 0;
      const end = start + Number(head?.[1]);
      if (!head || rest.length < end) return undefined;
      return { message: JSON.parse(rest.toString("utf8", start, end)) as Json, rest: rest.subarray(end) };
    });
  }

  body(text: string): void {
    this.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  async ask(command: string, args?: unknown): Promise<Json> {
    const seq = ++this.#seq;
    this.body(JSON.stringify({ seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) }));
    return this.message((message) => message.request_seq === seq);
  }

  event(name: string): Promise<Json> {
    return this.message((message) => message.event === name);
  }

  async launch(program: string, more: object = {}): Promise<Json> {
    await this.ask("initialize", { adapterID: "assistant-flow" });
    const launched = await this.ask("launch", { program, stopOnEntry: true, ...more });
    await this.ask("configurationDone");
    return launched;
  }
}

/** Every string in a value, including field names, with its path. */
function* texts(value: unknown, at = ""): Generator<readonly [at: string, text: string]> {
  if (typeof value === "string") yield [at, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    yield [`${at} (name)`, key];
    yield* texts(each, `${at}.${key}`);
  }
}

const unseenIn = (value: unknown, kept: RegExp = /$^/) =>
  [...texts(value)].filter(([at, text]) => UNSEEN.test(text) && !kept.test(at)).map(([at, text]) => [at, text]);

const hidden = {
  "a terminal's commands": "\x1b[31mred\x1b]0;title\x07",
  "C1 controls": "\x9b31mred\x85",
  "changes of direction": "\u202eevil\u202c\u2066x\u2069",
  "line separators": "a\u2028b\u2029c",
  "tag characters": "\u{e0049}\u{e0067}\u{e006e}",
  "signs of no width": "in\u200bvi\u2060sible\ufeff",
};

/** A flow, a test and policies with the string everywhere a string may be. */
function filesWith(words: string): Record<string, string> {
  const q = JSON.stringify(words);
  return {
    "a.flow.yaml": `persona: ${q}
entry: a
context_variables:
  v: {type: string, description: ${q}, enum_values: [${q}]}
  ${q}: {type: string}
nodes:
  a:
    type: message
    name: ${q}
    instructions: ${JSON.stringify(`${words} {{v}} {{w}}`)}
    edges:
      - {to: ${q}, when: ${q}, label: ${q}, id: ${JSON.stringify(`edge ${words}`)}}
      - {to: b, when: the caller wants b}
      - {to: nowhere}
  b: {type: ${q}, ${q}: ${q}, edges: [{to: a}]}
  ${q}: {type: end, name: ${q}}
`,
    "a.flowtest.yaml": `flow: a.flow.yaml\ntests:\n  - {name: ${q}, given: {v: ${q}}, steps: [{take: ${q}}], expect: {path: [${q}]}}\n`,
    "assistant-flow.policies.yaml": `policies:\n  - {id: ${q}, because: ${q}, at_most: 1, from: entry, to: {type: end}}\n`,
  };
}

for (const [kind, words] of Object.entries(hidden)) {
  test(`MCP: ${kind} leave in no answer, error, resource or prompt`, posix, () =>
    inFolder({}, async (top) => {
      // A folder may have such a name, too; no part of a path may contain a slash or a null character.
      const folder = path.join(top, `folder ${words.replaceAll("/", "")}`);
      await inFolderAt(folder, filesWith(words));
      const mcp = await new Mcp(folder).start();
      const file = "a.flow.yaml";
      const calls: [string, object][] = [
        ["check", {}],
        ["outline", { file }],
        ["paths", { file }],
        ["paths", { file, to: words }],
        ["run", { file, given: { v: words }, steps: [{ take: words }] }],
        ["test", {}],
        ["check", { paths: [`${words}.flow.yaml`] }],
        ["outline", { file: path.join(folder, "none.flow.yaml") }],
        ["outline", { file: path.join(top, "..", "x.flow.yaml") }],
        ["paths", { file, from: `no ${words}` }],
        ["check", { [words]: 1 }],
        ["plan", {}],
      ];
      for (const [name, input] of calls) {
        const { text, data, isError } = await mcp.call(name, input);
        assert.ok(text.length > 0);
        const said = /```json\n(.*)\n```$/s.exec(text)?.[1];
        if (!isError) assert.deepEqual(JSON.parse(said ?? ""), data, `${name}: text and data say the same`);
      }
      await mcp.ask("resources/read", { uri: "assistant-flow://policies" });
      await mcp.ask("resources/read", { uri: `assistant-flow://rules/${words}` });
      await mcp.ask("prompts/get", { name: "fix-flow", arguments: { file: words } });
      await mcp.ask("prompts/get", { name: words, arguments: {} });
      await mcp.ask("tools/call", { name: words, arguments: {} });
      await mcp.ask(`tools/${words}`, {});
      assert.deepEqual(unseenIn(mcp.messages), []);
      assert.equal(await mcp.end(), 0, mcp.err);
      assert.doesNotMatch(mcp.err, UNSEEN);
    }),
  );

  test(`MCP: what was shown of ${kind} can be said again, and what looks like it too`, posix, () =>
    inFolder({}, async (folder) => {
      const id = words.replaceAll("/", "");
      const shown = (text: string) => JSON.stringify(text).replace(/[^ -~]/gu, (sign) => escaped(sign));
      const like = JSON.parse(shown(shown(id).slice(1, -1))) as string;
      await inFolderAt(folder, {
        [`${id}.flow.yaml`]: `entry: a\nnodes:\n  a: {type: message, edges: [{to: ${shown(id)}}]}\n  ${shown(id)}: {type: end}\n`,
      });
      writeFileSync(path.join(folder, `${like}-2.flow.yaml`), "entry: z\nnodes:\n  z: {type: end}\n");
      const mcp = await new Mcp(folder).start();
      const { data } = await mcp.call("check", {});
      const files = (data.files as { path: string }[]).map((each) => each.path);
      assert.equal(files.length, 2);
      const entries: unknown[] = [];
      for (const file of files) entries.push((await mcp.call("outline", { file })).data?.entry);
      assert.deepEqual(entries.sort(), ["a", "z"]);
      const file = files.find((each) => !each.endsWith("-2.flow.yaml")) as string;
      const outline = await mcp.call("outline", { file });
      const [, last] = outline.data.nodes as { id: string }[];
      const found = await mcp.call("paths", { file, to: last?.id });
      assert.equal(found.data?.reachable, true, found.text);
      await mcp.end();
    }),
  );

  test(`DAP: ${kind} leave in no event, answer or error`, posix, () =>
    inFolder({}, async (top) => {
      const folder = path.join(top, `folder ${words.replaceAll("/", "")}`);
      await inFolderAt(folder, filesWith(words));
      const dap = new Dap(folder);
      const program = path.join(folder, "a.flow.yaml");
      await dap.ask("initialize", { adapterID: "assistant-flow" });
      await dap.ask("launch", { program: words });
      await dap.ask("launch", { program, test: words });
      await dap.ask("launch", { program, stopOnEntry: true, given: { [words]: words, v: words } });
      await dap.ask("setBreakpoints", { source: { path: program }, breakpoints: [{ line: 7, condition: words }] });
      await dap.ask("setBreakpoints", { source: { path: program }, breakpoints: [{ line: 7, logMessage: "{{v}}" }] });
      await dap.ask("configurationDone");
      await dap.event("stopped");
      await dap.ask("stackTrace", { threadId: 1 });
      await dap.ask("scopes", { frameId: 1 });
      for (const variablesReference of [1, 2, 3]) await dap.ask("variables", { variablesReference });
      await dap.ask("evaluate", { expression: words, frameId: 1 });
      await dap.ask("evaluate", { expression: "{{v}}", frameId: 1 });
      await dap.ask("setVariable", { variablesReference: 1, name: words, value: JSON.stringify(words) });
      await dap.ask("setVariable", { variablesReference: 1, name: `no ${words}`, value: "1" });
      await dap.ask("completions", { text: "", column: 1, frameId: 1 });
      await dap.ask("next", { threadId: 1 });
      await dap.ask("evaluate", { expression: `take no ${words}`, context: "repl" });
      const names = (await dap.ask("completions", { text: "take", column: 5, frameId: 1 })).body as {
        targets: { text: string }[];
      };
      // Sends the offered answer exactly as it was shown.
      const taken = await dap.ask("evaluate", { expression: names.targets[0]?.text, context: "repl" });
      assert.equal(taken.success, true, JSON.stringify(taken));
      await dap.ask("stackTrace", { threadId: 1 });
      await dap.ask(words, {});
      assert.deepEqual(unseenIn(dap.messages, /\.(path|file)$|\.body\.(path|edges)\.\d+$/), []);
      await dap.ask("disconnect", {});
    }),
  );
}

async function inFolderAt(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { mkdir, writeFile } = await import("node:fs/promises");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

function escaped(sign: string): string {
  let shown = "";
  for (let at = 0; at < sign.length; at++) shown += `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return shown;
}

test("MCP: a line that is too long or invalid gets a response, and so does the next one", () =>
  inFolder({ "a.flow.yaml": "entry: z\nnodes:\n  z: {type: end}\n" }, async (folder) => {
    const mcp = await new Mcp(folder).start();
    const long = "x".repeat(11_000_000);
    const call = { method: "tools/call", params: { name: "test", arguments: { filter: long } } };
    mcp.write(`${JSON.stringify({ ...call, jsonrpc: "2.0", id: 901 })}\n`);
    mcp.write(`${JSON.stringify({ jsonrpc: "2.0", id: 902, ...call })}\n`);
    mcp.write(`${long}\n`);
    for (const id of [901, 902, null]) {
      const { error } = await mcp.message((message) => message.id === id);
      assert.match((error as { message: string }).message, /longer than 10 MB/, String(id));
    }
    const refused = mcp.messages.length;
    const bad = ["{", "null", "5", '"x"', "[]", "{}", '{"id":903}', '\u2028{"a":1}', "\x1b[31m"];
    for (const text of bad) mcp.write(`${text}\n`);
    assert.equal((await mcp.call("check", {})).isError, false);
    assert.equal(mcp.messages.length, refused + bad.length + 1, "each is answered");
    assert.ok(mcp.messages.some(({ id, error }) => id === 903 && error));
    assert.equal(await mcp.end(), 0);
    assert.ok(!/\n\s+at /.test(mcp.err), mcp.err);
  }));

test("MCP: missing client folders aren't replaced by others", () =>
  inFolder({ "own/a.flow.yaml": "entry: z\nnodes:\n  z: {type: end}\n", "b/x": "" }, async (top) => {
    const cwd = path.join(top, "own");
    const roots =
      (...uris: unknown[]) =>
      (id: unknown) => ({
        jsonrpc: "2.0",
        id,
        result: { roots: uris.map((uri) => ({ uri })) },
      });
    const none: Record<string, (id: unknown) => Json> = {
      "one that isn't there": roots(pathToFileURL(path.join(top, "gone")).href),
      "one that is a file": roots(pathToFileURL(path.join(top, "b/x")).href),
      "another computer's": roots("file://evil.test/share"),
      "no file": roots("vscode-vfs://github/x/y"),
      "no address": roots("own", "", 5),
      "none at all": roots(),
      "no list": (id) => ({ jsonrpc: "2.0", id, result: {} }),
      "an error": (id) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }),
    };
    for (const [what, answer] of Object.entries(none)) {
      const mcp = await new Mcp(cwd).start(answer);
      const { isError, text } = await mcp.call("check", {});
      assert.ok(isError, `${what}: ${text}`);
      assert.match(text, /--root/, what);
      const { error } = await mcp.ask("resources/read", { uri: "assistant-flow://policies" });
      assert.match((error as { message: string }).message, /--root/, what);
      await mcp.end();
    }
    const some = await new Mcp(cwd).start(
      roots("vscode-vfs://x/y", pathToFileURL(path.join(top, "gone")).href, pathToFileURL(cwd).href),
    );
    assert.equal((await some.call("check", {})).isError, false, "those that are there count");
    await some.end();
  }));

test("VS Code's tools: a response may contain line separators, and one that isn't JSON ends the wait", async () => {
  const answers = (text: string) => `
    let rest = "";
    process.stdin.on("data", (chunk) => {
      rest += chunk;
      for (let end = rest.indexOf("\\n"); end >= 0; end = rest.indexOf("\\n")) {
        const { id, method } = JSON.parse(rest.slice(0, end));
        rest = rest.slice(end + 1);
        if (id === undefined) continue;
        const result = method === "initialize" ? {} : { content: [{ type: "text", text: "a\\u2028b\\u2029c\\u0085d" }] };
        process.stdout.write(${text});
      }
    });`;
  await inFolder(
    {
      "good.js": answers('JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n"'),
      "bad.js": answers('method === "initialize" ? JSON.stringify({ id, result }) + "\\n" : "no JSON\\n"'),
      "stack.js": answers('"Error: x\\n    at y\\n"'),
    },
    async (folder) => {
      const good = new ToolServer(path.join(folder, "good.js"), () => []);
      assert.equal((await good.call("check", {})).text, "a\u2028b\u2029c\u0085d");
      good.dispose();
      for (const name of ["bad.js", "stack.js"]) {
        const server = new ToolServer(path.join(folder, name), () => []);
        await assert.rejects(server.call("check", {}), /invalid response/, name);
        server.dispose();
      }
    },
  );
});

test("DAP: an invalid message is skipped, without a stack trace", () =>
  inFolder({ "a.flow.yaml": "entry: z\nnodes:\n  z: {type: end}\n" }, async (folder) => {
    const dap = new Dap(folder);
    for (const body of ["not JSON", "{", "null", "5", "[]", '"x"', "{}", '{"type":"request"}', '{"type":"x","seq":1}'])
      dap.body(body);
    dap.body('{"type":"request","seq":"1","command":"threads"}');
    dap.body('{"type":"response","request_seq":7,"success":true}');
    assert.equal((await dap.launch("a.flow.yaml")).success, true);
    await dap.event("stopped");
    await dap.ask("disconnect", {});
    assert.equal(await dap.end(), 0);
    assert.equal(dap.err, "");
    const said = dap.messages.filter(({ event }) => event === "output");
    assert.ok(said.length >= 10, JSON.stringify(said));
  }));

const THREADS = '{"type":"request","seq":900,"command":"threads"}';

/** Input before a request that must be answered anyway. */
const brokenFrames: Record<string, readonly string[]> = {
  "a length that is no number": ["abc", "-1", "1e3", "0x10", "", "NaN", "Infinity", "5 5", "9".repeat(40)].map(
    (length) => `Content-Length: ${length}\r\n\r\n{}`,
  ),
  "a header without a length": ["X: y\r\n\r\n", "\r\n\r\n", "\0\x1b\r\n\r\n"],
  "a header that is too long": [
    "x".repeat(5_000_000),
    `Content-Length: ${"1".repeat(100_000)}`,
    `Content-Length: 2\r\nX: ${"y".repeat(10_000)}\r\n\r\n{}`,
  ],
  "a body that is too long": [
    `Content-Length: 999999999999\r\n\r\n{}`,
    `Content-Length: 10000001\r\n\r\n"${"x".repeat(9_999_999)}"`,
    `Content-Length: 20000000\r\n\r\n${"[".repeat(20_000_000)}`,
  ],
  "a body that is shorter or longer than announced": [
    "Content-Length: 1\r\n\r\n{}",
    "Content-Length: 1\r\n\r\n[]",
    'Content-Length: 3\r\n\r\n{"a":1}',
  ],
  "a body that is nested very deep": [3_000, 100_000, 5_000_000].map(
    (depth) => `Content-Length: ${depth}\r\n\r\n${"[".repeat(depth)}`,
  ),
};

for (const [kind, texts] of Object.entries(brokenFrames))
  test(`DAP: after ${kind} the next request is answered`, () =>
    inFolder({}, async (folder) => {
      for (const text of texts) {
        const dap = new Dap(folder);
        dap.write(text);
        dap.body(THREADS);
        await dap.message((message) => message.request_seq === 900);
        assert.ok(
          dap.messages.some(({ event }) => event === "output"),
          text.slice(0, 60),
        );
        assert.equal(await dap.end(), 0);
        assert.equal(dap.err, "");
      }
    }));

test("DAP: missing or invalid arguments are named, without a request to report a bug", () =>
  inFolder({ "a.flow.yaml": "entry: z\nnodes:\n  z: {type: end}\n" }, async (folder) => {
    const commands = [
      ...["initialize", "launch", "attach", "configurationDone", "restart", "terminate", "setBreakpoints"],
      ...["breakpointLocations", "setExceptionBreakpoints", "threads", "stackTrace", "scopes", "variables"],
      ...["setVariable", "setExpression", "evaluate", "completions", "exceptionInfo", "continue", "next", "stepIn"],
      ...["stepOut", "stepBack", "reverseContinue", "pause", "restartFrame", "gotoTargets", "goto", "loadedSources"],
      ...["assistantFlow.answer", "assistantFlow.path", "assistantFlow.restartFrom", "assistantFlow.saveAsTest"],
      ...["toString", "__proto__", "constructor"],
    ];
    const values: unknown[] = [undefined, null, 5, "x", [], {}, [{}]];
    const fields = ["source", "breakpoints", "lines", "line", "frameId", "variablesReference", "name", "value", "text"];
    const more = ["expression", "column", "targetId", "filters", "filterOptions", "program", "path", "test", "number"];
    for (const value of [null, 5, "x", [], {}, [null], [5], [{ line: "x" }], -1, 1e300])
      values.push(Object.fromEntries([...fields, ...more].map((field) => [field, value])));
    const dap = new Dap(folder);
    await dap.launch("a.flow.yaml");
    await dap.event("stopped");
    for (const command of commands)
      for (const value of values) {
        const { success, message } = await dap.ask(command, value);
        if (!success)
          assert.doesNotMatch(String(message), /report|undefined|TypeError/, `${command} ${JSON.stringify(value)}`);
      }
    assert.match(String((await dap.ask("scopes")).message), /Argument "frameId" of "scopes" is missing\./);
    assert.match(
      String((await dap.ask("setBreakpoints", { source: {}, breakpoints: [{ line: "1" }] })).message),
      /Argument "line" in "breakpoints" of "setBreakpoints" must be a number\./,
    );
    await dap.ask("disconnect", {});
    assert.equal(await dap.end(), 0);
    assert.equal(dap.err, "");
  }));

test("DAP: a run without an end stops, says little however much log points write, and can be ended", () => {
  const flow = `entry: a
context_variables:
  v: {type: string}
nodes:
  a: {type: message, edges: [{to: b}]}
  b: {type: message, edges: [{to: a}]}
`;
  return inFolder({ "a.flow.yaml": flow }, async (folder) => {
    for (const logMessage of ["{{v}}", "x".repeat(20_000), "{{v}} ".repeat(1_000)]) {
      const dap = new Dap(folder);
      const program = path.join(folder, "a.flow.yaml");
      await dap.ask("initialize", { adapterID: "assistant-flow" });
      await dap.ask("launch", { program, stopOnEntry: true, given: { v: "v".repeat(50_000) } });
      await dap.ask("setBreakpoints", { source: { path: program }, breakpoints: [{ line: 5, logMessage }] });
      await dap.ask("configurationDone");
      const before = dap.messages.length;
      await dap.ask("continue", { threadId: 1 });
      await dap.ask("stackTrace", { threadId: 1 });
      const size = JSON.stringify(dap.messages.slice(before)).length;
      assert.ok(size < 500_000, `${size}`);
      const stops = dap.messages.filter(({ event }) => event === "stopped");
      assert.match(JSON.stringify(stops.at(-1)), /doesn't end/);
      assert.match(JSON.stringify(dap.messages), /Further log messages are omitted/);
      assert.equal((await dap.ask("terminate", {})).success, true);
      await dap.ask("disconnect", {});
    }
  });
});
