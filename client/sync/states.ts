/** Holds the sync state of every flow, as reported by the server. */
import * as vscode from "vscode";
import { type FlowSyncState, SyncStateChanged } from "../../server/messages";
import type { Session } from "../connections";
import type { Server } from "../server";

const TRIES_AGAIN: readonly (string | undefined)[] = ["offline", "busy", "moving", "disk"];

/** Whether sync is trying, or will by itself: what was true before may be true again afterwards. */
export function isTrying({ kind, reason }: FlowSyncState): boolean {
  return kind === "syncing" || (kind === "pending" && TRIES_AGAIN.includes(reason));
}

export class SyncStates implements vscode.Disposable {
  readonly #states = new Map<string, FlowSyncState>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #session: vscode.Disposable;
  /** Fires with the file whose state changed. */
  readonly onDidChange = this.#changes.event;

  constructor(
    server: Server,
    private readonly session: Session,
  ) {
    server.onNotification(SyncStateChanged.method, (state: FlowSyncState) => this.#set(state));
    this.#session = session.onDidChange(() => {
      for (const { uri, reason } of this.#states.values())
        if (reason === "no-connection") this.#changes.fire(vscode.Uri.parse(uri));
    });
  }

  get(uri: vscode.Uri): FlowSyncState | undefined {
    const state = this.#states.get(uri.toString());
    return state && this.withReason(state);
  }

  all(): readonly FlowSyncState[] {
    return [...this.#states.values()].map((state) => this.withReason(state));
  }

  dispose(): void {
    this.#session.dispose();
    this.#changes.dispose();
  }

  #set(state: FlowSyncState): void {
    const uri = vscode.Uri.parse(state.uri);
    this.#states.set(uri.toString(), { ...state, uri: uri.toString() });
    this.#changes.fire(uri);
  }

  /** Adds why there is no connection, which only the client knows. */
  withReason(state: FlowSyncState): FlowSyncState {
    // In an untrusted workspace, connections aren't used, so the server misses that of an environment.
    const isUntrusted = state.reason === "no-key" && !vscode.workspace.isTrusted;
    if (state.reason !== "no-connection" && !isUntrusted) return state;
    const reason = isUntrusted ? "untrusted" : this.session.state;
    const because = (text: string, message: string) => ({ ...state, reason, text, message });
    if (reason === "untrusted")
      return because(
        vscode.l10n.t("not trusted"),
        vscode.l10n.t("This workspace isn't trusted, so nothing is compared or pushed."),
      );
    if (reason === "signed-out")
      return because(
        vscode.l10n.t("signed out"),
        vscode.l10n.t("Signed out, so nothing is compared or pushed. Enter the API key to sign in."),
      );
    return state;
  }
}
