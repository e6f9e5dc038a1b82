/** Read-only documents with results of commands, and questions that are asked while one is shown. */
import * as vscode from "vscode";

const SCHEME = "assistant-flow-report";

export class Reports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changes.event;
  /** After `onDidChange`, because VS Code reads that when the provider is registered. */
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /** The document with a name; it gets this text. */
  uri(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.toString(), text);
    this.#changes.fire(uri);
    return uri;
  }

  /** Takes the focus: it replaces the editor that has it, and the keys would go nowhere. */
  async show(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.uri(name, text), { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changes.dispose();
  }
}

/** Asks without covering the document in question. Enter alone decides nothing: the first row is "Not Now". */
export async function decide(title: string, placeHolder: string, action: string): Promise<boolean> {
  const yes = { label: action };
  const rows = [{ label: vscode.l10n.t("$(close) Not Now") }, yes];
  return (await vscode.window.showQuickPick(rows, { title, placeHolder, ignoreFocusOut: true })) === yes;
}
