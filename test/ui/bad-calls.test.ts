/**
 * Invalid input on the pages of calls and of the graph: empty, huge, incomplete, foreign and running calls, and a flow
 * with errors.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { graphControl } from "./pages";
import { type Middle, startProxy } from "./proxy";
import { only } from "./sidebar";

const FLOW = "support-line.flow.yaml";
const text = readFileSync(inProject("examples", FLOW), "utf8");
const turn = (words: unknown, user: unknown = "assistant") => ({ id: 1, created_at: "", text: words, user });
const ended = { callEndedReason: "ENDED", callEndedBy: "USER" };

/** The fields that replace those of a call, and a part of the expected text about its path. */
const odd: readonly (readonly [name: string, fields: object, path: RegExp])[] = [
  ["Empty", { ...ended, transcript: [], variables: {} }, /The call has no transcript/],
  [
    "Nothing",
    { transcript: null, variables: null, callEndedReason: null, callEndedBy: null, status: "COMPLETED" },
    /The call has no transcript/,
  ],
  ["Nulls", { ...ended, transcript: [turn(null), turn("Hello.", null), {}], variables: { topic: null } }, /Path/],
  [
    "Long",
    {
      ...ended,
      transcript: Array.from({ length: 5_000 }, (_, at) => turn(`How can I help? ${at}`, at % 2 ? "user" : "ai")),
    },
    /Path/,
  ],
  ["Wide", { ...ended, transcript: [turn("word ".repeat(200_000)), turn("Goodbye.")] }, /Path/],
  [
    "Foreign",
    {
      ...ended,
      variables: {},
      transcript: [turn("Bonjour, ici la boulangerie Dupont."), turn("Deux baguettes, s'il vous plaît.", "user")],
    },
    /This call doesn't fit/,
  ],
  [
    "Running",
    {
      status: "IN_PROGRESS",
      callEndedAt: null,
      callEndedReason: null,
      callEndedBy: null,
      transcript: [turn("Hello.")],
    },
    /The call is in progress/,
  ],
];

type Record = { readonly id?: string; readonly workflowId?: string };

let code: Code;
let proxy: Middle;
before(async () => {
  const behind = await startSandbox({ flags: ["--calls", "12", "--seed", "odd"] });
  const headers = { "x-api-key": behind.apiKey };
  const list = async (what: string) => (await fetch(`${behind.workflowBaseUrl}/${what}`, { headers })).json();
  const assistant = /^assistant: (.*)$/m.exec(text)?.[1];
  const { data } = (await list("workflows?limit=100")) as { data: (Record & { promptId?: string })[] };
  const own = new Set(data.filter(({ promptId }) => promptId === assistant).map(({ id }) => id));
  const calls = ((await list("calls")) as { calls: Record[] }).calls.filter(({ workflowId }) => own.has(workflowId));
  assert.ok(calls.length >= odd.length, String(calls.length));
  const fields = new Map(
    odd.map(([name, more], index) => [calls[index]?.id, { firstName: name, lastName: "Odd", ...more }]),
  );
  const replaced = (call: Record) => ({ ...call, ...fields.get(call.id) });
  proxy = await startProxy(behind, {
    answered: (json, path) => {
      const page = json as { calls?: Record[] };
      return path.startsWith("/calls") && Array.isArray(page.calls)
        ? { ...page, calls: page.calls.map(replaced) }
        : json;
    },
  });
  code = await openCode({
    files: { [FLOW]: text, ".vscode/settings.json": "{}" },
    open: FLOW,
    sandbox: proxy.sandbox,
    settings: { "files.autoSave": "off" },
    size: { width: 1280, height: 1400 },
  });
});
after(async () => {
  await code?.close();
  await proxy?.sandbox.stop();
});

test("the page of each call opens and shows what is known of its path", () =>
  code.screenshotOnFailure("bad-input-calls", async () => {
    await only(code, "Calls");
    for (const [name, , path] of odd) {
      await code.openPage(code.row(`${name} Odd`), `${name} Odd`);
      const page = await code.webview(`${name} Odd`);
      await page.locator(".path").filter({ hasText: path }).waitFor();
      if (String(path).includes("fit")) await page.getByRole("button", { name: "Choose Flow…" }).waitFor();
      if (name === "Running") await page.locator(".live").waitFor();
      await code.screenshot(`bad-input-${name.toLowerCase()}`);
    }
  }));

test("the graph counts the calls that fit, and both pages say that a flow has errors", () =>
  code.screenshotOnFailure("bad-input-graph", async () => {
    await code.closeEditors();
    await code.openFile(FLOW);
    await code.palette("Assistant Flow: Open Flow Graph");
    const graph = await code.webview("Arrange");
    await graph.locator('[data-node="greet"]').waitFor();
    await (await graphControl(graph, "Calls")).click();
    const status = graph.locator(".calls-status");
    await status.filter({ hasText: /^\d+ calls: \d+ follow this flow/ }).waitFor();
    await code.screenshot("bad-input-graph");
    await (await graphControl(graph, "Calls")).click();
    await code.replaceAll(FLOW, text.replace("nodes:\n", "nodes: [\n"));
    await (await graphControl(graph, "Calls")).click();
    await status.filter({ hasText: "The flow has errors, so calls can't be traced." }).waitFor();
    await code.openPage(code.row("Empty Odd"), "Empty Odd");
    const page = await code.webview("Empty Odd");
    await page.locator(".path").filter({ hasText: "has errors, so it can't run." }).waitFor();
    await code.screenshot("bad-input-broken");
  }));
