/** The sandbox as an HTTP server: access, rejected requests, and that every error is plain JSON. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { type Conforming, conforming } from "./conform";

let it: Conforming;
before(async () => {
  it = await conforming({ demo: true });
});
after(() => it.sandbox.stop());

/** A request with headers that fetch doesn't allow. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; body: string; headers: object }> {
  return new Promise((resolve, reject) => {
    request(it.sandbox.baseUrl + path, { method, headers }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    })
      .on("error", reject)
      .end();
  });
}

test("other hosts and origins are rejected, and CORS isn't allowed", async () => {
  const key = { "x-api-key": it.sandbox.apiKey };
  const { port } = new URL(it.sandbox.baseUrl);
  for (const host of ["evil.example.com", `evil.example.com:${port}`, "127.0.0.1", `127.0.0.1:${Number(port) + 1}`])
    assert.equal((await raw("/v1/identity/whoami", { ...key, host })).status, 403, host);
  for (const origin of ["https://evil.example.com", "null", `http://127.0.0.1:${Number(port) + 1}`])
    assert.equal((await raw("/v1/identity/whoami", { ...key, origin })).status, 403, origin);
  const own = await raw("/v1/identity/whoami", {
    ...key,
    host: `localhost:${port}`,
    origin: `http://localhost:${port}`,
  });
  assert.equal(own.status, 200);
  const preflight = await raw("/v1/identity/whoami", { origin: "https://evil.example.com" }, "OPTIONS");
  assert.equal(preflight.status, 403);
  for (const reply of [own, preflight])
    assert.ok(!Object.keys(reply.headers).some((name) => name.startsWith("access-control")));
});

test("each address has its own endpoints; everything else is a JSON 404 or 405", async () => {
  for (const [family, path] of [
    [it.platform, "/workflows"],
    [it.calling, "/v1/identity/api-keys"],
    [it.platform, "/v1/identity/api-keys/"],
    [it.platform, "/v1/assistants/%ZZ/restore/x"],
    [it.calling, "/favicon.ico"],
  ] as const) {
    const reply = await family("GET", path);
    assert.equal(reply.status, 404, path);
    assert.equal(reply.body.error, "not_found");
  }
  const wrong = await it.calling("DELETE", "/workflows");
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get("allow"), "GET");
  assert.equal(wrong.body.error, "method_not_allowed");
  assert.equal((await it.platform("POST", "/v1/assistants/%ZZ/restore")).status, 404);
});

test("malformed JSON, a wrong content type and a body over 5 MB are rejected with a JSON error", async () => {
  const path = "/v1/identity/api-keys";
  for (const bad of ["{", '{"name": }', "\u0000", "[".repeat(100_000)]) {
    const reply = await it.platform("POST", path, { raw: bad });
    assert.equal(reply.status, 400);
    assert.equal(reply.body.error, "bad_request");
  }
  assert.equal((await it.platform("POST", path, { raw: new Uint8Array([0x22, 0xff, 0x22]) })).status, 400);
  assert.equal((await it.platform("POST", path, { raw: `${"[".repeat(500)}${"]".repeat(500)}` })).status, 400);
  const type = await it.platform("POST", path, { raw: "name=x", headers: { "content-type": "text/plain" } });
  assert.equal(type.status, 415);
  assert.equal(type.body.error, "unsupported_media_type");
  const charset = { "content-type": "Application/JSON; charset=utf-8" };
  assert.equal((await it.platform("POST", path, { raw: '{"name":"x"}', headers: charset })).status, 201);
  const large = await it.platform("POST", path, { raw: JSON.stringify({ name: "x".repeat(5 * 1024 * 1024) }) });
  assert.equal(large.status, 413);
  assert.equal(large.body.error, "payload_too_large");
  const fits = await it.platform("POST", path, { raw: JSON.stringify({ name: "x", note: "y".repeat(5_000_000) }) });
  assert.equal(fits.status, 201);
});

test("no answer holds a key or a stack trace", async () => {
  const replies = [
    await it.platform("GET", "/v1/nowhere"),
    await it.platform("POST", "/v1/identity/api-keys", { raw: it.sandbox.apiKey }),
    await it.platform("GET", "/v1/identity/api-keys", { key: `${it.sandbox.apiKey}x` }),
    await it.platform("GET", "/v1/identity/whoami"),
    await it.platform("GET", "/"),
  ];
  for (const reply of replies) {
    const text = JSON.stringify(reply.body);
    assert.ok(!text.includes(it.sandbox.apiKey));
    assert.doesNotMatch(text, /\bat .*\.(ts|js):\d+/);
  }
});

test("input that isn't HTTP gets a response and is disconnected", async () => {
  const { port } = new URL(it.sandbox.baseUrl);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write("BOO\r\n\r\n"));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
  assert.match(answer, /^HTTP\/1\.1 400/);
  assert.equal(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)).error, "bad_request");
});

test("a browser gets a start page and the API description without a key", async () => {
  for (const base of [it.sandbox.baseUrl, it.sandbox.workflowBaseUrl]) {
    const page = await fetch(`${base}/`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", /text\/html/);
    assert.match(await page.text(), /Assistant Flow sandbox/);
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
      openapi: string;
      info: { version: string };
    };
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, "1.87.0");
  }
});

test("it binds the loopback address only", () => {
  for (const url of [it.sandbox.baseUrl, it.sandbox.workflowBaseUrl, it.sandbox.adminUrl ?? ""])
    assert.equal(new URL(url).hostname, "127.0.0.1");
});
