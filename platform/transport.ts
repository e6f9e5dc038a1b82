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

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface Transport {
  /** Resolves with any status; rejects with a TransportError if there was no response. */
  send(request: HttpRequest, options?: SendOptions): Promise<HttpResponse>;
}

/** The answer of a process that makes requests for another one, because only it has the key. */
export type SendAnswer =
  | { readonly response: HttpResponse }
  | { readonly failure: TransportFailure; readonly message: string };

/** A transport whose requests are made by another process. */
export function transportBy(ask: (request: HttpRequest, options: SendOptions) => Promise<SendAnswer>): Transport {
  return {
    async send(request, options = {}) {
      const answer = await ask(request, options);
      if ("response" in answer) return answer.response;
      throw new TransportError(answer.failure, answer.message);
    },
  };
}

/** Makes a request for another process. */
export async function answerBy(transport: Transport, request: HttpRequest, options: SendOptions): Promise<SendAnswer> {
  try {
    const { status, headers, body } = await transport.send(request, options);
    // Only data: messages to a web worker aren't JSON, but copied.
    return { response: { status, headers, body } };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { failure: error.failure, message: error.message };
  }
}
