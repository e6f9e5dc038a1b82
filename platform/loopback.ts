/**
 * Requests that stay on this machine. Only loopback addresses may use http, and Node's own fetch would hand them, key and
 * all, to a proxy that the environment names (`NODE_USE_ENV_PROXY`). An agent made here knows no proxy.
 */
import { Agent, request } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
const direct = new Agent({ keepAlive: true });

export function fetchOnThisMachine(url: URL, init: RequestInit): Promise<Response> {
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
      const body = bodyless ? null : (Readable.toWeb(read) as unknown as ReadableStream);
      resolve(new Response(body, { status: Math.max(200, status), headers: pairs }));
    });
    sent.end(init.body as string | undefined);
  });
}
