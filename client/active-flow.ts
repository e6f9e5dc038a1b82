/**
 * The flow a person is at: that of the tab in front, be it the flow's text, its graph or its plan. What is said and done about
 * a flow must not depend on what has the focus: VS Code knows no text editor while a page has it, and takes its output for one.
 */
import * as vscode from "vscode";

export class ActiveFlow implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #events = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(() => this.#tell()),
    vscode.window.tabGroups.onDidChangeTabs(() => this.#tell()),
    vscode.window.tabGroups.onDidChangeTabGroups(() => this.#tell()),
  );
  /** The flows of the pages in front: there is one at a time, but the next may tell of itself before the last. */
  readonly #pages = new Map<object, vscode.Uri>();
  readonly onDidChange = this.#changes.event;
  #told: string | undefined;

  get uri(): vscode.Uri | undefined {
    return [...this.#pages.values()].at(-1) ?? textInFront() ?? vscode.window.activeTextEditor?.document.uri;
  }

  /** The flow of a page that is in front; undefined when it no longer is. */
  page(page: object, uri: vscode.Uri | undefined): void {
    if (uri?.toString() === this.#pages.get(page)?.toString()) return;
    this.#pages.delete(page);
    if (uri) this.#pages.set(page, uri);
    this.#tell();
  }

  #tell(): void {
    const now = this.uri?.toString();
    if (now === this.#told) return;
    this.#told = now;
    this.#changes.fire();
  }

  dispose(): void {
    this.#events.dispose();
    this.#changes.dispose();
  }
}

function textInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
