/** The extension in a browser, attacked by other sites and by a platform that redirects. */
import "../support/vscode";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import vm from "node:vm";
import { build } from "esbuild";
import type { Uri, Webview } from "vscode";
import { pageHtml } from "../../client/pages/page";
import type * as platform from "../../platform";
import { webBundles } from "../../scripts/bundle/web-build";
import { filesBelow, inProject } from "../../scripts/project";
import { inFolder } from "./outsider";

const KEY = "key-of-the-first-platform-81f2";

test("no program for a browser makes code of text", () => {
  const programs = ["dist/web", "dist/webview"].flatMap((folder) => filesBelow(folder, ".js"));
  assert.ok(programs.length > 10, String(programs.length));
  for (const program of programs) {
    const code = readFileSync(inProject(program), "utf8");
    assert.doesNotMatch(
      code,
      /(?<![.\w$])eval\(|\bnew Function\b|(?<![.\w$])Function\(|\bset(?:Timeout|Interval)\(["'`]/,
      program,
    );
    assert.doesNotMatch(code, /\bimportScripts\(|\bdocument\.write\(/, program);
  }
});

test("the language server and the sandbox run where text can't become code", async () => {
  const examples = ["support-line.flow.yaml", "billing.flow.yaml"].map((name) => [
    name,
    readFileSync(inProject("examples", name), "utf8"),
  ]);
  const program = `
    let isReady;
    const ready = new Promise((resolve) => { isReady = resolve; });
    globalThis.addEventListener = () => {};
    const waiting = new Map();
    globalThis.postMessage = (message) =>
      message === "ready" ? isReady() : message.method === undefined ? waiting.get(message.id)(message.result) : undefined;
    const send = (message) => globalThis.onmessage({ data: { jsonrpc: "2.0", ...message } });
    const ask = (id, method, params) => new Promise((done) => { waiting.set(id, done); send({ id, method, params }); });
    const textDocument = { uri: "file:///a.flow.yaml", languageId: "assistant-flow", version: 1, text: "entry: nowhere\\n" };
    let isRefused = false;
    try { eval("1"); } catch { isRefused = true; }
    await import(${JSON.stringify(fileUrl("server.js"))});
    await ready;
    await ask(1, "initialize", { processId: null, rootUri: null, capabilities: { textDocument: { diagnostic: {} } } });
    send({ method: "textDocument/didOpen", params: { textDocument } });
    const { items } = await ask(2, "textDocument/diagnostic", { textDocument });
    const { openInProcess } = await import(${JSON.stringify(fileUrl("sandbox.js"))});
    const sandbox = await openInProcess(new Map(${JSON.stringify(examples)}), console.error);
    const headers = { "x-api-key": sandbox.apiKey };
    const { status } = await sandbox.answer(new URL(sandbox.workflowBaseUrl + "/calls"), { headers });
    console.log(JSON.stringify({ isRefused, findings: items.length > 0, status }));
    process.exit(0);
  `;
  const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  assert.deepEqual(JSON.parse(stdout), { isRefused: true, findings: true, status: 200 });
});

function fileUrl(name: string): string {
  return pathToFileURL(inProject("dist/web", name)).href;
}

/** Loads the platform's client as the build makes it for a browser. */
async function inBrowser(run: (client: typeof platform) => Promise<void>): Promise<void> {
  await inFolder({}, async (folder) => {
    const modules = webBundles({ bundle: true, absWorkingDir: inProject(".") }).at(-1);
    const outfile = path.join(folder, "platform.mjs");
    await build({ ...modules, entryPoints: ["platform/index.ts"], outdir: undefined, splitting: false, outfile });
    await run(await import(pathToFileURL(outfile).href));
  });
}

const request = { family: "platform", method: "GET", path: "/v1/identity/whoami" } as const;

async function listening(context: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  context.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("in a browser, no redirect gets a key or a request", (context) =>
  inBrowser(async ({ fetchTransport, Secret }) => {
    let stolen = 0;
    const thief = await listening(context, (_request, response) => {
      stolen++;
      response.end("{}");
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const baseUrl = await listening(context, (_request, response) =>
        response.writeHead(status, { location: `${thief}/v1/identity/whoami` }).end(),
      );
      const sent = fetchTransport({ baseUrl, key: new Secret(KEY) }).send(request);
      await assert.rejects(sent, { failure: "redirect" }, String(status));
    }
    assert.equal(stolen, 0);
    // A browser doesn't show where a redirect leads.
    const hidden = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null };
    const fetching = context.mock.method(globalThis, "fetch", async () => hidden as unknown as Response);
    const sent = fetchTransport({ baseUrl: "https://platform.example", key: new Secret(KEY) }).send(request);
    await assert.rejects(sent, { failure: "redirect" });
    assert.equal(fetching.mock.callCount(), 1);
    const [, init] = (fetching.mock.calls[0]?.arguments ?? []) as unknown as [URL?, RequestInit?];
    assert.equal(init?.redirect, "manual");
  }));

test("in a browser, a key goes to its own URL only, also when the platform refuses the site", (context) =>
  inBrowser(async ({ fetchTransport, Secret }) => {
    const asked: { readonly origin: string; readonly init: RequestInit }[] = [];
    context.mock.method(globalThis, "fetch", async (url: URL | string, init: RequestInit = {}) => {
      asked.push({ origin: new URL(url).origin, init });
      if (asked.length % 2 === 1) throw new TypeError("Failed to fetch");
      return new Response();
    });
    const sent = fetchTransport({ baseUrl: "https://platform.example", key: new Secret(KEY) }).send(request);
    await assert.rejects(sent, { failure: "site", message: "The platform doesn't accept requests from this site." });
    assert.deepEqual(
      asked.map(({ origin, init }) => ({ origin, hasKey: JSON.stringify(init).includes(KEY) })),
      [
        { origin: "https://platform.example", hasKey: true },
        { origin: "https://platform.example", hasKey: false },
      ],
    );
  }));

test("in a browser, the sandbox's key is never sent, whether or not the sandbox runs", (context) =>
  inBrowser(async ({ fetchTransport, Secret }) => {
    const fetching = context.mock.method(globalThis, "fetch", () => assert.fail("It was sent."));
    for (const baseUrl of ["https://sandbox.invalid", "https://calls.sandbox.invalid", "https://other.invalid"]) {
      const sent = fetchTransport({ baseUrl, key: new Secret(KEY) }).send(request);
      await assert.rejects(sent, { failure: "network" }, baseUrl);
    }
    assert.equal(fetching.mock.callCount(), 0);
  }));

test("a page ignores messages of other sites", async () => {
  const built = await build({
    entryPoints: [inProject("webview/page/host.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "host",
  });
  const window = Object.assign(new EventTarget(), { origin: "https://page.example" });
  const acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });
  const received: unknown[] = [];
  const onMessage = (message: unknown) => void received.push(message);
  const code = `${built.outputFiles[0]?.text}; host.connect().onMessage(onMessage);`;
  vm.runInNewContext(code, { window, acquireVsCodeApi, onMessage });
  const post = (data: string, origin: string) =>
    window.dispatchEvent(Object.assign(new Event("message"), { data, origin }));
  for (const origin of ["https://evil.example", "null", "", "https://page.example.evil", "https://page.example:8443"])
    post(origin, origin);
  post("from VS Code", "https://page.example");
  assert.deepEqual(received, ["from VS Code"]);
});

test("a page may load and run nothing but its own files", () => {
  const webview = { cspSource: "https://page.example", asWebviewUri: (uri: Uri) => uri } as unknown as Webview;
  const extension = { fsPath: "/extension" } as Uri;
  const policyOf = (worker?: string) => {
    const html = pageHtml(webview, extension, { name: "graph", title: "Graph", ...(worker ? { worker } : {}) });
    return /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(html)?.[1]
      ?.replace(/nonce-[\w-]{20,}/, "nonce-…");
  };
  const policy =
    "default-src 'none'; script-src 'nonce-…'; style-src https://page.example; img-src data:; base-uri 'none'; form-action 'none'";
  assert.equal(policyOf(), policy);
  assert.equal(policyOf("graph-layout"), `${policy}; worker-src blob:; connect-src https://page.example`);
});
