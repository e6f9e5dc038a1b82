/** Saves in VS Code, with the sandbox of the run: what is asked, sent, merged and never lost. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import { type GraphNode, type GraphOp, graphFromWire } from "../../flow";
import type { WorkflowRevision } from "../../platform";
import { uuidOf } from "../../sandbox/chance";
import { Answers } from "./answers";
import { environment } from "./place";
import { eventually, openFlow, replaceText, savedText, test } from "./suite";

const FILE = "billing.flow.yaml";
const assistant = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
const revision = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";
const base = environment.ASSISTANT_FLOW_BASE_URL ?? "";
const headers = { "x-api-key": environment.ASSISTANT_FLOW_API_KEY ?? "", "content-type": "application/json" };
const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;
const uri = () => vscode.Uri.joinPath(folder(), FILE);
const onDisk = () => savedText(uri());

/**
 * The state of the platform: the version of its graph, and the graph of the last compile, which follows a moment later.
 */
async function platform(): Promise<{ version: number; nodes: ReadonlyMap<string, GraphNode> }> {
  const answer = await fetch(`${base}/v1/workflows/revisions/${revision}`, { headers });
  const { graph_version, compiled_graph } = (await answer.json()) as WorkflowRevision;
  return { version: graph_version ?? 0, nodes: graphFromWire(compiled_graph)?.nodes ?? new Map() };
}

const version = async () => (await platform()).version;

/** Waits until the platform has the expected text for a node. */
const named = (node: string, name: string) =>
  eventually(`${node} is called ${name}`, async () => (await platform()).nodes.get(node)?.name === name);

/** Another user changes the flow on the platform. */
async function colleague(...ops: GraphOp[]): Promise<void> {
  const url = `${base}/v1/assistants/${assistant}/revisions/${revision}/graph/ops`;
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify({ ops }) });
  assert.ok(answer.ok, `${answer.status}`);
}

const renamed = (node_id: string, name: string): GraphOp => ({ op: "update_node_fields", node_id, fields: { name } });

/** Waits until the platform has a newer version and is idle. */
async function moved(from: number): Promise<void> {
  await eventually("the platform has a new version", async () => (await version()) > from);
}

async function saveText(editor: vscode.TextEditor, text: string): Promise<void> {
  await replaceText(editor, text);
  assert.ok(await editor.document.save(), "the file is saved");
}

/** Opens the flow synced with the platform, whatever earlier tests did, and confirms every question. */
async function synced(body: (editor: vscode.TextEditor, answers: Answers) => Promise<void>): Promise<void> {
  const answers = new Answers();
  try {
    answers.button = (_, buttons) => buttons.find((each) => each === "Push");
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri()));
    await saveText(editor, original);
    await vscode.commands.executeCommand("assistantFlow.push", uri());
    answers.said.length = 0;
    await body(editor, answers);
  } catch (error) {
    // The menu shows the sync state.
    answers.row = () => undefined;
    await vscode.commands.executeCommand("assistantFlow.syncMenu", uri());
    throw new Error(`${(error as Error).message}\n${answers.picked.at(-1)}\n${answers.said.join("\n")}`, {
      cause: error,
    });
  } finally {
    answers.dispose();
  }
}

let original = "";

const isPlanInSight = () =>
  vscode.window.tabGroups.all.some(
    ({ activeTab }) => activeTab?.input instanceof vscode.TabInputWebview && activeTab.label === `Plan: ${FILE}`,
  );

test("a flow that was never synced has no changed lines, and comparing it says so", async () => {
  const unlinked = vscode.Uri.joinPath(folder(), "lone.flow.yaml");
  const text = "entry: a\nnodes:\n  a:\n    type: end\n";
  await vscode.workspace.fs.writeFile(unlinked, new TextEncoder().encode(text));
  const answers = new Answers();
  try {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(unlinked));
    const before = vscode.window.tabGroups.activeTabGroup.tabs.length;
    await vscode.commands.executeCommand("assistantFlow.compareWithBase", unlinked);
    await vscode.commands.executeCommand("assistantFlow.compareWithPlatform", unlinked);
    assert.equal(answers.said.length, 2);
    for (const said of answers.said) assert.match(said, /^Nothing to compare lone\.flow\.yaml with yet\./);
    assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, before);
    // The text that VS Code compares the file with to mark changed lines.
    const query = JSON.stringify({ file: unlinked.toString(), kind: "base" });
    const other = vscode.Uri.from({ scheme: "assistant-flow-text", path: "/lone (last synced).flow.yaml", query });
    assert.equal((await vscode.workspace.openTextDocument(other)).getText(), text);
  } finally {
    answers.dispose();
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.workspace.fs.delete(unlinked);
  }
});

test("a plan closes with its deleted file, and texts about it say that it doesn't exist", async () => {
  const deleted = vscode.Uri.joinPath(folder(), "deleted.flow.yaml");
  const link = `assistant: ${uuidOf("deleted")}\nrevision: ${uuidOf("gone")}\n`;
  await vscode.workspace.fs.writeFile(deleted, Buffer.from(`${link}entry: a\nnodes:\n  a:\n    type: end\n`));
  const answers = new Answers();
  const isOpen = () =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === "Plan: deleted.flow.yaml"));
  try {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(deleted));
    await vscode.commands.executeCommand("assistantFlow.plan", deleted);
    await eventually("the plan is open", isOpen);
    await vscode.commands.executeCommand("workbench.action.focusFirstEditorGroup");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.workspace.fs.delete(deleted);
    await eventually("the plan is closed", () => !isOpen());
    for (const [kind, ending] of [
      ["journal", ".journal.json"],
      ["remote", " (platform).flow.yaml"],
    ]) {
      const query = JSON.stringify({ file: deleted.toString(), kind });
      const text = vscode.Uri.from({ scheme: "assistant-flow-text", path: `/deleted${ending}`, query });
      const document = await vscode.workspace.openTextDocument(text);
      assert.equal(document.getText(), "# deleted.flow.yaml doesn't exist.\n");
    }
    await vscode.commands.executeCommand("assistantFlow.push", deleted);
    assert.deepEqual(answers.said, ["deleted.flow.yaml doesn't exist."]);
  } finally {
    answers.dispose();
  }
});

test("a first push asks next to its plan, and only a first push offers Always Push This File", async () => {
  original = await onDisk();
  // In a browser, VS Code saves automatically after a second.
  await vscode.workspace.getConfiguration("files").update("autoSave", "off", vscode.ConfigurationTarget.Global);
  const answers = new Answers();
  try {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri()));
    await saveText(editor, original.replace("name: Greeting", "name: Hello"));
    const question = await eventually("a question", () => answers.said.find((each) => each.includes("First push to")));
    assert.match(question, /6 nodes added.*\[Not Now\] \[Push\] \[Always Push This File\]/);
    await eventually("the plan is in sight", isPlanInSight);
    assert.equal((await platform()).nodes.size, 0, "nothing is sent before the answer");
    // The open question isn't asked again: the command shows its answers.
    answers.row = (_, labels) => labels.find((each) => each.endsWith(" Push"));
    await vscode.commands.executeCommand("assistantFlow.push", uri());
    assert.match(answers.picked.at(-1) ?? "", /\) Push .*\) Always Push This File .*\) Not Now /);
    await eventually("it is on the platform", async () => (await platform()).nodes.size === 6);
    answers.said.length = 0;
    const second = await version();
    await saveText(editor, original);
    await moved(second);
    assert.deepEqual(answers.said, [], "the second save goes by itself");
  } finally {
    answers.dispose();
  }
});

test("a plan that removes more than 20% of the nodes asks, without Always; No sends nothing", () =>
  synced(async (editor, answers) => {
    const before = await version();
    answers.button = (_, buttons) => buttons.find((each) => each === "Not Now");
    const cut = original
      .replace(/ {2}tell_plan:\n[\s\S]*? {2}hand_over:/, "  hand_over:")
      .replace(/ {2}ask_account:\n[\s\S]*? {2}look_up:/, "  look_up:")
      .replace("      - to: ask_account\n", "      - to: look_up\n")
      .replace("- to: tell_plan", "- to: goodbye");
    await saveText(editor, cut);
    const question = await eventually("a question", () => answers.said.find((each) => /more than 20%/.test(each)));
    assert.match(question, /2 nodes removed.*\[Not Now\] \[Push\]$/);
    assert.equal(await version(), before);
  }));

test("the plan page doesn't take the focus; as JSON it follows the text", () =>
  synced(async (editor) => {
    await vscode.commands.executeCommand("assistantFlow.plan", uri());
    await eventually("the plan is in sight", isPlanInSight);
    assert.equal(vscode.window.activeTextEditor?.document, editor.document);
    await replaceText(
      editor,
      original.replace("name: Greeting", "name: Typed").replace("[basic, plus, max]", "[basic]"),
    );
    await vscode.commands.executeCommand("assistantFlow.planAsJson", uri());
    const json = await eventually("the plan as JSON", () =>
      vscode.workspace.textDocuments.find(({ uri: each }) => /plan\.json$/.test(each.path)),
    );
    const ops = JSON.parse(json.getText()) as { batch: number; op: string }[];
    assert.deepEqual(
      ops.map(({ batch, op }) => `${batch} ${op}`),
      ["1 upsert_context_variable", "1 update_node_fields"],
    );
    assert.ok(editor.document.isDirty, "nothing was saved for it");
    await editor.document.save();
  }));

test("a colleague's change of another field is merged by the next save", () =>
  synced(async (editor) => {
    await colleague(renamed("goodbye", "The end"));
    await saveText(editor, original.replace("name: Greeting", "name: Ours"));
    await eventually("both are in the file", async () => {
      const text = await onDisk();
      return /name: Ours/.test(text) && /name: The end/.test(text);
    });
    await named("greet", "Ours");
    await named("goodbye", "The end");
    assert.match(await onDisk(), /^# A billing line/, "comments stay");
  }));

test("a push that finds a conflict opens one comparison, and its end leaves the flow in front", () =>
  synced(async (editor, answers) => {
    await colleague(renamed("greet", "Theirs"));
    await replaceText(editor, original.replace("name: Greeting", "name: Mine"));
    const comparisons = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputTextDiff).length;
    let opened = 0;
    answers.row = () => {
      opened = comparisons();
      return "$(file) Keep Mine";
    };
    const settings = vscode.workspace.getConfiguration("assistantFlow");
    await settings.update("sync.onSave", "off", vscode.ConfigurationTarget.Workspace);
    try {
      await editor.document.save();
      await vscode.commands.executeCommand("assistantFlow.push", uri());
      await named("greet", "Mine");
    } finally {
      await settings.update("sync.onSave", undefined, vscode.ConfigurationTarget.Workspace);
    }
    assert.equal(opened, 1);
    await eventually("the comparison is closed", () => comparisons() === 0);
    assert.equal(vscode.window.activeTextEditor?.document, editor.document);
  }));

test("the same field on both sides opens the merge, and each choice is applied", async () => {
  for (const [label, name] of [
    ["$(file) Keep Mine", "Mine"],
    ["$(cloud) Use Platform", "Theirs"],
  ] as const)
    await synced(async (editor, answers) => {
      await colleague(renamed("greet", "Theirs"));
      await saveText(editor, original.replace("name: Greeting", "name: Mine"));
      await eventually("the conflict is said", () =>
        answers.said.find((each) => /changes conflict with.*\[Resolve…\]/.test(each)),
      );
      await eventually("both sides are in sight", () =>
        vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.input instanceof vscode.TabInputTextDiff),
      );
      await named("greet", "Theirs");
      assert.match(await onDisk(), /name: Mine/);
      const at = editor.document.positionAt(editor.document.getText().indexOf("name: Mine"));
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        uri(),
        new vscode.Range(at, at),
        vscode.CodeActionKind.QuickFix.value,
      );
      const titles = actions.map(({ title }) => title);
      assert.ok(titles.includes("Keep Mine") && titles.includes('Use Platform: "Theirs"'), titles.join());
      answers.row = () => label;
      await vscode.commands.executeCommand("assistantFlow.resolveConflicts", uri());
      assert.match(answers.picked[0] ?? "", /Conflict 1 of 1.*\[\$\(file\) Keep Mine Mine\] \[\$\(cloud\).*Theirs\]/);
      await eventually(`the file says ${name}`, async () => (await onDisk()).includes(`name: ${name}\n`));
      await named("greet", name);
    });
});

test("a renamed file keeps its sync, and deleting one removes nothing else", () =>
  synced(async (_editor, answers) => {
    const before = await version();
    const edit = new vscode.WorkspaceEdit();
    const other = vscode.Uri.joinPath(folder(), "renamed.flow.yaml");
    edit.renameFile(uri(), other);
    assert.ok(await vscode.workspace.applyEdit(edit));
    try {
      const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(other));
      await saveText(editor, original.replace("name: Greeting", "name: Renamed"));
      await moved(before);
      await named("greet", "Renamed");
      assert.deepEqual(answers.said, [], "nobody is asked again, and nobody else claims the revision");
      const last = await version();
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.workspace.fs.delete(other);
      // The next save gets the next version, so nothing was sent for the deletion before it.
      await vscode.workspace.fs.writeFile(uri(), new TextEncoder().encode(original));
      // If VS Code is still trying to open the file as it was, without success, it fails for every caller.
      await eventually("the file opens again", async () =>
        vscode.workspace.openTextDocument(uri()).then(
          () => true,
          () => false,
        ),
      );
      const back = await vscode.window.showTextDocument(uri());
      await saveText(back, original.replace("name: Greeting", "name: Back"));
      await vscode.commands.executeCommand("assistantFlow.push", uri());
      await named("greet", "Back");
      assert.equal(await version(), last + 1);
    } finally {
      // Restores the file for the tests that follow, even if this one fails.
      await vscode.workspace.fs.delete(other).then(undefined, () => undefined);
      await vscode.workspace.fs.writeFile(uri(), new TextEncoder().encode(original));
    }
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri().toString());
    await eventually("the open editor has read the restored file", () => !open || open.getText() === original);
    assert.equal((await platform()).nodes.size, 6, "every node is still there");
  }));

test("a branch switch pauses sync and shows the plan; nothing is sent until a push", () =>
  synced(async (editor, answers) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: folder().fsPath });
    git("init", "-q", "-b", "main");
    git("add", FILE);
    git("commit", "-qm", "main");
    git("checkout", "-qb", "other");
    await saveText(editor, original.replace("name: Greeting", "name: On a branch"));
    await named("greet", "On a branch");
    git("commit", "-qam", "other");
    const before = await version();
    answers.button = () => undefined;
    git("checkout", "-q", "main");
    await eventually("VS Code shows the branch", () => editor.document.getText() === original);
    const notice = await eventually("it is said", () => answers.said.find((each) => /changed from outside/.test(each)));
    assert.match(notice, /1 node changed.*\[Push\]/);
    await eventually("the plan is in sight", isPlanInSight);
    assert.equal(await version(), before, "nothing was sent");
    await vscode.commands.executeCommand("assistantFlow.push", uri());
    await named("greet", "Greeting");
  }));

test("a chain of batches shows its progress, stops between two, and resumes", () =>
  synced(async (editor, answers) => {
    const many = Array.from({ length: 650 }, (_, i) => `  step_${i}:\n    type: end\n`).join("");
    const long = original.replace("\ncomponent_outputs:", `${many}\ncomponent_outputs:`);
    let seen = "";
    answers.cancels = (step) => {
      if (!step.startsWith("batch 2 ")) return false;
      seen = step;
      return true;
    };
    await saveText(editor, long);
    await eventually("the second batch is announced", () => seen !== "");
    assert.equal(seen, "batch 2 of 4");
    const stopped = await eventually("it has stopped between two", async () => {
      const { size } = (await platform()).nodes;
      return size > 6 && size < 656 ? size : undefined;
    });
    assert.equal((stopped - 6) % 200, 0, `${stopped} nodes: whole batches only`);
    answers.cancels = () => false;
    await vscode.commands.executeCommand("assistantFlow.push", uri());
    await eventually("all are there", async () => (await platform()).nodes.size === 656);
    assert.ok(
      answers.progress.some((each) => /Syncing billing\.flow\.yaml: batch 1 of 4/.test(each)),
      answers.progress.join(),
    );
  }));

test("an archived assistant is restored by its command; no lens offers it before the platform says it's archived", async () => {
  const archived = uuidOf("demo/assistant/archived");
  const answers = new Answers();
  try {
    const editor = await openFlow(
      "archived.flow.yaml",
      `assistant: ${archived}\nentry: bye\nnodes:\n  bye: {type: end}\n`,
    );
    const lenses = await eventually("the lenses", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        editor.document.uri,
        99,
      );
      return found.length > 0 ? found : undefined;
    });
    assert.ok(lenses.every(({ command }) => command?.command !== "assistantFlow.restoreAssistant"));
    void vscode.commands.executeCommand("assistantFlow.restoreAssistant", archived);
    await eventually("it is said", () =>
      answers.said.find((each) => /Restored the assistant "Holiday hotline"/.test(each)),
    );
    const again = await fetch(`${base}/v1/assistants/${archived}/restore`, { method: "POST", headers });
    assert.equal(again.status, 409, "it is archived no more");
  } finally {
    answers.dispose();
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), "archived.flow.yaml"));
  }
});

/** Every kind of fix that the sandbox suggests, each for a finding of its own. */
const spoilt = `# A flow with one mistake for every kind of fix.
assistant: ${assistant}
revision: ${revision}
entry: greet

context_variables:
  account_id: {type: string}
  plan: {type: string, enum_values: [basic, basic, max]}
  tier: {type: string}

nodes:
  greet:
    type: message
    instructions: Hello, {{acount_id}}. It is about {{something_else}} and {{plan}}.
    edges:
      - to: ask_account
      - to: ask_account
  ask_account:
    type: collect
    instructions: |
      Ask for the account number. It has eight digits and stands at the top right of every bill, under the address, and
      once more on the last page of the contract that the caller has signed.
    edges:
      - to: look_up
  look_up:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
    description: |
      Looks the account up by its number in the system that all bills are made from, and gives back the plan that the
      caller is on, which the next step reads out to the caller word by word.
    edges:
      - to: quick
  quick:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
    edges:
      - to: hand_over
  hand_over:
    type: transfer
  lonely:
    type: end
`;

const fixed: [kind: string, rule: string, about: RegExp, title: RegExp, result: RegExp][] = [
  [
    "text in place of the span",
    "variable.unknown",
    /acount_id/,
    /^Replace with "account_id"$/,
    /Hello, \{\{account_id\}\}\./,
  ],
  [
    "an operation that adds",
    "variable.unknown",
    /something_else/,
    /^Declare variable "something_else"$/,
    /^ {2}something_else:/m,
  ],
  [
    "an operation that changes",
    "variable.repeated-value",
    /plan/,
    /^Declare variable "plan"$|^Change/,
    /\[basic, max\]/,
  ],
  ["an operation that removes", "variable.unused", /tier/, /^Remove variable "tier"$/, /^(?![\s\S]*tier)/],
  [
    "an operation on an edge",
    "edge.duplicate",
    /ask_account/,
    /^Remove edge "greet--ask_account--2"$/,
    /^ {6}- to: ask_account\n {2}ask_account:/m,
  ],
  ["a field as YAML", "collect.no-variable", /ask_account/, /variable: account_id/, /^ {4}variable: account_id$/m],
  ["edges as YAML", "tool.no-error-path", /look_up/, /on: error/, /- to: quick\n {6}- to: hand_over\n {8}on: error\n/],
  ["a whole node as YAML", "transfer.no-destination", /hand_over/, /destination/, /destination: "\+15550100"/],
];

test("every kind of fix is applied by its quick fix, and its finding disappears with the next save; prose is shown", async () => {
  const rules =
    "undefined-variable unused-variable duplicate-edge tool-without-error-edge duplicate-enum-value unreachable-node missing-field may-be-unset missing-tool-input";
  const settings = vscode.workspace.getConfiguration("assistantFlow");
  const off = Object.fromEntries(rules.split(" ").map((code) => [code, "off"]));
  await settings.update("rules", off, vscode.ConfigurationTarget.Global);
  try {
    await synced(async (editor, answers) => {
      const shown = () => vscode.languages.getDiagnostics(uri()).filter(({ source }) => source === "platform");
      const find = (rule: string, about: RegExp) =>
        shown().find(({ code, message }) => code === rule && about.test(message));
      const actionsOf = (finding: vscode.Diagnostic) =>
        vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          uri(),
          finding.range,
          vscode.CodeActionKind.QuickFix.value,
        );
      await saveText(editor, spoilt);
      for (const [kind, rule, about, title, result] of fixed) {
        const finding = await eventually(`${kind}: ${rule}`, () => find(rule, about));
        const action = (await actionsOf(finding)).find((each) => title.test(each.title));
        assert.ok(action?.edit, `${kind}: ${(await actionsOf(finding)).map((each) => each.title).join(" | ")}`);
        assert.ok(await vscode.workspace.applyEdit(action.edit));
        assert.match(editor.document.getText(), result, kind);
        assert.ok(await editor.document.save());
        await eventually(`${kind}: ${rule} is gone`, () => !find(rule, about));
      }
      const finding = await eventually("prose", () => find("node.unreachable", /lonely/));
      const [advice] = await actionsOf(finding);
      assert.equal(advice?.edit, undefined);
      assert.equal(advice?.command?.command, "assistantFlow.showAdvice");
      void vscode.commands.executeCommand("assistantFlow.showAdvice", ...(advice?.command?.arguments ?? []));
      await eventually("it is said", () =>
        answers.said.find((each) => /Platform suggestion: Add an edge that leads here.*\[Copy\]/.test(each)),
      );
      assert.ok(!editor.document.isDirty, "prose is never pasted");
      assert.equal(
        vscode.window.activeTextEditor?.selection.start.line,
        finding.range.start.line,
        "its node is opened",
      );
    });
  } finally {
    await settings.update("rules", undefined, vscode.ConfigurationTarget.Global);
  }
});
