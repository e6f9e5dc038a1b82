/** The sandbox as seen by a web page and by another user of the machine. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { startSandbox } from "../../scripts/sandbox";

/** A request with any host and origin, which `fetch` would not send. */
function ask(
  url: string,
  headers: Record<string, string>,
  method = "GET",
  body?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

test("requests without a key are rejected first; the admin API needs its token and has no slow patterns", {
  timeout: 300_000,
}, async () => {
  const sandbox = await startSandbox({ flags: ["--admin-port", "0"] });
  try {
    const admin = new URL(sandbox.adminUrl ?? "");
    assert.match(admin.pathname, /^\/[0-9a-f]{32,}$/);
    for (const path of ["/faults", "/requests", "/clock", "/", "/executions/x", `/${"0".repeat(48)}/faults`])
      for (const method of ["GET", "POST", "DELETE"])
        assert.equal((await ask(`${admin.origin}${path}`, {}, method)).status, 401, `${method} ${path}`);
    assert.equal((await ask(`${admin.href}/faults`, {})).status, 200);
    // A fault that applies to every request, with a slow pattern.
    const fault = { match: { path: `${"*a".repeat(60)}b` }, fault: { kind: "latency", ms: 0 } };
    assert.equal(
      (await ask(`${admin.href}/faults`, { "content-type": "application/json" }, "POST", JSON.stringify(fault))).status,
      201,
    );
    // A naive matcher of this pattern would take years.
    await ask(`${sandbox.baseUrl}/${"a".repeat(8000)}`, {});
    const delay = { match: { path: "*" }, fault: { kind: "latency", ms: 600_000 } };
    await ask(`${admin.href}/faults`, { "content-type": "application/json" }, "POST", JSON.stringify(delay));
    // The guard comes first: a foreign request neither uses the fault nor waits for it, and isn't recorded.
    for (const headers of [
      { host: "evil.test" },
      { origin: "https://evil.test" },
      { host: "127.0.0.1.evil.test" },
    ] as Record<string, string>[])
      for (const url of [sandbox.baseUrl, sandbox.workflowBaseUrl, admin.href])
        assert.equal((await ask(`${url}/v1/identity/whoami`, headers)).status, 403, JSON.stringify(headers));
    assert.doesNotMatch((await ask(`${admin.href}/requests`, {})).text, /whoami/);
  } finally {
    await sandbox.stop();
  }
});
