/**
 * Commands that all views share: "Refresh", "Copy ID", and "Open as JSON", which shows the platform's object read-only.
 */
import * as vscode from "vscode";
import { copy, onCommand } from "../ui/notice";
import { ListView } from "./tree";

const SCHEME = "assistant-flow-json";

export function registerRowCommands(context: vscode.ExtensionContext): void {
  const texts = new Map<string, string>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  context.subscriptions.push(
    changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent: (uri) =>
        texts.get(uri.toString()) ?? vscode.l10n.t('"Opened in an earlier session. Reopen it from the sidebar."\n'),
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void texts.delete(uri.toString())),
  );
  onCommand(context, "refresh", () => ListView.refreshAll());
  onCommand(context, "copyId", async (...args) => {
    const ids = (await ListView.chosenAnywhere(args)).flatMap((each) => each.copy ?? []);
    if (ids.length > 0)
      return copy(ids.join("\n"), ids.length === 1 ? (ids[0] as string) : vscode.l10n.t("{0} IDs", ids.length));
  });
  onCommand(context, "openAsJson", async (...args) => {
    const [target] = await ListView.chosenAnywhere(args);
    if (target?.thing === undefined) return;
    const name = (target.copy ?? target.label).replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.json`, query: target.id });
    texts.set(uri.toString(), `${JSON.stringify(target.thing, null, 2)}\n`);
    changes.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  });
}
