/** The sidebar's commands in the extension host, with the sandbox of the run. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { environment } from "./place";
import { eventually, extensionId, test } from "./suite";

const base = environment.ASSISTANT_FLOW_BASE_URL ?? "";
const calling = environment.ASSISTANT_FLOW_WORKFLOW_BASE_URL ?? "";
const headers = { "x-api-key": environment.ASSISTANT_FLOW_API_KEY ?? "", "content-type": "application/json" };

interface Review {
  readonly id: string;
  readonly status: string;
  readonly resolution_note?: string;
}
const reviews = async () =>
  ((await (await fetch(`${base}/v1/identity/review-requests`, { headers })).json()) as { data: Review[] }).data;

const activate = () => vscode.extensions.getExtension(extensionId)?.activate();

test("every view of the manifest has its commands, and each can be shown and refreshed", async () => {
  await activate();
  const manifest = vscode.extensions.getExtension(extensionId)?.packageJSON;
  const views: string[] = manifest.contributes.views.assistantFlow.map(({ id }: { id: string }) => id);
  assert.equal(views.length, 9);
  const known = new Set(await vscode.commands.getCommands(true));
  for (const view of views.filter((id) => id !== "assistantFlow.connect")) {
    assert.ok(known.has(`${view}.refresh`), view);
    await vscode.commands.executeCommand(`${view}.focus`);
    await vscode.commands.executeCommand(`${view}.refresh`);
  }
});

test("menus, welcome texts, keys and steps name commands that exist", async () => {
  const { contributes } = vscode.extensions.getExtension(extensionId)?.packageJSON ?? {};
  const known = new Set(await vscode.commands.getCommands(true));
  const named = [...JSON.stringify([contributes.menus, contributes.keybindings]).matchAll(/"command":"([^"]+)"/g)];
  const linked = [
    ...JSON.stringify([contributes.viewsWelcome, contributes.walkthroughs]).matchAll(/command:([\w.]+)/g),
  ];
  const missing = [...named, ...linked].map(([, command = ""]) => command).filter((command) => !known.has(command));
  assert.deepEqual(missing, []);
  // The buttons of a row can be reached by keyboard only through its menu.
  const rows: { command: string; group: string }[] = contributes.menus["view/item/context"];
  const inMenu = rows.filter(({ group }) => !group.startsWith("inline")).map(({ command }) => command);
  assert.deepEqual(
    rows.map(({ command }) => command).filter((command) => !inMenu.includes(command)),
    [],
  );
  // A command also runs if its question is cancelled, so it must not complete a step.
  assert.doesNotMatch(JSON.stringify(contributes.walkthroughs), /onCommand:/);
});

test("a review is rejected through the command that pages use, with its note, once", async () => {
  await activate();
  await vscode.workspace
    .getConfiguration("assistantFlow.reviews")
    .update("undoSeconds", 0, vscode.ConfigurationTarget.Global);
  const open = (await reviews()).find(({ status }) => status === "pending");
  assert.ok(open);
  await vscode.commands.executeCommand("assistantFlow.rejectReview", open.id, "Not the same person.");
  const after = await eventually("the review is rejected", async () =>
    (await reviews()).find(({ id, status }) => id === open.id && status === "rejected"),
  );
  assert.equal(after.resolution_note, "Not the same person.");
  await vscode.workspace
    .getConfiguration("assistantFlow.reviews")
    .update("undoSeconds", undefined, vscode.ConfigurationTarget.Global);
});

test("a rejection that is undone in time never reaches the platform", async () => {
  const settings = vscode.workspace.getConfiguration("assistantFlow.reviews");
  await settings.update("undoSeconds", 20, vscode.ConfigurationTarget.Global);
  const [undone, sent] = (await reviews()).filter(({ status }) => status === "pending");
  assert.ok(undone && sent);
  await vscode.commands.executeCommand("assistantFlow.rejectReview", undone.id, "");
  await vscode.commands.executeCommand("assistantFlow.undoReject");
  // Once a later rejection is sent, the first one can't be undone any more.
  await vscode.commands.executeCommand("assistantFlow.rejectReview", sent.id, "");
  const statusOf = async ({ id }: Review) => (await reviews()).find((review) => review.id === id)?.status;
  await eventually("the later one is rejected", async () => (await statusOf(sent)) === "rejected");
  assert.equal(await statusOf(undone), "pending");
  await settings.update("undoSeconds", undefined, vscode.ConfigurationTarget.Global);
});

test("a call and a workflow open by ID; the workflow is revealed in its view", async () => {
  const calls = (await (await fetch(`${calling}/calls`, { headers })).json()) as {
    calls: { id: string; workflowId: string }[];
  };
  const [first] = calls.calls;
  assert.ok(first);
  await vscode.commands.executeCommand("assistantFlow.openCall", first.id);
  await eventually("the call has a tab", () =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith("Call"))),
  );
  await vscode.env.clipboard.writeText("");
  await vscode.commands.executeCommand("assistantFlow.showWorkflow", first.workflowId);
  await eventually("the workflow is selected in its view", async () => {
    await vscode.commands.executeCommand("assistantFlow.copyId", { view: "workflows" });
    return (await vscode.env.clipboard.readText()) === first.workflowId;
  });
});

test("an item opens as read-only JSON", async () => {
  const row = { id: "key/k", label: "CI", copy: "k-1", context: "key", thing: { id: "k-1", name: "CI" } };
  await vscode.commands.executeCommand("assistantFlow.openAsJson", row);
  const document = await eventually("the document is open", () => {
    const active = vscode.window.activeTextEditor?.document;
    return active?.uri.scheme === "assistant-flow-json" ? active : undefined;
  });
  assert.deepEqual(JSON.parse(document.getText()), row.thing);
  assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), undefined);
  await vscode.commands.executeCommand("assistantFlow.copyId", row);
  assert.equal(await vscode.env.clipboard.readText(), "k-1");
});
