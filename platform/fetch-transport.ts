/**
 * The direct transport: one connection, over fetch. The key is only sent to the connection's own origins; a redirect is
 * an error, because fetch would send the key along; http is only allowed on loopback; and responses are limited in time
 * and in decompressed size.
 */
import { type Arriving, arriving, fetchOnThisMachine, isOnThisMachine, whyNoAnswer } from "../system";
import { type Connection, target } from "./connection";
import { classify, failureMessage } from "./network-failure";
import { redactAnswer, type Secret } from "./secret";
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from "./transport";

export interface FetchTransportOptions {
  /** The editor's fetch, which supports the user's proxy and certificates; by default Node's. */
  readonly fetch?: typeof fetch;
  /** The time limit of one request, including its response. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_RESPONSE_BYTES = 20_000_000;

export function fetchTransport(connection: Connection, options: FetchTransportOptions = {}): Transport {
  const send: Transport["send"] = async (
    request,
    { signal, timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = {},
  ) => {
    const { url, key } = target(connection, request);
    const message = init(request, key);
    const deadline = new Deadline(timeoutMs, signal);
    try {
      const asked: RequestInit = { ...message, signal: deadline.signal };
      const isHere = !options.fetch && isOnThisMachine(url);
      const response = isHere
        ? await fetchOnThisMachine(url, asked)
        : arriving(await (options.fetch ?? fetch)(url, asked));
      if (response.status >= 300 && response.status < 400 && response.status !== 304) {
        await response.cancel();
        throw new TransportError("redirect", redirected(url, response.headers.get("location"), key));
      }
      const body = await readBounded(response, options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES, url.host);
      if (response.status === 407) throw new TransportError("proxy", failureMessage("proxy", url.host));
      return answerOf(response, body, key);
    } catch (error) {
      if (error instanceof TransportError) throw error;
      // The error of fetch may quote the request, so only its code is passed on, for the log.
      const { failure: kind, code } = classify(error);
      const failure = deadline.expired ? "timeout" : signal?.aborted ? "cancelled" : kind;
      const why = failure === "reset" && code === undefined ? await whyNoAnswer(url) : undefined;
      if (why === "site") throw new TransportError("site", "The platform doesn't accept requests from this site.");
      throw new TransportError(failure, failureMessage(why ?? failure, url.host, code), code);
    } finally {
      deadline.clear();
    }
  };
  return { send };
}

function init(request: HttpRequest, key: Secret): RequestInit {
  const json = request.body === undefined ? undefined : JSON.stringify(request.body);
  return {
    method: request.method,
    headers: {
      accept: "application/json",
      "x-api-key": key.reveal(),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: json }),
    redirect: "manual",
  };
}

/** Aborts on timeout or cancellation, and remembers which. */
class Deadline {
  expired = false;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #cancel = () => this.#controller.abort();

  constructor(
    ms: number,
    private readonly outer?: AbortSignal,
  ) {
    this.#timer = setTimeout(() => {
      this.expired = true;
      this.#controller.abort();
    }, ms);
    if (outer?.aborted) this.#controller.abort();
    outer?.addEventListener("abort", this.#cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.outer?.removeEventListener("abort", this.#cancel);
  }
}

/** Counts decompressed bytes, because a few kilobytes can decompress to gigabytes. */
async function readBounded(response: Arriving, maxBytes: number, host: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  await response.receive((piece) => {
    length += piece.byteLength;
    if (length > maxBytes)
      throw new TransportError(
        "too-large",
        `Response from ${host} exceeds ${Math.round(maxBytes / 1e6)} MB. Request fewer items.`,
      );
    pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

function redirected(from: URL, location: string | null | undefined, key: Secret): string {
  const to = location && URL.canParse(location, from.href) ? new URL(location, from.href).origin : undefined;
  const where = to && to !== "null" ? ` to ${redactAnswer(to, [key])}` : "";
  return `${from.host} redirected${where}. The redirect wasn't followed because the API key is only sent to the URL it was entered for. Check the connection URL.`;
}

/**
 * A response. If the server echoes the key, it is redacted everywhere, so that it is never shown or logged. A key that
 * is short enough to be part of an ordinary word is redacted in errors only, to keep data intact.
 */
function answerOf({ status, headers }: Pick<Arriving, "status" | "headers">, body: Buffer, key: Secret): HttpResponse {
  const isClean = status < 400 && key.reveal().length < 12;
  const clean = (text: string) => (isClean ? text : redactAnswer(text, [key]));
  return {
    status,
    headers: Object.fromEntries(Array.from(headers, ([name, value]) => [name, clean(value)])),
    body: clean(new TextDecoder().decode(body)),
  };
}
