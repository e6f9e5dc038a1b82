/** Check for Platform Changes* shows its result, even if the platform doesn't return its graph. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventEmitter, type ExtensionContext, Uri } from "vscode";
import type { ActiveFlow } from "../../../client/active-flow";
import type { Session } from "../../../client/connections";
import type { Server } from "../../../client/server";
import { registerSyncCommands } from "../../../client/sync/commands";
import type { PlanPages } from "../../../client/sync/plan-page";
import type { OpenQuestions } from "../../../client/sync/questions";
import type { SyncStates } from "../../../client/sync/states";
import { cannotTell } from "../../../sync/sentences";
import { vscodeStub } from "../../support/vscode";

/**
 * Runs the command with a server that answers with a state. Returns the messages, and the actions requested from the
 * server.
 */
async function check(
  state: object | null,
  isOpen = true,
  command = "checkPlatform",
): Promise<{ shown: string[]; actions: string[] }> {
  const uri = Uri.parse("a.flow.yaml");
  vscodeStub.documents = isOpen ? [{ uri, isDirty: true, getText: () => "" }] : [];
  const [shown, actions]: [string[], string[]] = [[], []];
  vscodeStub.answer = ({ title, choices }) => {
    shown.push(title, ...choices);
    return choices[0];
  };
  const server = {
    sendRequest: async (_: string, { action }: { action: string }) => {
      actions.push(action);
      return action === "look" ? state : { kind: "synced", text: "synced v9", risks: 0, conflicts: [] };
    },
  };
  const states = {
    withReason: (each: object) => each,
    get: () => state ?? undefined,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const parts = {
    states: states as unknown as SyncStates,
    questions: { choicesFor: () => [] } as unknown as OpenQuestions,
    plans: {} as PlanPages,
    activeFlow: { uri: undefined } as ActiveFlow,
    session: {} as Session,
  };
  registerSyncCommands({ subscriptions: [] } as unknown as ExtensionContext, server as unknown as Server, parts);
  await vscodeStub.commands.get(`assistantFlow.${command}`)?.(uri);
  return { shown, actions };
}

const plain = { text: "", risks: 0, conflicts: [] };

test("if the revision can't be read, a message says so and offers a pull", async () => {
  const { shown, actions } = await check({ ...plain, kind: "unknown", message: cannotTell(7) });
  assert.deepEqual(shown, [`a.flow.yaml: ${cannotTell(7)}`, "Pull"]);
  assert.deepEqual(actions, ["look", "pull"]);
});

test("any other state with a message is shown without a button", async () => {
  const { shown, actions } = await check({ ...plain, kind: "pending", reason: "busy", message: "Busy." });
  assert.deepEqual(shown, ["a.flow.yaml: Busy."]);
  assert.deepEqual(actions, ["look"]);
});

test("a platform that can't be reached has a notice of its own, which closes, so no other one is left", async () => {
  const { shown, actions } = await check({ ...plain, kind: "pending", reason: "offline", message: "Can't reach it." });
  assert.deepEqual(shown, []);
  assert.deepEqual(actions, ["look"]);
});

test("a deleted file is reported, and the server isn't asked", async () => {
  const { shown, actions } = await check({ ...plain, kind: "synced", message: "" }, false);
  assert.deepEqual(shown, ["a.flow.yaml doesn't exist."]);
  assert.deepEqual(actions, []);
});

test("a flow that can't be synced yet offers what makes that possible, instead of a push", async () => {
  const linked: unknown[] = [];
  vscodeStub.commands.set("assistantFlow.linkFlow", (uri) => linked.push(uri));
  const unlinked = { ...plain, kind: "unlinked", message: "Not linked." };
  const menu = ["$(link) Link to Assistant…", "$(plug) Switch Connection…", "$(output) Show Log"];
  // Before sync is loaded, there is no state.
  for (const state of [unlinked, null]) {
    const { shown } = await check(state, true, "syncMenu");
    assert.deepEqual(shown.slice(1), menu);
    const looked = await check(state);
    assert.deepEqual(looked.shown.slice(1), ["Link to Assistant…"]);
  }
  assert.deepEqual(linked.map(String), new Array(4).fill("a.flow.yaml"));
  const signedOut = await check({ ...unlinked, reason: "signed-out" }, true, "syncMenu");
  assert.equal(signedOut.shown[1], "$(key) Enter API Key…");
  const untrusted = await check({ ...unlinked, reason: "untrusted" }, true, "syncMenu");
  assert.equal(untrusted.shown[1], "$(shield) Manage Workspace Trust");
});

test("a flow is compared with its last sync only if it was synced", async () => {
  const compared: unknown[] = [];
  vscodeStub.commands.set("vscode.diff", (_other, _file, title) => compared.push(title));
  const row = "$(diff) Compare with Last Synced";
  for (const hasBase of [false, true]) {
    const state = { ...plain, kind: "pending", reason: "manual", message: "", hasBase };
    assert.equal((await check(state, true, "syncMenu")).shown.includes(row), hasBase);
    await check(state, true, "compareWithBase");
  }
  assert.deepEqual(compared, ["a.flow.yaml (Platform ↔ File)", "a.flow.yaml (Last Synced ↔ File)"]);
});

test("while the user is asked, the status bar doesn't say that it's pushing", async () => {
  const uri = Uri.parse("a.flow.yaml");
  vscodeStub.documents = [{ uri, isDirty: true, getText: () => "" }];
  const changes = new EventEmitter<Uri>();
  let state = { ...plain, kind: "syncing", reason: undefined as string | undefined };
  let answer = (_: object) => {};
  let send = () => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  const server = {
    sendRequest: () => {
      send();
      return new Promise<object>((resolve) => (answer = resolve));
    },
  };
  const states = { withReason: (each: object) => each, get: () => state, onDidChange: changes.event };
  registerSyncCommands({ subscriptions: [] } as unknown as ExtensionContext, server as unknown as Server, {
    states: states as unknown as SyncStates,
    questions: { choicesFor: () => [] } as unknown as OpenQuestions,
    plans: {} as PlanPages,
    activeFlow: { uri } as ActiveFlow,
    session: {} as Session,
  });
  const pushed = vscodeStub.commands.get("assistantFlow.push")?.(uri);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await sent;
  await settled();
  assert.deepEqual(vscodeStub.progress, ["Pushing…"]);
  state = { ...plain, kind: "pending", reason: "asking" };
  changes.fire(uri);
  await settled();
  assert.deepEqual(vscodeStub.progress, []);
  answer({ ...plain, kind: "synced" });
  await pushed;
});
