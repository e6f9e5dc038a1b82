/**
 * Creates the VSIX, like `npx vsce package`: the manifest's `vscode:prepublish` builds, `.vscodeignore` selects the
 * files, and the manifest's `vsce` has the options.
 */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { capture, inProject, manifest, root } from "./project";

export async function main(): Promise<void> {
  const target = inProject(`${manifest.name}-${manifest.version}.vsix`);
  await packageExtension(target);
  console.log(`${target} (${(statSync(target).size / 1e6).toFixed(2)} MB)`);
}

export async function packageExtension(target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const packer = ["--require", inProject("scripts/packer-patterns.cjs"), inProject("node_modules/@vscode/vsce/vsce")];
  const env = { ...process.env, SOURCE_DATE_EPOCH: commitTime(), TZ: "UTC" };
  const { code, output } = await capture(process.execPath, [...packer, "package", "--out", target], { env });
  if (code !== 0) throw new Error(`Couldn't create the VSIX.\n${output}`);
  // The Marketplace's checks that need no account, such as a missing license or an invalid link.
  // Our bundles share parts, so there are many files, but each is loaded only where it is needed.
  const isMeant = (line: string) => line.includes("aka.ms/vscode-bundle-extension");
  const warnings = output.split("\n").filter((line) => /^\s*WARNING\b/.test(line) && !isMeant(line));
  if (warnings.length > 0) throw new Error(`The packer has warnings.\n${warnings.join("\n")}`);
}

/** The time of every file in the archive, in seconds, so that two builds of a commit are the same. */
function commitTime(): string {
  try {
    return execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).trim();
  } catch {
    return "315532800"; // 1980, the first year of zip archives, where this isn't a Git repository.
  }
}
