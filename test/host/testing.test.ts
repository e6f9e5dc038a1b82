/**
 * Flow tests in the Test Explorer: listing, creating and finding them. test/ui/testing.test.ts checks the results on
 * screen.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, openFlow, replaceText, test } from "./suite";

const FLOW = `entry: ask
nodes:
  ask:
    type: message
    instructions: Ask.
    edges:
      - {to: yes, when: the caller agrees}
      - {to: no}
  yes: {type: end}
  no: {type: end}
  lost: {type: end}
`;

/** The tests of a file in the Test Explorer, as text. */
async function listed(uri: vscode.Uri): Promise<string> {
  return JSON.stringify((await vscode.commands.executeCommand("vscode.testing.getTestsInFile", uri)) ?? []);
}

const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;

test("the tests of a file are listed, and the list follows what is typed", async () => {
  await openFlow("listed.flow.yaml", FLOW);
  const text = "flow: listed.flow.yaml\ntests:\n  - name: one\n    steps: [{take: no}]\n";
  const editor = await openFlow("listed.flowtest.yaml", text);
  const { uri } = editor.document;
  const names = (wanted: string[]) => async () => {
    const now = await listed(uri);
    return wanted.every((name) => now.includes(`"${name}"`));
  };
  await eventually("the test is listed", names(["one"]));
  await replaceText(editor, `${text}  - name: two\n`);
  await eventually("an unsaved test is listed", names(["one", "two"]));
});

test("each case is listed by its name, on its line, and a skipped test is listed too", async () => {
  await openFlow("cased.flow.yaml", FLOW);
  const text = `flow: cased.flow.yaml
tests:
  - name: an answer
    cases:
      - name: agrees
        steps: [{take: yes}]
      - steps: [{take: no}]
      - name: later
        skip: It isn't decided yet.
  - name: not now
    skip: The flow changes.
`;
  const { uri } = (await openFlow("cased.flowtest.yaml", text)).document;
  const wanted = ["an answer (agrees)", "an answer (case 2)", "an answer (later)", "not now"];
  await eventually("every case is listed", async () => {
    const now = await listed(uri);
    return wanted.every((name) => now.includes(`"${name}"`)) && !now.includes('"an answer"');
  });
});

test("Create Test creates a file, then adds to it; undo reverts it", async () => {
  const flow = (await openFlow("made.flow.yaml", FLOW)).document.uri;
  const uri = vscode.Uri.joinPath(folder(), "made.flowtest.yaml");
  await vscode.commands.executeCommand("assistantFlow.createTest", flow, "yes");
  const editor = await eventually("the new file is shown", () => {
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.toString() === uri.toString() ? active : undefined;
  });
  const { document } = editor;
  const selected = () => document.getText(editor.selection);
  await eventually("its name is selected", () => selected() === "ask, the caller agrees, ends at yes");
  assert.equal(
    document.getText(),
    `flow: made.flow.yaml
tests:
  - name: ask, the caller agrees, ends at yes
    steps:
      - take: the caller agrees
    expect:
      path: [ask, yes]
      ends: {node: yes, transfer: false}
`,
  );
  await document.save();
  // An existing test isn't written again.
  await vscode.commands.executeCommand("assistantFlow.createTest", flow, "yes");
  assert.ok(!document.isDirty);
  // Nothing is selected, because typing would replace the name of the existing test.
  await eventually("its name is shown", () => editor.selection.isEmpty && editor.selection.active.line === 2);
  // By URI as a string, as in a code lens of the language server.
  await vscode.commands.executeCommand("assistantFlow.createTest", flow.toString(), "no");
  await eventually("a test was added", () => document.getText().includes("ends: {node: no,"));
  await vscode.commands.executeCommand("undo");
  await eventually("the added test is gone", () => !document.getText().includes("ends: {node: no,"));
});

test("Create Test never writes to another file than this flow's test file", async () => {
  const flow = (await openFlow("other.flow.yaml", FLOW)).document.uri;
  const theirs = "flow: made.flow.yaml\ntests:\n  - name: theirs\n";
  const { document } = await openFlow("other.flowtest.yaml", theirs);
  await vscode.commands.executeCommand("assistantFlow.createTest", flow, "yes");
  await eventually("another file is shown", () =>
    vscode.window.activeTextEditor?.document.uri.path.endsWith("/other-2.flowtest.yaml"),
  );
  assert.equal(document.getText(), theirs);
});

test("Go to Test opens the only test that visits a node", async () => {
  const flow = await openFlow("found.flow.yaml", FLOW);
  await openFlow(
    "found.flowtest.yaml",
    "flow: found.flow.yaml\ntests:\n  - name: a\n    steps: [{take: no}]\n  - name: b\n    steps: [{take: yes}]\n",
  );
  await vscode.window.showTextDocument(flow.document, { selection: new vscode.Range(8, 3, 8, 3) });
  await eventually('the test through "yes" is shown', async () => {
    // The file is found once VS Code has reported it.
    await vscode.commands.executeCommand("assistantFlow.goToTest", flow.document.uri, "yes");
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.path.endsWith("/found.flowtest.yaml") && active.selection.active.line === 4;
  });
});
