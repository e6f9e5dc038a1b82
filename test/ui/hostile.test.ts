/**
 * A malicious platform: every string of every response tries to run code, load something or break out of its place. The
 * test goes through all views, tooltips, pages, messages, questions and the log; nothing runs, and no request is made.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { actUntil, type Code, holds, openCode } from "./harness";
import { type Middle, startProxy } from "./proxy";
import { admin, only, until } from "./sidebar";
import { Trap, watchPolicy } from "./trap";

const LINKED = "linked.flow.yaml";

let code: Code;
let proxy: Middle;
let trap: Trap;

before(async () => {
  trap = await Trap.set();
  const behind = await startSandbox({ flags: ["--admin-port", "0", "--clock-speed", "40"] });
  for (let count = 0; count < 40; count++) await makeKey(behind, `Key ${count}`);
  proxy = await startProxy(behind, { asked: realPath, sent: realBody, answered: poisoned });
  code = await openCode({
    sandbox: proxy.sandbox,
    files: {
      "empty.flow.yaml": "entry: a\nnodes:\n  a: {type: end, instructions: Bye.}\n",
      [LINKED]: readFileSync(inProject("examples/support-line.flow.yaml"), "utf8"),
    },
    // At the level Trace, messages between the extension and its server are logged in full.
    settings: {
      "files.autoSave": "off",
      "assistantFlow.reviews.undoSeconds": 0,
      "assistantFlow.trace.server.verbosity": "verbose",
    },
    size: { width: 1280, height: 1400 },
  });
  trap.watch(code.page);
});
after(async () => {
  await code?.close();
  await proxy?.sandbox.stop();
  trap?.close();
});

const step = (name: string, body: () => Promise<void>) =>
  test(name, () => code.screenshotOnFailure(`hostile-${name.slice(0, 20).replace(/\W+/g, "-")}`, body));
const review = () => rows().and(code.page.locator("[aria-level='2']")).first();
const rows = () => code.page.locator(".part.sidebar .customview-tree .monaco-list-row");

for (const [view, path] of [
  ["Reviews", "/v1/identity/review-requests"],
  ["Calling Workflows", "/workflows"],
  ["Calls", "/calls"],
  ["API Keys", "/v1/identity/api-keys"],
  ["Embedding Spend", "/v1/analytics/model-router/embeddings/cost/by-kb"],
  ["Webhook Events", "/v1/webhooks/event-catalog"],
] as const)
  step(`${view}: rows and tooltips are text`, async () => {
    await only(code, view);
    await until("a poisoned list is shown", async () => (await rows().count()) > 1);
    // Repeats until every string has been in every place of a row.
    while (given(path) < trap.texts.length) {
      const before = given(path);
      await code.viewAction(view, "Refresh");
      await until("the list was asked for again", async () => given(path) > before);
    }
    await code.tooltip(rows().nth(Math.min(3, (await rows().count()) - 1)));
    await inert(".workbench-hover-container, .part.sidebar .customview-tree");
    await trap.untouched(code.page);
    await code.page.mouse.move(900, 700);
  });

step("the page of a call, for every text", async () => {
  await only(code, "Calls");
  await code.openPage(rows().nth(1), "Call");
  const call = await code.webview("Transcript");
  await watchPolicy(call);
  const heading = call.locator("h1");
  for (let round = 0; round < trap.texts.length; round++) {
    const before = call.locator(`[data-round="${round}"]`);
    await heading.evaluate((element, mark) => element.setAttribute("data-round", mark), String(round));
    await call.getByRole("button", { name: "Refresh", exact: true }).dispatchEvent("click");
    await before.waitFor({ state: "detached" }); // The page was redrawn.
  }
  await trap.pageUntouched(code.page, call);
});

step("the pages of a review and of the spend", async () => {
  await only(code, "Reviews");
  await code.openPage(review(), "Review");
  const page = await code.webview("two people");
  await trap.pageUntouched(code.page, page);
  await code.palette("Assistant Flow: Show Embedding Spend");
  const spend = await code.webview("Embedding spend");
  await spend.locator("tbody tr").first().waitFor();
  await watchPolicy(spend);
  for (let round = 0; round < 5; round++) {
    const path = "/v1/analytics/model-router/embeddings/cost/by-kb";
    const before = given(path);
    await spend.getByRole("button", { name: "Show", exact: true }).dispatchEvent("click");
    await until("the spend was asked for", async () => given(path) > before);
  }
  await trap.pageUntouched(code.page, spend);
});

step("messages, questions and the log", async () => {
  const { fault } = admin(proxy.sandbox);
  await only(code, "Reviews");
  for (const text of trap.texts.slice(-3)) {
    next = text;
    await fault({
      match: { method: "POST", path: "/v1/identity/review-requests/*/reject" },
      fault: { kind: "status", status: 500, error: "internal_error", message: "Anything." },
    });
    // Every response of this platform changes the rows, and so removes the button for a moment.
    const before = (await admin(proxy.sandbox).rejects()).length;
    const isSent = async () => (await admin(proxy.sandbox).rejects()).length > before;
    await actUntil(holds("it was sent", isSent), async () => {
      if (!(await isSent())) await code.rowAction("", "Reject", '[aria-level="2"]');
    });
    await code.said("wasn't rejected");
    await inert(".notifications-center");
    await code.palette("Notifications: Clear All Notifications");
  }
  // A form that shows an error of the platform at its field.
  next = trap.texts.at(-3);
  await fault({
    match: { method: "POST", path: "/v1/assistants/*/restore" },
    fault: {
      kind: "body",
      status: 422,
      body: JSON.stringify({ detail: [{ loc: ["path", "agent_id"], msg: "Anything.", type: "value_error" }] }),
    },
  });
  await code.palette("Assistant Flow: Restore Archived Assistant");
  await code.answer(proxy.sandbox.demo.archived_assistant ?? "", "Restore Archived Assistant");
  await code.validation.filter({ hasText: "The platform says" }).waitFor();
  await inert(".quick-input-widget");
  await code.giveUp();
  await code.palette("Assistant Flow: Show Log");
  await code.page.locator(".output-view .view-lines, .panel .view-lines").first().waitFor();
  await trap.untouched(code.page);
});

step(
  "the log, where every message is written down: no key that is echoed, nothing unseen, no entry of others",
  async () => {
    const logs = () =>
      readdirSync(code.server.userDataDir, { recursive: true, encoding: "utf8" })
        .filter((name) => path.basename(name) === "Assistant Flow.log")
        .map((name) => readFileSync(path.join(code.server.userDataDir, name), "utf8"))
        .join("\n");
    const level = async (name: string) => {
      await code.palette("Developer: Set Log Level...");
      await code.pick("Assistant Flow");
      await code.pick(name);
    };
    await level("Trace");
    const { apiKey } = proxy.sandbox;
    const forged = "2026-01-01 00:00:00.000 [error] forged";
    const message = `Unknown key ${apiKey}\u001b[2J\u009b31m\u202e\n${forged}`;
    await code.openFile(LINKED);
    await admin(proxy.sandbox).fault({
      match: { method: "GET", path: "/v1/workflows/revisions/*" },
      fault: { kind: "status", status: 500, error: "internal_error", message },
      times: 5,
    });
    await code.palette("Assistant Flow: Check for Platform Changes");
    await until("the refusal is in the log", async () => logs().includes("Unknown key"));
    const written = logs();
    assert.ok(!written.includes(apiKey), "no key");
    assert.doesNotMatch(written, /(?![\t\n\r])[\p{Cc}\p{Cf}]/u);
    assert.ok(!written.split(/\r?\n/).some((line) => line.startsWith(forged)), "no entry of others");
    await level("Info");
  },
);

step("a call is started on a hostile workflow, and followed", async () => {
  await only(code, "Calling Workflows");
  await code.palette("Assistant Flow: Start for a Lead");
  await code.picks.first().waitFor();
  await inert(".quick-input-widget");
  await code.pick(/./);
  const form = await code.webview("Phone number");
  await watchPolicy(form);
  await form.getByLabel("Phone number").fill("+15185550107");
  await form.getByRole("button", { name: "Continue…" }).click();
  await code.dialogText.waitFor();
  await inert(".monaco-dialog-box");
  await code.dialog("Call Now");
  await code.toast(/call with .* ended/).waitFor();
  await inert(".notifications-toasts");
  await trap.pageUntouched(code.page, form);
  await trap.untouched(code.page);
});

step("findings: the list of problems, hovers, fixes and the graph, for every text", async () => {
  await code.openFile(LINKED);
  const start = (await code.read(LINKED)).split("Greeting")[0] as string;
  await code.focusEditor(LINKED);
  await code.goTo(start.split("\n").length, start.length - start.lastIndexOf("\n"));
  await code.type("The ");
  await code.save(LINKED);
  await code.toastButton(/First push to/, "Always Push This File");
  const problems = await code.problems();
  await problems.filter({ hasText: "Node ask_name" }).first().waitFor();
  await inert(".markers-panel");
  const node = start.slice(0, start.lastIndexOf("  greet:")).split("\n").length;
  const hover = await code.hover(node, 4);
  await hover.filter({ hasText: "Found by the platform" }).first().waitFor();
  // The only links of a hover are ours: to a rule's page and to the fix.
  const strange = await hover.evaluateAll((parts) =>
    parts.flatMap((part) => [...part.querySelectorAll("img, iframe, script, form, [onerror]")].map((e) => e.outerHTML)),
  );
  assert.deepEqual(strange, []);
  await trap.untouched(code.page);
  await code.palette("Assistant Flow: Open Flow Graph");
  const graph = await code.webview("The Greeting");
  await watchPolicy(graph);
  await graph.locator(".badge").first().waitFor();
  await trap.pageUntouched(code.page, graph);
});

async function makeKey({ baseUrl, apiKey }: Sandbox, name: string): Promise<void> {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  await fetch(`${baseUrl}/v1/identity/api-keys`, { method: "POST", headers, body: JSON.stringify({ name }) });
}

// The platform's responses

/** Separates the string from the real ID that follows, so that requests with it can be answered. */
const MARK = "~~";
const turns = new Map<string, number>();
/** The message of the next error. */
let next: string | undefined;

/** How many strings each path has returned so far. */
function given(path: string): number {
  return turns.get(path) ?? 0;
}

/**
 * Replaces every string; each item of a list has its own, and the next response continues with the following strings.
 */
function poisoned(json: unknown, path: string, status: number): unknown {
  const [address = ""] = path.split("?");
  if (address.includes("/revisions/")) return withFindings(json);
  const list = listIn(json);
  const turn = given(address);
  turns.set(address, turn + Math.max(1, list?.length ?? 1));
  const text = (at: number) => trap.texts[at % trap.texts.length] as string;
  if (status >= 400) return poison(json, next ?? text(turn));
  if (!list) return poison(json, text(turn));
  const items = list.map((item, index) => poison(item, text(turn + index)));
  return Array.isArray(json)
    ? items
    : Object.fromEntries(
        Object.entries(json as object).map(([key, value]) => [
          key,
          value === list ? items : poison(value, text(turn), key),
        ]),
      );
}

/** A flow stays valid, and has one hostile finding for each string. */
function withFindings(json: unknown): unknown {
  const { validation } = json as { validation?: { findings: unknown[] } };
  if (!validation) return json;
  const findings = trap.texts.map((text) => ({
    ...{ severity: text, rule_id: text, category: text, message: text, suggested_fix: text, node_id: "greet" },
    ...{ related_node_ids: ["ask_name", text], related_spans: [{ start_line: 1, raw_text_excerpt: text }] },
  }));
  return { ...(json as object), validation: { ...validation, findings } };
}

function listIn(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json;
  return Object.values(json as object).find((value): value is unknown[] => Array.isArray(value) && value.length > 0);
}

function poison(value: unknown, text: string, key = ""): unknown {
  if (typeof value === "string") {
    if (key === "request_type" && value === "merge") return value; // Otherwise there would be no page with two sides.
    return /(^id|Id|_id|cursor)$/i.test(key) ? `${textOf(value)}${MARK}${value}` : text;
  }
  if (Array.isArray(value)) return key === "loc" ? value : value.map((each) => poison(each, text, key));
  if (typeof value !== "object" || value === null) return value;
  const record = Object.entries(value).map(([name, each]) => [name, poison(each, text, name)] as const);
  const free = ["variables", "customerMetadata", "evidence", "metadata", "left", "right"].includes(key);
  return Object.fromEntries([...record, ...(free ? [[text, text] as const] : [])]);
}

/** An ID is the same in every response. */
function textOf(id: string): string {
  const sum = [...id].reduce((total, sign) => (total * 31 + sign.charCodeAt(0)) % 1_000_003, 7);
  return trap.texts[sum % trap.texts.length] as string;
}

const real = (text: string) => text.split(MARK).at(-1) as string;

function realPath(path: string): string {
  const [address = "", query] = path.split("?");
  const parts = address.split("/").map((part) => encodeURIComponent(real(decodeURIComponent(part))));
  const values = new URLSearchParams(query);
  for (const [name, value] of [...values]) values.set(name, real(value));
  return `${parts.join("/")}${query === undefined ? "" : `?${values}`}`;
}

function realBody(body: string): string {
  return JSON.stringify(JSON.parse(body, (_key, value) => (typeof value === "string" ? real(value) : value)));
}

// What must not happen

/** These parts of the workbench have no link, image, frame or event handler. */
async function inert(selector: string): Promise<void> {
  const found = await code.page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((part) => [...part.querySelectorAll("a[href]:not([href='']):not([href='#']), img, iframe, script, object, embed, form, style:not([media=screen]), [onerror], [onload], [onclick]")].map((e) => e.outerHTML.slice(0, 200)))`,
  );
  assert.deepEqual(found, []);
}
