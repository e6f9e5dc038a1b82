/** The VSIX of a release, installed into VS Code as a user would. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { inProject, manifest, temporaryFolder } from "../../scripts/project";
import { writeRelease } from "../../scripts/release";
import { ensureCodeHost } from "../../scripts/vscode/install";
import { installExtension } from "../../scripts/vscode/server";
import { type Code, openCode } from "./harness";

const FILE = "support-line.flow.yaml";
const flow = readFileSync(inProject(`examples/${FILE}`), "utf8");

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let code: Code;
before(async () => {
  folder = await temporaryFolder();
  const release = path.join(folder.path, "release");
  process.env.ASSISTANT_FLOW_BUILT = "1"; // The bundles are in use by other tests.
  await writeRelease(release);
  const vsix = path.join(release, `${manifest.name}-${manifest.version}.vsix`);
  const sum = createHash("sha256").update(readFileSync(vsix)).digest("hex");
  assert.ok(readFileSync(path.join(release, "checksums.txt"), "utf8").includes(`${sum}  ${path.basename(vsix)}\n`));
  const extensions = path.join(folder.path, "extensions");
  await installExtension(await ensureCodeHost(), vsix, extensions);
  process.env.ASSISTANT_FLOW_TEST_EXTENSIONS = extensions;
  code = await openCode({ files: { [FILE]: flow }, open: FILE, sandbox: true, settings: { "files.autoSave": "off" } });
});
after(async () => {
  await code?.close();
  await folder?.remove();
});

test("the installed extension checks a flow, shows its graph and its sync state", () =>
  code.screenshotOnFailure("release", async () => {
    await code.statusItem("sync").filter({ hasText: "Synced v1" }).waitFor();
    await code.replaceAll(FILE, flow.replace("entry: greet", "entry: gret"));
    const problem = (await code.problems()).filter({ hasText: "unknown-entry" }).first();
    await problem.waitFor();
    await code.replaceAll(FILE, flow);
    await problem.waitFor({ state: "detached" });
    await code.palette("Assistant Flow: Open Flow Graph");
    const graph = await code.webview("Arrange");
    await graph.locator(".node").first().waitFor();
    await code.screenshot("release");
  }));
