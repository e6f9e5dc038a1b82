import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { test } from "node:test";
import { explain, npm } from "../../scripts/packages.mjs";
import { capture, inProject, temporaryFolder } from "../../scripts/project";
import { freePort } from "../../scripts/vscode/server";

test("an old Node is told in one line", async () => {
  const folder = await temporaryFolder();
  const old = path.join(folder.path, "old.cjs");
  writeFileSync(
    old,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.1" } });',
  );
  const { code, output } = await capture(process.execPath, ["--require", old, inProject("scripts/run.mjs"), "test"]);
  await folder.remove();
  assert.equal(code, 1);
  assert.equal(output.trim(), "Assistant Flow needs Node 20.19 or newer; this is Node 18.20.1.");
});

test("without a network, set-up names the package and the reason", async () => {
  const folder = await temporaryFolder();
  mkdirSync(path.join(folder.path, "empty"));
  const before = process.env.npm_config_cache;
  process.env.npm_config_cache = path.join(folder.path, "empty");
  try {
    await assert.rejects(npm(["pack", "code-server@4.139.1", "--offline"], { cwd: folder.path }), {
      message: /the package "code-server": npm is set to work offline and it is not in npm's cache/,
    });
  } finally {
    if (before === undefined) delete process.env.npm_config_cache;
    else process.env.npm_config_cache = before;
    await folder.remove();
  }
});

test("what npm says becomes one sentence", () => {
  const refused =
    "npm error code ECONNREFUSED\nnpm error FetchError: request to https://r.example/@a%2fb failed, reason: x";
  assert.match(
    explain(["ci"], refused),
    /the package "@a\/b": the package registry cannot be reached \(ECONNREFUSED\)/,
  );
  const tarball =
    "npm error code ENOTCACHED\nnpm error request to https://r.example/a/-/a-1.0.0.tgz failed: cache mode";
  assert.match(explain(["ci"], tarball), /the package "a": npm is set to work offline/);
  assert.match(explain(["ci"], "npm error code ENOSPC\n"), /the project's packages: the disk is full/);
  assert.match(
    explain(["install", "a@1"], "npm error code E404\nnpm error 404 Not Found - GET https://r.example/a"),
    /does not have it/,
  );
});

test("a port in use is passed over", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as net.AddressInfo;
  assert.ok((await freePort(port)) > port);
  taken.close();
  assert.equal(await freePort(0), 0);
});
