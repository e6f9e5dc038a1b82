/**
 * VS Code in a browser alone, as on vscode.dev: no server runs extensions, so ours runs in a web worker. Its files and
 * those of the workspace come from an HTTP server of the test.
 */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { inProject, temporaryFolder } from "../../scripts/project";
import { ensureBrowser, ensureCodeHost } from "../../scripts/vscode/install";
import { quietSettings, startCodeServer } from "../../scripts/vscode/server";
import { Code, extensionsFolder, launchBrowser, PATIENCE_MS } from "./harness";

interface WebOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly open: string;
  /** Nothing can be changed. */
  readonly isReadOnly?: boolean;
}

export async function openInBrowser({ files, open, isReadOnly = false }: WebOptions): Promise<Code> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closing) await each();
  };
  try {
    const workspace = await temporaryFolder();
    closing.unshift(workspace.remove);
    const folder = path.join(workspace.path, "flows");
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const extensions = await extensionsFolder();
    const ours = (await readdir(extensions)).find((name) => name.startsWith("assistant-flow.")) ?? "";
    const roots = {
      extension: path.join(extensions, ours),
      "web-files": inProject("test/ui/web-files"),
      files: workspace.path,
    };
    const server = await startCodeServer(await ensureCodeHost());
    closing.unshift(server.stop);
    const served = await serve(roots, server.port);
    closing.unshift(served.stop);
    const browser = await launchBrowser(await ensureBrowser());
    closing.unshift(() => browser.close());
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const code = new Code(page, context, server, folder, undefined, close);
    const address = new URL(server.address("/"));
    address.port = String(served.port);
    const folderUri = `${isReadOnly ? "web-read-only" : "web-files"}:/flows`;
    address.searchParams.set("folder", folderUri);
    address.searchParams.set("payload", JSON.stringify([["openFile", `${folderUri}/${open}`]]));
    await page.goto(address.href);
    await code.started();
    await code.editor(open).waitFor();
    return code;
  } catch (error) {
    await close();
    throw error;
  }
}

const CONFIGURATION = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;

/** The page of VS Code's server, without the connection to it and with our extensions. */
function withoutServer(html: string, port: number): string {
  return html.replace(CONFIGURATION, (_whole, start: string, escaped: string) => {
    const configuration = JSON.parse(escaped.replaceAll("&quot;", '"').replaceAll("&amp;", "&")) as object;
    const extension = (name: string) => ({ scheme: "http", authority: `localhost:${port}`, path: `/${name}` });
    const changed = {
      ...configuration,
      remoteAuthority: undefined,
      userDataPath: "/",
      enableWorkspaceTrust: false,
      additionalBuiltinExtensions: [extension("extension"), extension("web-files")],
      configurationDefaults: quietSettings,
    };
    return `${start}${JSON.stringify(changed).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  });
}

/** The package's program always connects to its server, and stores user data there; VS Code's own stores it in the browser. */
function asPublished(program: string): string {
  const changes = [
    ["remoteAuthority:location.host", ""],
    [/(?<=this\.userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote/, "vscodeUserData"],
  ] as const;
  return changes.reduce((text, [from, to]) => {
    assert.notEqual(text.search(from), -1, `${from} isn't in the program`);
    return text.replace(from, to);
  }, program);
}

/** Serves folders by name, and for everything else the answers of VS Code's server. Files can be changed. */
async function serve(roots: Readonly<Record<string, string>>, codePort: number) {
  let own = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const [, name = "", ...parts] = decodeURIComponent(url.pathname).split("/");
    const root = roots[name];
    const answer = root
      ? answerFile(request, url.search, path.join(root, ...parts), response)
      : answerCode(request, codePort, own, response);
    answer.then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  own = (server.address() as AddressInfo).port;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: own, stop };
}

async function answerFile(request: IncomingMessage, query: string, file: string, response: ServerResponse) {
  const { method } = request;
  if (method === "PUT" && query === "?folder") return void (await mkdir(file, { recursive: true }));
  if (method === "PUT") return writeFile(file, await bytesOf(request));
  if (method === "DELETE") return rm(file, { recursive: true });
  const found = await stat(file);
  const typeOf = (entry: { isDirectory(): boolean }) => (entry.isDirectory() ? 2 : 1);
  if (query === "?stat")
    return JSON.stringify({ type: typeOf(found), size: found.size, mtime: found.mtimeMs, ctime: found.ctimeMs });
  if (query === "?list")
    return JSON.stringify((await readdir(file, { withFileTypes: true })).map((each) => [each.name, typeOf(each)]));
  response.setHeader("content-type", TYPES[path.extname(file)] ?? "application/octet-stream");
  return readFile(file);
}

async function answerCode(request: IncomingMessage, codePort: number, own: number, response: ServerResponse) {
  const { cookie = "" } = request.headers;
  const answer = await fetch(`http://127.0.0.1:${codePort}${request.url}`, { headers: { cookie }, redirect: "manual" });
  response.statusCode = answer.status;
  for (const name of ["content-type", "content-security-policy", "location", "set-cookie"])
    if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name) as string);
  if (request.url?.endsWith("/workbench/workbench.js")) return asPublished(await answer.text());
  if (answer.headers.get("content-type")?.startsWith("text/html")) return withoutServer(await answer.text(), own);
  return Buffer.from(await answer.arrayBuffer());
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
