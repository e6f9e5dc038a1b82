import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { test } from "node:test";
import { explain, npm, packagesAreInstalled } from "../../scripts/packages.mjs";
import { capture, inProject, temporaryFolder } from "../../scripts/project";
import { findBrowser } from "../../scripts/vscode/browser";
import { ensurePart, removeLeftovers } from "../../scripts/vscode/parts";
import { freePort } from "../../scripts/vscode/server";

test("an old Node gets a one-line message", async () => {
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

test("npm's error becomes one sentence", () => {
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

test("missing or outdated packages are installed again", async () => {
  const folder = await temporaryFolder();
  const write = (file: string, content: object) => {
    mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
    writeFileSync(path.join(folder.path, file), JSON.stringify(content));
  };
  const lock = (a: string) => ({ "node_modules/a": { version: a }, "node_modules/@b/c": { version: "2.0.0" } });
  const others = { "node_modules/for-windows": { version: "1.0.0", optional: true } };
  const installed = () => packagesAreInstalled(folder.path);
  write("package-lock.json", { packages: { "": {}, ...lock("1.0.0"), ...others } });
  assert.equal(installed(), false, "nothing is there");
  for (const name of ["a", "@b/c"]) write(`node_modules/${name}/package.json`, {});
  assert.equal(installed(), false, "npm was ended before it had finished");
  write("node_modules/.package-lock.json", { packages: lock("1.0.0") });
  assert.equal(installed(), true);
  write("node_modules/.package-lock.json", { packages: lock("0.9.0") });
  assert.equal(installed(), false, "an older version");
  write("node_modules/.package-lock.json", { packages: lock("1.0.0") });
  rmSync(path.join(folder.path, "node_modules/@b/c"), { recursive: true });
  assert.equal(installed(), false, "a package was lost");
  await folder.remove();
});

test("an incomplete part of VS Code is downloaded again, a complete one isn't", async () => {
  const { path: home, remove } = await temporaryFolder();
  let made = 0;
  const part = (cutOff: boolean) => ({
    name: "code-2",
    proof: "out/main.js",
    make: async (place: string) => {
      made += 1;
      mkdirSync(path.join(place, "out"));
      writeFileSync(path.join(place, "out/half.js"), "");
      if (cutOff) throw new Error("the network went away");
      writeFileSync(path.join(place, "out/main.js"), "");
    },
  });
  await assert.rejects(ensurePart(home, part(true)), /the network went away/);
  assert.ok(!existsSync(path.join(home, "code-2")), "half a part is in its place");
  const place = await ensurePart(home, part(false));
  assert.equal(place, path.join(home, "code-2"));
  await ensurePart(home, part(false));
  assert.equal(made, 2);
  rmSync(path.join(place, "out/main.js"));
  await Promise.all([ensurePart(home, part(false)), ensurePart(home, part(false))]);
  assert.equal(made, 3, "a part without what it needs was taken for whole, or made by two at once");
  // Leftovers of ended runs and other versions are removed; files of a running one, and unrelated ones, aren't.
  for (const name of ["code-1", "code-2.999999999.unfinished", `node-1.${process.ppid}.unfinished`, "code-insiders-7"])
    mkdirSync(path.join(home, name));
  await removeLeftovers(home, ["code-2", "node-1"]);
  assert.deepEqual(readdirSync(home).sort(), ["code-2", "code-insiders-7", `node-1.${process.ppid}.unfinished`]);
  await remove();
});

test("a port in use is skipped, whichever local address uses it", async (t) => {
  for (const host of ["127.0.0.1", "::1"]) {
    const taken = net.createServer().listen(0, host);
    const failure = await new Promise<Error | undefined>((resolve) => {
      taken.once("listening", () => resolve(undefined)).once("error", resolve);
    });
    if (failure) {
      t.diagnostic(`${host}: ${failure.message}`); // Some machines have no IPv6.
      continue;
    }
    const { port } = taken.address() as net.AddressInfo;
    assert.ok((await freePort(port)) > port, host);
    taken.close();
  }
  assert.equal(await freePort(0), 0);
});

test("a configured program that doesn't exist is named in the error", () => {
  const before = process.env.BROWSER_EXECUTABLE;
  process.env.BROWSER_EXECUTABLE = inProject("no-such-browser");
  try {
    assert.throws(findBrowser, /BROWSER_EXECUTABLE is ".*no-such-browser", which doesn't exist/);
  } finally {
    if (before === undefined) delete process.env.BROWSER_EXECUTABLE;
    else process.env.BROWSER_EXECUTABLE = before;
  }
});
