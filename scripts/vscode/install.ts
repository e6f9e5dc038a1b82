/**
 * Installs a real VS Code from npm packages under `.vscode-test/`, for machines without a desktop VS Code: the VS Code
 * server with its workbench, its Node, and a browser if none is installed.
 */
import { copyFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { installDebianPackages } from "../debian";
import { npm } from "../packages.mjs";
import { inProject } from "../project";
import { findBrowser, unpackChromium } from "./browser";
import { checkArchive, checkInstalled } from "./integrity";
import { ensurePart, removeLeftovers, unpack } from "./parts";

/** The package with VS Code's server has the same version as VS Code, with a leading 4 instead of 1. */
const codeVersion = "1.139.1";
/**
 * From 24.20 on, refused connections behave differently, and VS Code's debugger doesn't find the program it starts. For
 * 64-bit ARM, npm has no older 24.x, so 22.x is used.
 */
const nodeVersion = process.platform === "linux" && process.arch === "arm64" ? "22.20.0" : "24.19.0";
const chromiumVersion = "153.0.0";
const fontsVersion = "2.37.3";

const home = inProject(".vscode-test");

export interface CodeHost {
  readonly version: string;
  /** The Node that runs the server. */
  readonly node: string;
  /** The server's entry point. */
  readonly server: string;
}

export async function main(): Promise<void> {
  const host = await ensureCodeHost();
  const browser = await ensureBrowser();
  console.log(`VS Code ${host.version} is ready in ${path.relative(process.cwd(), home)}, shown by ${browser}`);
}

let ready: Promise<CodeHost> | undefined;

export function ensureCodeHost(): Promise<CodeHost> {
  ready ??= install();
  return ready;
}

async function install(): Promise<CodeHost> {
  await mkdir(home, { recursive: true });
  await removeLeftovers(home, [`code-${codeVersion}`, `node-${nodeVersion}`, `chromium-${chromiumVersion}`]);
  const code = await ensurePart(home, {
    name: `code-${codeVersion}`,
    proof: "out/server-main.js",
    make: installCode,
  });
  return {
    version: codeVersion,
    node: await installedNode(),
    server: path.join(code, "out/server-main.js"),
  };
}

let browser: Promise<string> | undefined;

/** Any Chromium, for tests. */
export function ensureBrowser(): Promise<string> {
  browser ??= (async () => findBrowser() ?? (await packagedBrowser()))();
  return browser;
}

/**
 * Installs a package that is rarely needed, such as a peer to compare with; returns the folder with its node_modules.
 */
export async function ensurePackage(name: string, version: string): Promise<string> {
  return ensurePart(home, {
    name: `${path.posix.basename(name)}-${version}`,
    proof: `node_modules/${name}/package.json`,
    make: (place) => npmInstall(place, `${name}@${version}`),
  });
}

/** The conformance checks of the Model Context Protocol, which need a newer Node. */
export async function protocolChecks(): Promise<{ readonly node: string; readonly program: string }> {
  const name = "@modelcontextprotocol/conformance";
  const place = await ensurePackage(name, "0.1.16");
  return { node: await installedNode(), program: path.join(place, "node_modules", name, "dist/index.js") };
}

/** The Node that runs VS Code's extensions. */
export function installedNode(): Promise<string> {
  return nodeOf(nodeVersion, "node");
}

/** A Node that supports proxies from the environment, which VS Code's may not. */
export function proxyNode(): Promise<string> {
  return nodeVersion.startsWith("24.") ? installedNode() : nodeOf("24.22.0", "proxy-node");
}

async function nodeOf(version: string, part: string): Promise<string> {
  if (process.versions.node === version) return process.execPath;
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  const proof = path.join("node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  const make = (place: string) => npmInstall(place, `${name}@${version}`);
  return path.join(await ensurePart(home, { name: `${part}-${version}`, proof, make }), proof);
}

/** npm has a Chromium for 64-bit Intel only; otherwise Debian's is used. */
async function packagedBrowser(): Promise<string> {
  if (process.platform === "linux" && process.arch === "x64") return npmChromium();
  for (const name of process.platform === "linux" ? ["chromium-headless-shell", "chromium"] : []) {
    await installDebianPackages([name, "fonts-dejavu-core"]);
    const found = findBrowser();
    if (found) return found;
  }
  throw new Error("No browser found. Install Chrome, Chromium or Edge, or set BROWSER_EXECUTABLE.");
}

async function npmChromium(): Promise<string> {
  const proof = "chromium.sh";
  const make = async (place: string) => {
    await npmInstall(place, `@sparticuz/chromium@${chromiumVersion}`, `dejavu-fonts-ttf@${fontsVersion}`);
    await unpackChromium(place);
    // The archives are no longer needed; the fonts are.
    await rm(path.join(place, "node_modules/@sparticuz"), { recursive: true });
  };
  return path.join(await ensurePart(home, { name: `chromium-${chromiumVersion}`, proof, make }), proof);
}

async function installCode(place: string): Promise<void> {
  const carrier = `code-server@4.${codeVersion.slice(2)}`;
  await npm(["pack", carrier], { cwd: place });
  const [archive] = (await readdir(place)).filter((name) => name.endsWith(".tgz"));
  if (!archive) throw new Error(`Setup failed: npm returned no archive of ${carrier}.`);
  await checkArchive(carrier, path.join(place, archive));
  await unpack(place, archive, ["--strip-components=3", "package/lib/vscode"]);
  await rm(path.join(place, archive));
  await npm(["install", "--omit=dev"], { cwd: place });
  // Logging uses a native module that isn't built here; without a replacement, output channels would stay empty.
  copyFileSync(path.join(__dirname, "spdlog.cjs"), path.join(place, "node_modules/@vscode/spdlog/index.js"));
  // The native watchdog isn't built either, and isn't needed.
  await writeFile(path.join(place, "node_modules/@vscode/native-watchdog/index.js"), "exports.start = () => {};\n");
  // A built-in extension that is never used here, and by far the largest part.
  await rm(path.join(place, "node_modules/@github"), { recursive: true, force: true });
  await withoutGallery(path.join(place, "product.json"));
}

/** Removes the extension gallery, so that VS Code doesn't look up our extension. */
async function withoutGallery(file: string): Promise<void> {
  const { extensionsGallery: _, ...product } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(product));
}

async function npmInstall(place: string, ...packages: string[]): Promise<void> {
  await writeFile(path.join(place, "package.json"), '{"private":true}\n');
  await npm(["install", "--no-save", "--omit=optional", ...packages], { cwd: place });
  await checkInstalled(packages, place);
}
