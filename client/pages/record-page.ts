/**
 * Pages that show one object (a call, a review, the spend): one panel per object, reused when opened again, and
 * restored with the window.
 */
import * as vscode from "vscode";
import { pageHtml, pageIcon, pageOptions } from "./page";

export interface RecordPage<Key, To, From> {
  readonly viewType: string;
  /** The bundle in dist/webview/. */
  readonly bundle: string;
  /** Identifies a page of this kind. */
  identity(key: Key): string;
  title(key: Key): string;
  /** Returns the key from the page's saved state, when VS Code restores it. */
  restore(state: unknown): Key | undefined;
  /** Called when the page is ready; returns the handler of its messages. */
  serve(key: Key, page: OpenPage<To>): (message: From) => void | Promise<void>;
}

export interface OpenPage<To> {
  readonly panel: vscode.WebviewPanel;
  send(message: To): void;
  /** Disposed with the page. */
  readonly subscriptions: vscode.Disposable[];
}

/**
 * Registers a kind of page and returns the function that opens one. Opened from a list, a page leaves the focus there,
 * so that the list's keys still work.
 */
export function registerRecordPage<Key, To, From>(
  context: vscode.ExtensionContext,
  kind: RecordPage<Key, To, From>,
): (key: Key, preserveFocus?: boolean) => void {
  const open = new Map<string, vscode.WebviewPanel>();
  const fill = (panel: vscode.WebviewPanel, key: Key) => {
    const identity = kind.identity(key);
    open.set(identity, panel);
    const subscriptions: vscode.Disposable[] = [];
    panel.iconPath = pageIcon(context.extensionUri);
    const page: OpenPage<To> = { panel, subscriptions, send: (message) => void panel.webview.postMessage(message) };
    const receive = kind.serve(key, page);
    panel.webview.onDidReceiveMessage((message: From) => void receive(message), undefined, subscriptions);
    panel.onDidDispose(() => {
      open.delete(identity);
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, context.extensionUri, { name: kind.bundle, title: kind.title(key) });
  };
  context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(kind.viewType, {
      deserializeWebviewPanel: async (panel, state) => {
        const key = kind.restore(state);
        if (key === undefined) return panel.dispose();
        panel.webview.options = pageOptions(context.extensionUri);
        fill(panel, key);
      },
    }),
  );
  return (key, preserveFocus = false) => {
    const there = open.get(kind.identity(key));
    if (there) return there.reveal(undefined, preserveFocus);
    fill(
      vscode.window.createWebviewPanel(
        kind.viewType,
        kind.title(key),
        { viewColumn: vscode.ViewColumn.Active, preserveFocus },
        pageOptions(context.extensionUri),
      ),
      key,
    );
  };
}
