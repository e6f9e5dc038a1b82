/** "Open as JSON": anything a row stands for, read-only, as the platform said it. */
import * as vscode from "vscode";
import { copy, onCommand } from "../ui/act";
import type { Row } from "../ui/row";
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
        texts.get(uri.toString()) ??
        '"This was shown from the sidebar in an earlier window. Open it again from there."\n',
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void texts.delete(uri.toString())),
  );
  onCommand(context, "copyId", (row?: Row, rows?: Row[]) => {
    const ids = chosen(row, rows).flatMap((each) => each.copy ?? []);
    if (ids.length > 0) return copy(ids.join("\n"), ids.length === 1 ? (ids[0] as string) : `${ids.length} ids`);
  });
  onCommand(context, "openAsJson", async (row?: Row) => {
    const [target] = chosen(row);
    if (target?.thing === undefined) return;
    const name = (target.copy ?? target.label).replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.json`, query: target.id });
    texts.set(uri.toString(), `${JSON.stringify(target.thing, null, 2)}\n`);
    changes.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  });
}

/** The rows a command is for: those of the menu, else those selected in the tree. */
export function chosen(row?: Row, rows?: readonly Row[]): readonly Row[] {
  if (rows && rows.length > 0) return rows;
  return row ? [row] : ListView.selected;
}
