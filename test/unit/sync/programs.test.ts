/** The programs against a misbehaving platform on loopback: the command line, and an editor that reloads nothing. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { fetchTransport, PlatformClient, Secret } from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { inProject } from "../../../scripts/project";
import { Client } from "../../language/client";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A proxy before the sandbox, which answers instead of it on request. */
interface Front {
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
  readonly colleague: PlatformClient;
  readonly link: { readonly assistant: string; readonly revision: string };
  readonly requests: string[];
  answer: (method: string, forward: () => Promise<Answer>) => Promise<Answer>;
}

const FLOW = `entry: a
nodes:
  # The first.
  a:
    type: message
    instructions: Say a.
    edges: [{to: b}]
  b:
    type: message
    instructions: Say b.
    edges: [{to: c}]
  c: {type: end}
`;

async function story(work: (front: Front) => Promise<void>): Promise<void> {
  const sandbox: Sandbox = await startSandbox({ demo: true, clockSpeed: 200, onVersionMismatch: "apply" });
  const link = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-programs-"));
  const requests: string[] = [];
  const bodyOf = async (request: IncomingMessage) => {
    let text = "";
    for await (const piece of request) text += piece;
    return text;
  };
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const body = await bodyOf(request);
    requests.push(`${method} ${url}`);
    const forward = async (): Promise<Answer> => {
      const headers = { "x-api-key": String(request.headers["x-api-key"]), "content-type": "application/json" };
      const to = new URL(url, sandbox.baseUrl);
      const answer = await fetch(to, { method, headers, ...(method === "GET" ? {} : { body }) });
      return { status: answer.status, body: await answer.text() };
    };
    const isOfGraph = /graph|revision/.test(url);
    const answer = await (isOfGraph ? front.answer(method, forward) : forward());
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = path.join(folder, "a.flow.yaml");
  const front: Front = {
    env: {
      ASSISTANT_FLOW_BASE_URL: baseUrl,
      ASSISTANT_FLOW_API_KEY: sandbox.apiKey,
      ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"),
    },
    file,
    colleague: new PlatformClient(fetchTransport({ baseUrl: sandbox.baseUrl, key: new Secret(sandbox.apiKey) })),
    link,
    requests,
    answer: (_, forward) => forward(),
  };
  writeFileSync(file, `assistant: ${link.assistant}\nrevision: ${link.revision}\n${FLOW}`);
  try {
    const first = await flow(front, "push", "--allow-first-push", "--allow-removals", file);
    assert.equal(first.code, 0, first.err);
    requests.length = 0;
    await work(front);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function flow({ env, file }: Front, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const program = [inProject("dist/cli.js"), ...args];
  const child = spawn(process.execPath, program, { cwd: path.dirname(file), env: { ...process.env, ...env } });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data) => out.push(String(data)));
  child.stderr.on("data", (data) => err.push(String(data)));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out: out.join(""), err: err.join("") })));
}

const textOf = ({ file }: Front) => readFileSync(file, "utf8");

function edit(front: Front, from: string, to: string): string {
  const text = textOf(front).replace(from, to);
  assert.notEqual(text, textOf(front));
  writeFileSync(front.file, text);
  return text;
}

async function stored({ colleague, link }: Front): Promise<string> {
  const { compiled_graph } = await colleague.getWorkflowRevision(link.revision);
  return JSON.stringify(compiled_graph);
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test("a delayed save doesn't undo what the command line pulled meanwhile", () =>
  story(async (front) => {
    const { file, link, colleague } = front;
    Object.assign(process.env, front.env);
    const editor = await Client.start();
    try {
      const shown: string[] = [];
      editor.connection.onRequest("window/showMessageRequest", ({ message }: { message: string }) => {
        shown.push(message);
        return { title: "Push" };
      });
      editor.connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
        shown.push(message);
      });
      const uri = pathToFileURL(file).href;
      await editor.open(uri, textOf(front));
      // The save is answered with 503 until the command line has pushed, another user has edited, and it has pulled.
      front.answer = async () => ({ status: 503, body: '{"error": "busy", "message": "Busy.", "retry_after": 5}' });
      const text = edit(front, "Say a.", "My a.");
      await editor.change(uri, 2, [{ text }]);
      await editor.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
      await until(() => shown.length > 0 || front.requests.length > 2);
      front.answer = (_, forward) => forward();
      const pushed = await flow(front, "push", file);
      assert.equal(pushed.code, 0, pushed.err);
      const ops = [{ op: "update_node_fields" as const, node_id: "b", fields: { instructions: "A colleague's b." } }];
      await colleague.applyGraphOps(link.assistant, link.revision, { ops });
      const pulled = await flow(front, "pull", file);
      assert.equal(pulled.code, 0, pulled.err);
      assert.match(textOf(front), /A colleague's b\./);
      // The editor gets the lock back, and sends the queued save.
      const posts = front.requests.filter((line) => line.startsWith("POST")).length;
      const state = front.env.ASSISTANT_FLOW_STATE_DIR as string;
      const locks = () => readdirSync(state).filter((name) => name.endsWith(".lock"));
      const isEditors = (name: string) =>
        readFileSync(path.join(state, name), "utf8").includes(`:${editor.process.pid}"`);
      await until(() => locks().some(isEditors));
      const status = await flow(front, "status", file);
      assert.match(status.out, /in sync with/, status.out);
      assert.equal(front.requests.filter((line) => line.startsWith("POST")).length, posts, "nothing more is sent");
      assert.match(await stored(front), /A colleague's b\./);
      assert.match(textOf(front), /A colleague's b\./);
    } finally {
      await editor.stop();
    }
  }));

test("pull, push, plan, diff and status right after a push, with a stale replica", () =>
  story(async (front) => {
    const old = JSON.stringify(await front.colleague.getWorkflowRevision(front.link.revision));
    const text = edit(
      front,
      "  c: {type: end}\n",
      "  # Mine.\n  c: {type: message, instructions: Say c., edges: [{to: d}]}\n  # Mine, too.\n  d: {type: end}\n",
    );
    const pushed = await flow(front, "push", front.file);
    assert.equal(pushed.code, 0, pushed.err);
    for (const command of ["push", "pull", "status", "plan", "diff"]) {
      let left = 2;
      front.answer = async (method, forward) =>
        method === "GET" && left-- > 0 ? { status: 200, body: old } : forward();
      const ran = await flow(front, command, front.file);
      assert.equal(ran.code, 0, `${command}: ${ran.err}`);
      assert.equal(textOf(front), text, command);
    }
    assert.match(await stored(front), /Say c\./);
  }));

test("a gateway that returns {ok: true}, and a platform that applies a push later", () =>
  story(async (front) => {
    edit(front, "Say a.", "Say one.");
    front.answer = async (method, forward) => (method === "POST" ? { status: 200, body: '{"ok": true}' } : forward());
    const gateway = await flow(front, "push", front.file);
    assert.equal(gateway.code, 1, gateway.err);
    assert.match(gateway.err, /Couldn't read the platform's answer to the push/);
    assert.ok(front.requests.length <= 4, front.requests.join("\n"));
    assert.equal(front.requests.filter((line) => line.startsWith("POST")).length, 1, "the batch is sent once");

    front.requests.length = 0;
    let apply: (() => Promise<Answer>) | undefined;
    front.answer = async (method, forward) => {
      if (method !== "POST") return forward();
      apply = forward;
      return { status: 202, body: "" };
    };
    const accepted = await flow(front, "push", front.file);
    assert.equal(accepted.code, 3, accepted.err);
    assert.match(accepted.err, /accepted the push but doesn't show it yet/);
    assert.ok(front.requests.length <= 4, front.requests.join("\n"));
    await apply?.();
    front.answer = (_, forward) => forward();
    edit(front, "Say one.", "Say two.");
    const later = await flow(front, "push", front.file);
    assert.equal(later.code, 0, later.err);
    assert.match(await stored(front), /Say two\./);
  }));

test("a platform whose revision can't be read: unknown, with one exit code for push, plan and diff", () =>
  story(async (front) => {
    front.answer = async (method, forward) =>
      method === "GET" ? { status: 404, body: '{"error": "not_found", "message": "No."}' } : forward();
    for (const command of ["push", "plan", "diff"]) {
      const ran = await flow(front, command, front.file);
      assert.equal(ran.code, 5, `${command}: ${ran.out}${ran.err}`);
      assert.match(ran.err, /doesn't show whether it has changed since/, command);
    }
    front.answer = async (method, forward) => {
      const answer = await forward();
      return method === "GET" ? { ...answer, body: answer.body.replaceAll('"nodes"', '"knots"') } : answer;
    };
    rmSync(front.env.ASSISTANT_FLOW_STATE_DIR as string, { recursive: true });
    const odd = await flow(front, "diff", "--format", "json", front.file);
    assert.equal(typeof JSON.parse(odd.out).error, "string", odd.err);
  }));
