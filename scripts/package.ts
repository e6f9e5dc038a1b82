/**
 * Creates the VSIX, like `npx vsce package`: the manifest's `vscode:prepublish` builds, `.vscodeignore` selects the
 * files, and the manifest's `vsce` has the options.
 */
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { capture, inProject, manifest } from "./project";

export async function main(): Promise<void> {
  const target = inProject(`${manifest.name}-${manifest.version}.vsix`);
  await packageExtension(target);
  console.log(`${target} (${(statSync(target).size / 1e6).toFixed(2)} MB)`);
}

export async function packageExtension(target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const packer = ["--require", inProject("scripts/packer-patterns.cjs"), inProject("node_modules/@vscode/vsce/vsce")];
  const { code, output } = await capture(process.execPath, [...packer, "package", "--out", target]);
  if (code !== 0) throw new Error(`Couldn't create the VSIX.\n${output}`);
}
