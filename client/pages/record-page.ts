/**
 * Pages that show one thing each (a call, a review, the spend): one panel per thing, shown again rather than opened
 * twice, and brought back with the window.
 */
import * as vscode from "vscode";
import { pageHtml, pageOptions } from "./page";

export interface RecordPage<Key, To, From> {
  readonly viewType: string;
  /** The bundle under dist/webview/. */
  readonly bundle: string;
  /** What distinguishes two pages of this kind. */
  identity(key: Key): string;
  title(key: Key): string;
  /** The key from what the page kept, when VS Code brings the page back. */
  restore(state: unknown): Key | undefined;
  /** Called when the page is there; returns what to do with its messages. */
  serve(key: Key, page: OpenPage<To>): (message: From) => void | Promise<void>;
}

export interface OpenPage<To> {
  readonly panel: vscode.WebviewPanel;
  send(message: To): void;
  /** Ended with the page. */
  readonly subscriptions: vscode.Disposable[];
}

/**
 * Registers the kind of page and returns the function that opens one. Opened from a list, a page leaves the focus there,
 * so that the keys of the list go on working.
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
