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
  onCommand(context, "copyId", (target?: Row | { view: string }, rows?: Row[]) => {
    const ids = chosen(target, rows).flatMap((each) => each.copy ?? []);
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

/** The rows of the menu, or those selected in the view whose key was pressed. */
function chosen(target?: Row | { readonly view: string }, rows: readonly Row[] = []): readonly Row[] {
  if (rows.length > 0) return rows;
  if (target && "view" in target) return ListView.selectedIn(target.view);
  return target ? [target] : [];
}
