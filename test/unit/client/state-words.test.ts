import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import { Uri } from "vscode";
import type { Session } from "../../../client/connections";
import type { Server } from "../../../client/server";
import { whyEmpty } from "../../../client/sync/source-control";
import { briefState, compileWords, explanation, words } from "../../../client/sync/state-words";
import { SyncStates } from "../../../client/sync/states";
import { describeFlow } from "../../../client/views/flows/description";
import type { FlowSyncState } from "../../../server/messages";
import { vscodeStub } from "../../support/vscode";

const synced: FlowSyncState = {
  uri: "file:///a.flow.yaml",
  kind: "synced",
  text: "synced v3",
  message: "",
  conflicts: [],
  risks: 0,
  errors: 0,
  warnings: 0,
};

test("every state has a description, and one error is singular", () => {
  assert.deepEqual(explanation(synced), ["The platform matches the saved file."]);
  assert.equal(words({ ...synced, blockingErrors: 1 }), "Synced v3, 1 blocking");
  assert.match(explanation({ ...synced, blockingErrors: 1 }).join(" "), / 1 error prevents the flow from running\.$/);
  assert.match(explanation({ ...synced, blockingErrors: 2 }).join(" "), / 2 errors prevent the flow from running\.$/);
  const waits = { ...synced, kind: "pending", text: "pending (offline)", message: "No answer." } as const;
  assert.deepEqual(explanation({ ...waits, workflowEnabled: false }), [
    "No answer.",
    "The flow is turned off for this revision: it is stored, but not executed.",
  ]);
  assert.match(
    explanation({ ...synced, workflowEnabled: true }).join(" "),
    /The flow is turned on for this revision\./,
  );
  const conflict = (n: number) => ({ key: `k${n}`, message: `Conflict ${n}.`, base: "", ours: "", theirs: "" });
  const conflicts = [1, 2, 3, 4, 5, 6, 7].map(conflict);
  const both = explanation({ ...synced, kind: "conflict", text: "conflict", conflicts });
  assert.match(both.join(" "), /changes conflict with.* Conflict 1\. .*Conflict 5\. And 2 more\.$/);
});

test("a failed compile of the synced version is part of the state", () => {
  const compile = { state: "failed", status: "failed", errors: 1, warnings: 0 } as const;
  assert.equal(words({ ...synced, compile }), "Synced v3, compile failed");
  assert.equal(words({ ...synced, compile: { ...compile, isOutdated: true } }), "Synced v3");
  assert.equal(words({ ...synced, kind: "pending", text: "pending", compile }), "Pending");
});

test("the compile state has a description", () => {
  const of = (compile: Partial<FlowSyncState["compile"]>) =>
    compileWords({ ...synced, compile: { state: "unknown", status: "", errors: 0, warnings: 0, ...compile } });
  assert.equal(of({ state: "succeeded", version: 7 }), "Compiled v7");
  assert.equal(of({ state: "running", version: 7 }), "Compiling v7…");
  assert.equal(of({ state: "failed", version: 7, errors: 2 }), "Compile failed: 2 errors");
  assert.equal(of({ state: "failed", errors: 1 }), "Compile failed: 1 error");
  assert.equal(of({ state: "failed" }), "Compile failed");
  assert.equal(of({ status: "Warming Up" }), "Compile status: Warming Up");
  assert.equal(of({ status: "succeeded", version: 6, isOutdated: true }), "Not compiled yet");
  assert.equal(of({ state: "running", status: "not_started", version: 0 }), "Not compiled yet");
  assert.equal(of({}), undefined);
  assert.equal(compileWords(synced), undefined);
  assert.ok(
    explanation({ ...synced, compile: { state: "failed", status: "failed", errors: 2, warnings: 0 } }).includes(
      "Compile failed: 2 errors",
    ),
  );
});

test("without a connection the state gives the reason, and updates when it changes", () => {
  let tell = (_: FlowSyncState) => {};
  let changed = () => {};
  const server = { onNotification: (_: string, listener: typeof tell) => (tell = listener) };
  const session = {
    state: "no-connection",
    onDidChange: (listener: () => void) => {
      changed = listener;
      return { dispose: () => undefined };
    },
  };
  const states = new SyncStates(server as unknown as Server, session as unknown as Session);
  const heard: string[] = [];
  states.onDidChange((uri) => heard.push(uri.toString()));
  tell({ ...synced, kind: "unlinked", reason: "no-connection", text: "not connected", message: "Not connected." });
  const said = () => states.get(Uri.parse(synced.uri)) as FlowSyncState;
  assert.equal(words(said()), "Not connected");
  for (const [state, text] of [
    ["untrusted", "Not trusted"],
    ["signed-out", "Signed out"],
    ["no-connection", "Not connected"],
  ] as const) {
    session.state = state;
    changed();
    assert.deepEqual([words(said()), said().reason, states.all()[0]?.text], [text, state, said().text]);
  }
  assert.equal(heard.length, 4);
  tell(synced);
  session.state = "untrusted";
  changed();
  assert.deepEqual([words(said()), heard.length], ["Synced v3", 5]);
  tell({ ...synced, kind: "unlinked", reason: "no-key", text: "not connected", message: "No connection." });
  vscodeStub.trusted = false;
  assert.deepEqual([words(said()), said().reason], ["Not trusted", "untrusted"]);
  vscodeStub.trusted = true;
  assert.deepEqual([words(said()), said().reason], ["Not connected", "no-key"]);
});

test("an empty source control view says why; a linked flow without a connection counts as linked", () => {
  assert.equal(whyEmpty([]), "No linked flow is open");
  assert.equal(whyEmpty([{ kind: "unlinked" }]), "No linked flow is open");
  for (const reason of ["unread", "no-connection", "untrusted", "signed-out"])
    assert.equal(whyEmpty([{ kind: "unlinked" }, { kind: "unlinked", reason }]), "Not compared with the platform yet");
  assert.equal(whyEmpty([{ kind: "unlinked" }, { kind: "synced" }]), "Nothing to push or pull");
  assert.equal(whyEmpty([{ kind: "unlinked" }, { kind: "pending", reason: "held" }]), "Synced by another window");
});

test("a narrow row has the sync state first, in few words, unless the compile failed", () => {
  const row = (state: Partial<FlowSyncState>) =>
    describeFlow({ unseen: "", state: { ...synced, ...state }, environments: [], folder: "flows", findings: "" });
  const compile = { state: "unknown", status: "not_started", errors: 0, warnings: 0 } as const;
  const pending = { kind: "pending", text: "pending (unpushed changes)" } as const;
  assert.equal(row({ ...pending, reason: "autosaved", compile }), "unpushed changes · not compiled yet · flows");
  assert.equal(briefState({ ...synced, ...pending, reason: "asking" }), "waits for your answer");
  assert.equal(briefState({ ...synced, ...pending, reason: "offline" }), "offline");
  const failed = { ...compile, state: "failed", status: "failed", errors: 2 } as const;
  assert.equal(row({ compile: failed }), "compile failed: 2 errors · flows");
  assert.equal(
    row({ ...pending, reason: "manual", compile: failed }),
    "compile failed: 2 errors · unpushed changes · flows",
  );
});
