/**
 * Sends requests. A transport belongs to one connection and is the only part that knows its URLs and key, so no other
 * code can send a key anywhere. It never follows redirects and never retries.
 */

/** The service has two URLs: the platform itself and outbound calling. */
export type AddressFamily = "platform" | "calling";

export interface HttpRequest {
  readonly family: AddressFamily;
  readonly method: "GET" | "POST" | "DELETE";
  /** Starts with a slash; path parameters are already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface HttpResponse {
  readonly status: number;
  /** Header names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why there was no response. */
export type TransportFailure =
  | "no-connection"
  | "untrusted-workspace"
  | "bad-key"
  | "insecure-address"
  | "network"
  | "proxy"
  | "tls"
  | "timeout"
  | "reset"
  | "redirect"
  /** In a browser: the platform doesn't allow the site that the editor is on (CORS). */
  | "site"
  | "too-large"
  | "cancelled";

export class TransportError extends Error {
  override readonly name = "TransportError";
  constructor(
    readonly failure: TransportFailure,
    message: string,
    /** The system's error code, such as ECONNRESET, for the log only. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export interface Transport {
  /** Resolves with any status; rejects with a TransportError if there was no response. */
  send(
    request: HttpRequest,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<HttpResponse>;
}
