/**
 * The flow of the active tab: its text, graph, or plan. Commands can't use the active text editor for this: VS Code has
 * none while a webview has the focus, and treats the output panel as one.
 */
import * as vscode from "vscode";

export class ActiveFlow implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #events = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(() => this.#notify()),
    vscode.window.tabGroups.onDidChangeTabs(() => this.#notify()),
    vscode.window.tabGroups.onDidChangeTabGroups(() => this.#notify()),
  );
  /**
   * Flows of the active webviews, newest last. The next page may become active before the previous one is reported
   * inactive.
   */
  readonly #pages = new Map<object, vscode.Uri>();
  readonly onDidChange = this.#changes.event;
  #lastUri: string | undefined;

  get uri(): vscode.Uri | undefined {
    return [...this.#pages.values()].at(-1) ?? activeTabUri() ?? vscode.window.activeTextEditor?.document.uri;
  }

  /** Sets the flow of an active page; undefined when the page is no longer active. */
  page(page: object, uri: vscode.Uri | undefined): void {
    if (uri?.toString() === this.#pages.get(page)?.toString()) return;
    this.#pages.delete(page);
    if (uri) this.#pages.set(page, uri);
    this.#notify();
  }

  #notify(): void {
    const now = this.uri?.toString();
    if (now === this.#lastUri) return;
    this.#lastUri = now;
    this.#changes.fire();
  }

  dispose(): void {
    this.#events.dispose();
    this.#changes.dispose();
  }
}

function activeTabUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
