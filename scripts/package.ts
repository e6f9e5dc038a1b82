/**
 * Makes the VSIX. Only what is named here goes in: it is copied to a folder of its own and packed there, so nothing else
 * of the project can slip into it.
 */
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { build } from "./build";
import { inProject, manifest, temporaryFolder } from "./project";

const contents = [
  ...[
    "dist/client.js",
    "dist/client-protocol.js",
    "dist/server.js",
    "dist/digest-worker.js",
    "dist/test-worker.js",
    "dist/server-sync.js",
    "dist/cli.js",
    "dist/cli-commands.js",
    "dist/cli-mcp.js",
    "dist/check-worker.js",
    "dist/webview",
  ],
  ...["language-configuration.json", "syntaxes", "snippets", "schemas", "icons", "media", "examples", "icon.png"],
  // A diagnostic links to the page of its rule.
  "docs/rules",
  // Agents read it.
  "docs/format.md",
  // The walkthrough shows these.
  ...["editor", "graph", "call", "review"].map((name) => `docs/images/${name}-dark.png`),
  "docs/images/test-coverage-graph.png",
  ...["README.md", "CHANGELOG.md", "LICENSE"],
];

export async function main(): Promise<void> {
  const target = inProject(`${manifest.name}-${manifest.version}.vsix`);
  await packageExtension(target);
  console.log(`${target} (${(statSync(target).size / 1e6).toFixed(2)} MB)`);
}

export async function packageExtension(target: string): Promise<void> {
  await build({ quiet: true });
  const stage = await temporaryFolder();
  try {
    for (const name of contents.filter((each) => existsSync(inProject(each)))) {
      await cp(inProject(name), path.join(stage.path, name), { recursive: true });
    }
    for (const name of ["README.md", "CHANGELOG.md"]) {
      const page = path.join(stage.path, name);
      const text = withoutSources(await readFile(page, "utf8"));
      await writeFile(page, manifest.repository ? text : detached(text));
    }
    const { scripts: _scripts, devDependencies: _tools, ...published } = manifest;
    await writeFile(path.join(stage.path, "package.json"), JSON.stringify(published, null, 2));
    await mkdir(path.dirname(target), { recursive: true });
    // The packer prints its list on every run; the list is held by a test.
    await quietly(() =>
      createVSIX({
        cwd: stage.path,
        packagePath: target,
        dependencies: false, // Everything is bundled.
        allowMissingRepository: true,
        rewriteRelativeLinks: Boolean(manifest.repository),
      }),
    );
  } finally {
    await stage.remove();
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

async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { log, warn } = console;
  console.log = () => undefined;
  console.warn = () => undefined;
  try {
    return await work();
  } finally {
    console.log = log;
    console.warn = warn;
  }
}
