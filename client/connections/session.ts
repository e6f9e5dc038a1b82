/**
 * The connection in use, as the rest of the extension sees it: one client that always speaks for the active connection,
 * and one state that says how that is going. An untrusted workspace makes no request at all.
 */
import * as vscode from "vscode";
import { fetchTransport, PlatformClient, type Transport, TransportError } from "../../platform";
import type { Connection, ConnectionStore } from "./store";

/** `unknown`: nothing was asked yet. */
export type SessionState =
  | "no-connection"
  | "untrusted"
  | "signed-out"
  | "unknown"
  | "connected"
  | "unauthorized"
  | "offline";

export class Session implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[] = [];
  #answer: { id: string; state: "connected" | "unauthorized" | "offline" } | undefined;
  #signedOut = false;

  /** Fires when another connection is used, its key changed, or its state did. */
  readonly onDidChange = this.#changes.event;
  readonly transport: Transport;
  readonly client: PlatformClient;

  constructor(readonly store: ConnectionStore) {
    this.transport = { send: (request, options) => this.#send(request, options) };
    this.client = new PlatformClient(this.transport);
    this.#subscriptions.push(
      this.#changes,
      store.onDidChange(() => void this.#refresh()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#refresh()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("assistantFlow.connection")) void this.#refresh();
      }),
      this.onDidChange(() => this.#publish()),
    );
    void this.#refresh();
  }

  get connection(): Connection | undefined {
    return this.store.active(vscode.workspace.getConfiguration("assistantFlow").get<string>("connection"));
  }

  /** The platform's address, where requests can be made now. */
  get address(): string | undefined {
    return ["no-connection", "untrusted", "signed-out"].includes(this.state) ? undefined : this.connection?.baseUrl;
  }

  get state(): SessionState {
    const connection = this.connection;
    if (!connection) return "no-connection";
    if (!vscode.workspace.isTrusted) return "untrusted";
    if (this.#signedOut) return "signed-out";
    return this.#answer?.id === connection.id ? this.#answer.state : "unknown";
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #send(...[request, options]: Parameters<Transport["send"]>): ReturnType<Transport["send"]> {
    const connection = this.connection;
    if (!connection)
      throw new TransportError("no-connection", "There is no connection yet. Add one, or start the local sandbox.");
    if (!vscode.workspace.isTrusted)
      throw new TransportError(
        "untrusted-workspace",
        "This workspace is not trusted, so nothing is sent. Trust the workspace to connect.",
      );
    const secret = await this.store.secret(connection.id);
    if (!secret)
      throw new TransportError("no-connection", `You are signed out of "${connection.name}". Enter its key to go on.`);
    try {
      const response = await fetchTransport(secret).send(request, options);
      this.#note(connection.id, response.status === 401 ? "unauthorized" : "connected");
      return response;
    } catch (error) {
      if (error instanceof TransportError && ["network", "proxy", "tls", "timeout"].includes(error.failure))
        this.#note(connection.id, "offline");
      throw error;
    }
  }

  #note(id: string, state: "connected" | "unauthorized" | "offline"): void {
    if (this.#answer?.id === id && this.#answer.state === state) return;
    this.#answer = { id, state };
    this.#changes.fire();
  }

  async #refresh(): Promise<void> {
    const connection = this.connection;
    this.#signedOut = connection !== undefined && (await this.store.secret(connection.id)) === undefined;
    this.#answer = undefined;
    this.#changes.fire();
  }

  /** Welcome views and menus choose by these. */
  #publish(): void {
    void vscode.commands.executeCommand("setContext", "assistantFlow.session", this.state);
  }
}
