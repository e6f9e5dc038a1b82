/** Failures below HTTP on loopback: untrusted certificates, and proxies that block everything. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { buildSync } from "esbuild";
import { capture, inProject } from "../../../scripts/project";
import { proxyNode } from "../../../scripts/vscode/install";
import { certificate, type Identity } from "./certificate";
import { loopback } from "./loopback";

interface Outcome {
  readonly status?: number;
  readonly failure?: string;
  readonly message?: string;
}

const folder = mkdtempSync(join(tmpdir(), "aflow-network-"));
after(() => rmSync(folder, { recursive: true }));
const oneRequest = join(folder, "one-request.cjs");
buildSync({
  entryPoints: [inProject("test/unit/platform/one-request.ts")],
  outfile: oneRequest,
  bundle: true,
  platform: "node",
});

async function request(address: string, env: Record<string, string> = {}, node = process.execPath): Promise<Outcome> {
  const { output } = await capture(node, [oneRequest, address], { env: { ...plainEnvironment(), ...env } });
  const line = output.split("\n").find((each) => each.startsWith("{"));
  assert.ok(line, output);
  assert.ok(!output.includes("sk_live"), "the key is shown");
  return JSON.parse(line);
}

/** Our environment, without settings for proxies and certificates. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/proxy|^NODE_|^SSL_/i.test(name));
  return Object.fromEntries(own);
}

async function listening(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function https(t: TestContext, identity: Identity): Promise<string> {
  const server = createHttpsServer(identity, (_, response) => response.end("{}"));
  t.after(() => server.closeAllConnections());
  return `https://127.0.0.1:${await listening(t, server)}`;
}

test("an untrusted certificate is a TLS error with advice", async (t) => {
  const outcome = await request(await https(t, certificate({ name: "alone", ip: [127, 0, 0, 1] })));
  assert.equal(outcome.failure, "tls");
  assert.match(outcome.message ?? "", /isn't trusted\..*add them to the system's/);
});

test("a trusted authority: its certificate is accepted, but not for another host or after it expired", async (t) => {
  const authority = certificate({ name: "authority" });
  const folder = mkdtempSync(join(tmpdir(), "aflow-ca-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "authority.pem");
  writeFileSync(file, authority.cert);
  const ask = async (wish: { ip: readonly number[]; days?: readonly [number, number] }) =>
    request(await https(t, certificate({ name: "platform", by: authority, ...wish })), { NODE_EXTRA_CA_CERTS: file });
  const [fine, elsewhere, expired] = await Promise.all([
    ask({ ip: [127, 0, 0, 1] }),
    ask({ ip: [10, 0, 0, 1] }),
    ask({ ip: [127, 0, 0, 1], days: [-30, -1] }),
  ]);
  assert.deepEqual(fine, { status: 200 });
  assert.equal(elsewhere.failure, "tls");
  assert.match(elsewhere.message ?? "", /is for another host/);
  assert.equal(expired.failure, "tls");
  assert.match(expired.message ?? "", /has expired/);
});

test("a 407 is reported as the proxy's, although Node's fetch hides it", async (t) => {
  const asking = await loopback(t, (_, response) =>
    response.writeHead(407, { "proxy-authenticate": "Basic" }).end("who are you?"),
  );
  const outcome = await request(asking.origin);
  assert.equal(outcome.failure, "proxy");
  assert.match(outcome.message ?? "", /rejected the request\. Check the proxy settings/);
});

/** Node reads a proxy from the environment since 24, which is also the version in VS Code. */
let node24: string | undefined;
let whyNot = "";
before(async () => {
  node24 = await proxyNode().catch((error: Error) => {
    whyNot = error.message;
    return undefined;
  });
});

for (const status of ["407 Proxy Authentication Required", "502 Bad Gateway", "403 Forbidden"])
  test(`a proxy that answers the tunnel with ${status} is named as what failed`, async (t) => {
    if (!node24 && !process.env.CI) return t.skip(whyNot);
    assert.ok(node24, whyNot);
    const asked: string[] = [];
    const proxy = createSocketServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", (data) => {
        asked.push(String(data));
        socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      });
    });
    const address = `http://127.0.0.1:${await listening(t, proxy)}`;
    const env = { NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: address };
    const outcome = await request("https://platform.example", env, node24);
    assert.equal(outcome.failure, "proxy", JSON.stringify(outcome));
    assert.match(outcome.message ?? "", /proxy for platform\.example .* Check the proxy settings/);
    assert.match(asked[0] ?? "", /^CONNECT platform\.example:443 /);
    assert.ok(!asked.join().includes("sk_live"), "the proxy was shown the key");
  });
