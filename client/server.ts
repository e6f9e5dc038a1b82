/** The language server, as far as the extension's parts need it. */
export interface Server {
  sendRequest(method: string, params: unknown): Promise<unknown>;
  sendNotification(method: string, params: unknown): Promise<void>;
  onNotification<Params>(method: string, handler: (params: Params) => void): { dispose(): void };
  onRequest<Params, Result>(method: string, handler: (params: Params) => Result | Promise<Result>): { dispose(): void };
}
