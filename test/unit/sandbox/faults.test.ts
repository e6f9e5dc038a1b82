/** Each fault on the wire, and whether the write was done. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Conforming, conforming } from "./conform";

let it: Conforming;
let ops: string;
before(async () => {
  it = await conforming({ demo: true });
  ops = `/v1/assistants/${it.sandbox.demo?.assistant}/revisions/${it.sandbox.demo?.revision}/graph/ops`;
});
after(() => it.sandbox.stop());
beforeEach(async () => {
  await it.admin("DELETE", "/faults");
  await it.admin("DELETE", "/requests");
});

const version = async () =>
  (await it.platform("GET", `/v1/workflows/revisions/${it.sandbox.demo?.revision}`)).body.graph_version as number;
const write = () =>
  fetch(it.sandbox.baseUrl + ops, {
    method: "POST",
    headers: { "x-api-key": it.sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ ops: [{ op: "set_persona", persona: "x" }] }),
  });
const add = async (fault: object, more: object = {}) => {
  const reply = await it.admin("POST", "/faults", { match: { method: "POST" }, fault, ...more });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
};

test("a reset before the write does nothing; after it or during the response, the write is stored", async () => {
  for (const [when, grows] of [
    ["before", 0],
    ["after", 1],
    ["mid", 1],
  ] as const) {
    const start = await version();
    await add({ kind: "reset", when });
    await assert.rejects(write().then((response) => response.text()));
    assert.equal(await version(), start + grows, when);
    assert.equal((await write()).status, 200, "the fault strikes once");
  }
});

test("statuses with hints, with and without the write", async () => {
  const start = await version();
  await add({ kind: "status", status: 429, retryable: true, retry_after: 7, headers: { "retry-after": "7" } });
  const limited = await write();
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("retry-after"), "7");
  assert.deepEqual(await limited.json(), {
    error: "injected_fault",
    message: "This 429 was requested.",
    retryable: true,
    retry_after: 7,
  });
  assert.equal(await version(), start);
  await add({ kind: "status", status: 500, apply: true });
  assert.equal((await write()).status, 500);
  assert.equal(await version(), start + 1);
});

test("bodies that aren't JSON", async () => {
  await add({ kind: "html" });
  const html = await write();
  assert.equal(html.status, 502);
  assert.match(html.headers.get("content-type") ?? "", /text\/html/);
  await add({ kind: "truncate" });
  const cut = await write();
  assert.equal(cut.status, 200);
  await assert.rejects(cut.json());
  await add({ kind: "body", status: 307, headers: { location: "http://127.0.0.1:1/" } });
  const moved = await fetch(it.sandbox.baseUrl + ops, { method: "POST", redirect: "manual" });
  assert.equal(moved.status, 307);
  assert.equal(moved.headers.get("location"), "http://127.0.0.1:1/");
});

test("slow answers are whole answers", async () => {
  await add({ kind: "latency", ms: 30 });
  assert.equal((await write()).status, 200);
  await add({ kind: "drip", bytes: 4000, every_ms: 1 });
  assert.equal(((await (await write()).json()) as { updated: boolean }).updated, true);
});

test("a fault matches its requests, skips and counts, and the log lists all requests", async () => {
  const fault = { kind: "status", status: 503 };
  await it.admin("POST", "/faults", { match: { family: "calling", path: "/workflows" }, skip: 1, times: 2, fault });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await it.calling("GET", "/workflows?limit=1")).status);
  assert.deepEqual(statuses, [200, 503, 503, 200]);
  assert.equal((await it.admin("GET", "/faults")).body.faults[0].spoilt, 2);
  assert.deepEqual(
    (await it.admin("GET", "/requests")).body.requests.map((each: { status: number }) => each.status),
    statuses,
  );
});

test("an invalid fault is rejected with a plain message", async () => {
  for (const bad of [
    {},
    { fault: { kind: "flood" } },
    { fault: { kind: "status", status: 42 } },
    [],
    { fault: { kind: "latency" } },
  ]) {
    const reply = await it.admin("POST", "/faults", bad);
    assert.equal(reply.status, 400);
    assert.doesNotMatch(reply.body.message, /undefined/);
  }
  assert.equal((await it.admin("GET", "/nothing")).status, 404);
  assert.equal((await it.admin("POST", "/clock", { advance_ms: -1 })).status, 400);
});
