/** The client against each fault of the sandbox, over real HTTP: the error it reports, and how many requests it made. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { inspect } from "node:util";
import {
  fetchTransport,
  PlatformClient,
  PlatformError,
  type PlatformErrorKind,
  Secret,
  type Transport,
} from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { loopback } from "./loopback";

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ adminPort: 0, report: () => {} });
});
after(() => sandbox.stop());
beforeEach(() => admin("DELETE", "/faults"));

async function admin(method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${sandbox.adminUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`);
}

/** A client that counts requests and doesn't wait. */
function counted(timeoutMs = 20_000) {
  const direct = fetchTransport({
    baseUrl: sandbox.baseUrl,
    workflowBaseUrl: sandbox.workflowBaseUrl,
    key: new Secret(sandbox.apiKey),
  });
  const made = { requests: 0, waits: [] as number[] };
  const transport: Transport = {
    send(request, options) {
      made.requests++;
      return direct.send(request, options);
    },
  };
  const sleep = async (ms: number) => void made.waits.push(ms);
  return { client: new PlatformClient(transport, { sleep, random: () => 0, timeoutMs }), made };
}

type Fault = Record<string, unknown>;
const KEYS = "/v1/identity/api-keys";
const arm = (fault: Fault, times = 10) => admin("POST", "/faults", { match: { path: KEYS }, times, fault });

async function errorOf(promise: Promise<unknown>): Promise<PlatformError> {
  const error = await promise.then(
    () => assert.fail("no error"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof PlatformError, inspect(error));
  const shown = `${error.message} ${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`;
  assert.ok(!shown.includes(sandbox.apiKey), "the key is shown");
  assert.doesNotMatch(error.message, /undefined|\[object| at \w+ \(/);
  return error;
}

interface Expected {
  readonly kind: PlatformErrorKind;
  /** Requests made for a read. A write is always one request. */
  readonly reads: number;
  readonly unknown: boolean;
  /** Whether the write took effect; omitted if it may or may not. */
  readonly applied?: boolean;
  readonly timeoutMs?: number;
}

const CASES: readonly (readonly [string, Fault, Expected])[] = [
  [
    "latency beyond the limit",
    { kind: "latency", ms: 400 },
    { kind: "timeout", reads: 3, unknown: true, timeoutMs: 60 },
  ],
  [
    "a slow drip",
    { kind: "drip", bytes: 1, every_ms: 40 },
    { kind: "timeout", reads: 3, unknown: true, timeoutMs: 200 },
  ],
  [
    "a reset before the write",
    { kind: "reset", when: "before" },
    { kind: "reset", reads: 3, unknown: true, applied: false },
  ],
  [
    "a reset in the middle of the answer",
    { kind: "reset", when: "mid" },
    { kind: "reset", reads: 3, unknown: true, applied: true },
  ],
  [
    "a reset after the write",
    { kind: "reset", when: "after" },
    { kind: "reset", reads: 3, unknown: true, applied: true },
  ],
  [
    "JSON that stops in the middle",
    { kind: "truncate" },
    { kind: "unreadable", reads: 3, unknown: true, applied: true },
  ],
  [
    "an HTML page as a success",
    { kind: "html", status: 200, apply: true },
    { kind: "unreadable", reads: 3, unknown: true, applied: true },
  ],
  [
    "an HTML page as a failure",
    { kind: "html", status: 502 },
    { kind: "server", reads: 3, unknown: true, applied: false },
  ],
  [
    "another body than documented",
    { kind: "body", body: '{"data":{}}' },
    { kind: "unreadable", reads: 3, unknown: true, applied: false },
  ],
  ["an empty body", { kind: "body", body: "" }, { kind: "unreadable", reads: 3, unknown: true, applied: false }],
  [
    "a 500 after the write",
    { kind: "status", status: 500, apply: true },
    { kind: "server", reads: 3, unknown: true, applied: true },
  ],
  [
    "a 503 that is not worth a retry",
    { kind: "status", status: 503, retryable: false },
    { kind: "server", reads: 1, unknown: true, applied: false },
  ],
  [
    "a 409 that is worth one",
    { kind: "status", status: 409, retryable: true },
    { kind: "conflict", reads: 3, unknown: false, applied: false },
  ],
  ...(
    [
      [400, "refused", 1],
      [401, "unauthorized", 1],
      [403, "forbidden", 1],
      [404, "not-found", 1],
      [405, "refused", 1],
      [409, "conflict", 1],
      [412, "conflict", 1],
      [418, "refused", 1],
      [422, "invalid", 1],
      [429, "rate-limited", 3],
    ] as const
  ).map(([status, kind, reads]): [string, Fault, Expected] => [
    `a ${status}`,
    { kind: "status", status },
    { kind, reads, unknown: false, applied: false },
  ]),
  ...[500, 502, 503, 504].map((status): [string, Fault, Expected] => [
    `a ${status}`,
    { kind: "status", status },
    { kind: "server", reads: 3, unknown: true, applied: false },
  ]),
];

for (const [name, fault, { kind, reads, unknown, applied, timeoutMs }] of CASES)
  test(name, async () => {
    await arm(fault);
    const read = counted(timeoutMs);
    const readError = await errorOf(read.client.listApiKeys());
    assert.deepEqual(
      {
        kind: readError.kind,
        requests: read.made.requests,
        told: readError.requests,
        unknown: readError.outcomeUnknown,
      },
      { kind, requests: reads, told: reads, unknown: false },
    );
    const write = counted(timeoutMs);
    const writeError = await errorOf(write.client.createApiKey({ name }));
    assert.deepEqual(
      { kind: writeError.kind, requests: write.made.requests, unknown: writeError.outcomeUnknown },
      { kind, requests: 1, unknown },
    );
    await admin("DELETE", "/faults");
    const names = (await counted().client.listApiKeys()).map((key) => key.name);
    if (applied !== undefined) assert.equal(names.includes(name), applied, "whether the write took effect");
  });

test("a read recovers from a temporary fault", async () => {
  for (const fault of [
    { kind: "reset", when: "before" },
    { kind: "reset", when: "mid" },
    { kind: "truncate" },
    { kind: "html", status: 502 },
    { kind: "status", status: 503, retry_after: 7 },
  ]) {
    await arm(fault, 2);
    const { client, made } = counted();
    assert.ok((await client.listApiKeys()).length > 0);
    assert.equal(made.requests, 3, inspect(fault));
    await admin("DELETE", "/faults");
  }
});

test("retry_after is honored: seconds up to 600, milliseconds above, at most a minute", async () => {
  for (const [retry_after, waits] of [
    [2, [2000, 2000]],
    [86_400, [60_000, 60_000]],
  ] as const) {
    await arm({ kind: "status", status: 429, retry_after });
    const { client, made } = counted();
    const error = await errorOf(client.listApiKeys());
    assert.deepEqual(made.waits, waits);
    assert.equal(error.retryAfterMs, retry_after > 600 ? retry_after : retry_after * 1000);
    await admin("DELETE", "/faults");
  }
});

test("a slow response within the limit succeeds", async () => {
  await arm({ kind: "latency", ms: 30 }, 1);
  const { client, made } = counted();
  assert.ok((await client.listApiKeys()).length > 0);
  await arm({ kind: "drip", bytes: 50, every_ms: 1 }, 1);
  assert.ok((await client.listApiKeys()).length > 0);
  assert.equal(made.requests, 2);
});

test("a redirect is reported and not followed", async (t) => {
  const other = await loopback(t, (_, response) => response.end("{}"));
  for (const status of [301, 302, 303, 307, 308]) {
    await arm({ kind: "status", status, headers: { location: `${other.origin}/` } });
    const read = counted();
    assert.equal((await errorOf(read.client.listApiKeys())).kind, "redirect");
    assert.equal(read.made.requests, 1);
    const write = counted();
    const error = await errorOf(write.client.createApiKey({ name: "redirected" }));
    assert.deepEqual([error.kind, error.outcomeUnknown, write.made.requests], ["redirect", true, 1]);
    await admin("DELETE", "/faults");
  }
  assert.equal(other.seen.length, 0);
});

test("cancellation ends a slow response", async () => {
  await arm({ kind: "latency", ms: 2000 });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 40);
  const { client, made } = counted();
  const error = await errorOf(client.createApiKey({ name: "cancelled" }, { signal: controller.signal }));
  assert.deepEqual([error.kind, error.outcomeUnknown, made.requests], ["cancelled", true, 1]);
});

test("the calling address has the same errors, and paging stops at the first", async () => {
  await admin("POST", "/faults", { match: { family: "calling" }, times: 10, fault: { kind: "reset", when: "mid" } });
  const { client, made } = counted();
  const error = await errorOf(
    (async () => {
      for await (const _ of client.workflows());
    })(),
  );
  assert.deepEqual([error.kind, made.requests], ["reset", 3]);
});
