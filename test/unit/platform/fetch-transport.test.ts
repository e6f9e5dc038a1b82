import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { test } from "node:test";
import { inspect } from "node:util";
import { createGzip } from "node:zlib";
import {
  addressProblem,
  type Connection,
  connectionFromEnvironment,
  type FetchTransportOptions,
  fetchTransport,
  type HttpRequest,
  keyProblem,
  PlatformClient,
  PlatformError,
  redact,
  Secret,
  TransportError,
  type TransportFailure,
} from "../../../platform";
import { loopback, sendJson } from "./loopback";

const KEY = "sk_live_0123456789abcdef";
const get: HttpRequest = { family: "platform", method: "GET", path: "/v1/identity/whoami" };
const post: HttpRequest = { family: "platform", method: "POST", path: "/v1/identity/api-keys", body: { name: "n" } };

const connect = (baseUrl: string, options?: FetchTransportOptions, more: Partial<Connection> = {}) =>
  fetchTransport({ baseUrl, key: new Secret(KEY), ...more }, options);

async function failure(sent: Promise<unknown>, expected: TransportFailure): Promise<TransportError> {
  const error = await sent.then(
    () => assert.fail("an answer came"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof TransportError, inspect(error));
  assert.equal(error.failure, expected);
  for (const shown of [
    inspect(error, { depth: 9, showHidden: true }),
    JSON.stringify(error),
    String(error),
    error.stack,
  ])
    assert.ok(!shown?.includes(KEY), `shows the key: ${shown}`);
  return error;
}

test("a request carries the key, the query and the body to the address with its prefix", async (t) => {
  const server = await loopback(t, (_, response) => sendJson(response, 201, { id: "1" }, { "X-Trace": "7" }));
  const transport = connect(`${server.origin}/eu/`, {}, { workflowBaseUrl: `${server.origin}/calling` });
  const answer = await transport.send({ ...post, query: { a: "ü&=" } });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers["x-trace"], "7");
  assert.equal(answer.body, '{"id":"1"}');
  await transport.send({ family: "calling", method: "GET", path: "/calls/a%2Fb" });
  const [first, second] = server.seen;
  assert.equal(first?.url, "/eu/v1/identity/api-keys?a=%C3%BC%26%3D");
  assert.equal(first?.headers["x-api-key"], KEY);
  assert.equal(first?.headers["content-type"], "application/json");
  assert.equal(first?.body, '{"name":"n"}');
  assert.equal(second?.url, "/calling/calls/a%2Fb");
  assert.equal(second?.headers["content-type"], undefined);
  for (const header of ["authorization", "cookie"]) assert.equal(first?.headers[header], undefined);
});

test("the calling address has its own key where one was entered", async (t) => {
  const server = await loopback(t, (_, response) => sendJson(response, 200, {}));
  const more = { workflowBaseUrl: server.origin, workflowKey: new Secret("the-other-key") };
  const transport = connect(server.origin, {}, more);
  await transport.send(get);
  await transport.send({ family: "calling", method: "GET", path: "/calls" });
  assert.deepEqual(
    server.seen.map((each) => each.headers["x-api-key"]),
    [KEY, "the-other-key"],
  );
});

for (const status of [301, 302, 303, 307, 308])
  for (const request of [get, post])
    test(`a ${status} to another origin is an error, and neither key nor request goes there (${request.method})`, async (t) => {
      const other = await loopback(t, (_, response) => sendJson(response, 200, {}));
      const location = `${other.origin}/v1/steal?k=${KEY}`;
      const server = await loopback(t, (_, response) => response.writeHead(status, { location }).end("moved"));
      const error = await failure(connect(server.origin).send(request), "redirect");
      assert.equal(other.seen.length, 0);
      assert.equal(server.seen.length, 1);
      assert.match(error.message, /Check the connection URL/);
      assert.ok(error.message.includes(other.origin));
    });

test("a redirect within the origin is not followed either", async (t) => {
  const server = await loopback(t, (_, response) => response.writeHead(302, { location: "/login" }).end());
  await failure(connect(server.origin).send(get), "redirect");
  assert.equal(server.seen.length, 1);
});

test("a decompression bomb is stopped while it arrives", async (t) => {
  const server = await loopback(t, (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1_000_000, 32);
      })(),
    );
    pipeline(endless, createGzip(), response, () => {});
  });
  const error = await failure(connect(server.origin, { maxResponseBytes: 2_000_000 }).send(get), "too-large");
  assert.match(error.message, /exceeds 2 MB/);
});

test("a response just within the limit is read completely, with characters that span chunks", async (t) => {
  const text = "ü€😀".repeat(40_000);
  const server = await loopback(t, (_, response) => response.end(text));
  const bytes = Buffer.byteLength(text);
  assert.equal((await connect(server.origin, { maxResponseBytes: bytes }).send(get)).body, text);
  await failure(connect(server.origin, { maxResponseBytes: bytes - 1 }).send(get), "too-large");
});

test("a key that cannot be a key never reaches fetch, and is not quoted", async () => {
  for (const bad of [
    `${KEY}\n`,
    `${KEY}\r\nx: y`,
    `${KEY}\0`,
    `${KEY} `,
    ` ${KEY}`,
    `${KEY}\t`,
    `${KEY}€`,
    `${KEY}\u0085`,
    "",
  ]) {
    let asked = 0;
    const spy = () => {
      asked++;
      return Promise.reject(new Error("asked"));
    };
    const transport = connect("https://platform.example", { fetch: spy }, { key: new Secret(bad) });
    const error = await failure(transport.send(get), "bad-key");
    assert.equal(asked, 0);
    assert.ok(keyProblem(bad));
    assert.match(error.message, /enter/i);
  }
  assert.equal(keyProblem(KEY), undefined);
});

test("only https, loopback excepted", async () => {
  const spy = () => Promise.reject(new Error("asked"));
  const refused = [
    "http://platform.example",
    "http://10.0.0.1",
    "http://127.0.0.1.platform.example",
    "http://localhost.platform.example",
    "ftp://platform.example",
    "https://user:pass@platform.example",
    "https://platform.example?x=1",
    "https://platform.example#x",
    "platform.example",
    "file:///etc/passwd",
  ];
  for (const address of refused) {
    assert.ok(addressProblem(address), address);
    await failure(connect(address, { fetch: spy }).send(get), "insecure-address");
  }
  for (const address of [
    "https://platform.example/eu",
    "http://127.0.0.1:4010",
    "http://localhost",
    "http://[::1]:80/x",
  ])
    assert.equal(addressProblem(address), undefined, address);
  await failure(
    connect("https://platform.example", { fetch: spy }).send({ ...get, family: "calling" }),
    "no-connection",
  );
});

test("a path can't leave the connection's address", async () => {
  const spy = () => Promise.reject(new Error("asked"));
  for (const path of ["/../x", "/v1/%2e%2e/x", "x", "@evil.example/", "/a?b", "/a#b", "/\\..\\x", "/a\tb"])
    await failure(connect("https://platform.example/eu", { fetch: spy }).send({ ...get, path }), "insecure-address");
});

test("a key echoed in a response is removed", async (t) => {
  const server = await loopback(t, (request, response) => {
    const echo = String(request.headers["x-api-key"]);
    sendJson(response, 400, { error: "bad_request", message: `bad key ${echo}` }, { "x-echo": echo });
  });
  const answer = await connect(server.origin).send(get);
  for (const shown of [JSON.stringify(answer), inspect(answer, { depth: 9, showHidden: true })])
    assert.ok(!shown?.includes(KEY), `shows the key: ${shown}`);
});

test("a response is passed between processes as JSON", async (t) => {
  const body = { updated: true, graph: "€".repeat(200_000), graph_version: 7 };
  const server = await loopback(t, (_, response) => sendJson(response, 200, body));
  const answer = await connect(server.origin).send(get);
  const sent = JSON.parse(JSON.stringify(answer));
  assert.deepEqual(Object.keys(sent), ["status", "headers", "body"]);
  assert.deepEqual(JSON.parse(sent.body), body);
});

test("the time limit covers headers and body, and differs from cancellation", async (t) => {
  const silent = await loopback(t, () => {});
  await failure(connect(silent.origin, { timeoutMs: 30 }).send(get), "timeout");
  const drip = await loopback(t, (_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  });
  await failure(connect(drip.origin).send(get, { timeoutMs: 60 }), "timeout");
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error(`cancelled with ${KEY}`)), 30);
  await failure(connect(silent.origin).send(get, { signal: controller.signal }), "cancelled");
  await failure(connect(silent.origin).send(get, { signal: AbortSignal.abort() }), "cancelled");
});

test("a broken connection is a reset, whenever it breaks", async (t) => {
  const before = await loopback(t, (_, response) => response.socket?.resetAndDestroy());
  await failure(connect(before.origin).send(post), "reset");
  const mid = await loopback(t, (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.socket?.resetAndDestroy());
  });
  await failure(connect(mid.origin).send(get), "reset");
  const short = await loopback(t, (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.socket?.end());
  });
  await failure(connect(short.origin).send(get), "reset");
  const chunked = await loopback(t, (_, response) => {
    response.writeHead(200);
    response.write("half", () => response.socket?.end());
  });
  await failure(connect(chunked.origin).send(get), "reset");
});

test("a response that isn't HTTP and a refused port have different errors", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    socket.end("220 smtp.example ESMTP\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await failure(connect(`http://127.0.0.1:${port}`).send(get), "reset");
  await failure(connect(`https://127.0.0.1:${port}`).send(get), "tls");
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  const error = await failure(connect(`http://127.0.0.1:${port}`).send(get), "network");
  assert.match(error.message, /Can't reach .* Check the network/);
  // Node's fetch turns a 407 into an error (network.test.ts); an editor's fetch may return it.
  const asking = async () => new Response(null, { status: 407 });
  await failure(connect("https://platform.example", { fetch: asking }).send(get), "proxy");
});

const THROWN: readonly (readonly [TransportFailure, unknown])[] = [
  ["network", { cause: { code: "ENOTFOUND" } }],
  ["network", { cause: { errors: [{ code: "ENETUNREACH" }, { code: "ECONNREFUSED" }] } }],
  ["network", { cause: { code: "UND_ERR_CONNECT_TIMEOUT" } }],
  ["network", { message: "net::ERR_INTERNET_DISCONNECTED" }],
  ["network", { cause: { message: "bad port" } }],
  ["proxy", { cause: { message: "Proxy response (407) !== 200 when HTTP Tunneling" } }],
  ["proxy", { message: "net::ERR_PROXY_CONNECTION_FAILED" }],
  ["proxy", { message: "net::ERR_TUNNEL_CONNECTION_FAILED" }],
  ["tls", { cause: { code: "SELF_SIGNED_CERT_IN_CHAIN" } }],
  ["tls", { cause: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" } }],
  ["tls", { cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" } }],
  ["tls", { message: "net::ERR_CERT_AUTHORITY_INVALID" }],
  ["timeout", { cause: { code: "ETIMEDOUT" } }],
  ["timeout", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }],
  ["reset", { cause: { code: "ECONNRESET" } }],
  ["reset", { cause: { code: "UND_ERR_SOCKET" } }],
  ["reset", { message: `something with ${KEY}` }],
  ["reset", "a string"],
];

for (const [expected, thrown] of THROWN)
  test(`${inspect(thrown, { breakLength: Infinity }).slice(0, 70)} is ${expected}`, async () => {
    const error = await failure(
      connect("https://platform.example", { fetch: () => Promise.reject(thrown) }).send(get),
      expected,
    );
    assert.match(error.message, /platform\.example/);
    assert.doesNotMatch(error.message, /undefined|null|\[object|[A-Z]{3,}_?[A-Z]{2,}/);
  });

test("nothing that holds a key shows it", async (t) => {
  const secret = new Secret(KEY);
  const connection: Connection = { baseUrl: "https://platform.example", key: secret, workflowKey: secret };
  const server = await loopback(t, (_, response) => sendJson(response, 201, { id: "1", plain_text_key: KEY }));
  const transport = connect(server.origin, {}, { key: new Secret("the-creating-key") });
  const client = new PlatformClient(transport);
  const created = await client.createApiKey({ name: "n" });
  assert.equal(created.secret.reveal(), KEY);
  const error = new PlatformError("network", "m", { operation: "whoami" });
  const fromEnvironment = connectionFromEnvironment({
    ASSISTANT_FLOW_BASE_URL: "https://platform.example",
    ASSISTANT_FLOW_API_KEY: KEY,
  });
  assert.equal(fromEnvironment?.key.reveal(), KEY);
  for (const object of [
    secret,
    connection,
    transport,
    client,
    created,
    error,
    fromEnvironment,
    [secret],
    new Map([[1, secret]]),
  ]) {
    const shown = [
      inspect(object, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(object),
      String(object),
      `${JSON.stringify(Object.entries(object ?? {}))}`,
    ];
    for (const text of shown) assert.ok(!text.includes(KEY), text);
  }
});

test("an unreadable response with a new key isn't quoted", async (t) => {
  for (const body of [`{"id":"1","plain_text_key":"${KEY}`, `{"plain_text_key":"${KEY}"}`]) {
    const server = await loopback(t, (_, response) => response.writeHead(201).end(body));
    const client = new PlatformClient(connect(server.origin, {}, { key: new Secret("the-creating-key") }));
    const error = await client.createApiKey({ name: "n" }).catch((error: unknown) => error);
    assert.ok(error instanceof PlatformError);
    assert.equal(error.kind, "unreadable");
    assert.ok(error.outcomeUnknown);
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(KEY));
  }
});

test("redact removes a secret in every form", () => {
  const secret = new Secret('a"b/c d');
  const text = `plain a"b/c d, json ${JSON.stringify('a"b/c d')}, url ${encodeURIComponent('a"b/c d')}`;
  assert.equal(redact(text, [secret]), 'plain [secret], json "[secret]", url [secret]');
  assert.equal(`${inspect(secret)} ${secret} ${JSON.stringify(secret)}`, '[secret] [secret] "[secret]"');
  assert.equal(redact("nothing", [new Secret("")]), "nothing");
  assert.equal(redact("abc ab", [new Secret("ab"), new Secret("abc")]), "[secret] [secret]");
});
