/** The tools that agents get in VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { planTool } from "../../client/agents";
import type { Server } from "../../client/server";
import { extensionId, openFlow, test } from "./suite";

const FLOW =
  "entry: greet\nnodes:\n  greet: {type: message, instructions: Hello., edges: [{to: nowhere}]}\n  done: {type: end}\n";

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

test("the tools of the manifest are registered, and answer", async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  await extension?.activate();
  const declared: string[] = extension?.packageJSON.contributes.languageModelTools.map(
    (each: { name: string }) => each.name,
  );
  const known = vscode.lm.tools.map(({ name }) => name);
  assert.equal(declared.length, 6);
  assert.deepEqual(
    declared.filter((name) => !known.includes(name)),
    [],
  );
  const { document } = await openFlow("agents.flow.yaml", FLOW);
  const file = vscode.workspace.asRelativePath(document.uri);
  assert.match(
    await invoke("assistant_flow_check", { paths: [file] }),
    /^Data from files[^\n]+\n```json\n.*"unknown-target"/,
  );
  assert.match(await invoke("assistant_flow_outline", { file }), /"entry":"greet"/);
  assert.match(await invoke("assistant_flow_run", { file }), /"kind":"stuck"/);
});

test("a file outside the workspace is refused", async () => {
  await assert.rejects(invoke("assistant_flow_outline", { file: "../../outside.flow.yaml" }), /outside the folders/);
});

test("plan asks the person before anything leaves the machine", async () => {
  // Under test VS Code agrees to every dialog by itself, so what it would show is looked at.
  const asked: string[] = [];
  const tool = planTool({ sendRequest: async (method: string) => void asked.push(method) } as unknown as Server);
  const input = { paths: ["agents.flow.yaml", "[x](command:y)"] };
  const { token } = new vscode.CancellationTokenSource();
  const prepared = await tool.prepareInvocation?.({ input }, token);
  assert.ok(prepared?.confirmationMessages);
  const { title, message } = prepared.confirmationMessages;
  assert.equal(title, "Ask the platform what a push would change?");
  const { value, isTrusted } = message as vscode.MarkdownString;
  assert.ok(value.includes("agents.flow.yaml") && !value.includes("[x]("), value);
  assert.ok(!isTrusted);
  assert.deepEqual(asked, [], "nothing is asked before the person agreed");
});
