/** Notifications about sync close when they are outdated, and open nothing over the user's work. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventEmitter, type ExtensionContext, Uri } from "vscode";
import { noticeOf, showNotices } from "../../../client/sync/notices";
import type { PlanPages } from "../../../client/sync/plan-page";
import type { SyncStates } from "../../../client/sync/states";
import { registerNotices } from "../../../client/ui/notice";
import type { FlowSyncState } from "../../../server/messages";
import { vscodeStub } from "../../support/vscode";

const turn = () => new Promise((resolve) => setImmediate(resolve));

function notices(isSandbox = false) {
  const changed = new EventEmitter<Uri>();
  const known = new Map<string, FlowSyncState>();
  const plans: string[] = [];
  const said: string[] = [];
  vscodeStub.progress = [];
  vscodeStub.answer = ({ title }) => void said.push(title);
  const states = { get: (uri: Uri) => known.get(uri.toString()), onDidChange: changed.event };
  const pages = { show: (uri: Uri) => plans.push(uri.toString()) };
  showNotices(states as unknown as SyncStates, pages as unknown as PlanPages, () => isSandbox);
  const show = async (
    uri: string,
    kind: FlowSyncState["kind"],
    reason?: string,
    environment?: string,
    message = "Can't be reached.",
  ) => {
    const state = { uri, kind, reason, environment, message, text: "", conflicts: [], risks: 0 };
    known.set(uri, state as unknown as FlowSyncState);
    changed.fire(Uri.parse(uri));
    await turn();
    await turn();
  };
  return { show, plans, said };
}

const OFFLINE = "Can't be reached. Your changes are queued and will be pushed when the platform is reachable.";

test("flows that wait for the platform share one notification, which closes with the last of them", async () => {
  const { show, said } = notices();
  await show("a", "pending", "offline");
  await show("b", "pending", "offline");
  assert.deepEqual(vscodeStub.progress, [OFFLINE]);
  await show("a", "syncing");
  await show("a", "synced");
  assert.deepEqual(vscodeStub.progress, [OFFLINE], "the other one still waits");
  await show("b", "synced");
  await turn();
  assert.deepEqual(vscodeStub.progress, []);
  await show("a", "pending", "offline");
  assert.deepEqual(vscodeStub.progress, [OFFLINE], "it is said again when it is true again");
  assert.deepEqual(said, []);
});

test("a sandbox that stopped is reported once, not again for each flow", async () => {
  const { show, said } = notices(true);
  await show("a", "pending", "offline");
  assert.deepEqual([...vscodeStub.progress, ...said], []);
});

test("two files that name the same revision are reported once", async () => {
  const { show } = notices();
  const pair = async (one: string, other: string) => {
    await show(one, "blocked", "claimed-twice", undefined, `Also named by ${other}.`);
    await show(other, "blocked", "claimed-twice", undefined, `Also named by ${one}.`);
  };
  const files = () => vscodeStub.progress.map((text) => text.split(":", 1)[0]);
  await pair("a.flow.yaml", "b.flow.yaml");
  assert.deepEqual(files(), ["a.flow.yaml"]);
  await pair("c.flow.yaml", "d.flow.yaml");
  assert.deepEqual(files(), ["a.flow.yaml", "c.flow.yaml"]);
  await show("a.flow.yaml", "synced");
  await turn();
  assert.deepEqual(files(), ["c.flow.yaml"]);
});

test("a plan opens beside its file only if the file is visible", async () => {
  const { show, plans, said } = notices();
  vscodeStub.editor = undefined;
  await show("a.flow.yaml", "pending", "paused");
  assert.deepEqual(plans, []);
  assert.equal(said.length, 1, "it is said all the same");
  vscodeStub.editor = { fileName: "b.flow.yaml", text: "" };
  await show("b.flow.yaml", "pending", "paused");
  vscodeStub.editor = undefined;
  assert.deepEqual(plans, ["b.flow.yaml"]);
});

test("a notice is withdrawn when it is no longer true, or about another environment", async () => {
  const { show } = notices();
  await show("a.flow.yaml", "diverged");
  const [notice = ""] = vscodeStub.progress;
  assert.match(notice, /^a\.flow\.yaml: Can't be reached\. \[Show Plan\]\(command:/);
  await show("a.flow.yaml", "syncing");
  await show("a.flow.yaml", "diverged");
  assert.deepEqual(vscodeStub.progress, [notice], "the same notice stays");
  await show("a.flow.yaml", "diverged", undefined, "production");
  assert.equal(vscodeStub.progress.length, 1);
  assert.match(vscodeStub.progress[0] ?? "", /^a\.flow\.yaml \(production\): /);
  await show("a.flow.yaml", "synced");
  assert.deepEqual(vscodeStub.progress, []);
});

test("a notice is withdrawn while the platform can't be reached, and not shown again for the same state", async () => {
  const { show } = notices();
  await show("a.flow.yaml", "conflict");
  assert.equal(vscodeStub.progress.length, 1);
  await show("a.flow.yaml", "pending", "offline");
  assert.deepEqual(vscodeStub.progress, [OFFLINE]);
  await show("a.flow.yaml", "conflict");
  await turn();
  assert.deepEqual(vscodeStub.progress, []);
  await show("a.flow.yaml", "synced");
  await show("a.flow.yaml", "conflict");
  assert.equal(vscodeStub.progress.length, 1, "another conflict");
});

test("a notice that needs a decision is withdrawn after a while; its state is in the status bar", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { show } = notices();
  await show("a.flow.yaml", "unauthorized");
  assert.equal(vscodeStub.progress.length, 1);
  t.mock.timers.tick(30_000);
  await turn();
  assert.deepEqual(vscodeStub.progress, []);
});

test("the button and the links of a notice run their commands", async () => {
  registerNotices({ subscriptions: [] } as unknown as ExtensionContext);
  const ran: string[] = [];
  for (const name of ["pull", "plan"])
    vscodeStub.commands.set(`assistantFlow.${name}`, (uri) => void ran.push(`${name} ${uri}`));
  const { show } = notices();
  for (const choice of ["Pull", "Show Plan"]) {
    vscodeStub.answer = ({ choices }) => choices.find((each) => each === choice);
    await show("a.flow.yaml", "diverged");
    await turn();
    assert.deepEqual(vscodeStub.progress, [], "a choice closes it");
    await show("a.flow.yaml", "synced");
  }
  assert.deepEqual(ran, ["pull a.flow.yaml", "plan a.flow.yaml"]);
});

test("a push to a protected environment offers a promotion, since there is no problem to show", () => {
  const state = { kind: "blocked", reason: "protected", message: "Environment is protected.", risks: 0 };
  assert.equal(noticeOf(state as FlowSyncState)?.action?.command, "assistantFlow.promote");
});
