/**
 * Times of the graph preview. The page runs in a real browser with an empty host, and the server's work is done here, so
 * times include everything but the messages.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { FlowDocument } from "../flow";
import { inProject } from "../scripts/project";
import { browserSwitches } from "../scripts/vscode/browser";
import { ensureBrowser } from "../scripts/vscode/install";
import { graphView } from "../server/features/graph/graph-view";
import { flowOf } from "./flows";
import { type Row, timesOf } from "./measure";

const ADDRESS = "http://preview.invalid/";

export async function run(): Promise<readonly Row[]> {
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserSwitches });
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
    const rows: Row[] = [
      { what: "300 nodes, first shown", times: await first(page, 300), limit: 1000 },
      { what: "300 nodes, from an edit to the changed graph", times: await edits(page, 300), limit: 100 },
      { what: "2,000 nodes, first shown", times: await first(page, 2000) },
      { what: "2,000 nodes, a frame while panning, near", times: await frames(page), limit: 33 },
    ];
    await page.getByText("Fit").click();
    return [...rows, { what: "2,000 nodes, a frame while panning, far out", times: await frames(page), limit: 33 }];
  } finally {
    await browser.close();
  }
}

const html = `<!DOCTYPE html><html><head><link rel="stylesheet" href="graph.css"></head><body data-worker="graph-layout.js" class="vscode-dark">
<script>window.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });</script>
<script src="graph.js"></script></body></html>`;

/** From the text to the drawing, including the start of the page. */
function first(page: Page, nodes: number): Promise<readonly number[]> {
  const text = flowOf(nodes);
  return timesOf(nodes > 500 ? 3 : 7, async () => {
    await page.goto(ADDRESS);
    await show(page, graphView(FlowDocument.read(text), 1, [], undefined));
  });
}

/** Adds a node in the middle of the file while the page is open. */
function edits(page: Page, nodes: number): Promise<readonly number[]> {
  const document = FlowDocument.read(flowOf(nodes));
  return timesOf(7, async (round) => {
    const at = document.text.indexOf("  node_5:");
    const text = `  fresh_${round}:\n    type: message\n    instructions: New.\n    edges:\n      - to: node_5\n`;
    document.edit([{ start: at, end: at, text }]);
    await show(page, graphView(document, round + 2, [], undefined));
  });
}

function frames(page: Page): Promise<number[]> {
  return page.evaluate(`(async () => {
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
  })()`);
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
