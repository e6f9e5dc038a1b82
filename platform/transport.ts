/**
 * How a request leaves this process. A transport belongs to one connection: it alone knows the addresses and the key, so
 * nothing above it can send a key anywhere. It never follows a redirect and never retries.
 */

/** The service has two addresses: the platform itself and outbound calling. */
export type AddressFamily = "platform" | "calling";

export interface HttpRequest {
  readonly family: AddressFamily;
  readonly method: "GET" | "POST" | "DELETE";
  /** Begins with a slash; path parameters are already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The first and the last signs of the body, where they can be told without the rest. */
  ends?(): string;
  /** Nobody reads the body from now on, and its memory may take the next one. */
  drop?(): void;
}

/** So much of a body stands for its ends: what is said of a large thing stands before or behind it. */
export const END_LENGTH = 4096;

/** Why no answer came. */
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
  | "too-large"
  | "cancelled";

export class TransportError extends Error {
  override readonly name = "TransportError";
  constructor(
    readonly failure: TransportFailure,
    message: string,
    /** The system's code, such as ECONNRESET: for the log, never for a message. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export interface Transport {
  /** Resolves with any status; rejects with a TransportError when no answer came. */
  send(
    request: HttpRequest,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<HttpResponse>;
}
