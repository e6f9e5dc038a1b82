/** Where every flow stands, as the server says it. */
import * as vscode from "vscode";
import { type FlowSyncState, SyncStateChanged } from "../../server/messages";
import type { Server } from "../server";

export class SyncStates implements vscode.Disposable {
  readonly #states = new Map<string, FlowSyncState>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  /** Fires with the file whose state changed. */
  readonly onDidChange = this.#changes.event;

  constructor(server: Server) {
    server.onNotification(SyncStateChanged.method, (state: FlowSyncState) => this.#set(state));
  }

  get(uri: vscode.Uri): FlowSyncState | undefined {
    return this.#states.get(uri.toString());
  }

  all(): readonly FlowSyncState[] {
    return [...this.#states.values()];
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #set(state: FlowSyncState): void {
    const uri = vscode.Uri.parse(state.uri);
    this.#states.set(uri.toString(), { ...state, uri: uri.toString() });
    this.#changes.fire(uri);
  }
}
