/** A release of the bundles in dist/: what is in it, that it is reproducible, and that the npm package works once installed. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { packNpmPackage } from "../../scripts/npm-package";
import { inProject, manifest, temporaryFolder } from "../../scripts/project";
import { writeRelease } from "../../scripts/release";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let installed: string;
const release = (...names: string[]) => path.join(folder.path, "release", ...names);
const tarball = `assistant-flow-${manifest.version}.tgz`;

/** An empty home and an empty npm cache, and no way to the network but the registry that is configured. */
function run(command: string, args: readonly string[]) {
  const env = {
    PATH: `${path.join(installed, "bin")}${path.delimiter}${process.env.PATH}`,
    HOME: path.join(folder.path, "home"),
    npm_config_cache: path.join(folder.path, "cache"),
    npm_config_prefix: installed,
    npm_config_update_notifier: "false",
    npm_config_offline: "true",
  };
  return spawnSync(command, args, { cwd: folder.path, env, encoding: "utf8", timeout: 120_000 });
}

before(async () => {
  folder = await temporaryFolder();
  installed = path.join(folder.path, "installed");
  mkdirSync(path.join(folder.path, "home"));
  cpSync(inProject("examples"), path.join(folder.path, "examples"), { recursive: true });
  process.env.ASSISTANT_FLOW_BUILT = "1"; // The bundles are in use by other tests.
  await writeRelease(release());
});
after(() => folder?.remove());

test("a release has the extension, the package, an SBOM, notes and their checksums", () => {
  const names = [tarball, `assistant-flow-${manifest.version}.vsix`, "release-notes.md", "sbom.cdx.json"];
  assert.deepEqual(readdirSync(release()).sort(), [...names, "checksums.txt"].sort());
  const sums = readFileSync(release("checksums.txt"), "utf8").trimEnd().split("\n");
  assert.deepEqual(sums.map((line) => line.split("  ")[1]).sort(), names.sort());
  for (const line of sums) {
    const [sum, name = ""] = line.split("  ");
    assert.equal(
      createHash("sha256")
        .update(readFileSync(release(name)))
        .digest("hex"),
      sum,
      name,
    );
  }
  const sbom = JSON.parse(readFileSync(release("sbom.cdx.json"), "utf8"));
  assert.equal(sbom.bomFormat, "CycloneDX");
  assert.equal(sbom.metadata.component.version, manifest.version);
  for (const name of ["yaml", "commander", "vscode-languageserver", "vscode-languageclient", "uplot"])
    assert.ok(
      sbom.components.some((each: { name: string }) => each.name === name),
      name,
    );
  assert.ok(!sbom.components.some((each: { name: string }) => each.name === "typescript"), "tools aren't bundled");
});

test("files of the extension have the time of the commit and the same permissions everywhere", () => {
  const archive = readFileSync(release(`assistant-flow-${manifest.version}.vsix`));
  const entries = [...centralDirectory(archive)];
  assert.ok(entries.length > 50);
  assert.equal(new Set(entries.map(({ time }) => time)).size, 1);
  assert.deepEqual(
    [...new Set(entries.filter(({ name }) => name.includes("/dist/")).map(({ mode }) => mode))],
    [0o644],
  );
  for (const name of ["extension/dist/sbom.cdx.json", "extension/dist/third-party-notices.txt"])
    assert.ok(
      entries.some((entry) => entry.name === name),
      name,
    );
});

test("packing again makes the same package", async () => {
  const again = await packNpmPackage(path.join(folder.path, "again"));
  assert.ok(readFileSync(again).equals(readFileSync(release(tarball))));
});

test("the package installs from its tarball alone, and both programs work", async () => {
  const install = run("npm", ["install", "--global", release(tarball)]);
  assert.equal(install.status, 0, install.stderr);
  const check = run("assistant-flow", ["check", "examples"]);
  assert.equal(check.status, 0, check.stderr);
  assert.match(check.stdout, /\d files checked/);
  assert.equal(run("assistant-flow", ["--version"]).stdout.trim(), manifest.version);
  assert.equal(run("assistant-flow", ["test", "examples"]).status, 0);
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { capabilities: {}, processId: null },
  });
  const server = spawn(path.join(installed, "bin/assistant-flow-language-server"), ["--stdio"], { timeout: 60_000 });
  server.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  let answer = "";
  for await (const part of server.stdout) {
    answer += part;
    if (answer.includes('"completionProvider"')) break;
  }
  server.kill();
  assert.match(answer, /"completionProvider"/);
  const files = readdirSync(path.join(installed, "lib/node_modules/assistant-flow"));
  assert.deepEqual(files.sort(), [
    "LICENSE",
    "README.md",
    "dist",
    "docs",
    "editors",
    "examples",
    "package.json",
    "schemas",
  ]);
});

test("the commands of README install the extension and the command line", () => {
  const [install = ""] = /^## Install\n[\s\S]*?(?=^## )/m.exec(readFileSync(inProject("README.md"), "utf8")) ?? [];
  const section = [...install.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block).join("");
  assert.equal(section.split("\n").length, 5, "install two files, create a flow, check it");
  // The tests of the user interface install the VSIX into VS Code; here its name is checked.
  const code = path.join(installed, "bin/code");
  writeFileSync(code, '#!/bin/sh\n[ "$1" = --install-extension ] && [ -f "$2" ]\n', { mode: 0o755 });
  for (const name of readdirSync(release())) cpSync(release(name), path.join(folder.path, "examples", name));
  const { status, stdout, stderr } = run("bash", ["-e", "-c", `cd examples\n${section}`]);
  assert.equal(status, 0, `${stdout}${stderr}`);
  assert.match(stdout, /\d files checked/);
});

test("npx runs the package from its tarball", () => {
  const { status, stdout, stderr } = run("npx", [
    "--yes",
    "--package",
    release(tarball),
    "assistant-flow",
    "check",
    "examples",
  ]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\d files checked/);
});

if (process.env.ASSISTANT_FLOW_TEST_LONG)
  test("two clones of a commit make the same release, and a bump changes all version numbers", {
    timeout: 1_200_000,
  }, () => {
    const clones = ["one", "another-with-a-longer-name"].map((name) => path.join(folder.path, name));
    // The clones have no build of their own yet.
    const { ASSISTANT_FLOW_BUILT: _, ...unbuilt } = process.env;
    const there = (clone: string, command: string, args: readonly string[], env: Record<string, string> = {}) => {
      const ran = spawnSync(command, args, { cwd: clone, env: { ...unbuilt, ...env }, encoding: "utf8" });
      assert.equal(ran.status, 0, `${command} ${args.join(" ")}\n${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    };
    const places = [
      { TZ: "UTC", LANG: "C" },
      { TZ: "Asia/Tokyo", LANG: "de_DE.UTF-8" },
    ];
    const sums = clones.map((clone, index) => {
      there(inProject("."), "git", ["clone", "--quiet", inProject("."), clone]);
      // Hard links are fast, and a symbolic link would change the paths of bundled packages.
      const isLinked = spawnSync("cp", ["-al", inProject("node_modules"), clone]).status === 0;
      if (!isLinked) cpSync(inProject("node_modules"), path.join(clone, "node_modules"), { recursive: true });
      const script = `umask ${index === 0 ? "022" : "077"}; npm run --silent release -- --dry-run`;
      there(clone, "bash", ["-e", "-c", script], places[index]);
      return readFileSync(path.join(clone, "release/checksums.txt"), "utf8");
    });
    assert.equal(sums[0], sums[1]);
    assert.match(sums[0] ?? "", /\.vsix\n.*\.tgz\n/);
    const [clone = ""] = clones;
    const bump = (...args: string[]) => there(clone, "npm", ["run", "--silent", "release", "--", ...args]);
    const changes = () => there(clone, "git", ["diff", "--name-only"]).trim().split("\n");
    assert.match(bump("--bump", "99.0.0", "--dry-run"), /would be set in package\.json, package-lock\.json/);
    assert.deepEqual(changes(), [""]);
    bump("--bump", "99.0.0");
    assert.deepEqual(changes(), [
      "CHANGELOG.md",
      "cli/definitions/index.ts",
      "editors/emacs/assistant-flow.el",
      "package-lock.json",
      "package.json",
    ]);
    there(clone, "git", ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "-am", "Bump"]);
    bump("--dry-run");
    assert.ok(readdirSync(path.join(clone, "release")).includes("assistant-flow-99.0.0.vsix"));
  });

function* centralDirectory(archive: Buffer): Generator<{ name: string; time: number; mode: number }> {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString("utf8", at + 46, at + 46 + (lengths[0] ?? 0));
    yield { name, time: archive.readUInt32LE(at + 12), mode: (archive.readUInt32LE(at + 38) >>> 16) & 0o777 };
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
}
