/**
 * Makes the VSIX. Only what is named here goes in: it is copied to a folder of its own and packed there, so nothing else
 * of the project can slip into it.
 */
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { build } from "./build";
import { inProject, manifest, temporaryFolder } from "./project";

const contents = [
  ...[
    "dist/client.js",
    "dist/client-protocol.js",
    "dist/server.js",
    "dist/server-sync.js",
    "dist/cli.js",
    "dist/cli-commands.js",
    "dist/webview",
  ],
  ...["language-configuration.json", "syntaxes", "snippets", "schemas", "icons", "media", "examples", "icon.png"],
  // A diagnostic links to the page of its rule.
  "docs/rules",
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
        rewriteRelativeLinks: false,
      }),
    );
  } finally {
    await stage.remove();
  }
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
