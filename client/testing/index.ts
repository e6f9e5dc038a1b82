/** Registers the Test Explorer for flows, and the commands for tests. */
import * as vscode from "vscode";
import { ask, ElementAtRequest, type GraphElement } from "../../server/messages";
import type { CoverageView, FlowCoverageView } from "../../server/test-messages";
import type { ActiveFlow } from "../active-flow";
import type { Session } from "../connections";
import type { Server } from "../server";
import { inform, onCommand } from "../ui/notice";
import { rangeOf } from "../ui/ranges";
import { registerCallTest } from "./call-test";
import { Coverage } from "./coverage";
import { registerCreateTest } from "./create-test";
import { debugTests } from "./debug-tests";
import { FlowTests } from "./flow-tests";
import { TestRuns } from "./runs";
import { TestServer } from "./test-server";
import { TestTree } from "./tree";

export type { CoveredFlow, FlowTests } from "./flow-tests";

export function registerTesting(
  context: vscode.ExtensionContext,
  server: Server,
  session: Session,
  activeFlow: ActiveFlow,
  log: vscode.LogOutputChannel,
): FlowTests {
  const controller = vscode.tests.createTestController("assistantFlow.tests", "Assistant Flow");
  const tests = new TestServer(server);
  const failed = (error: unknown) => log.error("Couldn't list the tests.", error as Error);
  const tree = new TestTree(controller, tests, failed);
  context.subscriptions.push(controller, tree);
  const { Run, Debug, Coverage: Covered } = vscode.TestRunProfileKind;
  controller.createRunProfile(
    vscode.l10n.t("Run"),
    Run,
    new TestRuns(controller, tree, tests, undefined).run,
    true,
    undefined,
    true,
  );
  controller.createRunProfile(
    vscode.l10n.t("Debug"),
    Debug,
    (request, token) => debugTests(controller, request, token),
    true,
  );
  const covered = controller.createRunProfile(
    vscode.l10n.t("Run with Coverage"),
    Covered,
    () => undefined,
    true,
    undefined,
    true,
  );
  covered.runHandler = new TestRuns(controller, tree, tests, new Coverage(covered)).run;
  registerCreateTest(context, server, tests, activeFlow);
  registerCallTest(context, session, server, tests);
  const flowTests = new FlowTests(tree, tests);
  registerGoToTest(context, server, flowTests);
  return flowTests;
}

/** *Go to Test*: from a node or an edge to the tests that pass through it. */
function registerGoToTest(context: vscode.ExtensionContext, server: Server, tests: FlowTests): void {
  onCommand(context, "goToTest", async (target?: unknown, node?: unknown) => {
    if (target instanceof vscode.Uri && typeof node === "string")
      return goTo(target, { kind: "node", id: node }, tests);
    const editor = vscode.window.activeTextEditor;
    const element =
      editor?.document.languageId === "assistant-flow" &&
      (await ask(server, ElementAtRequest, {
        uri: editor.document.uri.toString(),
        position: editor.selection.active,
      }));
    if (!editor || !element) return void inform(vscode.l10n.t("Put the cursor on a node of a flow first."));
    return goTo(editor.document.uri, element, tests);
  });
}

async function goTo(flow: vscode.Uri, element: GraphElement, tests: FlowTests): Promise<void> {
  const found = await tests.of(flow);
  const results = found?.files.flatMap((view) => view.results.map(({ id }) => ({ view, id }))) ?? [];
  const passers = (found?.coverage && elementIn(found.coverage, element)?.tests) ?? [];
  const rows = passers.flatMap((place) => {
    const { view, id } = results[place] ?? {};
    const test = view?.tests.find((each) => each.id === id);
    if (!view || !test) return [];
    const uri = vscode.Uri.parse(view.uri);
    return [{ label: test.name, description: vscode.workspace.asRelativePath(uri), uri, range: rangeOf(test.range) }];
  });
  const what =
    element.kind === "node" ? vscode.l10n.t('node "{0}"', element.id) : vscode.l10n.t('edge "{0}"', element.id);
  if (rows.length === 0) {
    const choice = await inform(vscode.l10n.t("No test reaches {0}.", what), vscode.l10n.t("Create Test…"));
    const node = element.kind === "node" ? element.id : element.node;
    if (choice) await vscode.commands.executeCommand("assistantFlow.createTest", flow, node);
    return;
  }
  const options = {
    title: vscode.l10n.t("Go to Test"),
    placeHolder: vscode.l10n.t("Tests that reach {0}", what),
    matchOnDescription: true,
  };
  const chosen = rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, options);
  if (!chosen) return;
  await vscode.window.showTextDocument(chosen.uri, {
    selection: new vscode.Range(chosen.range.start, chosen.range.start),
  });
}

function elementIn({ nodes }: FlowCoverageView, element: GraphElement): CoverageView | undefined {
  if (element.kind === "node") return nodes.find(({ id }) => id === element.id);
  return nodes.find(({ id }) => id === element.node)?.edges.find(({ id }) => id === element.id);
}
