/**
 * The packages that are bundled into dist/: an SBOM (CycloneDX 1.6) and the notices that their licenses require. Both
 * only depend on the bundles and the installed packages, so that releases are reproducible.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Metafile } from "esbuild";
import { inProject, manifest, root } from "../project";

export const SBOM = "dist/sbom.cdx.json";
export const NOTICES = "dist/third-party-notices.txt";

/** Licenses that allow to distribute a bundle under the MIT license with a notice. */
const PERMITTED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
]);

/** Names the files of dist/ that contain a component. */
const FILE_PROPERTY = "assistant-flow:file";

export type Sbom = ReturnType<typeof sbomOf>;

/** The size of a program of dist/ with the parts that it loads when it starts. */
export function sizeAtStart(program: string): number {
  const code = `require(${JSON.stringify(inProject(program))}); console.log(Object.keys(require.cache).join("\\n"))`;
  const { stdout } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .reduce((sum, file) => sum + statSync(file).size, 0);
}

/** Throws if a bundled package has a license that isn't permitted. */
export async function writeBundled(metafiles: readonly Metafile[]): Promise<void> {
  const sbom = sbomOf(metafiles);
  await writeFile(inProject(SBOM), `${JSON.stringify(sbom, null, 1)}\n`);
  await writeFile(inProject(NOTICES), noticesOf(packagesIn(metafiles).keys()));
}

/** The folders of the bundled packages, with the files of dist/ that contain code of each. */
function packagesIn(metafiles: readonly Metafile[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { outputs } of metafiles)
    for (const [output, { inputs }] of Object.entries(outputs))
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
        if (!folder || bytesInOutput === 0) continue;
        found.set(folder, (found.get(folder) ?? new Set()).add(output));
      }
  return new Map([...found].sort(([a], [b]) => (nameIn(a) < nameIn(b) ? -1 : 1)));
}

function nameIn(folder: string): string {
  return folder.slice(folder.lastIndexOf("node_modules/"));
}

export function sbomOf(metafiles: readonly Metafile[], base = root) {
  const integrity = integrities();
  const components = [...packagesIn(metafiles)].map(([folder, files]) => {
    const { name, version, license } = packageAt(path.resolve(base, folder));
    if (!isPermitted(license))
      throw new Error(`${name} ${version} has the license "${license}", which isn't permitted.`);
    const [group, short] = name.startsWith("@") ? name.split("/") : [undefined, name];
    const purl = `pkg:npm/${group ? `%40${group.slice(1)}/` : ""}${short}@${version}`;
    const digest = integrity.get(`${name}@${version}`);
    return {
      type: "library",
      "bom-ref": purl,
      ...(group && { group }),
      name: short,
      version,
      purl,
      licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }],
      ...(digest && { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }),
      properties: [...files].sort().map((value) => ({ name: FILE_PROPERTY, value })),
    };
  });
  const own = `pkg:npm/${manifest.name}@${manifest.version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: manifest.name,
        version: manifest.version,
        purl: own,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map(({ purl }) => purl) }],
  };
}

/** An SPDX expression is permitted if one of its alternatives is; of a conjunction every part must be. */
export function isPermitted(license: string): boolean {
  const alternatives = license.replace(/[()]/g, "").split(/ OR /);
  return alternatives.some((each) => each.split(/ AND /).every((id) => PERMITTED.has(id.trim())));
}

function packageAt(folder: string): { name: string; version: string; license: string } {
  const { name, version, license, licenses } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return { name, version, license: license?.type ?? license ?? licenses?.[0]?.type ?? "none" };
}

function integrities(): Map<string, string> {
  const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  return new Map(
    Object.entries(packages).flatMap(([place, { version, integrity }]) =>
      integrity?.startsWith("sha512-")
        ? [[`${nameIn(place).slice("node_modules/".length)}@${version}`, integrity.slice("sha512-".length)]]
        : [],
    ),
  );
}

function noticesOf(folders: Iterable<string>): string {
  const parts = new Map(
    [...folders].map((folder) => {
      const place = path.resolve(root, folder);
      const { name, version, license } = packageAt(place);
      return [`${name} ${version} (${license})`, licenseText(place)];
    }),
  );
  const notices = [...parts].map(([title, text]) => `${"-".repeat(80)}\n${title}\n\n${text.trim()}\n`);
  return [`${manifest.displayName} contains code of these packages.\n`, ...notices].join("\n");
}

function licenseText(folder: string): string {
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)/i.test(name) && !name.endsWith(".js"));
  if (file) return readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n");
  throw new Error(`${path.basename(folder)} has no license file for the notices.`);
}

/** The part of an SBOM that is about these files of dist/. */
export function sbomFor(sbom: Sbom, files: ReadonlySet<string>): Sbom {
  const components = sbom.components
    .map((each) => ({ ...each, properties: each.properties.filter(({ value }) => files.has(value)) }))
    .filter(({ properties }) => properties.length > 0);
  const [own] = sbom.dependencies;
  const dependencies = own ? [{ ...own, dependsOn: components.map(({ purl }) => purl) }] : [];
  return { ...sbom, components, dependencies };
}

export function readSbom(): Sbom {
  if (!existsSync(inProject(SBOM))) throw new Error("dist/ isn't built. Run `npm run build`.");
  return JSON.parse(readFileSync(inProject(SBOM), "utf8"));
}
