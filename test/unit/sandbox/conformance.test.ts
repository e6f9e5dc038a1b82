/** One test per row of parts 3 to 8 of the platform's document, over real HTTP on both address families. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { GraphOp } from "../../../flow";
import { CALL_ENDED_REASONS } from "../../../platform";
import { type Conforming, conforming, operationIds, type Reply } from "./conform";

let it: Conforming;
let ops: string;
before(async () => {
  it = await conforming({ demo: true });
  ops = `/v1/assistants/${it.sandbox.demo?.assistant}/revisions/${it.sandbox.demo?.revision}/graph/ops`;
});
after(() => it.sandbox.stop());

const refused = (reply: Reply, status: number, error: string) => {
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  assert.equal(reply.body.error, error);
  assert.equal(typeof reply.body.message, "string");
};
const places = (reply: Reply) => {
  assert.equal(reply.status, 422, JSON.stringify(reply.body));
  return reply.body.detail.map((each: { loc: unknown }) => each.loc);
};
const newKey = async (body: object = {}) =>
  (await it.platform("POST", "/v1/identity/api-keys", { body: { name: "test", ...body } })).body;

// Part 3: states and transitions.

test("3: revoking a key is immediate: the next request with it is refused", async () => {
  const key = await newKey();
  assert.equal(key.is_active, true);
  assert.equal((await it.platform("GET", "/v1/webhooks/event-catalog", { key: key.plain_text_key })).status, 200);
  const revoked = await it.platform("DELETE", `/v1/identity/api-keys/${key.id}`);
  assert.equal(revoked.status, 204);
  assert.equal(revoked.body, "");
  for (const family of [it.platform, it.calling])
    refused(
      await family("GET", family === it.platform ? "/v1/webhooks/event-catalog" : "/workflows", {
        key: key.plain_text_key,
      }),
      401,
      "authentication_required",
    );
  refused(await it.platform("DELETE", `/v1/identity/api-keys/${key.id}`), 404, "not_found");
});

test("3: a key is inactive once expires_at has passed", async () => {
  const now = (await it.admin("GET", "/clock")).body.now as string;
  const key = await newKey({ expires_at: new Date(Date.parse(now) + 60_000).toISOString() });
  assert.equal(key.is_active, true);
  assert.equal((await it.calling("GET", "/workflows", { key: key.plain_text_key })).status, 200);
  await it.admin("POST", "/clock", { advance_ms: 61_000 });
  refused(await it.calling("GET", "/workflows", { key: key.plain_text_key }), 401, "authentication_required");
  const listed = (await it.platform("GET", "/v1/identity/api-keys")).body.data as { id: string }[];
  assert.ok(!listed.some((each) => each.id === key.id), "an expired key is still listed as active");
});

test("3: an archived assistant is restored and answered", async () => {
  const path = `/v1/assistants/${it.sandbox.demo?.archivedAssistant}/restore`;
  const restored = await it.platform("POST", path);
  assert.equal(restored.status, 200);
  assert.equal(restored.body.id, it.sandbox.demo?.archivedAssistant);
  refused(await it.platform("POST", path), 409, "not_archived");
});

// Part 4: endpoints.

test("4.1: a key is created with its secret, listed without it, newest fields as documented", async () => {
  const created = await it.platform("POST", "/v1/identity/api-keys", {
    body: { name: "CI", scopes: ["agents:read"], expires_at: "2099-01-01T00:00:00Z" },
  });
  assert.equal(created.status, 201);
  const key = created.body;
  assert.deepEqual(key.scopes, ["agents:read"]);
  assert.equal(key.expires_at, "2099-01-01T00:00:00.000Z");
  assert.equal(key.last_used_at, null);
  assert.ok(key.plain_text_key.startsWith(key.key_prefix));
  const list = await it.platform("GET", "/v1/identity/api-keys");
  const listed = list.body.data.find((each: { id: string }) => each.id === key.id);
  assert.equal(listed.key_prefix, key.key_prefix);
  assert.equal(listed.plain_text_key, undefined);
  assert.ok(!JSON.stringify(list.body).includes(key.plain_text_key));
});

test("4.1: embedding spend: top rows by cost, filters, both days included", async () => {
  const path = "/v1/analytics/model-router/embeddings/cost/by-kb";
  const all = await it.platform("GET", `${path}?start_date=2000-01-01&end_date=2100-01-01&limit=100`);
  assert.equal(all.body.length, 40);
  const costs = all.body.map((row: { total_cost_usd: number }) => row.total_cost_usd);
  assert.deepEqual(
    costs,
    [...costs].sort((a, b) => b - a),
  );
  const some = await it.platform("GET", `${path}?start_date=2000-01-01&end_date=2100-01-01`);
  assert.equal(some.body.length, 20);
  const images = await it.platform(
    "GET",
    `${path}?start_date=2000-01-01&end_date=2100-01-01&embedding_type=image&source=ingest&limit=100`,
  );
  assert.ok(images.body.length > 0 && images.body.length < 40);
  assert.deepEqual((await it.platform("GET", `${path}?start_date=1999-01-01&end_date=1999-12-31`)).body, []);
  refused(await it.platform("GET", `${path}?start_date=2026-02-01&end_date=2026-01-01`), 400, "bad_request");
});

test("4.1: a graph result carries the verdict, the revision and its flag", async () => {
  const graphOps = [
    { op: "set_persona", persona: "You are Riley." },
    { op: "update_node_fields", node_id: "goodbye", fields: { instructions: "Wish {{caler_name}} a good day." } },
    { op: "add_edge", edge: { id: "again", source: "confirm_move", target: "anything_else" } },
    { op: "upsert_context_variable", variable: { name: "loyalty_tier", type: "string" } },
  ];
  const result = await it.platform("POST", ops, { body: { ops: graphOps } });
  assert.equal(result.status, 200);
  const { updated, validation, workflow_enabled, revision, graph_version, blocking_error_count } = result.body;
  assert.equal(updated, true);
  assert.equal(workflow_enabled, true);
  assert.equal(revision.id, it.sandbox.demo?.revision);
  assert.equal(revision.graph_version, graph_version);
  assert.equal(blocking_error_count, validation.blocking_error_count);
  assert.equal(validation.valid, validation.error_count === 0);
  assert.equal(validation.normalized_graph.persona, "You are Riley.");
  const count = (severity: string) =>
    validation.findings.filter((each: { severity: string }) => each.severity === severity).length;
  assert.deepEqual(
    [count("error"), count("warning"), count("suggestion")],
    [validation.error_count, validation.warning_count, validation.suggestion_count],
  );
  assert.ok(count("error") > 0 && count("warning") > 0 && count("suggestion") > 0);
});

test("4.1: a review request is rejected once, with its note", async () => {
  const path = `/v1/identity/review-requests/${it.sandbox.demo?.review}/reject`;
  assert.deepEqual(places(await it.platform("POST", path, { body: { resolution_note: 7 }, broken: "schema" })), [
    ["body", "resolution_note"],
  ]);
  const rejected = await it.platform("POST", path, { body: { resolution_note: "Two different people." } });
  assert.equal(rejected.status, 200);
  assert.equal(rejected.body.status, "rejected");
  assert.equal(rejected.body.resolution_note, "Two different people.");
  assert.ok(rejected.body.resolved_at);
  refused(await it.platform("POST", path, { body: {} }), 409, "already_resolved");
  refused(await it.platform("POST", "/v1/identity/review-requests/none/reject", { body: {} }), 404, "not_found");
});

test("4.1: the endpoints that are only referred to", async () => {
  const who = await it.platform("GET", "/v1/identity/whoami");
  assert.equal(who.status, 200);
  assert.ok(it.sandbox.apiKey.startsWith(who.body.key_prefix));
  const revision = await it.platform("GET", `/v1/workflows/revisions/${it.sandbox.demo?.revision}`);
  assert.equal(revision.status, 200);
  assert.equal(revision.body.id, it.sandbox.demo?.revision);
  refused(await it.platform("GET", "/v1/workflows/revisions/none"), 404, "not_found");
  const reviews = (await it.platform("GET", "/v1/identity/review-requests")).body.data;
  assert.equal(reviews.length, 12);
  assert.deepEqual([...new Set(reviews.map((each: { request_type: string }) => each.request_type))].sort(), [
    "merge",
    "update",
  ]);
});

test("4.2: workflows come page by page and one by one", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await it.calling("GET", `/workflows?limit=7${cursor === undefined ? "" : `&cursor=${cursor}`}`);
    assert.equal(page.status, 200);
    assert.equal(page.body.pagination.limit, 7);
    seen.push(...page.body.data.map((each: { id: string }) => each.id));
    cursor = page.body.pagination.nextCursor;
    if (cursor !== undefined) assert.equal(cursor, seen.at(-1));
  } while (cursor !== undefined);
  assert.equal(new Set(seen).size, 25);
  assert.equal(seen.length, 25);
  const active = (await it.calling("GET", "/workflows?active=true&limit=100")).body.data;
  const idle = (await it.calling("GET", "/workflows?active=false&limit=100")).body.data;
  assert.equal(active.length + idle.length, 25);
  assert.ok(active.every((each: { active: boolean }) => each.active));
  assert.equal((await it.calling("GET", `/workflows/${seen[3]}`)).body.id, seen[3]);
  refused(await it.calling("GET", "/workflows/none"), 404, "not_found");
});

test("4.2: calls come page by page, filtered, and one by one as a page", async () => {
  const seen: { id: string; createdAt: string; transcript: unknown[] }[] = [];
  let path = "/calls";
  for (;;) {
    const page = await it.calling("GET", path);
    assert.equal(page.status, 200);
    seen.push(...page.body.calls);
    const next = page.body.nextCursorId;
    if (!next) break;
    path = `/calls?id=${next.id}&createdAt=${encodeURIComponent(next.createdAt)}`;
  }
  assert.equal(new Set(seen.map((each) => each.id)).size, seen.length);
  assert.ok(seen.length >= 300);
  assert.ok(seen.every((each) => each.transcript.length > 0));
  const times = seen.map((each) => each.createdAt);
  assert.deepEqual(times, [...times].sort().reverse());
  for (const reason of CALL_ENDED_REASONS) {
    const { calls } = (await it.calling("GET", `/calls?callEndedReason=${reason}`)).body;
    assert.ok(calls.length > 0, reason);
    assert.ok(calls.every((each: { callEndedReason: string }) => each.callEndedReason === reason));
  }
  const one = await it.calling("GET", `/calls/${seen[5]?.id}`);
  assert.deepEqual(
    one.body.calls.map((each: { id: string }) => each.id),
    [seen[5]?.id],
  );
  assert.equal((await it.calling("GET", `/calls?id=${seen[5]?.id}`)).body.calls.length, 1);
  assert.deepEqual((await it.calling("GET", "/calls?status=NONE")).body, { calls: [] });
  assert.ok((await it.calling("GET", "/calls?tag=SINGLE")).body.calls.length > 0);
  refused(await it.calling("GET", "/calls/none"), 404, "not_found");
});

test("4.2: a call inquiry becomes a call", async () => {
  const [workflow] = (await it.calling("GET", "/workflows?active=true&limit=1")).body.data;
  const inquiry = await it.calling("POST", "/call", {
    body: { workflowId: workflow.id, leadId: "l1", firstName: "Ada", lastName: "Ito", primaryPhone: "+15185550107" },
  });
  assert.equal(inquiry.status, 200);
  assert.equal(inquiry.body.status, "INITIATED");
  const [call] = (await it.calling("GET", `/calls/${inquiry.body.id}`)).body.calls;
  assert.equal(call.status, "INITIATED");
  assert.equal(call.tag, "SINGLE");
  assert.equal(call.firstName, "Ada");
  assert.deepEqual(places(await it.calling("POST", "/call", { body: {}, broken: "meaning" })), [
    ["body", "workflowId"],
  ]);
  refused(await it.calling("POST", "/call", { body: { workflowId: "none" } }), 404, "not_found");
  const [idle] = (await it.calling("GET", "/workflows?active=false&limit=1")).body.data;
  refused(await it.calling("POST", "/call", { body: { workflowId: idle.id } }), 409, "workflow_inactive");
});

test("4.2: an execution is created", async () => {
  const [workflow] = (await it.calling("GET", "/workflows?active=true&limit=1")).body.data;
  const [idle] = (await it.calling("GET", "/workflows?active=false&limit=1")).body.data;
  const lead = { leadId: "l2", firstName: "Leo", state: "NY", primaryPhone: "+15185550107", textContent: "Hello" };
  const execution = await it.calling("POST", `/workflows/${workflow.id}/executions`, { body: lead });
  assert.equal(execution.status, 201);
  assert.equal(execution.body.status, "CREATED");
  assert.equal(execution.body.workflowId, workflow.id);
  assert.equal(execution.body.metadata.borrowerState, "NY");
  assert.ok(execution.body.steps.every((step: { status: string }) => step.status === "PENDING"));
  refused(await it.calling("POST", `/workflows/${idle.id}/executions`, { body: lead }), 409, "workflow_inactive");
  refused(await it.calling("POST", "/workflows/none/executions", { body: lead }), 404, "not_found");
  assert.deepEqual(
    places(await it.calling("POST", `/workflows/${workflow.id}/executions`, { body: { leadId: 1 }, broken: "schema" })),
    [["body", "leadId"]],
  );
});

// Part 5: authentication.

test("5.1, 5.6: only x-api-key counts; a missing or malformed key is a 401 on both addresses", async () => {
  const key = it.sandbox.apiKey;
  for (const [family, path] of [
    [it.platform, "/v1/identity/api-keys"],
    [it.calling, "/workflows"],
  ] as const) {
    refused(await family("GET", path, { key: null }), 401, "authentication_required");
    for (const bad of ["", "afk_short", `${key}x`, key.toLowerCase(), `${key}, ${key}`])
      refused(await family("GET", path, { key: bad }), 401, "authentication_required");
    const elsewhere: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { cookie: `x-api-key=${key}; session=${key}` },
      { authorization: `Basic ${btoa(`key:${key}`)}` },
    ];
    for (const headers of elsewhere)
      refused(await family("GET", path, { key: null, headers }), 401, "authentication_required");
    refused(await family("GET", `${path}?x-api-key=${key}`, { key: null }), 401, "authentication_required");
  }
});

test("5.2, 5.3: scopes are enforced on every endpoint that asks for one", async () => {
  const key = (await newKey({ scopes: ["conversations:read"] })).plain_text_key;
  const all: readonly (readonly ["platform" | "calling", string, string])[] = [
    ["platform", "POST", "/v1/identity/api-keys"],
    ["platform", "GET", "/v1/identity/api-keys"],
    ["platform", "DELETE", "/v1/identity/api-keys/x"],
    ["platform", "GET", "/v1/analytics/model-router/embeddings/cost/by-kb"],
    ["platform", "POST", ops],
    ["platform", "POST", `/v1/assistants/${it.sandbox.demo?.archivedAssistant}/restore`],
    ["platform", "POST", "/v1/identity/review-requests/x/reject"],
    ["platform", "GET", "/v1/identity/review-requests"],
    ["platform", "GET", "/v1/webhooks/event-catalog"],
    ["platform", "GET", "/v1/workflows/revisions/x"],
    ["calling", "POST", "/call"],
    ["calling", "GET", "/workflows"],
    ["calling", "GET", "/workflows/x"],
    ["calling", "POST", "/workflows/x/executions"],
    ["calling", "GET", "/calls"],
    ["calling", "GET", "/calls/x"],
  ];
  for (const [family, method, path] of all)
    refused(await it[family](method, path, { key, broken: "meaning" }), 403, "insufficient_scope");
  assert.equal((await it.platform("GET", "/v1/identity/whoami", { key })).status, 200);
  const reader = (await newKey({ scopes: ["agents:read"] })).plain_text_key;
  assert.equal(
    (await it.platform("GET", `/v1/workflows/revisions/${it.sandbox.demo?.revision}`, { key: reader })).status,
    200,
  );
  refused(
    await it.platform("POST", ops, { key: reader, body: { ops: [] }, broken: "schema" }),
    403,
    "insufficient_scope",
  );
});

test("5.3, 5.4: without scopes a key may do everything, without expires_at it never expires", async () => {
  const key = await newKey();
  assert.equal(key.expires_at, null);
  assert.ok(key.scopes.length > 5);
  await it.admin("POST", "/clock", { advance_ms: 10 * 365 * 86_400_000 });
  assert.equal((await it.calling("GET", "/calls", { key: key.plain_text_key })).status, 200);
  assert.equal((await it.platform("GET", "/v1/identity/api-keys", { key: key.plain_text_key })).status, 200);
});

test("5.5: the list shows when a key was last used", async () => {
  const key = await newKey();
  await it.calling("GET", "/workflows", { key: key.plain_text_key });
  const listed = (await it.platform("GET", "/v1/identity/api-keys")).body.data as {
    id: string;
    last_used_at: string;
  }[];
  assert.ok(listed.find((each) => each.id === key.id)?.last_used_at);
});

// Part 6: events.

test("6: the catalog lists event types with description, group and sensitivity", async () => {
  const { events } = (await it.platform("GET", "/v1/webhooks/event-catalog")).body;
  const completed = events.find((each: { type: string }) => each.type === "conversation.session.completed");
  assert.equal(completed.sensitivity, "non_pii");
  assert.ok(completed.description && completed.group);
});

// Part 7: errors.

test("7: 400 bad_request for a body that lacks fields or has an invalid value", async () => {
  for (const body of [{}, { name: 7 }, { name: "x", expires_at: "tomorrow" }, { name: "x", scopes: "agents:read" }, []])
    refused(await it.platform("POST", "/v1/identity/api-keys", { body, broken: "schema" }), 400, "bad_request");
  for (const body of [{ name: " " }, { name: "x", scopes: ["everything"] }])
    refused(await it.platform("POST", "/v1/identity/api-keys", { body }), 400, "bad_request");
  refused(await it.platform("POST", "/v1/identity/api-keys", { broken: "schema" }), 400, "bad_request");
});

test("7: 422 with the exact location for an invalid query", async () => {
  const path = "/v1/analytics/model-router/embeddings/cost/by-kb";
  const days = "start_date=2026-01-01&end_date=2026-02-01";
  const broken = "schema" as const;
  assert.deepEqual(places(await it.platform("GET", path, { broken })), [
    ["query", "start_date"],
    ["query", "end_date"],
  ]);
  assert.deepEqual(places(await it.platform("GET", `${path}?start_date=x&end_date=2026-02-31`, { broken })), [
    ["query", "start_date"],
    ["query", "end_date"],
  ]);
  assert.deepEqual(places(await it.platform("GET", `${path}?${days}&limit=ten`, { broken })), [["query", "limit"]]);
  for (const wrong of ["active=maybe", "limit=0", "limit=ten"])
    assert.deepEqual(places(await it.calling("GET", `/workflows?${wrong}`, { broken })), [
      ["query", wrong.split("=")[0]],
    ]);
  assert.deepEqual(places(await it.calling("GET", "/workflows?cursor=none")), [["query", "cursor"]]);
  for (const wrong of ["callEndedReason=BORED", "createdAt=yesterday"])
    assert.deepEqual(places(await it.calling("GET", `/calls?${wrong}`, { broken })), [["query", wrong.split("=")[0]]]);
});

test("7: 422 for IDs that aren't UUIDs", async () => {
  const body = { ops: [{ op: "set_persona", persona: "x" }] };
  assert.deepEqual(places(await it.platform("POST", "/v1/assistants/x/revisions/y/graph/ops", { body })), [
    ["path", "agent_id"],
  ]);
  assert.deepEqual(places(await it.platform("POST", "/v1/assistants/x/restore")), [["path", "agent_id"]]);
  const nobody = "00000000-0000-4000-8000-000000000000";
  refused(await it.platform("POST", `/v1/assistants/${nobody}/restore`), 404, "not_found");
  refused(
    await it.platform("POST", `/v1/assistants/${nobody}/revisions/${nobody}/graph/ops`, { body }),
    404,
    "not_found",
  );
});

test("7: 422 with the exact location for an invalid operation", async () => {
  const good: GraphOp = { op: "set_persona", persona: "fine" };
  const cases: readonly (readonly [unknown, (string | number)[], "schema" | "meaning"])[] = [
    [{ op: "upsert_node", node: { id: "a", type: 7 } }, ["node", "type"], "schema"],
    [{ op: "upsert_node", node: { type: "end" } }, ["node", "id"], "schema"],
    [{ op: "upsert_node" }, ["node"], "schema"],
    [
      { op: "upsert_node", node: { id: "a", source_span: { start_line: "1" } } },
      ["node", "source_span", "start_line"],
      "schema",
    ],
    [{ op: "move_node" }, ["op"], "schema"],
    [{}, ["op"], "schema"],
    [{ op: "add_edge", edge: { id: "e", source: "greet" } }, ["edge", "target"], "schema"],
    [
      { op: "add_edge", edge: { id: "greet--ask_name", source: "greet", target: "ask_name" } },
      ["edge", "id"],
      "meaning",
    ],
    [{ op: "remove_node", node_id: "nobody" }, ["node_id"], "meaning"],
    [{ op: "update_node_fields", node_id: "nobody", fields: {} }, ["node_id"], "meaning"],
    [{ op: "update_node_fields", node_id: "greet", fields: { id: "other" } }, ["fields", "id"], "meaning"],
    [{ op: "remove_edge", edge_id: "none" }, ["edge_id"], "meaning"],
    [{ op: "set_entry_node", node_id: 5 }, ["node_id"], "schema"],
    [{ op: "upsert_context_variable", variable: {} }, ["variable", "name"], "schema"],
    [{ op: "remove_context_variable", name: "none" }, ["name"], "meaning"],
    [{ op: "set_persona", persona: 1 }, ["persona"], "schema"],
    [{ op: "set_component_outputs", outputs: {} }, ["outputs"], "schema"],
  ];
  const version = async () =>
    (await it.platform("GET", `/v1/workflows/revisions/${it.sandbox.demo?.revision}`)).body.graph_version;
  const start = await version();
  for (const [op, path, broken] of cases) {
    const reply = await it.platform("POST", ops, { body: { ops: [good, good, good, op, good] }, broken });
    const [first] = places(reply);
    assert.deepEqual(first, ["body", "ops", 3, ...path], JSON.stringify(op));
  }
  assert.equal(await version(), start, "a refused batch changed the graph");
  assert.deepEqual(
    places(await it.platform("POST", ops, { body: { ops: [good], base_version: "1" }, broken: "schema" })),
    [["body", "base_version"]],
  );
  assert.deepEqual(places(await it.platform("POST", ops, { body: {}, broken: "schema" })), [["body", "ops"]]);
});

// Part 8: limits.

test("8: at most 200 operations in a batch, at least one", async () => {
  const batch = (length: number) => ({ ops: Array.from({ length }, () => ({ op: "set_persona", persona: "x" })) });
  assert.equal((await it.platform("POST", ops, { body: batch(200) })).status, 200);
  for (const length of [201, 0])
    assert.deepEqual(places(await it.platform("POST", ops, { body: batch(length), broken: "schema" })), [
      ["body", "ops"],
    ]);
});

test("8: analytics limit is 1 to 100, 20 by default", async () => {
  const path = "/v1/analytics/model-router/embeddings/cost/by-kb?start_date=2000-01-01&end_date=2100-01-01";
  assert.equal((await it.platform("GET", path)).body.length, 20);
  assert.equal((await it.platform("GET", `${path}&limit=1`)).body.length, 1);
  assert.equal((await it.platform("GET", `${path}&limit=100`)).body.length, 40);
  for (const limit of ["0", "101", "-1", "1.5"])
    assert.deepEqual(places(await it.platform("GET", `${path}&limit=${limit}`, { broken: "schema" })), [
      ["query", "limit"],
    ]);
});

test("8: workflows limit is 10 by default and 100 at most", async () => {
  const page = await it.calling("GET", "/workflows");
  assert.equal(page.body.data.length, 10);
  assert.equal(page.body.pagination.limit, 10);
  assert.equal((await it.calling("GET", "/workflows?limit=100")).body.data.length, 25);
  assert.deepEqual(places(await it.calling("GET", "/workflows?limit=101", { broken: "schema" })), [["query", "limit"]]);
});

test("every endpoint was called successfully", async () => {
  assert.deepEqual([...it.covered].sort(), (await operationIds(it.sandbox)).sort());
});
