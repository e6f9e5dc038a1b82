/**
 * A proxy in the environment, set by a careless or hostile shell profile: it never sees the key of a loopback address.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { proxyNode } from "../../scripts/vscode/install";
import { cli, inFolder } from "./outsider";

const KEY = "afk_0123456789_only_for_this_machine";

/** Listens on this machine during a function. */
async function listening<Result>(server: Server, work: (port: number) => Promise<Result>): Promise<Result> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

test("with NODE_USE_ENV_PROXY no command sends loopback requests to the proxy", async (t) => {
  // Node uses a proxy from the environment since version 24, which VS Code also includes.
  const node = await proxyNode().catch((error: Error) => error);
  if (node instanceof Error && !process.env.CI) return t.skip(node.message);
  assert.ok(typeof node === "string", String(node));
  const seen: string[] = [];
  const proxy = createSocketServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      seen.push(String(data));
      // A proxy can read a tunnel with plain HTTP.
      if (String(data).startsWith("CONNECT ")) socket.write("HTTP/1.1 200 OK\r\n\r\n");
      else socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
  });
  const keys: unknown[] = [];
  const platform = createServer((request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.writeHead(200, { "content-type": "application/json", connection: "close" }).end("{}");
  });
  await listening(proxy, (proxyPort) =>
    listening(platform, (port) =>
      inFolder({}, async (folder) => {
        const address = `http://127.0.0.1:${proxyPort}`;
        const proxies = { HTTP_PROXY: address, http_proxy: address, HTTPS_PROXY: address, ALL_PROXY: address };
        const env = { NODE_USE_ENV_PROXY: "1", NO_PROXY: undefined, no_proxy: undefined, ...proxies };
        for (const host of ["127.0.0.1", "localhost"]) {
          const url = `http://${host}:${port}`;
          const script = `fetch("${url}", { headers: { "x-api-key": "${KEY}" } }).catch(() => undefined)`;
          await promisify(execFile)(node, ["-e", script], { env: { ...process.env, ...env } });
          assert.ok(
            seen.join("").includes(KEY),
            "the environment does name a proxy, and a careless fetch hands it the key",
          );
          seen.length = 0;
          const own = {
            ASSISTANT_FLOW_BASE_URL: url,
            ASSISTANT_FLOW_WORKFLOW_BASE_URL: url,
            ASSISTANT_FLOW_API_KEY: KEY,
          };
          for (const args of [["login"], ["keys", "list"], ["calls", "list"]]) {
            const before = keys.length;
            const state = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
            await cli(args, { cwd: folder, node, env: { ...env, ...own, ...state } });
            assert.deepEqual(seen, [], args.join(" "));
            assert.ok(keys.length > before && keys.at(-1) === KEY, `${args.join(" ")} reached the platform itself`);
          }
        }
      }),
    ),
  );
});
