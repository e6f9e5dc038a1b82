/** The active connection: one client that always uses it, and its state. An untrusted workspace makes no requests. */
import * as vscode from "vscode";
import { type AddressFamily, fetchTransport, PlatformClient, type Transport, TransportError } from "../../platform";
import type { ConnectionInfo } from "../../server/messages";
import { setContext } from "../ui/context";
import type { Connection, ConnectionStore } from "./store";

/** `unknown`: no request was made yet. */
export type SessionState =
  | "no-connection"
  | "untrusted"
  | "signed-out"
  | "unknown"
  | "connected"
  | "unauthorized"
  | "offline";

type Answer = "connected" | "unauthorized" | "offline";

export class Session implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[] = [];
  /** The last result per address, so that a success at one address doesn't hide a rejected key at the other. */
  #answers: { readonly [family in AddressFamily]?: Answer } = {};
  #signedOut: ReadonlySet<string> = new Set();
  #generation = 0;

  /** Fires when the connection, its key, or its state changes. */
  readonly onDidChange = this.#changes.event;
  readonly transport: Transport;
  readonly client: PlatformClient;

  constructor(readonly store: ConnectionStore) {
    this.transport = { send: (request, options) => this.#sendTo(this.connection, request, options) };
    this.client = new PlatformClient(this.transport);
    this.#subscriptions.push(
      this.#changes,
      store.onDidChange(() => void this.refresh()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("assistantFlow.connection")) void this.refresh();
      }),
      // For welcome views and menus.
      this.onDidChange(() => setContext("session", this.state)),
    );
    void this.refresh();
  }

  get connection(): Connection | undefined {
    return this.store.active(vscode.workspace.getConfiguration("assistantFlow").get<string>("connection"));
  }

  /** The platform's address, if requests can be made now. */
  get address(): string | undefined {
    return this.canAsk ? this.connection?.baseUrl : undefined;
  }

  /** What the language server needs to know: the addresses that requests can be made to, and the environment. */
  get info(): ConnectionInfo {
    const usable = vscode.workspace.isTrusted ? this.store.list().filter(({ id }) => !this.#signedOut.has(id)) : [];
    const { address } = this;
    const { environment } = this.store;
    return {
      ...(address === undefined ? {} : { address }),
      addresses: [...new Set(usable.map(({ baseUrl }) => baseUrl))],
      ...(environment === undefined ? {} : { environment }),
    };
  }

  get state(): SessionState {
    const connection = this.connection;
    if (!connection) return "no-connection";
    if (!vscode.workspace.isTrusted) return "untrusted";
    if (this.#signedOut.has(connection.id)) return "signed-out";
    const answers = Object.values(this.#answers);
    return (["unauthorized", "offline", "connected"] as const).find((one) => answers.includes(one)) ?? "unknown";
  }

  /** Increases when the connection, its key, or workspace trust changes: data loaded before is then stale. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether requests can be made now. */
  get canAsk(): boolean {
    return !["no-connection", "untrusted", "signed-out"].includes(this.state);
  }

  /** Returns a client for a given connection, to finish work that was started on it. */
  clientFor(id: string): PlatformClient {
    return new PlatformClient({ send: (request, options) => this.#sendTo(this.store.get(id), request, options) });
  }

  /** Returns a transport for one address. It fails if the active connection then uses another address. */
  transportTo(address: string): Transport {
    return { send: (request, options) => this.#sendTo(this.connection, request, options, address) };
  }

  /** Returns a transport for the URL of an environment, which uses any connection with that URL. */
  transportToAny(address: string): Transport {
    const isUsable = (each: Connection | undefined) => each?.baseUrl === address && !this.#signedOut.has(each.id);
    const connection = () => [this.connection, ...this.store.list()].find(isUsable);
    return { send: (request, options) => this.#sendTo(connection(), request, options, address) };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #sendTo(
    connection: Connection | undefined,
    request: Parameters<Transport["send"]>[0],
    options: Parameters<Transport["send"]>[1],
    address?: string,
  ): ReturnType<Transport["send"]> {
    if (!connection)
      throw new TransportError(
        "no-connection",
        address === undefined || !this.connection
          ? vscode.l10n.t("There is no connection yet. Add one, or start the local sandbox.")
          : vscode.l10n.t("No connection to {0} has an API key. Add one, or enter its key.", address),
      );
    if (!vscode.workspace.isTrusted)
      throw new TransportError(
        "untrusted-workspace",
        vscode.l10n.t("This workspace isn't trusted, so nothing is sent. Trust the workspace to connect."),
      );
    const secret = await this.store.secret(connection.id);
    if (!secret)
      throw new TransportError(
        "no-connection",
        vscode.l10n.t('You are signed out of "{0}". Enter its API key to continue.', connection.name),
      );
    // Compares the address stored with the key, since that is where the request would go.
    if (address !== undefined && secret.baseUrl !== address)
      throw new TransportError(
        "no-connection",
        vscode.l10n.t("The connection to {0} is no longer in use. Nothing was sent.", address),
      );
    const generation = this.#generation;
    const note = (answer: Answer) => {
      if (generation === this.#generation && connection.id === this.connection?.id) this.#note(request.family, answer);
    };
    try {
      const response = await fetchTransport(secret).send(request, options);
      note(response.status === 401 ? "unauthorized" : "connected");
      return response;
    } catch (error) {
      if (error instanceof TransportError && ["network", "proxy", "tls", "timeout"].includes(error.failure))
        note("offline");
      throw error;
    }
  }

  #note(family: AddressFamily, answer: Answer): void {
    if (this.#answers[family] === answer) return;
    this.#answers = { ...this.#answers, [family]: answer };
    this.#changes.fire();
  }

  /** Resets the state of the connection, so that everything is loaded again. */
  async refresh(): Promise<void> {
    const signedOut = new Set<string>();
    for (const { id } of this.store.list()) if ((await this.store.secret(id)) === undefined) signedOut.add(id);
    this.#signedOut = signedOut;
    this.#answers = {};
    this.#generation++;
    this.#changes.fire();
  }
}
