import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  type Call,
  type ClientOptions,
  type EndpointName,
  endpoints,
  type HttpRequest,
  type HttpResponse,
  PlatformClient,
  PlatformError,
  type PlatformErrorKind,
  TransportError,
  type TransportFailure,
} from "../../../platform";

type Answer = HttpResponse | TransportError;
const json = (status: number, body: unknown, headers = {}): HttpResponse => ({
  status,
  headers,
  body: JSON.stringify(body),
});
const ok = (body: unknown) => json(200, body);
const fails = (failure: TransportFailure) => new TransportError(failure, `it failed: ${failure}.`);

/** A client with a scripted transport and a counting clock. The last answer repeats. */
function scripted(
  answers: readonly Answer[] | ((request: HttpRequest, count: number) => Answer),
  options: ClientOptions = {},
) {
  const requests: HttpRequest[] = [];
  const waits: number[] = [];
  const log: string[] = [];
  const send = async (request: HttpRequest) => {
    requests.push(request);
    const answer =
      typeof answers === "function"
        ? answers(request, requests.length)
        : answers[Math.min(requests.length, answers.length) - 1];
    if (!answer || answer instanceof TransportError) throw answer;
    return answer;
  };
  const sleep = async (ms: number, signal?: AbortSignal) => {
    waits.push(ms);
    signal?.throwIfAborted();
  };
  const client = new PlatformClient({ send }, { sleep, random: () => 0.5, log: (line) => log.push(line), ...options });
  return { client, requests, waits, log };
}

async function errorOf(promise: Promise<unknown>): Promise<PlatformError> {
  const error = await promise.then(
    () => assert.fail("no error"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof PlatformError, inspect(error));
  assert.match(error.message, /[.!?…]["']?$/);
  assert.doesNotMatch(error.message, /undefined|null|NaN|\[object/);
  return error;
}

const A = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
const R = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002";

/** Each method, its request, an answer and the result. */
const METHODS: Record<EndpointName, [(client: PlatformClient) => Promise<unknown>, string, unknown, unknown?]> = {
  createApiKey: [
    (c) => c.createApiKey({ name: "n" }).then((key) => key.id),
    'POST platform /v1/identity/api-keys {"name":"n"}',
    { id: "k", plain_text_key: "p" },
    "k",
  ],
  listApiKeys: [(c) => c.listApiKeys(), "GET platform /v1/identity/api-keys", { data: [{ id: "k" }] }, [{ id: "k" }]],
  revokeApiKey: [(c) => c.revokeApiKey("a/b"), "DELETE platform /v1/identity/api-keys/a%2Fb", ""],
  getModelRouterEmbeddingCostByKb: [
    (c) => c.embeddingCostByKb({ start_date: "2026-01-01", end_date: "2026-01-31", limit: 5, source: null }),
    "GET platform /v1/analytics/model-router/embeddings/cost/by-kb?start_date=2026-01-01&end_date=2026-01-31&limit=5",
    [],
    [],
  ],
  applyGraphOps: [
    (c) => c.applyGraphOps(A, R, { ops: [{ op: "remove_node", node_id: "x" }], base_version: 3 }),
    `POST platform /v1/assistants/${A}/revisions/${R}/graph/ops {"ops":[{"op":"remove_node","node_id":"x"}],"base_version":3}`,
    { graph_version: 4 },
    { graph_version: 4 },
  ],
  restoreAssistant: [
    (c) => c.restoreAssistant(A),
    `POST platform /v1/assistants/${A}/restore`,
    { id: "a" },
    { id: "a" },
  ],
  rejectReviewRequest: [
    (c) => c.rejectReviewRequest("r", "No."),
    'POST platform /v1/identity/review-requests/r/reject {"resolution_note":"No."}',
    { id: "r", status: "anything" },
    { id: "r", status: "anything" },
  ],
  listReviewRequests: [(c) => c.listReviewRequests(), "GET platform /v1/identity/review-requests", { data: [] }, []],
  getEventCatalog: [
    (c) => c.eventCatalog(),
    "GET platform /v1/webhooks/event-catalog",
    { events: [{ type: "t" }] },
    [{ type: "t" }],
  ],
  whoami: [(c) => c.whoami(), "GET platform /v1/identity/whoami", { scopes: [] }, { scopes: [] }],
  getWorkflowRevision: [
    (c) => c.getWorkflowRevision(R),
    `GET platform /v1/workflows/revisions/${R}`,
    { id: "r" },
    { id: "r" },
  ],
  createCall: [
    (c) => c.createCall({ leadId: "l" }),
    'POST calling /call {"leadId":"l"}',
    { status: "s", id: "i" },
    { status: "s", id: "i" },
  ],
  listWorkflows: [
    (c) => c.listWorkflows({ limit: "5", active: "true" }),
    "GET calling /workflows?limit=5&active=true",
    { data: [] },
    { data: [] },
  ],
  getWorkflow: [(c) => c.getWorkflow("w"), "GET calling /workflows/w", { id: "w" }, { id: "w" }],
  createExecution: [
    (c) => c.createExecution("w", {}),
    "POST calling /workflows/w/executions {}",
    { id: "e" },
    { id: "e" },
  ],
  listCalls: [(c) => c.listCalls({ tag: "SINGLE" }), "GET calling /calls?tag=SINGLE", { calls: [] }, { calls: [] }],
  getCall: [(c) => c.getCall("c"), "GET calling /calls/c", { calls: [{ id: "b" }, { id: "c" }] }, { id: "c" }],
};

for (const [name, [call, expected, body, value]] of Object.entries(METHODS))
  test(`${name} asks what the contract says`, async () => {
    const { client, requests } = scripted([json(endpoints[name as EndpointName].status, body)]);
    assert.deepEqual(await call(client), value);
    const shown = requests.map(({ method, family, path, query, body }) => {
      const search = query ? `?${new URLSearchParams(query)}` : "";
      return `${method} ${family} ${path}${search}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
    });
    assert.deepEqual(shown, [expected]);
  });

const STATUSES: readonly (readonly [status: number, kind: PlatformErrorKind, writeUnknown: boolean, reads: number])[] =
  [
    [400, "refused", false, 1],
    [401, "unauthorized", false, 1],
    [403, "forbidden", false, 1],
    [404, "not-found", false, 1],
    [405, "refused", false, 1],
    [408, "timeout", true, 3],
    [409, "conflict", false, 1],
    [410, "not-found", false, 1],
    [412, "conflict", false, 1],
    [418, "refused", false, 1],
    [422, "invalid", false, 1],
    [429, "rate-limited", false, 3],
    [500, "server", true, 3],
    [502, "server", true, 3],
    [503, "server", true, 3],
    [599, "server", true, 3],
    [304, "refused", false, 1],
  ];

test("a conflict says what to do, if that is known", async () => {
  const { client } = scripted([json(409, { error: "not_archived", message: "This assistant isn't archived." })]);
  await assert.rejects(client.restoreAssistant("3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101"), {
    message:
      "Couldn't restore the assistant: only an archived assistant can be restored. The platform says: This assistant isn't archived.",
  });
});

test("a list that a URL doesn't offer isn't blamed on an ID", async () => {
  const { client } = scripted([json(404, {})]);
  await assert.rejects(client.listWorkflows(), {
    message: /^Couldn't list calling workflows: there is nothing at this URL\. Check the URLs of the connection\./,
  });
  await assert.rejects(client.getWorkflow("wf_1"), { message: /: it doesn't exist on the platform\. Check the ID/ });
});

test("a wrong key is reported as such, whatever it was used for", async () => {
  const { client } = scripted([json(401, {})]);
  await assert.rejects(client.eventCatalog(), {
    message: /^The API key was rejected; it may be revoked, expired, or mistyped\./,
  });
});

for (const [status, kind, writeUnknown, reads] of STATUSES)
  test(`${status} is ${kind}`, async () => {
    for (const body of [
      "",
      "<html><title>Bad\u202e gateway</title>",
      '{"error":"some_code","message":"Some words."}',
      "[1",
    ]) {
      const read = scripted([{ status, headers: {}, body }]);
      const readError = await errorOf(read.client.listApiKeys());
      assert.equal(readError.kind, kind);
      assert.equal(readError.status, status);
      assert.equal(readError.outcomeUnknown, false);
      assert.equal(read.requests.length, reads);
      assert.equal(readError.requests, reads);
      if (body.includes("some_code")) assert.equal(readError.code, "some_code");
      if (body.includes("some_code")) assert.match(readError.message, /Some words\./);
      if (body.includes("html")) assert.match(readError.message, /an HTML page titled "Bad gateway"/);
      const write = scripted([{ status, headers: {}, body }]);
      const writeError = await errorOf(write.client.restoreAssistant(A));
      assert.equal(writeError.kind, kind);
      assert.equal(writeError.outcomeUnknown, writeUnknown);
      assert.equal(write.requests.length, 1, "a write is never sent twice");
      assert.equal(/may or may not have taken effect/.test(writeError.message), writeUnknown);
    }
  });

const FAILURES: Record<TransportFailure, readonly [writeUnknown: boolean, reads: number]> = {
  "no-connection": [false, 1],
  "untrusted-workspace": [false, 1],
  "bad-key": [false, 1],
  "insecure-address": [false, 1],
  network: [false, 3],
  proxy: [false, 1],
  tls: [false, 1],
  timeout: [true, 3],
  reset: [true, 3],
  redirect: [true, 1],
  site: [true, 1],
  "too-large": [true, 1],
  cancelled: [true, 1],
};

for (const [failure, [writeUnknown, reads]] of Object.entries(FAILURES) as [TransportFailure, [boolean, number]][])
  test(`a transport that fails with ${failure}`, async () => {
    const read = scripted([fails(failure)]);
    const readError = await errorOf(read.client.whoami());
    assert.deepEqual([readError.kind, readError.outcomeUnknown, read.requests.length], [failure, false, reads]);
    const write = scripted([fails(failure)]);
    const writeError = await errorOf(write.client.createCall({}));
    assert.deepEqual([writeError.kind, writeError.outcomeUnknown, write.requests.length], [failure, writeUnknown, 1]);
  });

test("a 422 has its details, and its message has the first locations", async () => {
  const fault = (index: number) => ({ loc: ["body", "ops", index, "node"], msg: "Field required", type: "missing" });
  const { client } = scripted([json(422, { detail: [0, 1, 2, 3, 4].map(fault) })]);
  const error = await errorOf(client.applyGraphOps(A, R, { ops: [] }));
  assert.deepEqual(error.detail, [0, 1, 2, 3, 4].map(fault));
  assert.match(error.message, /body\.ops\.0\.node: Field required; .*; and 2 more/);
});

test("an undocumented response is unreadable, with a short excerpt on one line", async () => {
  const bodies = ["", "<!doctype html><html><title>Sign in</title>", "{", '{"data":5}', `x${"\n\u202ey".repeat(5000)}`];
  for (const body of bodies) {
    const { client, requests } = scripted([{ status: 200, headers: {}, body }]);
    const error = await errorOf(client.listApiKeys());
    assert.equal(error.kind, "unreadable");
    assert.equal(requests.length, 3);
    assert.ok(error.message.length < 500, error.message);
    assert.doesNotMatch(error.message, /[\p{Cc}\u202e]/u);
  }
  const write = scripted([{ status: 200, headers: {}, body: "{" }]);
  const error = await errorOf(write.client.restoreAssistant(A));
  assert.deepEqual([error.kind, error.outcomeUnknown, write.requests.length], ["unreadable", true, 1]);
});

test("reads wait with full jitter, longer each time", async () => {
  for (const [random, expected] of [
    [0, [0, 0, 0]],
    [0.5, [125, 250, 500]],
    [1, [250, 500, 1000]],
  ] as const) {
    const { client, waits } = scripted([json(503, {})], { random: () => random, retry: { attempts: 4 } });
    await errorOf(client.whoami());
    assert.deepEqual(waits, expected);
  }
});

test("a read that succeeds on a later attempt returns its result", async () => {
  const { client, requests, log } = scripted([fails("reset"), json(503, {}), ok({ data: [] })]);
  assert.deepEqual(await client.listApiKeys(), []);
  assert.equal(requests.length, 3);
  assert.equal(log.length, 2);
});

test("retryable and retry_after are honored, in seconds, milliseconds or as a date, at most a minute", async () => {
  const refusal = (more: object) => json(503, { error: "e", message: "m", ...more });
  const cases: [HttpResponse, number[]][] = [
    [refusal({ retryable: false }), []],
    [refusal({ retryable: true }), [125, 250]],
    [refusal({ retryable: null, retry_after: null }), [125, 250]],
    [refusal({ retry_after: 2 }), [2125, 2250]],
    [refusal({ retry_after: 86_400 }), [60_000, 60_000]],
    [refusal({ retry_after: -5 }), [125, 250]],
    [json(409, { error: "e", message: "m", retryable: true, retry_after: 1 }), [1125, 1250]],
    [json(401, { error: "e", message: "m", retryable: true }), []],
    [json(429, {}, { "retry-after": "3" }), [3125, 3250]],
    [refusal({ retry_after: 3_000 }), [3125, 3250]],
    [refusal({ retry_after: 600 }), [60_000, 60_000]],
    [json(429, {}, { "retry-after": "Wed, 21 Oct 2020 07:28:00 GMT" }), [125, 250]],
    [
      json(429, {}, { "retry-after": "Wed, 21 Oct 2026 07:28:04 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" }),
      [4125, 4250],
    ],
    [json(429, {}, { "retry-after": "soon" }), [125, 250]],
  ];
  for (const [answer, expected] of cases) {
    const { client, waits, requests } = scripted([answer]);
    await errorOf(client.whoami());
    assert.deepEqual(waits, expected, answer.body);
    assert.equal(requests.length, expected.length + 1);
    const write = scripted([answer]);
    await errorOf(write.client.restoreAssistant(A));
    assert.equal(write.requests.length, 1);
  }
  const { client } = scripted([refusal({ retry_after: 7 })]);
  const error = await errorOf(client.whoami());
  assert.equal(error.retryAfterMs, 7000);
  assert.match(error.message, /Try again in 7 s\./);
});

test("a cancel before sending sends nothing, and one during the wait ends it", async () => {
  const before = scripted([ok({})]);
  const error = await errorOf(before.client.restoreAssistant(A, { signal: AbortSignal.abort() }));
  assert.deepEqual([error.kind, error.outcomeUnknown, before.requests.length], ["cancelled", false, 0]);
  const controller = new AbortController();
  const { client, requests } = scripted(
    () => {
      setTimeout(() => controller.abort(), 5);
      return json(503, { error: "e", message: "m", retry_after: 50 });
    },
    { sleep: undefined },
  );
  const waiting = await errorOf(client.whoami({ signal: controller.signal }));
  assert.deepEqual([waiting.kind, requests.length], ["cancelled", 1]);
});

test("an ID that would change the URL is rejected before anything is sent", async () => {
  for (const id of ["", ".", "..", "\ud800"]) {
    const { client, requests } = scripted([ok({})]);
    const error = await errorOf(client.revokeApiKey(id));
    assert.deepEqual([error.kind, requests.length], ["invalid", 0]);
  }
  const { client, requests } = scripted([ok({ id: "x" })]);
  await client.getWorkflow("../calls?x=1#y");
  assert.equal(requests[0]?.path, "/workflows/..%2Fcalls%3Fx%3D1%23y");
});

test("a bug in the transport isn't reported as a platform error", async () => {
  const broken = new PlatformClient({ send: () => Promise.reject(new RangeError("ours")) });
  await assert.rejects(broken.whoami(), RangeError);
});

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const ids = (items: readonly { id: string }[]) => items.map((item) => item.id).join(" ");
const page = (text: string, nextCursor?: string | null) =>
  ok({
    data: text
      .split(" ")
      .filter(Boolean)
      .map((id) => ({ id })),
    pagination: { limit: 2, nextCursor },
  });

test("workflows reads every page with the same filters", async () => {
  const { client, requests } = scripted([page("a b", "b"), page("c d", "d"), page("e")]);
  assert.equal(ids(await collect(client.workflows({ active: "true", limit: "2" }))), "a b c d e");
  assert.deepEqual(
    requests.map((request) => request.query?.cursor),
    [undefined, "b", "d"],
  );
  assert.ok(requests.every((request) => request.query?.active === "true" && request.query.limit === "2"));
});

test("workflows ends if a server repeats pages", async () => {
  const endings: [readonly HttpResponse[], string, number][] = [
    [[page("a b", null)], "a b", 1],
    [[page("a b", "")], "a b", 1],
    [[page("a b", "b")], "a b", 2],
    [[page("a", "x"), page("b", "y"), page("c", "x")], "a b c", 3],
    [[page("a", "x"), page("", "y"), page("b", "z")], "a", 2],
    [[page("a a b", "x"), page("b c")], "a b c", 2],
  ];
  for (const [answers, expected, count] of endings) {
    const { client, requests } = scripted(answers);
    assert.equal(ids(await collect(client.workflows())), expected);
    assert.equal(requests.length, count);
  }
  const invents = scripted((_, count) => page("a b", `cursor-${count}`));
  assert.equal(ids(await collect(invents.client.workflows())), "a b");
  assert.equal(invents.requests.length, 2);
  assert.equal(invents.log.length, 1);
});

test("calls follows nextCursorId by id and createdAt, and ends if pages repeat", async () => {
  const calls = (text: string, next?: string) =>
    ok({
      calls: text.split(" ").map((id) => ({ id })),
      nextCursorId: next && { id: next, createdAt: "2026-01-01T00:00:00Z", more: 1 },
    });
  const { client, requests } = scripted([calls("a b", "b"), calls("c", "c"), calls("d")]);
  assert.equal(ids(await collect(client.calls({ status: "INITIATED" }))), "a b c d");
  assert.deepEqual(
    requests.map((request) => request.query),
    [
      { status: "INITIATED" },
      { status: "INITIATED", id: "b", createdAt: "2026-01-01T00:00:00Z" },
      { status: "INITIATED", id: "c", createdAt: "2026-01-01T00:00:00Z" },
    ],
  );
  const loop = scripted((_, count) => (count % 2 ? calls("a", "x") : calls("b", "y")));
  assert.equal(ids(await collect(loop.client.calls())), "a b");
  assert.equal(loop.requests.length, 3);
});

test("paging is lazy and can be cancelled between pages", async () => {
  const { client, requests } = scripted([page("a b", "b"), page("c")]);
  for await (const workflow of client.workflows()) if (workflow.id === "b") break;
  assert.equal(requests.length, 1);
  const controller = new AbortController();
  const second = scripted([page("a b", "b"), page("c")]);
  const seen: string[] = [];
  const error = await errorOf(
    (async () => {
      for await (const workflow of second.client.workflows({}, { signal: controller.signal })) {
        seen.push(workflow.id);
        controller.abort();
      }
    })(),
  );
  assert.deepEqual([error.kind, seen, second.requests.length], ["cancelled", ["a", "b"], 1]);
});

test("a page without the call is not found", async () => {
  const { client } = scripted([ok({ calls: [] })]);
  assert.equal((await errorOf(client.getCall("c"))).kind, "not-found");
  const one = scripted([ok({ calls: [{ id: "other" }] })]);
  const call: Call = await one.client.getCall("c");
  assert.equal(call.id, "other");
});
