import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { packageExtension } from "../../scripts/package";
import { inProject, temporaryFolder } from "../../scripts/project";

const snapshot = inProject("test/house/vsix-files.txt");

test("the VSIX holds exactly the listed files, no sources, no secrets, under 3 MB", async () => {
  const folder = await temporaryFolder();
  const vsix = path.join(folder.path, "assistant-flow.vsix");
  await packageExtension(vsix);
  const archive = readFileSync(vsix);
  await folder.remove();
  const files = `${namesIn(archive).join("\n")}\n`;
  if (process.env.UPDATE) writeFileSync(snapshot, files);
  assert.equal(files, readFileSync(snapshot, "utf8"), "run with UPDATE=1 where the change is meant");
  assert.doesNotMatch(files, /\.(ts|map|env|pem|key)$/m);
  assert.ok(archive.length < 3_000_000, `${archive.length} bytes`);
  const server = statSync(inProject("dist/server.js")).size;
  assert.ok(server < 600_000, `the server's bundle has ${server} bytes`);
});

/** The names in a zip archive, from its central directory. */
function namesIn(archive: Buffer): string[] {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const text = archive.toString("utf8", at + 46, at + 46 + name);
    at += 46 + name + extra + comment;
    return text;
  }).sort();
}
