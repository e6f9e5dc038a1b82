/**
 * The flow a person is at: that of the text editor in front, or of the graph or plan where that page is in front. VS Code itself
 * knows no text editor while a page has the focus, and what is said and done about a flow must not depend on that.
 */
import * as vscode from "vscode";

export class FlowInFront implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #editors = vscode.window.onDidChangeActiveTextEditor(() => this.#changes.fire());
  /** The flows of the pages in front: there is one at a time, but the next may tell of itself before the last. */
  readonly #pages = new Map<object, vscode.Uri>();
  readonly onDidChange = this.#changes.event;

  get uri(): vscode.Uri | undefined {
    return [...this.#pages.values()].at(-1) ?? vscode.window.activeTextEditor?.document.uri;
  }

  /** The flow of a page that is in front; undefined when it no longer is. */
  page(page: object, uri: vscode.Uri | undefined): void {
    if (uri?.toString() === this.#pages.get(page)?.toString()) return;
    this.#pages.delete(page);
    if (uri) this.#pages.set(page, uri);
    this.#changes.fire();
  }

  dispose(): void {
    this.#editors.dispose();
    this.#changes.dispose();
  }
}
