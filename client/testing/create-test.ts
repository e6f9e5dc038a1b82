/** *Create Test…*: adds a test to the test file beside the flow. It can be undone, and never overwrites a file. */

import * as vscode from "vscode";
import type { NewTests, NoNewTests, WantedTests } from "../../server/test-messages";
import { type ActiveFlow, chooseFlow, flowIn, flowOf } from "../active-flow";
import { nodeAtCursor } from "../node-at-cursor";
import type { Server } from "../server";
import { inform, onCommand, warn } from "../ui/notice";
import { rangeOf, startOf } from "../ui/ranges";
import { textColumn, warnIfReadOnly } from "../ui/workspace-files";
import type { TestServer } from "./test-server";

const TITLE = vscode.l10n.t("Create Test");

export function registerCreateTest(
  context: vscode.ExtensionContext,
  server: Server,
  tests: TestServer,
  activeFlow: ActiveFlow,
): void {
  onCommand(context, "createTest", async (target?: unknown, node?: unknown) => {
    const uri = flowOf(target) ?? flowIn(activeFlow) ?? (await chooseFlow(TITLE));
    // From a lens of the whole flow, or a row of the sidebar, the cursor's node is irrelevant.
    const isWhole = typeof target === "string" || (target !== undefined && !(target instanceof vscode.Uri));
    const here = uri && !isWhole ? await nodeAtCursor(uri, server) : undefined;
    const what = typeof node === "string" ? through(node) : uri && (await chooseWhat(here));
    if (uri && what) await openNewTests(await tests.create(uri, what));
  });
  onCommand(context, "savePathAsTest", async (uri: string, path: readonly string[]) =>
    openNewTests(await tests.create(vscode.Uri.parse(uri), { kind: "along", path })),
  );
}

function through(node?: string): WantedTests {
  return node === undefined ? { kind: "through" } : { kind: "through", node };
}

async function chooseWhat(node: string | undefined): Promise<WantedTests | undefined> {
  const here = {
    label: vscode.l10n.t('$(beaker) Test Through "{0}"', node ?? ""),
    detail: vscode.l10n.t("The shortest path to an end through this node."),
    what: through(node),
  };
  const rows: (vscode.QuickPickItem & { readonly what: WantedTests })[] = [
    ...(node === undefined ? [] : [here]),
    {
      label: vscode.l10n.t("$(beaker) One Test"),
      detail: vscode.l10n.t("The shortest path to an end, as a starting point."),
      what: through(),
    },
    {
      label: vscode.l10n.t("$(checklist) Tests for Every Edge"),
      detail: vscode.l10n.t("A small set of tests that covers every reachable edge."),
      what: { kind: "all" },
    },
  ];
  return (
    await vscode.window.showQuickPick(rows, { title: TITLE, placeHolder: vscode.l10n.t("Select what to create") })
  )?.what;
}

/** Adds new tests to their file and selects the name, ready to be typed over. */
export async function openNewTests(made: NewTests | NoNewTests): Promise<boolean> {
  if ("problem" in made) {
    if (!made.same) void showProblem(made);
    else {
      void inform(made.problem);
      await vscode.window.showTextDocument(vscode.Uri.parse(made.same.uri), {
        selection: startOf(made.same.name),
        viewColumn: textColumn(),
      });
    }
    return false;
  }
  const uri = vscode.Uri.parse(made.uri);
  if (warnIfReadOnly(uri)) return false;
  const edit = new vscode.WorkspaceEdit();
  if (made.isNew) edit.createFile(uri, { overwrite: false, ignoreIfExists: false });
  edit.insert(uri, new vscode.Position(made.position.line, made.position.character), made.text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    void warn(vscode.l10n.t("Couldn't write {0}.", vscode.workspace.asRelativePath(uri)));
    return false;
  }
  await vscode.window.showTextDocument(uri, { selection: rangeOf(made.name), viewColumn: textColumn() });
  if (made.faults) void warn(faultWords(made.faults));
  return true;
}

/** VS Code cuts off a notification without a button after one line. */
async function showProblem({ problem, at }: NoNewTests): Promise<void> {
  if (!at) return void warn(problem);
  const show = vscode.l10n.t("Show");
  if ((await warn(problem, show)) !== show) return;
  const { line, character } = at.position;
  const selection = new vscode.Range(line, character, line, character);
  await vscode.window.showTextDocument(vscode.Uri.parse(at.uri), { selection, viewColumn: textColumn() });
}

/** More would make the notification unreadable; running the tests shows all. */
const MAX_FAULTS = 3;

function faultWords(faults: readonly string[]): string {
  const shown = faults.slice(0, MAX_FAULTS).join(" ");
  return faults.length > MAX_FAULTS
    ? vscode.l10n.t("The flow has problems: {0} There are {1} more.", shown, faults.length - MAX_FAULTS)
    : vscode.l10n.t("The flow has problems: {0}", shown);
}
