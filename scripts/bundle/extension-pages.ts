/**
 * Generates the pages that VS Code shows for an installed extension from README.md and CHANGELOG.md, where the
 * manifest's `vsce` options expect them.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { inProject, isPlaceholder, manifest } from "../project";

export async function writeExtensionPages(): Promise<void> {
  const pages = { "README.md": manifest.vsce.readmePath, "CHANGELOG.md": manifest.vsce.changelogPath };
  for (const [source, target] of Object.entries(pages)) {
    const text = withoutSources(await readFile(inProject(source), "utf8"));
    await mkdir(path.dirname(inProject(target)), { recursive: true });
    await writeFile(inProject(target), isPlaceholder(manifest.repository) ? detached(text) : text);
  }
}

/** Readers of this page have the extension, not its sources. */
function withoutSources(page: string): string {
  const sections = page.split(/^(?=## )/m);
  return sections
    .filter((section) => !/^## (Install|Try it from this repository|Development)\n/.test(section))
    .join("");
}

/**
 * VS Code's extension page only supports https images and links, not files of the extension. Once the manifest names a
 * repository, vsce rewrites them to point there; until then they would be broken, so they are removed, with the
 * sentences and brackets that refer to them.
 */
function detached(page: string): string {
  const blocks = page.split("\n\n").filter((block) => !block.includes("!["));
  const document = String.raw`\[docs/[^\]]+\]\([^)]+\)(?:,\s+)?`;
  return blocks
    .join("\n\n")
    .replace(new RegExp(String.raw`\s+(?:\((?:${document})+\)|(?<=\.\s+)(?:${document})+)`, "g"), "")
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]+\)/g, "$1");
}
