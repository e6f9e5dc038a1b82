/**
 * Sends requests to loopback URLs, the only ones that may use http. Node's fetch would send them, with the key, to a
 * proxy named by the environment (`NODE_USE_ENV_PROXY`); this agent ignores proxies.
 */
import { Agent, request } from "node:http";
import { finished, pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Arriving } from "./arriving";

/** Why a request failed, where the error doesn't say. Node's errors do. */
export async function whyNoAnswer(_url: URL): Promise<"site" | "network" | undefined> {
  return undefined;
}

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
const direct = new Agent({ keepAlive: true });

/** Requests to these URLs are for `fetchOnThisMachine`. */
export function isOnThisMachine({ protocol }: URL): boolean {
  return protocol === "http:";
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
      // Errors are reported to the reader of the body.
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

/** Uses events, because awaiting each of the thousands of chunks of a large body is slow. */
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
