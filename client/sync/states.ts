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
    this.#states.set(uri.toString(), { ...state, ...inRestrictedMode(state), uri: uri.toString() });
    this.#changes.fire(uri);
  }
}

/** The server knows that it has no connection; why it was given none is known here. */
function inRestrictedMode({ reason }: FlowSyncState): Partial<FlowSyncState> {
  if (reason !== "no-connection" || vscode.workspace.isTrusted) return {};
  return {
    text: vscode.l10n.t("not trusted"),
    message: vscode.l10n.t("This workspace isn't trusted, so nothing is compared or pushed."),
  };
}
