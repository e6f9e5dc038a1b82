import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { sizeAtStart } from "../../scripts/bundle/sbom";
import { packageExtension } from "../../scripts/package";
import { capture, filesBelow, inProject, temporaryFolder } from "../../scripts/project";

const snapshot = inProject("test/house/vsix-files.txt");

test("the VSIX holds exactly the listed files, no sources, no secrets, under 2.5 MB", async () => {
  const archive = await packed();
  const contents = filesIn(archive);
  // The names of parts change with their content.
  const names = new Set([...contents.keys()].map((name) => name.replace(/part-\w+/, "part-…")));
  const files = `${[...names].join("\n")}\n`;
  if (process.env.UPDATE) writeFileSync(snapshot, files);
  assert.equal(files, readFileSync(snapshot, "utf8"), "run with UPDATE=1 where the change is meant");
  assert.doesNotMatch(files, /\.(ts|map|env|pem|key)$/m);
  assert.ok(archive.length < 2_500_000, `${archive.length} bytes`);
  showsNoBrokenPicture(contents);
  // The packer reads the manifest and .vscodeignore, so it does the same when run by hand.
  const bundles = filesBelow("dist", ".js").map((file) => `extension/${file.replaceAll(path.sep, "/")}`);
  assert.deepEqual(
    bundles.filter((file) => !contents.has(file)),
    [],
    "every program that was built is packed",
  );
  assert.equal(contents.get("extension/package.json"), readFileSync(inProject("package.json"), "utf8"));
  const page = contents.get("extension/readme.md") as string;
  assert.match(page, /## First steps/);
  assert.doesNotMatch(page, /npm |docs\/|F5/, "the page in VS Code is about the extension, not its sources");
  const server = sizeAtStart("dist/server.js");
  assert.ok(server > 500_000 && server < 930_000, `the server loads ${server} bytes when it starts`);
});

test("the command line of the extension compares flows", async () => {
  const contents = filesIn(await packed());
  const folder = await temporaryFolder();
  mkdirSync(path.join(folder.path, "dist"));
  for (const [name, content] of contents) {
    const file = /^extension\/(package\.json|dist\/[\w-]+\.js)$/.exec(name)?.[1];
    if (file) writeFileSync(path.join(folder.path, file), content);
  }
  const flows = ["examples/billing.flow.yaml", "examples/support-line.flow.yaml"].map((file) => inProject(file));
  const { output } = await capture(process.execPath, [path.join(folder.path, "dist/cli.js"), "diff", ...flows]);
  await folder.remove();
  assert.match(output, /Changed assistant/);
});

/** Shares the extension if the run has already packed it. */
async function packed(): Promise<Buffer> {
  const { ASSISTANT_FLOW_TEST_VSIX: shared } = process.env;
  if (shared) return readFileSync(shared);
  const folder = await temporaryFolder();
  const vsix = path.join(folder.path, "assistant-flow.vsix");
  await packageExtension(vsix);
  const archive = readFileSync(vsix);
  await folder.remove();
  return archive;
}

/** VS Code shows only pictures from the network on the page of an extension. */
function showsNoBrokenPicture(contents: ReadonlyMap<string, string>): void {
  for (const page of ["extension/readme.md", "extension/changelog.md"]) {
    const links = [...(contents.get(page) as string).matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target);
    assert.deepEqual(
      links.filter((target) => !target?.startsWith("https:")),
      [],
      page,
    );
  }
  const guides = [...contents].filter(([name]) => name.startsWith("extension/media/walkthrough/"));
  assert.ok(guides.length > 0);
  // A picture in the walkthrough has the colors of one theme, and can't be read where it is narrow.
  for (const [guide, text] of guides) assert.doesNotMatch(text, /!\[|<img/, guide);
}

/** The files in a zip archive, from its central directory, sorted by name. */
function filesIn(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = archive.readUInt32LE(end + 16);
  const files = Array.from({ length: archive.readUInt16LE(end + 10) }, (): [string, string] => {
    const short = (offset: number) => archive.readUInt16LE(at + offset);
    const name = archive.toString("utf8", at + 46, at + 46 + short(28));
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    const content = (short(10) === 0 ? packed : inflateRawSync(packed)).toString("utf8");
    at += 46 + short(28) + short(30) + short(32);
    return [name, content];
  });
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}
