/** Where every flow stands, as the server says it. */
import * as vscode from "vscode";
import { ask, type FlowSyncState, SyncStateChanged, SyncStatesRequest } from "../../server/messages";
import type { Server } from "../server";

export class SyncStates implements vscode.Disposable {
  readonly #states = new Map<string, FlowSyncState>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  /** Fires with the file whose state changed. */
  readonly onDidChange = this.#changes.event;

  constructor(private readonly server: Server) {
    server.onNotification(SyncStateChanged.method, (state: FlowSyncState) => this.#set(state));
  }

  /** The server started again: what it knew before is gone. */
  async reload(): Promise<void> {
    for (const state of await ask(this.server, SyncStatesRequest, null)) this.#set(state);
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
