/**
 * Pages that show one object (a call, a review, the plan of a flow, the graph): one panel per object, reused when opened
 * again, and restored with the window.
 */
import * as vscode from "vscode";
import { pageHtml, pageIcon, pageOptions } from "./page";

export interface RecordPage<Key, To, From> {
  readonly viewType: string;
  /** The bundle in dist/webview/. */
  readonly bundle: string;
  /** Another bundle, which the page starts as a worker. */
  readonly worker?: string;
  /** Identifies a page of this kind. */
  identity(key: Key): string;
  title(key: Key): string;
  /** Where a page opens; by default in the active column. */
  column?(key: Key): vscode.ViewColumn;
  /** Returns the key from the page's saved state, when VS Code restores it. Without it, pages aren't restored. */
  restore?(state: unknown): Key | undefined;
  /** Called when the page is ready; returns the handler of its messages. */
  serve(key: Key, page: OpenPage<To>): (message: From) => unknown;
}

export interface OpenPage<To> {
  readonly panel: vscode.WebviewPanel;
  send(message: To): void;
  /** Disposed with the page. */
  readonly subscriptions: vscode.Disposable[];
}

export class RecordPages<Key, To, From> {
  readonly #open = new Map<string, { readonly key: Key; readonly page: OpenPage<To> }>();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly kind: RecordPage<Key, To, From>,
  ) {
    if (!kind.restore) return;
    context.subscriptions.push(
      vscode.window.registerWebviewPanelSerializer(kind.viewType, {
        deserializeWebviewPanel: async (panel, state) => {
          const key = kind.restore?.(state);
          if (key === undefined) return panel.dispose();
          panel.webview.options = pageOptions(context.extensionUri);
          this.#fill(panel, key);
        },
      }),
    );
  }

  get(key: Key): OpenPage<To> | undefined {
    return this.#open.get(this.kind.identity(key))?.page;
  }

  /** The open pages. */
  get all(): readonly { readonly key: Key; readonly page: OpenPage<To> }[] {
    return [...this.#open.values()];
  }

  /** Opened from a list, a page leaves the focus there, so that the list's keys still work. */
  show(key: Key, preserveFocus = false): void {
    const { kind } = this;
    const viewColumn = kind.column?.(key) ?? vscode.ViewColumn.Active;
    const options = pageOptions(this.context.extensionUri);
    const open = () =>
      vscode.window.createWebviewPanel(kind.viewType, kind.title(key), { viewColumn, preserveFocus }, options);
    const there = this.get(key);
    if (there) there.panel.reveal(undefined, preserveFocus);
    else this.#fill(open(), key);
  }

  #fill(panel: vscode.WebviewPanel, key: Key): void {
    const { extensionUri } = this.context;
    const identity = this.kind.identity(key);
    const subscriptions: vscode.Disposable[] = [];
    panel.iconPath = pageIcon(extensionUri);
    const page: OpenPage<To> = { panel, subscriptions, send: (message) => void panel.webview.postMessage(message) };
    this.#open.set(identity, { key, page });
    const receive = this.kind.serve(key, page);
    panel.webview.onDidReceiveMessage((message: From) => void receive(message), undefined, subscriptions);
    panel.onDidDispose(() => {
      if (this.get(key) === page) this.#open.delete(identity);
      for (const subscription of subscriptions) subscription.dispose();
    });
    const { bundle: name, worker } = this.kind;
    panel.webview.html = pageHtml(panel.webview, extensionUri, { name, title: this.kind.title(key), worker });
  }
}
