/**
 * The pages that VS Code shows of an installed extension, made from README.md and CHANGELOG.md and put where the
 * manifest's `vsce` tells the packer to look.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { inProject, manifest } from "./project";

export async function writeExtensionPages(): Promise<void> {
  const pages = { "README.md": manifest.vsce.readmePath, "CHANGELOG.md": manifest.vsce.changelogPath };
  for (const [source, target] of Object.entries(pages)) {
    const text = withoutSources(await readFile(inProject(source), "utf8"));
    await mkdir(path.dirname(inProject(target)), { recursive: true });
    await writeFile(inProject(target), manifest.repository ? text : detached(text));
  }
}

/** Whoever reads the page in VS Code has the extension, not its sources. */
function withoutSources(page: string): string {
  const sections = page.split(/^(?=## )/m);
  return sections.filter((section) => !/^## (Two commands|Daily work)\n/.test(section)).join("");
}

/**
 * VS Code's page of an extension shows pictures and follows links by https alone, never from the extension's own files. Once
 * the manifest names a repository the packer makes both lead there; until then they would be broken and are left out, with
 * the documents that are named after a sentence or in brackets.
 */
function detached(page: string): string {
  const blocks = page.split("\n\n").filter((block) => !block.includes("!["));
  const document = String.raw`\[docs/[^\]]+\]\([^)]+\)(?:,\s+)?`;
  return blocks
    .join("\n\n")
    .replace(new RegExp(String.raw`\s+(?:\((?:${document})+\)|(?<=\.\s+)(?:${document})+)`, "g"), "")
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]+\)/g, "$1");
}
