/**
 * VS Code in a browser alone, as on vscode.dev: no server runs extensions, so they run in a web worker. Its program comes
 * from VS Code's server; extensions and the files of the workspace come from folders of the test.
 */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { ensureCodeHost } from "../../scripts/vscode/install";
import { type CodeServer, quietSettings, startCodeServer } from "../../scripts/vscode/server";
import { calmSettings } from "./calm";

/** The folder whose files can be changed. */
const WRITABLE = "files";

export interface WorkbenchOptions {
  /** The folders that are served, by the first part of their URL. */
  readonly roots: Readonly<Record<string, string>> & { readonly [WRITABLE]: string };
  /** Extensions, by their URL's path. */
  readonly extensions: readonly string[];
  /** A suite that VS Code runs in the extension host, and the extension that it tests. */
  readonly tests?: { readonly extension: string; readonly suite: string };
}

/** The folder of the workspace in the folder whose files can be changed, and its URI in VS Code. */
export const WORKSPACE = "octo/flows";
export const WORKSPACE_URI = `vscode-vfs://github/${WORKSPACE}`;

export interface Workbench {
  readonly server: CodeServer;
  address(folder: string, payload?: readonly (readonly [string, string])[]): string;
  stop(): Promise<void>;
}

export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const server = await startCodeServer(await ensureCodeHost());
  try {
    const served = await serve(options, server.port);
    return {
      server,
      address(folder, payload = []) {
        const address = new URL(server.address("/"));
        address.port = String(served.port);
        address.searchParams.set("folder", folder);
        address.searchParams.set("payload", JSON.stringify(payload));
        return address.href;
      },
      async stop() {
        await served.stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const CONFIGURATION = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;

/** The page of VS Code's server, without the connection to it and with the extensions of the test. */
function withoutServer(html: string, port: number, { extensions, tests }: WorkbenchOptions): string {
  return html.replace(CONFIGURATION, (_whole, start: string, escaped: string) => {
    const configuration = JSON.parse(escaped.replaceAll("&quot;", '"').replaceAll("&amp;", "&")) as object;
    const served = (name: string) => ({ scheme: "http", authority: `localhost:${port}`, path: `/${name}` });
    const changed = {
      ...configuration,
      remoteAuthority: undefined,
      userDataPath: "/",
      enableWorkspaceTrust: false,
      additionalBuiltinExtensions: extensions.map(served),
      configurationDefaults: { ...quietSettings, ...calmSettings },
      ...(tests
        ? { developmentOptions: { extensions: [served(tests.extension)], extensionTestsPath: served(tests.suite) } }
        : {}),
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

/** Serves folders by name, and for everything else the answers of VS Code's server. */
async function serve(options: WorkbenchOptions, codePort: number) {
  let own = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const [, name = "", ...parts] = decodeURIComponent(url.pathname).split("/");
    const root = options.roots[name];
    const isAllowed = request.method === "GET" || name === WRITABLE;
    const answer =
      root && isAllowed
        ? answerFile(request, url.search, path.join(root, ...parts), response)
        : answerCode(request, codePort, own, options, response);
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
  if (method === "PUT" && query.startsWith("?from="))
    return rename(path.join(file, "..", decodeURIComponent(query.slice(6))), file);
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

async function answerCode(
  request: IncomingMessage,
  codePort: number,
  own: number,
  options: WorkbenchOptions,
  response: ServerResponse,
) {
  const { cookie = "" } = request.headers;
  const answer = await fetch(`http://127.0.0.1:${codePort}${request.url}`, { headers: { cookie }, redirect: "manual" });
  response.statusCode = answer.status;
  for (const name of ["content-type", "content-security-policy", "location", "set-cookie"])
    if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name) as string);
  if (request.url?.endsWith("/workbench/workbench.js")) return asPublished(await answer.text());
  if (answer.headers.get("content-type")?.startsWith("text/html"))
    return withoutServer(await answer.text(), own, options);
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
