/** Responses that are received in pieces. */

/** A response whose body hasn't been received yet. */
export interface Arriving {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Iterable<readonly [string, string]> & { get(name: string): string | null | undefined };
  /** Receives the body in chunks. If the callback throws, the connection is closed. */
  receive(take: (piece: Uint8Array) => void): Promise<void>;
  /** Discards the body. */
  cancel(): Promise<void> | void;
}

/** Wraps a response of fetch. An unfollowed redirect may come without its status. */
export function arriving(response: Response): Arriving {
  return {
    status: response.type === "opaqueredirect" ? 302 : response.status,
    headers: response.headers,
    async receive(take) {
      // Leaving the loop cancels the body and closes the connection.
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) take(piece);
    },
    cancel: () => response.body?.cancel(),
  };
}
