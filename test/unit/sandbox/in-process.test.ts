/** The sandbox of a browser, which runs in the process of its client, answers like the one with a port. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { DEMO_EXAMPLES, type InProcessSandbox, openInProcess } from "../../../sandbox/in-process";
import { inProject } from "../../../scripts/project";

const examples = new Map(DEMO_EXAMPLES.map((name) => [name, readFileSync(inProject("examples", name), "utf8")]));

let served: Sandbox;
let local: InProcessSandbox;

beforeEach(async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-03-03T12:00:00Z") });
  served = await startSandbox({ demo: true });
  local = await openInProcess(examples, assert.fail);
});

afterEach(async () => {
  await served.stop();
  mock.timers.reset();
});

type Family = "baseUrl" | "workflowBaseUrl";

async function answers(family: Family, path: string, init: RequestInit = {}): Promise<[Response, Response]> {
  const withKey = (key: string): RequestInit => ({ ...init, headers: { "x-api-key": key, ...init.headers } });
  return Promise.all([
    fetch(served[family] + path, withKey(served.apiKey)),
    local.answer(new URL(local[family] + path), withKey(local.apiKey)),
  ]);
}

/** The ID of a compilation is random. */
async function withoutTask(answer: Response): Promise<string> {
  return (await answer.text()).replace(/"compilation_task_id":"[^"]+"/, "");
}

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

test("requests are answered in the same way", async () => {
  const { revision, review } = served.demo ?? {};
  const requests: readonly (readonly [Family, string, RequestInit?])[] = [
    ["baseUrl", `/v1/workflows/revisions/${revision}`],
    ["baseUrl", "/v1/identity/review-requests"],
    ["baseUrl", "/v1/identity/nothing"],
    ["baseUrl", "/v1/identity/review-requests", { method: "DELETE" }],
    ["baseUrl", `/v1/identity/review-requests/${review}/reject`, post({ reason: 5 })],
    ["baseUrl", `/v1/identity/review-requests/${review}/reject`, post("{")],
    ["baseUrl", "/v1/identity/review-requests", { headers: { "x-api-key": "afk_unknown" } }],
    ["workflowBaseUrl", "/workflows?limit=2"],
    ["workflowBaseUrl", "/calls?limit=100"],
    ["workflowBaseUrl", "/calls?limit=none"],
    ["workflowBaseUrl", "/v1/identity/review-requests"],
  ];
  for (const [family, path, init] of requests) {
    const [expected, actual] = await answers(family, path, init);
    assert.equal(actual.status, expected.status, path);
    const [one, other] = await Promise.all([expected, actual].map(withoutTask));
    assert.ok(one === other, `${path}: ${other?.slice(0, 200)}`);
    for (const name of ["content-type", "cache-control", "allow"])
      assert.equal(actual.headers.get(name), expected.headers.get(name), `${name} of ${path}`);
  }
});

test("a key that is created is accepted until it is revoked", async () => {
  const [, created] = await answers("baseUrl", "/v1/identity/api-keys", post({ name: "Second" }));
  const { id, plain_text_key } = (await created.json()) as Record<string, string>;
  const headers = { "x-api-key": String(plain_text_key) };
  const url = new URL(`${local.workflowBaseUrl}/workflows`);
  assert.equal((await local.answer(url, { headers })).status, 200);
  const [, revoked] = await answers("baseUrl", `/v1/identity/api-keys/${id}`, { method: "DELETE" });
  assert.equal(revoked.status, 204);
  assert.equal((await local.answer(url, { headers })).status, 401);
});

test("its URLs can't exist, and it answers no others", async () => {
  for (const url of [local.baseUrl, local.workflowBaseUrl]) assert.match(new URL(url).hostname, /\.invalid$/);
  await assert.rejects(local.answer(new URL(`${served.baseUrl}/workflows`), {}), TypeError);
});

test("the built program runs without Node", async () => {
  const program = `
    const { parentPort, workerData } = require("node:worker_threads");
    const load = (file) => import(file);
    new Headers(); // Node loads its implementation with the first use.
    globalThis.Response = class { constructor(body) { this.body = body; } }; // Node's needs its Buffer.
    for (const name of ["process", "Buffer", "setImmediate", "clearImmediate", "require", "module", "global"])
      delete globalThis[name];
    load(workerData.program).then(async ({ openInProcess }) => {
      const sandbox = await openInProcess(workerData.examples, () => {});
      const headers = { "x-api-key": sandbox.apiKey };
      const answer = await sandbox.answer(new URL(sandbox.baseUrl + workerData.path), { headers });
      parentPort.postMessage(JSON.parse(new TextDecoder().decode(answer.body)));
    });
  `;
  const path = `/v1/workflows/revisions/${served.demo?.revision}`;
  const workerData = { program: pathToFileURL(inProject("dist/web/sandbox.js")).href, examples, path };
  const worker = new Worker(program, { eval: true, workerData });
  const actual = await new Promise<{ readonly compiled_graph: unknown }>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  const [expected] = await answers("baseUrl", path);
  assert.deepEqual(actual.compiled_graph, ((await expected.json()) as typeof actual).compiled_graph);
});
