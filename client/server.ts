/** The part of the language server that the extension uses. */
export interface Server {
  sendRequest(method: string, params: unknown, token?: Token): Promise<unknown>;
  sendNotification(method: string, params: unknown): Promise<void>;
  onNotification<Params>(method: string, handler: (params: Params) => void): Disposable;
  onRequest<Params, Result>(
    method: string,
    handler: (params: Params, token: Token) => Result | Promise<Result>,
  ): Disposable;
}

type Token = import("vscode").CancellationToken;

interface Disposable {
  dispose(): void;
}

/** A server that may not have started yet. Requests wait for it; handlers are registered before it starts. */
export class LateServer implements Server {
  readonly #listening = new Set<(server: Server) => Disposable>();
  #resolveServer!: (server: Server) => void;
  readonly #server = new Promise<Server>((resolve) => {
    this.#resolveServer = resolve;
  });
  #current: Server | undefined;

  /** Must be called before the server starts. */
  setServer(server: Server): void {
    this.#current = server;
    for (const listen of this.#listening) listen(server);
    this.#resolveServer(server);
  }

  async sendRequest(method: string, params: unknown, token?: Token): Promise<unknown> {
    const server = await this.#server;
    return token ? server.sendRequest(method, params, token) : server.sendRequest(method, params);
  }

  async sendNotification(method: string, params: unknown): Promise<void> {
    return (await this.#server).sendNotification(method, params);
  }

  onNotification<Params>(method: string, handler: (params: Params) => void): Disposable {
    return this.#listen((server) => server.onNotification(method, handler));
  }

  onRequest<Params, Result>(
    method: string,
    handler: (params: Params, token: Token) => Result | Promise<Result>,
  ): Disposable {
    return this.#listen((server) => server.onRequest(method, handler));
  }

  #listen(listen: (server: Server) => Disposable): Disposable {
    let listener = this.#current && listen(this.#current);
    const later = (server: Server) => {
      listener = listen(server);
      return listener;
    };
    if (!listener) this.#listening.add(later);
    return {
      dispose: () => {
        this.#listening.delete(later);
        listener?.dispose();
      },
    };
  }
}
