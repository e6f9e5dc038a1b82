/**
 * The flow a person is at: that of the text editor in front, or of the graph where the graph is in front. VS Code itself
 * knows no text editor while a page has the focus, and what is said and done about a flow must not depend on that.
 */
import * as vscode from "vscode";

export class FlowInFront implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #editors = vscode.window.onDidChangeActiveTextEditor(() => this.#changes.fire());
  #graph: vscode.Uri | undefined;
  readonly onDidChange = this.#changes.event;

  get uri(): vscode.Uri | undefined {
    return this.#graph ?? vscode.window.activeTextEditor?.document.uri;
  }

  /** The flow whose graph is in front; undefined when it no longer is. */
  set graph(uri: vscode.Uri | undefined) {
    if (uri?.toString() === this.#graph?.toString()) return;
    this.#graph = uri;
    this.#changes.fire();
  }

  dispose(): void {
    this.#editors.dispose();
    this.#changes.dispose();
  }
}
