/** The graph page opens and follows the active flow. test/ui/graph.test.ts tests its drawing. */
import * as vscode from "vscode";
import { eventually, openFlow, test } from "./suite";

const FLOW = "entry: greet\nnodes:\n  greet:\n    type: message\n    edges: [{to: done}]\n  done: {type: end}\n";

const isOpen = (label: string) => () =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some((tab) => tab.input instanceof vscode.TabInputWebview && tab.label === label),
  );

test("the graph of a flow opens, and follows to another flow", async () => {
  const { document } = await openFlow("other-graph.flow.yaml", FLOW);
  await openFlow("graph.flow.yaml", FLOW);
  await vscode.commands.executeCommand("assistantFlow.openPreview");
  await eventually("the graph is open", isOpen("Graph: graph.flow.yaml"));
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  await eventually("it follows", isOpen("Graph: other-graph.flow.yaml"));
});
