/** *Link to Assistant…* at the top of an unlinked flow. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CodeAction, type CodeActionProvider, EventEmitter, type ExtensionContext, Uri } from "vscode";
import type { ActiveFlow } from "../../../client/active-flow";
import type { Session } from "../../../client/connections";
import { labelOf, registerLinkFlow } from "../../../client/link-flow";
import { vscodeStub } from "../../support/vscode";

async function offered(text: string, line: number): Promise<string[]> {
  const context = { subscriptions: [] } as unknown as ExtensionContext;
  const listed = { get: () => undefined, onDidChange: new EventEmitter<Uri>().event };
  registerLinkFlow(context, {} as Session, {} as ActiveFlow, listed);
  const provider = vscodeStub.codeActions.pop() as CodeActionProvider;
  const lines = text.split("\n");
  const document = {
    uri: Uri.parse("file:///a.flow.yaml"),
    getText: () => text,
    lineAt: () => ({ text: lines[line] }),
  };
  const actions = provider.provideCodeActions(document as never, { start: line } as never, {} as never, {} as never);
  return ((await actions) as CodeAction[]).map(({ title, kind }) => `${title} (${kind})`);
}

test("a flow is linked at its top, by an action that isn't listed below the suppression of a finding", async () => {
  const text = "entry: gone\nnodes: {}\n";
  assert.deepEqual(await offered(text, 0), ["Link to Assistant… (refactor.rewrite)"]);
  assert.deepEqual(await offered(text, 1), []);
  const [assistant, revision] = ["3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101", "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102"];
  assert.deepEqual(await offered(`assistant: ${assistant}\nrevision: ${revision}\n${text}`, 2), []);
});

test("the prompt says that an ID is the demo's, without the parentheses that VS Code adds itself", () => {
  assert.equal(labelOf("revision", true), "Revision ID of the sandbox's demo");
  assert.equal(labelOf("assistant", true), "Assistant ID of the sandbox's demo");
});
