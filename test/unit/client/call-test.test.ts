/** A test from a call is placed in the test file as it is after the user has chosen a flow. */

import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ExtensionContext, Uri, window, workspace } from "vscode";
import type { Session } from "../../../client/connections";
import type { Server } from "../../../client/server";
import { registerCallTest } from "../../../client/testing/call-test";
import { openNewTests } from "../../../client/testing/create-test";
import type { TestServer } from "../../../client/testing/test-server";
import type { NewTests, NoNewTests } from "../../../server/test-messages";
import { vscodeStub } from "../../support/vscode";

test("the position of a test from a call is computed after the flow was chosen", async () => {
  const flows = [Uri.parse("file:///a.flow.yaml"), Uri.parse("file:///b.flow.yaml")];
  Object.assign(workspace, { findFiles: async () => flows });
  const created: string[] = [];
  const name = { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } };
  const early: NewTests = {
    uri: "file:///a.flowtest.yaml",
    isNew: false,
    position: name.end,
    text: "",
    name,
    count: 1,
  };
  let hasChosen = false;
  const create = async (flow: Uri): Promise<NewTests | NoNewTests> => {
    created.push(flow.toString());
    return hasChosen ? { problem: "Computed again." } : early;
  };
  const said: string[] = [];
  vscodeStub.answer = ({ title, choices }) => {
    if (choices.length < 2) return void said.push(title);
    hasChosen = true;
    return choices[1];
  };
  const client = { getCall: async () => ({ id: "c", callStatus: "COMPLETED", callEndedReason: "HANGUP" }) };
  const context = { subscriptions: [] } as unknown as ExtensionContext;
  const tests = { create } as unknown as TestServer;
  registerCallTest(context, { client } as unknown as Session, {} as Server, tests);
  await vscodeStub.commands.get("assistantFlow.createTestFromCall")?.("c");
  assert.deepEqual(created, ["file:///a.flow.yaml", "file:///b.flow.yaml", "file:///b.flow.yaml"]);
  assert.deepEqual(said, ["Computed again."]);
});

test("the reason why there is no test has a button that shows the place in the flow", async () => {
  const shown: unknown[] = [];
  Object.assign(window, {
    tabGroups: { all: [] },
    showTextDocument: async (uri: Uri, { selection }: { selection: { given: unknown } }) =>
      shown.push([uri.toString(), selection.given]),
  });
  const problem = '"a.flow.yaml" has a syntax error. Line 3: This `{` is never closed. Add `}` at the end.';
  vscodeStub.answer = ({ title, choices }) => (title === problem && choices.includes("Show") ? "Show" : undefined);
  const at = { uri: "file:///a.flow.yaml", position: { line: 2, character: 9 } };
  assert.equal(await openNewTests({ problem, at }), false);
  await new Promise(setImmediate);
  assert.deepEqual(shown, [["file:///a.flow.yaml", [2, 9, 2, 9]]]);
});
