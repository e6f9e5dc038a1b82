import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, extensionId, openFlow, replaceText, test } from "./suite";

test("a flow file has our language and activates the extension", async () => {
  const { document } = await openFlow("first.flow.yml", "entry: greet\nnodes:\n  greet: {type: end}\n");
  assert.equal(document.languageId, "assistant-flow");
  await eventually("the extension is active", () => vscode.extensions.getExtension(extensionId)?.isActive);
});

test("a YAML error is in Problems with its exact range, and disappears when fixed", async () => {
  const editor = await openFlow("broken.flow.yaml", "entry: greet\nnodes:\n  greet: {type: end\n");
  const uri = editor.document.uri;
  const problem = await eventually("an error is shown", () =>
    vscode.languages.getDiagnostics(uri).find((each) => each.severity === vscode.DiagnosticSeverity.Error),
  );
  assert.equal(problem.source, "assistant-flow");
  assert.ok(problem.range.start.line >= 2, "the range is where the bracket is missing");
  await replaceText(editor, "entry: greet\nnodes:\n  greet: {type: end}\n");
  // The policy file in the examples folder reports something for every flow next to it.
  const left = () =>
    vscode.languages
      .getDiagnostics(uri)
      .map(({ message }) => message)
      .filter((message) => !message.startsWith("Policy "));
  await eventually(
    () => `the problem is gone; left: ${left().join(", ")} in ${JSON.stringify(editor.document.getText())}`,
    () => left().length === 0,
  );
});

test("commands and the manifest match", async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension);
  await extension.activate();
  const declared: string[] = extension.packageJSON.contributes.commands.map(
    (each: { command: string }) => each.command,
  );
  const known = await vscode.commands.getCommands(true);
  const missing = declared.filter((command) => !known.includes(command));
  assert.deepEqual(missing, [], "declared, but not registered");
});

test("a word is a whole ID or a word of any script, never only a dash or underscore", async () => {
  for (const name of ["words.flow.yaml", "words.flowtest.yaml"]) {
    const line = "      - to: ask_account-2 # größe हिन्दी 数量 a--b _";
    const { document } = await openFlow(name, `${line}\n`);
    const words = () => {
      const found = new Set<string>();
      for (let column = 0; column <= line.length; column++) {
        const range = document.getWordRangeAtPosition(new vscode.Position(0, column));
        if (range) found.add(document.getText(range));
      }
      return [...found].join(" ");
    };
    // VS Code may still be reading the language configuration.
    await eventually(
      () => `the words of ${name}: ${words()}`,
      () => words() === "to ask_account-2 größe हिन्दी 数量 a--b",
    );
  }
});

test("Show Status lists versions, the connection and the server's state in a read-only document", async () => {
  await openFlow("status.flow.yaml", "entry: greet\nnodes:\n  greet: {type: end}\n");
  await vscode.commands.executeCommand("assistantFlow.showStatus");
  const { document } = await eventually("the document is shown", () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.scheme === "assistant-flow-status" ? editor : undefined;
  });
  const text = document.getText();
  const version: string = vscode.extensions.getExtension(extensionId)?.packageJSON.version ?? "";
  assert.match(text, new RegExp(`^Assistant Flow: "${version.replaceAll(".", "\\.")}"$`, "m"));
  assert.match(text, /^connection:\n {2}state: "[\w-]+"\n {2}url: "(none|https?:\/\/[^/"]+)"$/m);
  assert.match(text, /^ {4}open: [1-9]\d*$/m);
  assert.match(text, /^ {2}uptimeSeconds: \d+$/m);
  assert.doesNotMatch(text, /afk_/);
});
