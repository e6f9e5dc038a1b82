/**
 * Requests that stay on this machine. Only loopback addresses may use http, and Node's own fetch would hand them, key and
 * all, to a proxy that the environment names (`NODE_USE_ENV_PROXY`). An agent made here knows no proxy.
 */
import { Agent, request } from "node:http";
import { finished, pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
const direct = new Agent({ keepAlive: true });

/** The answer to a request, of which the body is still to come. */
export interface Arriving {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Iterable<readonly [string, string]> & { get(name: string): string | null | undefined };
  /** Gives the body piece by piece. Where that throws, nothing more is taken, and the connection ends. */
  receive(take: (piece: Uint8Array) => void): Promise<void>;
  /** Nobody wants the body. */
  cancel(): Promise<void> | void;
}

export function fetchOnThisMachine(url: URL, init: RequestInit): Promise<Arriving> {
  return new Promise((resolve, reject) => {
    const headers = { ...(init.headers as Record<string, string>), "accept-encoding": "identity" };
    const sent = request(url, {
      agent: direct,
      method: init.method ?? "GET",
      headers,
      signal: init.signal ?? undefined,
    });
    sent.once("error", reject);
    sent.once("response", (answer) => {
      const { statusCode: status = 0 } = answer;
      const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      const bodyless = status === 204 || status === 304 || status < 200;
      if (bodyless) answer.resume();
      const decoder = decoders[answer.headers["content-encoding"] as keyof typeof decoders]?.();
      // What goes wrong is seen by whoever reads the body.
      const read: Readable = decoder ? pipeline(answer, decoder, () => undefined) : answer;
      resolve({
        status: Math.max(200, status),
        headers: new Map(pairs),
        receive: (take) => (bodyless ? Promise.resolve() : received(read, take)),
        cancel: () => void read.destroy(),
      });
    });
    sent.end(init.body as string | undefined);
  });
}

/** By events: a large body comes in thousands of pieces, and an iterator would wait for each of them. */
function received(from: Readable, take: (piece: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    finished(from, { writable: false }, (error) => (error ? reject(error) : resolve()));
    from.on("data", (piece: Buffer) => {
      try {
        take(piece);
      } catch (error) {
        from.destroy(error as Error);
      }
    });
  });
}
