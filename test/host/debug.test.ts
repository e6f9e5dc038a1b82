/**
 * The debugger in VS Code: what F5 starts, breakpoints, stepping back, questions as quick picks, and edits during a
 * run.
 */
import assert from "node:assert/strict";
import type { DebugProtocol } from "@vscode/debugprotocol";
import * as vscode from "vscode";
import { ANSWER } from "../../debug/messages";
import { eventually, openFlow, replaceText, test } from "./suite";

const FLOW = `entry: greet
context_variables:
  account_id: {type: string}
nodes:
  greet:
    type: message
    instructions: Welcome the caller.
    edges:
      - to: ask
        when: the caller asks about a bill
      - to: bye
  ask:
    type: collect
    variable: account_id
    edges:
      - {to: found, when: "{{account_id}} is known"}
      - {to: bye}
  found:
    type: message
    edges: [{to: bye}]
  bye:
    type: end
`;

const session = () => vscode.debug.activeDebugSession;

async function stack(): Promise<DebugProtocol.StackFrame[]> {
  const answer = await session()
    ?.customRequest("stackTrace", { threadId: 1 })
    .then(
      (body: { stackFrames: DebugProtocol.StackFrame[] }) => body.stackFrames,
      () => [],
    );
  return answer ?? [];
}

/** VS Code's own debug view must be at the node too, because its commands do nothing before. */
const isAt = (node: string) => async () =>
  (await stack())[0]?.name.split(" ")[0] === node && vscode.debug.activeStackItem instanceof vscode.DebugStackFrame;

async function end(): Promise<void> {
  await vscode.debug.stopDebugging();
  await eventually("the session is over", () => session() === undefined);
  vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
}

test("F5 without a configuration: a breakpoint, an answer by quick pick, a step back, an edit", async () => {
  const editor = await openFlow("played.flow.yaml", FLOW);
  const { uri } = editor.document;
  vscode.debug.addBreakpoints([
    new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(17, 0))),
    new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(4, 0))),
  ]);
  await vscode.commands.executeCommand("workbench.action.debug.start");
  await eventually("the run stops at its first node", isAt("greet"));
  await vscode.commands.executeCommand("workbench.action.debug.continue");
  // The first row is the edge with the condition.
  await eventually("the quick pick leads to the collect node", async () => {
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    return isAt("ask")();
  });
  await session()?.customRequest(ANSWER, { text: "give account_id 4711" });
  await eventually("the answers lead to the breakpoint", isAt("found"));
  const watch = await session()?.customRequest("evaluate", {
    expression: "{{account_id}} is known",
    frameId: 1,
    context: "watch",
  });
  assert.equal(watch.result, "true");
  await vscode.commands.executeCommand("workbench.action.debug.stepBack");
  await eventually("one step back", isAt("ask"));
  await vscode.commands.executeCommand("workbench.action.debug.continue");
  await eventually("forward again, without a question", isAt("found"));
  await replaceText(editor, FLOW.replace("nodes:", "# a comment\nnodes:"));
  await eventually("the run is repeated on the new text", async () => (await stack())[0]?.line === 19);
  await end();
});

const WRONG = `flow: played.flow.yaml
tests:
  - name: wrong
    steps:
      - take: the caller asks about a bill
      - take: bye
`;

async function stopsAtTheWrongStep(): Promise<void> {
  await eventually("the run stops where the step doesn't fit", isAt("ask"));
  const info = await session()?.customRequest("exceptionInfo", { threadId: 1 });
  assert.match(info.description, /asks at "ask" for "account_id"/);
  await end();
}

test("a test is debugged to its failing step: by F5, by its lens, in the Test Explorer", async () => {
  await openFlow("played.flow.yaml", FLOW);
  const editor = await openFlow("played.flowtest.yaml", WRONG);
  const { uri } = editor.document;
  editor.selection = new vscode.Selection(4, 0, 4, 0);
  await vscode.commands.executeCommand("workbench.action.debug.start");
  await stopsAtTheWrongStep();
  const lens = await eventually("the test has a lens", async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
    return lenses.find(({ command }) => command?.title === "Debug Test");
  });
  assert.equal(lens.range.start.line, 2);
  const { command, arguments: args = [] } = lens.command as vscode.Command;
  await vscode.commands.executeCommand(command, ...args);
  await stopsAtTheWrongStep();
  await eventually("the test is listed", async () =>
    JSON.stringify(await vscode.commands.executeCommand("vscode.testing.getTestsInFile", uri)).includes('"wrong"'),
  );
  await vscode.window.showTextDocument(editor.document, { selection: new vscode.Range(2, 10, 2, 10) });
  const debugged = vscode.commands.executeCommand("testing.debugAtCursor");
  await stopsAtTheWrongStep();
  await debugged;
  await vscode.workspace.fs.delete(uri);
});

test("a flow has lenses that create a test", async () => {
  const { document } = await openFlow("played.flow.yaml", FLOW);
  await eventually("the lens", async () => {
    const command = "vscode.executeCodeLensProvider";
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(command, document.uri, 100);
    return lenses.some((lens) => lens.command?.command === "assistantFlow.createTest");
  });
});

test("launch.json completes the attributes of a run", async () => {
  const text =
    '{"version": "0.2.0", "configurations": [{"type": "assistant-flow", "request": "launch", "name": "x", }]}';
  const { document } = await openFlow(".vscode/launch.json", text);
  const at = document.positionAt(text.indexOf("}]"));
  const wanted = ["program", "test", "given", "tools", "stopOnEntry", "stopAtEnd", "path"];
  await eventually("every attribute is offered", async () => {
    const command = "vscode.executeCompletionItemProvider";
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(command, document.uri, at);
    const labels = list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
    return wanted.every((name) => labels.some((label) => label.replaceAll('"', "") === name));
  });
  await vscode.workspace.fs.delete(document.uri);
});
