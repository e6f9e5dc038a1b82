import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { isPermitted, sbomFor, sbomOf } from "../../../scripts/bundle/sbom";
import { temporaryFolder } from "../../../scripts/project";
import { disagreements, nextVersion, releaseNotes } from "../../../scripts/release";

test("versions of the manifest, the lockfile, the program and CHANGELOG must agree", () => {
  const same = { manifest: "1.2.3", lockfile: ["1.2.3", "1.2.3"], program: "1.2.3", changelog: "# C\n\n## 1.2.3\n" };
  assert.deepEqual(disagreements(same), []);
  assert.deepEqual(disagreements({ ...same, changelog: "# C\n\n## Unreleased\n\n## 1.2.3 – 2026-01-01\n" }), []);
  assert.deepEqual(disagreements({ ...same, changelog: "# C\n\n## Unreleased\n" }), [], "before the first release");
  const wrong = { ...same, lockfile: ["1.2.3", "1.2.2"], program: undefined, changelog: "# C\n\n## [1.2.4]\n" };
  assert.deepEqual(disagreements(wrong), [
    "package-lock.json has 1.2.2, but package.json has version 1.2.3.",
    "cli/definitions/index.ts has no version, but package.json has version 1.2.3.",
    "CHANGELOG.md has 1.2.4, but package.json has version 1.2.3.",
  ]);
});

test("a bump works like npm version", () => {
  assert.equal(nextVersion("0.1.9", "patch"), "0.1.10");
  assert.equal(nextVersion("0.1.9", "minor"), "0.2.0");
  assert.equal(nextVersion("0.1.9", "major"), "1.0.0");
  assert.equal(nextVersion("0.1.9", "0.3.0"), "0.3.0");
  for (const lower of ["0.1.9", "0.1.8", "0.0.10"])
    assert.throws(() => nextVersion("0.1.9", lower), /isn't higher than 0\.1\.9/);
  assert.throws(() => nextVersion("0.1.9", "bigger"), /patch, minor, major or a version/);
});

test("release notes are the section of the version, else the unreleased one", () => {
  const changelog = "# C\n\n## Unreleased\n\n- new\n\n## 1.0.0 – 2026-01-01\n\n### A\n\n- old\n";
  assert.equal(releaseNotes(changelog, "1.0.0"), "### A\n\n- old\n");
  assert.equal(releaseNotes(changelog, "1.1.0"), "- new\n");
  assert.throws(() => releaseNotes("# C\n", "1.0.0"), /no section/);
});

test("licenses: alternatives need one that is permitted, conjunctions need all", () => {
  for (const license of ["MIT", "(MIT OR GPL-3.0-only)", "MIT AND ISC"]) assert.ok(isPermitted(license), license);
  for (const license of ["GPL-3.0-only", "MIT AND GPL-3.0-only", "none", "", "SEE LICENSE IN x"])
    assert.ok(!isPermitted(license), license);
});

test("the SBOM lists what is bundled, and a license that isn't permitted fails", async () => {
  const folder = await temporaryFolder();
  const add = (name: string, license?: string) => {
    mkdirSync(path.join(folder.path, "node_modules", name), { recursive: true });
    const text = JSON.stringify({ name, version: "1.0.0", license });
    writeFileSync(path.join(folder.path, "node_modules", name, "package.json"), text);
  };
  add("@a/b", "MIT");
  add("c", "ISC");
  add("unused", "GPL-3.0-only");
  const input = (bytes: number) => ({ bytesInOutput: bytes });
  const metafile = (inputs: Record<string, { bytesInOutput: number }>) =>
    ({ inputs: {}, outputs: { "dist/x.js": { inputs } } }) as unknown as Metafile;
  const bundle = metafile({
    "node_modules/@a/b/x.js": input(5),
    "node_modules/unused/x.js": input(0),
    "flow/x.ts": input(9),
  });
  const other = {
    inputs: {},
    outputs: { "dist/y.js": { inputs: { "node_modules/c/x.js": input(1) } } },
  } as unknown as Metafile;
  const sbom = sbomOf([bundle, other], folder.path);
  assert.deepEqual(
    sbom.components.map(({ purl }) => purl),
    ["pkg:npm/%40a/b@1.0.0", "pkg:npm/c@1.0.0"],
  );
  assert.deepEqual(
    sbomFor(sbom, new Set(["dist/y.js"])).components.map(({ name }) => name),
    ["c"],
  );
  const forbidden = metafile({ "node_modules/unused/x.js": input(1) });
  assert.throws(() => sbomOf([forbidden], folder.path), /unused 1\.0\.0 has the license "GPL-3\.0-only"/);
  add("without");
  assert.throws(() => sbomOf([metafile({ "node_modules/without/x.js": input(1) })], folder.path), /"none"/);
  await folder.remove();
});
