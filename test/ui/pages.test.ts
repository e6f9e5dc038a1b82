/** The pages inside VS Code, read from their own DOM: graph, call, review, spend. One VS Code for all of it. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { flowOf } from "../../bench/flows";
import { inProject } from "../../scripts/project";
import { type Code, openCode } from "./harness";
import { payloads } from "./payloads";

const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");
const themes = { dark: "Dark Modern", light: "Light Modern", "high-contrast": "Default High Contrast" } as const;

let code: Code;
let trap: Server;
let asked = 0;
let dialogs = 0;
let hostile: readonly string[];

before(async () => {
  trap = createServer((_request, response) => {
    asked++;
    response.setHeader("access-control-allow-origin", "*").end("window.__hit=1");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => trap.once("listening", resolve));
  const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/trap`;
  hostile = payloads(address);
  code = await openCode({
    files: {
      "billing.flow.yaml": flow,
      "hostile.flow.yaml": hostileFlow(hostile),
      "large.flow.yaml": flowOf(2000).replace(/^(assistant|revision): .*\n/gm, ""),
      ".vscode/settings.json": "{}",
    },
    open: "billing.flow.yaml",
    sandbox: true,
    settings: { "files.autoSave": "off", "editor.minimap.enabled": false },
  });
  code.page.on("dialog", (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  code.page.on("request", (request) => {
    if (request.url().startsWith(address)) asked++;
  });
});
after(async () => {
  await code?.close();
  trap?.close();
});

let graph: FrameLocator;
const node = (id: string) => graph.locator(`[data-node="${id}"]`);

test("the cursor selects the node and the edge, and a node moves the cursor", () =>
  look("cursor", async () => {
    await code.page.keyboard.press("Control+b");
    await code.palette("Assistant Flow: Open Flow Graph");
    graph = await code.webview("Arrange");
    await node("greet").waitFor();
    await code.goTo(lineOf("  look_up:"), 4);
    await graph.locator('[data-node="look_up"].selected').waitFor();
    await code.goTo(lineOf("label: gave up"), 12);
    await graph.locator('.edge.selected[aria-label*="ask_account to hand_over"]').waitFor();
    await node("tell_plan").click();
    await cursorAt(lineOf("  tell_plan:"));
    await graph.locator('.edge[aria-label*="look_up to hand_over"] .grip').dispatchEvent("click");
    await cursorAt(lineOf("      - to: hand_over"));
    await node("look_up").dblclick();
    await cursorAt(lineOf("  look_up:"));
  }));

test("hover, search and filters show what they say", () =>
  look("focus", async () => {
    await node("ask_account").hover();
    await graph.locator(".hover").filter({ hasText: "ask_account" }).waitFor();
    await graph.getByLabel("Find a node").fill("plan");
    await graph.getByText("1 node", { exact: true }).waitFor();
    await shows(["tell_plan"]);
    await graph.getByLabel("Find a node").press("Enter");
    await cursorAt(lineOf("  tell_plan:"));
    await graph.getByLabel("Find a node").fill("");
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Uses of {{plan}}" });
    await shows(["look_up", "tell_plan"]);
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Never reached" });
    await shows([]);
    await choose("tell_plan", "Show all ways to this node");
    await shows(["ask_account", "greet", "look_up", "tell_plan"]);
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Everything" });
  }));

test("edits in the graph move nothing else, and one Ctrl+Z takes each back", () =>
  look("edits", async () => {
    let before = await fitted();
    const edits: [string, () => Promise<void>, string][] = [
      ["rename", () => choose("tell_plan", "Rename…").then(() => code.answer("say_plan")), '[data-node="say_plan"]'],
      ["add", () => choose("greet", "Add a node").then(() => typeOfNew("ask_name")), '[data-node="ask_name"]'],
      ["entry", () => choose("ask_account", "Set as entry"), '[data-node="ask_account"].entry'],
      ["connect", () => connect("tell_plan", "greet"), '.edge[aria-label*="tell_plan to greet"]'],
    ];
    for (const [name, edit, made] of edits) {
      await edit();
      await graph.locator(made).first().waitFor({ state: "attached" });
      await code.page.locator(".tab.dirty").waitFor();
      const now = await places();
      // A new node is brought into sight; else not even the view moves.
      const allowed = name === "add" ? ["scene"] : [];
      assert.deepEqual(
        moved(before, now).filter((id) => !allowed.includes(id)),
        [],
        name,
      );
      if (name === "rename") assert.equal(now.get("say_plan"), before.get("tell_plan"));
      if (name === "add") {
        await graph.locator('[data-node="ask_name"].selected').waitFor();
        await code.screenshot("graph-added");
      }
      await undo();
      await graph.locator(made).waitFor({ state: "detached" });
      const back = await places();
      assert.deepEqual(
        moved(before, back).filter((id) => !allowed.includes(id)),
        [],
        `${name} undone`,
      );
      before = await fitted();
    }
    await node("hand_over").click();
    await graph.locator(".surface").press("Delete");
    await node("hand_over").waitFor({ state: "detached" });
    assert.equal(await graph.locator('.edge[aria-label*="to hand_over"]').count(), 0);
    await undo();
    await node("hand_over").waitFor();
    assert.equal((await places()).get("hand_over"), before.get("hand_over"));
  }));

test("a line half typed leaves the picture as it was, with the broken part marked", () =>
  look("broken", async () => {
    await focusEditor();
    await code.goTo(lineOf("  look_up:"), "  look_up:".length + 1);
    await graph.locator('[data-node="look_up"].selected').waitFor();
    const before = await places();
    await code.page.keyboard.press("Backspace");
    await graph.locator('[data-node="look_up"].unread').waitFor();
    await graph.getByText("Parts of the file cannot be read").waitFor();
    assert.deepEqual(moved(before, await places()), []);
    assert.equal((await places()).get("look_up"), before.get("look_up"));
    await code.screenshot("graph-broken");
    await code.page.keyboard.type(":");
    await graph.locator(".unread").first().waitFor({ state: "detached" });
    assert.deepEqual(moved(before, await places()), []);
    await code.page.keyboard.press("Control+z");
    await undo();
  }));

test("the graph in each kind of theme", () =>
  look("themes", async () => {
    await graph.getByLabel("Find a node").hover(); // Away from the nodes, whose hover would cover others.
    await fitted();
    await inEachTheme("graph", graph, [".node .title", ".node .body"]);
  }));

test("2,000 nodes: only what is seen is in the page, and panning stays smooth", () =>
  look("large", async () => {
    await openFlow("large.flow.yaml");
    await node("node_0").waitFor({ timeout: 90_000 });
    await graph.locator("canvas.minimap").waitFor();
    const near = await graph.locator(".node").count();
    assert.ok(near > 0 && near < 200, `${near} nodes in the page`);
    const frames = (await graph.locator(".surface").evaluate(script(panning))) as number[];
    await graph.getByRole("button", { name: "Fit" }).click();
    await graph.locator("canvas.far").waitFor();
    assert.equal(await graph.locator(".node").count(), 0);
    const far = (await graph.locator(".surface").evaluate(script(panning))) as number[];
    console.log(`frames while panning 2,000 nodes: near ${median(frames)} ms, far ${median(far)} ms`);
    await code.screenshot("graph-large");
  }));

test("a flow full of scripts is text", () =>
  look("hostile-flow", async () => {
    await openFlow("hostile.flow.yaml");
    await node("n0").waitFor();
    await watchPolicy(graph);
    await graph.getByRole("button", { name: "Fit" }).click();
    for (let step = 0; step < 12; step++) await graph.getByRole("button", { name: "Zoom in" }).click();
    await post(
      graph,
      hostile.map((text, index) =>
        poisoned({ ...graphMessage, view: { ...graphMessage.view, version: 9000 + index } }, text),
      ),
    );
    await untouched(graph);
  }));

test("the page of a call", () =>
  look("call", async () => {
    await closeEditors();
    await code.view("Assistant Flow");
    await openRow("Calls", /./);
    const call = await code.webview("Transcript");
    await code.page.keyboard.press("Control+b");
    assert.ok((await call.locator(".turn").count()) > 1);
    const words = ((await call.locator(".turn .text").first().innerText()).split(/\s+/)[0] ?? "").toLowerCase();
    await call.getByLabel("Find in the transcript").fill(words);
    await call.getByText(/^\d+ turns?$/).waitFor();
    await call.getByLabel("Find in the transcript").fill("");
    await call.getByRole("button", { name: "Copy as Markdown" }).click();
    await code.page.locator(".part.statusbar").getByText("Copied the call as Markdown.").waitFor();
    assert.match(
      String(await code.page.evaluate("navigator.clipboard.readText()")),
      /^# Call with [\s\S]+## Transcript/,
    );
    await inEachTheme("call", call, [".text", "body"]);
    await fits(call);
    await watchPolicy(call);
    await post(
      call,
      hostile.map((text) => poisoned(callMessage, text)),
    );
    await untouched(call);
  }));

test("the page of a review", () =>
  look("review", async () => {
    await closeEditors();
    await code.view("Assistant Flow");
    await openRow("Reviews", /→/);
    const review = await code.webview("Merge two end users?");
    await code.page.keyboard.press("Control+b");
    assert.ok((await review.locator("tr.differs").count()) > 1);
    await review.getByText("Evidence").waitFor();
    await review.getByLabel("Note for the rejection").fill("Two people");
    await inEachTheme("review", review, ["td", "body"]);
    await fits(review);
    await watchPolicy(review);
    const kinds = ["merge", "update"].map((request_type) => ({
      ...reviewMessage,
      review: { ...reviewMessage.review, request_type },
    }));
    await post(
      review,
      hostile.flatMap((text) => kinds.map((message) => poisoned(message, text))),
    );
    await untouched(review);
    await closeEditors();
  }));

test("the page of embedding spend", () =>
  look("spend", async () => {
    await code.palette("Assistant Flow: Show Embedding Spend");
    const spend = await code.webview("Embedding spend");
    await spend.locator("tbody tr").first().waitFor();
    await spend.getByText(/GET \/v1\/analytics\/.*start_date=/).waitFor();
    await spend.locator(".chart canvas").waitFor();
    await spend.getByRole("button", { name: "Knowledge base" }).click();
    const names = await spend.locator("tbody td:first-child").allInnerTexts();
    assert.deepEqual(
      names,
      [...names].sort((a, b) => a.localeCompare(b)),
    );
    await spend.getByLabel("From").fill("2030-01-01");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.getByText("This is before the first day.").waitFor();
    await spend.getByLabel("From").fill("2026-01-01");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.getByText("This is before the first day.").waitFor({ state: "detached" });
    await inEachTheme("spend", spend, ["td", "body"]);
    await fits(spend);
    await watchPolicy(spend);
    await post(
      spend,
      hostile.map((text) => poisoned(spendMessage, text)),
    );
    await untouched(spend);
  }));

// What the tests share

/** With UPDATE=1 the pictures of the documents are made anew. */
async function inEachTheme(name: string, frame: FrameLocator, [text, ground]: [string, string]): Promise<void> {
  for (const [theme, setting] of Object.entries(themes)) {
    await code.write(".vscode/settings.json", JSON.stringify({ "workbench.colorTheme": setting }));
    await frame.locator(`body.vscode-${theme}`).waitFor();
    await code.page.waitForTimeout(300); // The workbench paints its own parts a little later.
    const ratio = (await frame.locator("body").evaluate(script(contrast), [text, ground])) as number;
    assert.ok(ratio >= 4.5, `${name}, ${theme}: the contrast of ${text} is ${ratio}`);
    const picture = await code.screenshot(`${name}-${theme}`);
    if (process.env.UPDATE) copyFileSync(picture, inProject(`docs/images/${name}-${theme}.png`));
  }
  await code.write(".vscode/settings.json", "{}");
  await frame.locator("body.vscode-dark").waitFor();
}

const contrast = `(body, [text, ground]) => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? [0, 0, 0]).slice(0, 3).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const of = (selector) => { const element = document.querySelector(selector); return [element, getComputedStyle(element)]; };
  const [element, style] = of(text);
  const [back, under] = of(ground);
  const one = light(element.ownerSVGElement ? style.fill : style.color);
  const two = light(back.ownerSVGElement ? under.fill : under.backgroundColor);
  return Math.round(10 * (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)) / 10;
}`;

/** Sixty steps of the wheel, one for each frame: how long each frame took. */
const panning = `async (surface) => {
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step < 60; step++) {
    surface.dispatchEvent(new WheelEvent("wheel", { deltaX: step < 30 ? 8 : -8, deltaY: step < 30 ? 60 : -60, cancelable: true }));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}`;

async function fits(frame: FrameLocator): Promise<void> {
  const [content, room] = (await frame
    .locator("html")
    .evaluate(script("(html) => [html.scrollWidth, html.clientWidth]"))) as number[];
  assert.ok((content ?? 0) <= (room ?? 0), `${content} pixels of content in ${room}`);
}

/** Every place in the picture, and the pan and zoom under the name `scene`. */
async function places(): Promise<Map<string, string>> {
  const found = (await graph
    .locator("svg.graph")
    .evaluate(
      script(
        `(svg) => [["scene", svg.querySelector(".nodes").parentElement.getAttribute("transform")], ...[...svg.querySelectorAll("[data-node]")].map((e) => [e.dataset.node, e.getAttribute("transform")])]`,
      ),
    )) as [string, string][];
  return new Map(found.sort(([a], [b]) => a.localeCompare(b)));
}

async function fitted(): Promise<Map<string, string>> {
  await graph.getByRole("button", { name: "Fit" }).click();
  await code.page.waitForTimeout(150); // The picture is drawn with the next frame.
  return places();
}

function moved(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...before].filter(([id, place]) => now.has(id) && now.get(id) !== place).map(([id]) => id);
}

/** These nodes, and no others, are not faded. */
async function shows(wanted: readonly string[]): Promise<void> {
  const all = graph.locator(".node:not(.faded)");
  let found: unknown;
  for (let round = 0; round < 50; round++) {
    found = await all.evaluateAll(script("(nodes) => nodes.map((node) => node.dataset.node).sort()"));
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    await code.page.waitForTimeout(50);
  }
  assert.deepEqual(found, wanted);
}

async function choose(id: string, item: string): Promise<void> {
  await node(id).click({ button: "right" });
  await graph.getByRole("menuitem", { name: item }).click();
}

async function typeOfNew(id: string): Promise<void> {
  await code.pick("message");
  await code.page.waitForTimeout(200);
  await code.answer(id);
}

async function connect(from: string, to: string): Promise<void> {
  await choose(from, "Connect to");
  await node(to).click();
  await code.answer("the caller has another question");
}

/** One Ctrl+Z in the editor makes the file what it was on disk. */
async function undo(): Promise<void> {
  await focusEditor();
  await code.page.keyboard.press("Control+z");
  await code.page.locator('.tab.dirty[data-resource-name="billing.flow.yaml"]').waitFor({ state: "detached" });
}

async function cursorAt(line: number): Promise<void> {
  const number = code.editor("billing.flow.yaml").locator(".line-numbers.active-line-number");
  await number.filter({ hasText: new RegExp(`^${line}$`) }).waitFor();
}

function lineOf(text: string): number {
  const index = flow.split("\n").findIndex((line) => line.includes(text));
  assert.ok(index >= 0, text);
  return index + 1;
}

async function openRow(view: string, text: RegExp): Promise<void> {
  const header = code.page.locator(`.pane-header[aria-label^="${view}"]`);
  if ((await header.getAttribute("aria-expanded")) === "false") await header.click();
  const rows = code.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row[aria-level]`);
  const leaf = rows.and(code.page.locator(":not([aria-expanded])")).filter({ hasText: text }).first();
  await leaf.waitFor();
  // While the views above fill, the rows move: a click may hit nothing, so it is made until its page is there.
  const tab = code.page.locator(".tab").first();
  for (let round = 0; round < 5 && (await tab.count()) === 0; round++) {
    await leaf.click();
    await tab.waitFor({ timeout: 5000 }).catch(() => undefined);
  }
}

/** The first group of editors; a key pressed in a page reaches the workbench a little later. */
async function focusEditor(): Promise<void> {
  await code.page.keyboard.press("Control+1");
  await code.page.locator('.monaco-editor.focused[data-uri$=".flow.yaml"]').waitFor();
}

/** In the first group of editors, beside the picture. */
async function openFlow(name: string): Promise<void> {
  await focusEditor();
  await code.openFile(name);
}

async function closeEditors(): Promise<void> {
  await code.page.keyboard.press("Control+k");
  await code.page.keyboard.press("Control+w");
  await code.page.locator(".tab").first().waitFor({ state: "detached" });
}

function look<T>(name: string, body: () => Promise<T>): Promise<T> {
  return code.screenshotOnFailure(`pages-${name}`, body);
}

/** A function of the page: the tests know nothing of its types. */
function script<Result>(text: string): (element: unknown, argument?: unknown) => Result {
  return new Function("element", "argument", `return (${text})(element, argument)`) as never;
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
}

// Hostile data

async function watchPolicy(frame: FrameLocator): Promise<void> {
  await frame
    .locator("body")
    .evaluate(
      script(
        `() => { window.__refused = []; document.addEventListener("securitypolicyviolation", (event) => window.__refused.push(event.blockedURI)); }`,
      ),
    );
}

/** Gives the page each message as if its host had sent it, and time to draw it. */
async function post(frame: FrameLocator, messages: readonly unknown[]): Promise<void> {
  await frame.locator("body").evaluate(
    script(`async (body, all) => {
      for (const data of all) {
        window.dispatchEvent(new MessageEvent("message", { data }));
        for (let n = 0; n < 100 && (n === 0 || (data.view && body.dataset.version !== String(data.view.version))); n++)
          await new Promise(requestAnimationFrame);
      }
    }`),
    messages,
  );
}

/** No code ran, nothing was asked for, nothing even tried to: no element came out of a text. */
async function untouched(frame: FrameLocator): Promise<void> {
  await code.page.waitForTimeout(300);
  const found = (await frame.locator("body").evaluate(
    script(`() => ({
      hit: window.__hit ?? 0,
      refused: window.__refused,
      scripts: document.querySelectorAll("script").length,
      strange: [...document.querySelectorAll("img,iframe,object,embed,video,audio,base,form:not(.query),foreignObject,use,image,animate,marquee")].map((e) => e.outerHTML.slice(0, 80)),
      links: [...document.querySelectorAll("a[href]")].map((a) => a.href).filter((href) => !href.startsWith("https:")),
      handlers: [...document.querySelectorAll("*")].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith("on")),
    })`),
  )) as Record<string, unknown>;
  const scripts = found.scripts;
  assert.deepEqual(
    { ...found, dialogs, asked },
    { hit: 0, refused: [], scripts, strange: [], links: [], handlers: [], dialogs: 0, asked: 0 },
  );
  assert.ok(hostile.length >= 80);
}

/** The message with every text inside replaced, and a field of that name added to every record. Its kind stays. */
function poisoned(message: object, payload: string): unknown {
  const replace = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return ["type", "request_type", "kind"].includes(key) ? value : payload;
    if (Array.isArray(value)) return value.map((each) => replace(each));
    if (typeof value !== "object" || value === null) return value;
    const record = Object.entries(value).map(([name, each]) => [name, replace(each, name)] as const);
    const added = ["variables", "customerMetadata", "evidence", "fields"].includes(key) ? [[payload, payload]] : [];
    return Object.fromEntries([...record, ...added]);
  };
  return replace(message);
}

const graphMessage = {
  type: "graph",
  uri: "u",
  title: "t",
  locked: false,
  view: {
    version: 1,
    entry: "a",
    broken: false,
    compared: true,
    nodes: ["added", "changed"].map((id) => ({
      ...{ id, type: "message", name: "n", text: "t", terminal: false, errors: 1, warnings: 0, hints: 0 },
      ...{ sets: ["v"], reads: ["w"], change: "added" },
    })),
    edges: [
      { id: "e", source: "a", target: "b", kind: "when", label: "l", dangling: true, change: "changed" },
      { id: "f", source: "a", target: "a", kind: "on", label: "l", dangling: false, change: undefined },
    ],
  },
};

const callMessage = {
  type: "call",
  live: true,
  workflow: "w",
  links: [{ turn: 0, uri: "u", node: "n", why: "w" }],
  call: {
    ...{ id: "i", firstName: "f", lastName: "l", phone: "p", email: "e", summary: "s", recordingUrl: "r" },
    ...{ workflowId: "w", workflowExecutionId: "x", status: "s", callStartedAt: "d", callEndedReason: "r" },
    ...{ callDuration: 5, outbound: true, callEndedBy: "USER", disclosures: ["d"], tag: "t", customerLeadId: "c" },
    transcript: [{ id: 1, created_at: "d", text: "t", user: "u" }],
    variables: { a: "b", deep: { c: ["d"] } },
    customerMetadata: { a: "b" },
  },
};

const reviewMessage = {
  type: "review",
  open: false,
  note: "n",
  review: {
    ...{ id: "i", request_type: "merge", status: "s", reason: "r", created_at: "d", resolved_at: "d" },
    ...{ left_end_user_id: "l", right_end_user_id: "r", suggested_survivor_end_user_id: "l", target_end_user_id: "t" },
    ...{ proposed_identifier_type: "p", proposed_masked_value: "v", trigger_identifier_type: "p" },
    ...{ trigger_masked_value: "m", resolution_note: "n" },
    evidence: { left: { name: "n" }, right: { name: "m" }, list: ["a"], deep: { b: "c" } },
  },
};

const spendMessage = {
  type: "rows",
  request: "r",
  rows: [1, 2].map((n) => ({ kb_id: "k", total_cost_usd: n, input_tokens: n, invocations: n, failed: 0 })),
};

function hostileFlow(texts: readonly string[]): string {
  const quoted = (text: string) => JSON.stringify(text.replaceAll("\u0000", ""));
  const nodes = texts.map(
    (text, index) =>
      `  n${index}:\n    type: ${quoted(index % 4 === 3 ? text : "message")}\n    name: ${quoted(text)}\n    instructions: ${quoted(text)}\n    edges:\n      - {to: n${(index + 1) % texts.length}, when: ${quoted(text)}, label: ${quoted(text)}}\n`,
  );
  return `entry: n0\nnodes:\n${nodes.join("")}`;
}
