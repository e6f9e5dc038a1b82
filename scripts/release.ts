/**
 * Builds a release into release/: the VSIX, the npm package, SBOM, release notes and checksums.
 *
 *     npm run release -- --bump minor    set the next version in the manifest, the lockfile, the program and CHANGELOG
 *     npm run release -- --dry-run       build everything, to look at it; with --bump, say what it would change
 *     npm run release                    build everything, and print the commands that publish it
 *
 * Two runs on the same commit create the same bytes. Nothing is published by this command.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "./build";
import { SBOM } from "./bundle/sbom";
import { packNpmPackage } from "./npm-package";
import { packageExtension } from "./package";
import { inProject, isPlaceholder, manifest, root } from "./project";

const CHECKSUMS = "checksums.txt";

export async function main(args: readonly string[]): Promise<void> {
  const bump = args.indexOf("--bump");
  const isDry = args.includes("--dry-run");
  if (bump >= 0) return setVersion(nextVersion(manifest.version, args[bump + 1] ?? ""), isDry);
  const problems = [...disagreements(readVersions()), ...(isDry ? [] : openQuestions())];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const dirty = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  if (dirty) throw new Error(`The working tree has changes. Commit or stash them first:\n${dirty.trimEnd()}`);
  rmSync(inProject("dist"), { recursive: true, force: true });
  await build({ quiet: true });
  process.env.ASSISTANT_FLOW_BUILT = "1"; // The packer's own build step has nothing to do.
  const target = inProject("release");
  const files = await writeRelease(target);
  console.log(readFileSync(path.join(target, CHECKSUMS), "utf8").trimEnd());
  const [vsix, tarball] = files;
  if (isDry) return;
  console.log(`
To publish, once you are signed in:
  npx vsce publish --packagePath release/${vsix}
  npx ovsx publish release/${vsix}
  npm publish ./release/${tarball} --access public
  git tag v${manifest.version} && git push origin v${manifest.version}`);
}

/** Writes a release of the bundles in dist/ and returns the names of its files. */
export async function writeRelease(target: string): Promise<string[]> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const vsix = `${manifest.name}-${manifest.version}.vsix`;
  const [, tarball] = await Promise.all([packageExtension(path.join(target, vsix)), packNpmPackage(target)]);
  copyFileSync(inProject(SBOM), path.join(target, path.basename(SBOM)));
  writeFileSync(path.join(target, "release-notes.md"), releaseNotes(readFileSync(inProject("CHANGELOG.md"), "utf8")));
  const files = [vsix, path.basename(tarball), path.basename(SBOM), "release-notes.md"];
  const sums = files.map((name) => `${sha256(path.join(target, name))}  ${name}\n`);
  writeFileSync(path.join(target, CHECKSUMS), sums.join(""));
  return [...files, CHECKSUMS];
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** The section of a version, or of what is not released yet. */
export function releaseNotes(changelog: string, version: string = manifest.version): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = [version, "Unreleased"]
    .map((title) => sections.find((each) => titleOf(each) === title))
    .find(Boolean);
  if (!section) throw new Error(`CHANGELOG.md has no section "${version}" or "Unreleased".`);
  return `${section.replace(/^## .*\n+/, "").trim()}\n`;
}

/** `0.2.0` of `## 0.2.0 – 2026-01-31`. */
function titleOf(section: string): string | undefined {
  return /^## \[?([^\s\]]+)/.exec(section)?.[1];
}

export interface Versions {
  readonly manifest: string;
  readonly lockfile: readonly string[];
  readonly program: string | undefined;
  readonly changelog: string;
}

const PROGRAM = "cli/definitions/index.ts";
const PROGRAM_VERSION = /(?<=export const VERSION = ")[^"]+/;

function readVersions(): Versions {
  const lock = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));
  return {
    manifest: manifest.version,
    lockfile: [lock.version, lock.packages[""].version],
    program: PROGRAM_VERSION.exec(readFileSync(inProject(PROGRAM), "utf8"))?.[0],
    changelog: readFileSync(inProject("CHANGELOG.md"), "utf8"),
  };
}

/** Files with another version than the manifest. The newest section of CHANGELOG is the version's, or "Unreleased". */
export function disagreements({ manifest, lockfile, program, changelog }: Versions): string[] {
  const titles = changelog.split(/^(?=## )/m).flatMap((section) => titleOf(section) ?? []);
  const [newest] = titles.filter((title) => title !== "Unreleased");
  const others = {
    "package-lock.json": lockfile.find((version) => version !== manifest) ?? manifest,
    [PROGRAM]: program ?? "no version",
    "CHANGELOG.md": newest ?? (titles.length > 0 ? manifest : "no section"),
  };
  return Object.entries(others)
    .filter(([, version]) => version !== manifest)
    .map(([file, version]) => `${file} has ${version}, but package.json has version ${manifest}.`);
}

/** Placeholders to replace before the first release. */
function openQuestions(): string[] {
  const unreleased = readFileSync(inProject("CHANGELOG.md"), "utf8").match(/^## Unreleased\n+(?!## )/m);
  return [
    isPlaceholder(manifest.repository) ? "Set `repository` in package.json to the URL of the repository." : "",
    unreleased ? "CHANGELOG.md has unreleased changes. Run `npm run release -- --bump patch`, minor or major." : "",
  ].filter(Boolean);
}

export function nextVersion(version: string, step: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (/^\d+\.\d+\.\d+$/.test(step)) {
    const [newMajor = 0, newMinor = 0, newPatch = 0] = step.split(".").map(Number);
    const isHigher = newMajor - major || newMinor - minor || newPatch - patch;
    if (isHigher <= 0) throw new Error(`Version ${step} isn't higher than ${version}.`);
    return step;
  }
  if (step === "major") return `${major + 1}.0.0`;
  if (step === "minor") return `${major}.${minor + 1}.0`;
  if (step === "patch") return `${major}.${minor}.${patch + 1}`;
  throw new Error(`Expected --bump patch, minor, major or a version such as 1.2.3, not "${step}".`);
}

/** Changes exactly the version numbers, so that nothing else of the files is reformatted. All files are changed, or none. */
function setVersion(version: string, isDry: boolean): void {
  const changed = new Map<string, string>();
  const replace = (file: string, pattern: RegExp, text: string) => {
    const before = changed.get(file) ?? readFileSync(inProject(file), "utf8");
    if (!pattern.test(before))
      throw new Error(`${file} has no ${file === "CHANGELOG.md" ? "section" : "version"} to replace.`);
    changed.set(file, before.replace(pattern, text));
  };
  replace("package.json", /(?<=^ {2}"version": ")[^"]+/m, version);
  replace("package-lock.json", /(?<=^ {2}"version": ")[^"]+/m, version);
  replace("package-lock.json", /(?<="packages": \{\s+"": \{\s+"name": "[^"]+",\s+"version": ")[^"]+/, version);
  replace(PROGRAM, PROGRAM_VERSION, version);
  replace("editors/emacs/assistant-flow.el", /(?<=^;; Version: ).*$/m, version);
  replace("CHANGELOG.md", /^## Unreleased$/m, `## ${version}`);
  if (isDry) {
    console.log(`Version ${version} would be set in ${[...changed.keys()].join(", ")}.`);
    return;
  }
  for (const [file, text] of changed) writeFileSync(inProject(file), text);
  console.log(`Version ${version}. Review and commit the changes, then run \`npm run release\`.`);
}
