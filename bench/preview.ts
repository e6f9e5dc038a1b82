/**
 * Times of the graph preview: `npm run bench:preview`. The page runs in a real browser with an empty host, and the
 * server's work is done here, so times include everything but the messages. Exits with 1 if a median exceeds its limit.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { FlowDocument } from "../flow";
import { main as build } from "../scripts/build";
import { inProject } from "../scripts/project";
import { browserSwitches } from "../scripts/vscode/browser";
import { ensureBrowser } from "../scripts/vscode/install";
import { graphView } from "../server/features/graph/graph-view";
import { flowOf } from "./flows";
import { median } from "./measure";

const ROUNDS = 7;
const LIMITS_MS = { first: 1000, edit: 100, frame: 33 } as const;
let slow = 0;
const ADDRESS = "http://preview.invalid/";

async function bench(): Promise<void> {
  await build([]);
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: browserSwitches,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 640, height: 720 } });
    await page.route(`${ADDRESS}**`, (route) => {
      const name = path.basename(new URL(route.request().url()).pathname);
      if (name === "") return route.fulfill({ contentType: "text/html", body: html });
      return route.fulfill({
        contentType: name.endsWith(".css") ? "text/css" : "text/javascript",
        body: readFileSync(inProject(`dist/webview/${name}`)),
      });
    });
    const rows = [
      await first(page, 300, LIMITS_MS.first),
      await edits(page, 300),
      await first(page, 2000),
      await frames(page, "2,000 nodes, a frame while panning, near"),
    ];
    await page.getByText("Fit").click();
    rows.push(await frames(page, "2,000 nodes, a frame while panning, far out"));
    console.log(["| | what | median | worst | limit |", "|---|---|---|---|---|", ...rows].join("\n"));
    process.exitCode = slow > 0 ? 1 : 0;
  } finally {
    await browser.close();
  }
}

const html = `<!DOCTYPE html><html><head><link rel="stylesheet" href="graph.css"></head><body data-worker="graph-layout.js" class="vscode-dark">
<script>window.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });</script>
<script src="graph.js"></script></body></html>`;

/** From the text to the drawing, including the start of the page. */
async function first(page: Page, nodes: number, limit?: number): Promise<string> {
  const text = flowOf(nodes);
  const times: number[] = [];
  for (let round = 0; round < (nodes > 500 ? 3 : ROUNDS); round++) {
    const begin = performance.now();
    await page.goto(ADDRESS);
    await show(page, graphView(FlowDocument.read(text), 1, [], undefined));
    times.push(performance.now() - begin);
  }
  return row(`${nodes.toLocaleString("en")} nodes, first shown`, times, limit);
}

/** Adds a node in the middle of the file while the page is open. */
async function edits(page: Page, nodes: number): Promise<string> {
  const document = FlowDocument.read(flowOf(nodes));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const at = document.text.indexOf("  node_5:");
    const text = `  fresh_${round}:\n    type: message\n    instructions: New.\n    edges:\n      - to: node_5\n`;
    const begin = performance.now();
    document.edit([{ start: at, end: at, text }]);
    await show(page, graphView(document, round + 2, [], undefined));
    times.push(performance.now() - begin);
  }
  return row(`${nodes.toLocaleString("en")} nodes, an edit to the changed picture`, times, LIMITS_MS.edit);
}

async function frames(page: Page, what: string): Promise<string> {
  const times = (await page.evaluate(`(async () => {
    const surface = document.querySelector(".surface");
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let step = 0; step < 90; step++) {
      surface.dispatchEvent(new WheelEvent("wheel", { deltaX: 4, deltaY: step < 45 ? 60 : -60, cancelable: true }));
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  })()`)) as number[];
  return row(what, times, LIMITS_MS.frame);
}

/** Resolves when this version has been painted. */
async function show(page: Page, view: { readonly version: number }): Promise<void> {
  const message = { type: "graph", uri: "file:///a.flow.yaml", title: "a", locked: false, view };
  await page.evaluate(`(async (data) => {
    window.dispatchEvent(new MessageEvent("message", { data, origin: window.origin }));
    while (document.body.dataset.version !== String(data.view.version)) await new Promise((done) => setTimeout(done, 1));
    await new Promise(requestAnimationFrame);
  })(${JSON.stringify(message)})`);
}

/** A row of the table, with or without a limit. */
function row(what: string, times: readonly number[], limit?: number): string {
  const shown = (time: number) => `${time < 20 ? time.toFixed(1) : time.toFixed(0)} ms`;
  const middle = median(times);
  const holds = limit === undefined || middle < limit;
  if (!holds) slow++;
  const mark = limit === undefined ? "" : holds ? "✔" : "✖";
  return `| ${mark} | ${what} | ${shown(middle)} | ${shown(Math.max(...times))} | ${limit === undefined ? "" : `${limit} ms`} |`;
}

void bench();
