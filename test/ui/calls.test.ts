/** Calls on the graph page, from the place where callers hang up to a test, with calls that the sandbox ran. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import { capture, inProject } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { graphControl, inEachTheme } from "./pages";

const FLOW = "support-line.flow.yaml";
const text = readFileSync(inProject("examples", FLOW), "utf8");

let code: Code;
let graph: FrameLocator;
let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ flags: ["--calls", "30", "--seed", "ui"] });
  code = await openCode({ files: { [FLOW]: text, ".vscode/settings.json": "{}" }, open: FLOW, sandbox });
  await code.palette("Assistant Flow: Open Flow Graph");
  graph = await code.webview("Arrange");
});
after(() => code?.close());

const list = () => graph.locator(".call-list");
const verticalIn = async (element: Locator) => {
  const { y, height } = (await element.boundingBox()) as { y: number; height: number };
  return { top: Math.round(y), bottom: Math.round(y + height) };
};

test("Calls shows how many callers take each edge, and a drop-off lists its calls", () =>
  code.screenshotOnFailure("calls-graph", async () => {
    await graph.locator('[data-node="greet"]').waitFor();
    await (await graphControl(graph, "Calls")).click();
    await graph.locator('[data-node="greet"] .call-count').waitFor();
    const words = (await graph.locator(".calls-status").textContent()) ?? "";
    const [, calls = "0", placed = "0"] = /^(\d+) calls: (\d+) follow this flow/.exec(words) ?? [];
    assert.ok(Number(calls) >= 30, words);
    assert.ok(Number(placed) >= 10, words);
    assert.ok((await graph.locator(".edge.calls-none").count()) > 0, "edges that no call takes");
    assert.ok((await graph.locator(".edge.calls-untested .call-count").count()) > 0, "edges that no test takes");
    const dropOff = graph.locator(".node:has(.left-mark)").first();
    const [, left = ""] = /(\d+) left/.exec((await dropOff.locator(".left-mark").textContent()) ?? "") ?? [];
    await dropOff.click();
    await list().getByText(`Left here: ${left}`).waitFor();
    await dropOff.hover();
    const hover = graph.locator(".hover").filter({ hasText: /calls?, \d+ % of the traced calls/ });
    await hover.waitFor();
    // Nothing covers the graph or the list.
    const status = await verticalIn(graph.locator(".calls-status"));
    const surface = await verticalIn(graph.locator(".surface"));
    const [listed, shown] = [await verticalIn(list()), await verticalIn(hover)];
    assert.ok(status.bottom <= surface.top && surface.bottom <= listed.top && shown.bottom <= surface.bottom);
    await inEachTheme(code, "graph-calls", graph, [".call-list li button", ".call-list"]);
  }));

test("a call opens with its path beside the transcript, and is debugged from its entry", () =>
  code.screenshotOnFailure("calls-call", async () => {
    await list().locator("ul").first().locator("button").first().click();
    const page = await code.webview("Transcript");
    await page.locator(".path li").first().waitFor();
    assert.equal(await page.locator(".path li button").first().textContent(), "greet");
    await page.locator(".path").getByText("certain").first().waitFor();
    await inEachTheme(code, "call-path", page, [".path .certainty", "body"]);
    const steps = await page.locator(".path li button").allInnerTexts();
    await page.getByRole("button", { name: "Debug This Call" }).click();
    const line = code.page.locator(`.monaco-editor[data-uri$="/${FLOW}"] .debug-top-stack-frame-line`);
    await line.waitFor();
    await code.screenshot("call-debugged");
    // The answers of the call are replayed, so the run asks no question before the end of its path.
    for (const [index, node] of steps.entries()) {
      if (index > 0) await code.palette("Debug: Step Over");
      await code.cursorAt(text.slice(0, text.indexOf(`\n  ${node}:`)).split("\n").length + 1, 3);
    }
    await code.palette("Debug: Stop");
    await line.waitFor({ state: "detached" });
  }));

const recordedCalls = async () => {
  const answer = await fetch(`${sandbox.workflowBaseUrl}/calls`, { headers: { "x-api-key": sandbox.apiKey } });
  return ((await answer.json()) as { calls: { id: string; transcript?: { text: string }[] }[] }).calls;
};

/** A call whose whole path is known, and the node at its end. */
async function placedCall(): Promise<{ readonly call: string; readonly end: string }> {
  await code.write("calls.jsonl", (await recordedCalls()).map((call) => JSON.stringify(call)).join("\n"));
  const args = ["calls", "trace", "--flow", FLOW, "--calls", "calls.jsonl", "--format", "json"];
  const { output } = await capture(process.execPath, [inProject("dist/cli.js"), ...args], { cwd: code.folder });
  const traces = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { call, end } = traces.find(({ verdict }) => verdict === "placed");
  return { call, end: end.node };
}

test("a call that came to an end becomes a test", () =>
  code.screenshotOnFailure("calls-test", async () => {
    await code.closeEditors();
    await code.openFile(FLOW);
    await code.palette("Assistant Flow: Open Flow Graph");
    graph = await code.webview("Arrange");
    await (await graphControl(graph, "Calls")).click();
    await graph.locator(".node .call-count").first().waitFor();
    const { call, end } = await placedCall();
    await graph.getByLabel("Find node").fill(end);
    await graph.getByLabel("Find node").press("Enter");
    await list()
      .getByRole("button", { name: call.slice(0, 8) })
      .click();
    const page = await code.webview("Transcript");
    await page.locator(".path li").first().waitFor();
    const steps = await page.locator(".path li button").allInnerTexts();
    await page.getByRole("button", { name: "Create Test…" }).click();
    await code.page.locator('.tab.active[data-resource-name="support-line.flowtest.yaml"]').waitFor();
    // The test has the path that the page shows.
    const shown = code.page.locator('.monaco-editor[data-uri$="/support-line.flowtest.yaml"] .view-lines').first();
    const written = (await shown.innerText()).replaceAll("\u00a0", " ");
    assert.ok(written.replace(/\s+/g, " ").includes(`path: [${steps.join(", ")}]`), written);
    await code.screenshot("call-test");
  }));

test("after a change, `diff --calls` names a call that changes", async () => {
  const calls = await recordedCalls();
  await code.write("changed.flow.yaml", text.replace("- to: ask_name\n", "- to: hand_over\n"));
  const args = ["diff", FLOW, "changed.flow.yaml", "--calls", "calls.jsonl"];
  const { output } = await capture(process.execPath, [inProject("dist/cli.js"), ...args], { cwd: code.folder });
  const [, changed = "0", id = ""] =
    /(\d+) calls: "greet" leads to "hand_over", for example call (\S+)\./.exec(output) ?? [];
  assert.ok(Number(changed) > 0, output);
  assert.ok(calls.some((call) => call.id === id));
});

test("VS Code's profile contains nothing that was spoken in a call", async () => {
  const spoken = (await recordedCalls()).flatMap(({ transcript = [] }) => transcript.map(({ text: words }) => words));
  // Short texts, such as "Yes.", are in any log.
  const telling = [...new Set(spoken)].filter((words) => words.length >= 20);
  assert.ok(telling.length > 20, String(telling.length));
  const root = code.server.userDataDir;
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  assert.ok(files.some(({ name }) => name.endsWith(".log")));
  for (const each of files) {
    const file = path.join(each.parentPath, each.name);
    const content = readFileSync(file);
    const read = [content.toString("utf8"), content.toString("utf16le")];
    const found = telling.filter((words) => read.some((whole) => whole.includes(words)));
    assert.deepEqual(found, [], path.relative(root, file));
  }
});
