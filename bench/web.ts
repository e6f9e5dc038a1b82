/**
 * Compares typing in a browser with typing on the desktop: 500 edits of a flow of 2,000 nodes, each until its diagnostics
 * are there, in the language server of a web worker in a real browser and in the one of a process. They take turns, so
 * the ratio is meaningful on any machine. Fails if the browser's 95th percentile is more than twice the desktop's.
 */
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { chromium } from "playwright-core";
import { inProject } from "../scripts/project";
import { browserSwitches } from "../scripts/vscode/browser";
import { ensureBrowser } from "../scripts/vscode/install";
import { flowOf, placesIn } from "./flows";
import { MeasuredServer, type Place } from "./lsp";
import { percentile, type Row } from "./measure";
import { ourSide } from "./sides";

const SIZE = 2000;
const [TURNS, EDITS, WARM_UP] = [5, 100, 100];
const MOST = 2;

interface Edit {
  readonly at: Place;
  readonly text: string;
}

export async function run(): Promise<readonly Row[]> {
  const text = flowOf(SIZE);
  const { node, args, settings } = await ourSide();
  const desktop = await MeasuredServer.start(node, args, settings);
  const site = await serveFiles();
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserSwitches });
  try {
    const page = await browser.newPage();
    await page.goto(site.address);
    await page.evaluate(`opened(${JSON.stringify(text)})`);
    await desktop.open(text);
    const edits = (from: number, count: number): Edit[] =>
      Array.from({ length: count }, (_, index) => {
        const round = from + index;
        const { words } = placesIn(text, 2 + ((round * 37) % (SIZE - 4)));
        return { at: desktop.placeOf(words), text: "wW"[round % 2] as string };
      });
    const turn = async (list: readonly Edit[]) => {
      const inBrowser = await page.evaluate<number[]>(`edited(${JSON.stringify(list)})`);
      const onDesktop: number[] = [];
      for (const { at, text } of list) onDesktop.push(await desktop.edit(at, 1, text));
      return { inBrowser, onDesktop };
    };
    // Both find a variable that isn't declared.
    const wrong = { at: desktop.placeOf(placesIn(text, 5).words), text: "{{nowhere}} w" };
    await turn([...edits(0, WARM_UP), wrong]);
    const found = await page.evaluate<number>("found");
    if (found === 0 || found !== desktop.codes.length)
      throw new Error(`${found} diagnostics in the browser, ${desktop.codes.length} on the desktop`);
    const turns: Awaited<ReturnType<typeof turn>>[] = [];
    for (let each = 0; each < TURNS; each++) turns.push(await turn(edits(WARM_UP + each * EDITS, EDITS)));
    const times = turns.flatMap(({ onDesktop }) => onDesktop);
    const limit = MOST * percentile(times, 0.95);
    return [
      { what: "edit on the desktop", times },
      { what: "edit in the browser", times: turns.flatMap(({ inBrowser }) => inBrowser), limit, share: 0.95 },
    ];
  } finally {
    await browser.close();
    await site.stop();
    await desktop.stop();
  }
}

/** The page, which is the client of the language server in its worker. */
const PAGE = `<!DOCTYPE html><meta charset="utf-8"><script>
  const uri = "file:///bench/large.flow.yaml";
  const waiting = new Map();
  let [lastId, version, previousResultId, found] = [0, 1, undefined, 0];
  const worker = new Worker("server.js", { type: "module" });
  const ready = new Promise((resolve, reject) => {
    worker.onerror = reject;
    worker.onmessage = ({ data }) => {
      if (data === "ready") resolve();
      else if (data.method === undefined) waiting.get(data.id)(data.result);
      else if (data.id !== undefined) {
        const result = data.method === "workspace/configuration" ? data.params.items.map(() => null) : null;
        worker.postMessage({ jsonrpc: "2.0", id: data.id, result });
      }
    };
  });
  const notify = (method, params) => worker.postMessage({ jsonrpc: "2.0", method, params });
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++lastId, resolve);
      worker.postMessage({ jsonrpc: "2.0", id: lastId, method, params });
    });
  async function timeToDiagnostics(method, params) {
    const begun = performance.now();
    notify(method, params);
    const report = await request("textDocument/diagnostic", { textDocument: { uri }, previousResultId });
    previousResultId = report.resultId;
    if (report.kind === "full") found = report.items.length;
    return performance.now() - begun;
  }
  async function opened(text) {
    await ready;
    const capabilities = { textDocument: { diagnostic: {}, publishDiagnostics: { relatedInformation: true } } };
    await request("initialize", { processId: null, rootUri: null, capabilities });
    notify("initialized", {});
    const textDocument = { uri, languageId: "assistant-flow", version, text };
    await timeToDiagnostics("textDocument/didOpen", { textDocument });
  }
  async function edited(edits) {
    const times = [];
    for (const { at, text } of edits) {
      const range = { start: at, end: { line: at.line, character: at.character + 1 } };
      const textDocument = { uri, version: ++version };
      times.push(await timeToDiagnostics("textDocument/didChange", { textDocument, contentChanges: [{ range, text }] }));
    }
    return times;
  }
</script>`;

async function serveFiles() {
  const server = createServer((request, response) => {
    const name = path.basename(request.url ?? "");
    if (name === "") return void response.setHeader("content-type", "text/html").end(PAGE);
    response.setHeader("content-type", "text/javascript");
    createReadStream(inProject("dist/web", name))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}
