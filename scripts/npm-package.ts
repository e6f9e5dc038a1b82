/**
 * Packs the npm package of the command line and the language server from dist/. packages/cli/ has what differs from the
 * extension's manifest, so both have one version number. Nothing has to be installed with it: everything is bundled.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NOTICES, readSbom, SBOM, sbomFor } from "./bundle/sbom";
import { capture, inProject, manifest, temporaryFolder } from "./project";

/** What the programs read beside dist/, and the files that editors load. */
const COPIED = ["LICENSE", "docs/format.md", "docs/rules", "editors", "examples", "schemas"];

/** Returns the path of the tarball, which is written into `folder`. */
export async function packNpmPackage(folder: string): Promise<string> {
  const staged = await temporaryFolder();
  try {
    writeNpmPackage(staged.path);
    mkdirSync(folder, { recursive: true });
    const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", path.resolve(folder)];
    const options = { cwd: staged.path, shell: process.platform === "win32" };
    const { code, output } = await capture("npm", args, options);
    if (code !== 0) throw new Error(`Couldn't create the npm package.\n${output}`);
    return path.join(folder, `${manifest.name}-${manifest.version}.tgz`);
  } finally {
    await staged.remove();
  }
}

function writeNpmPackage(folder: string): void {
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const programs = readdirSync(inProject("dist")).filter((name) => /\.js$/.test(name) && !/^client/.test(name));
  for (const file of [...programs.map((name) => `dist/${name}`), NOTICES, ...COPIED])
    cpSync(inProject(file), path.join(folder, file), { recursive: true });
  cpSync(inProject("packages/cli/README.md"), path.join(folder, "README.md"));
  const sbom = sbomFor(readSbom(), new Set(programs.map((name) => `dist/${name}`)));
  write(SBOM, `${JSON.stringify(sbom, null, 1)}\n`);
  const own = JSON.parse(readFileSync(inProject("packages/cli/package.json"), "utf8"));
  const { version, license, keywords, repository, engines } = manifest;
  const whole = { ...own, version, license, keywords, repository, engines: { node: engines.node } };
  write("package.json", `${JSON.stringify(whole, null, 2)}\n`);
  // The same permissions on every machine, so that the tarball is reproducible.
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (each.isFile()) chmodSync(path.join(each.parentPath, each.name), 0o644);
}
