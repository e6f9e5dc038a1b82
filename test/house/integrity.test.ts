/** Downloads of the set-up are verified. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { checkArchive, checkInstalled } from "../../scripts/vscode/integrity";
import known from "../../scripts/vscode/integrity.json";

test("a changed download is rejected before it runs", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-integrity-"));
  try {
    const archive = path.join(folder, "code.tgz");
    writeFileSync(archive, "something else");
    await assert.rejects(checkArchive("code-server@4.139.1", archive), /has changed since it was recorded/);
    await assert.rejects(checkArchive("code-server@4.0.0", archive), /has no hash for code-server@4\.0\.0/);
    const [name, integrity] = Object.entries(known).find(([each]) => each.startsWith("@")) as [string, string];
    const place = `node_modules/${name.slice(0, name.lastIndexOf("@"))}`;
    mkdirSync(path.join(folder, "node_modules"));
    const installed = (found: string) =>
      writeFileSync(
        path.join(folder, "node_modules/.package-lock.json"),
        JSON.stringify({ packages: { [place]: { integrity: found } } }),
      );
    installed(integrity);
    await checkInstalled([name], folder);
    installed("sha512-AAAA");
    await assert.rejects(checkInstalled([name], folder), /has changed since it was recorded/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
