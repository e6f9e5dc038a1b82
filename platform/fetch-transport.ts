/**
 * The direct transport: one connection, over fetch. What it promises: the key goes to the connection's own origins and
 * nowhere else, a redirect is an error and is never followed (fetch would carry the key along to any origin), only https
 * is spoken except on loopback, and an answer is bounded in time and in size after decompression.
 */
import { Blocks, Body } from "./body";
import { type Connection, target } from "./connection";
import { type Arriving, fetchOnThisMachine } from "./loopback";
import { classify, wordsFor } from "./network-failure";
import { redactAnswer, type Secret } from "./secret";
import { END_LENGTH, type HttpRequest, type HttpResponse, type Transport, TransportError } from "./transport";

export interface FetchTransportOptions {
  /** The editor's fetch knows the user's proxy and certificates; without it, Node's own. */
  readonly fetch?: typeof fetch;
  /** For one request, its answer included. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_RESPONSE_BYTES = 20_000_000;

export function fetchTransport(connection: Connection, options: FetchTransportOptions = {}): Transport {
  const free = new Blocks();
  const send: Transport["send"] = async (
    request,
    { signal, timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = {},
  ) => {
    const { url, key } = target(connection, request);
    const message = init(request, key);
    const deadline = new Deadline(timeoutMs, signal);
    try {
      const asked: RequestInit = { ...message, signal: deadline.signal };
      const isHere = !options.fetch && url.protocol === "http:";
      const response = isHere
        ? await fetchOnThisMachine(url, asked)
        : arriving(await (options.fetch ?? fetch)(url, asked));
      if (response.status >= 300 && response.status < 400 && response.status !== 304) {
        await response.cancel();
        throw new TransportError("redirect", redirected(url, response.headers.get("location"), key));
      }
      const body = new Body(free);
      await readBounded(response, body, options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES, url.host);
      if (response.status === 407) throw new TransportError("proxy", wordsFor("proxy", url.host));
      return new Answer(response, body, key);
    } catch (error) {
      if (error instanceof TransportError) throw error;
      // What fetch threw may quote the request, so nothing of it but its code, for the log, goes further.
      const failure = deadline.expired ? "timeout" : signal?.aborted ? "cancelled" : classify(error).failure;
      const { code } = classify(error);
      throw new TransportError(failure, wordsFor(failure, url.host, code), code);
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

/** Aborts when the time is over or the caller cancels, and remembers which. */
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

/** What fetch gives. A redirect that it does not follow may come without its status. */
function arriving(response: Response): Arriving {
  return {
    status: response.type === "opaqueredirect" ? 302 : response.status,
    headers: response.headers,
    async receive(take) {
      // Leaving the loop cancels the body and with it the connection.
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) take(piece);
    },
    cancel: () => response.body?.cancel(),
  };
}

/** A few kilobytes can unpack into gigabytes: counting what comes out of the decoder stops that early. */
function readBounded(response: Arriving, body: Body, maxBytes: number, host: string): Promise<void> {
  return response.receive((piece) => {
    if (body.length + piece.byteLength > maxBytes)
      throw new TransportError(
        "too-large",
        `The answer of ${host} is larger than ${Math.round(maxBytes / 1e6)} MB and was not read. Ask for less at once.`,
      );
    body.add(piece);
  });
}

function redirected(from: URL, location: string | null | undefined, key: Secret): string {
  const to = location && URL.canParse(location, from.href) ? new URL(location, from.href).origin : undefined;
  const where = to && to !== "null" ? ` to ${redactAnswer(to, [key])}` : "";
  return `${from.host} sends the request on${where}. The key goes only to the URL it was entered for, so this was not followed. Check the URL of this connection.`;
}

/**
 * An answer as it came. A server that echoes the key must not make it appear in anything shown or logged, so that is taken
 * out of whatever is read here. A key so short that it may be a part of an ordinary word is taken out of errors only, so
 * that it cannot spoil data.
 */
class Answer implements HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #clean: (text: string) => string;
  readonly #received: Body;
  #body: string | undefined;

  constructor(response: Pick<Arriving, "status" | "headers">, body: Body, key: Secret) {
    this.#received = body;
    this.status = response.status;
    const isClean = response.status < 400 && key.reveal().length < 12;
    this.#clean = (text) => (isClean ? text : redactAnswer(text, [key]));
    const headers = Array.from(response.headers);
    // All at once: hardly ever is there anything to take out.
    const values = headers.map(([, value]) => value).join("\n");
    const isWhole = this.#clean(values) === values;
    this.headers = Object.fromEntries(headers.map(([name, value]) => [name, isWhole ? value : this.#clean(value)]));
  }

  get body(): string {
    this.#body ??= this.#clean(this.#received.text);
    return this.#body;
  }

  /** It goes from the editor's process to the server's. */
  toJSON(): HttpResponse {
    const { status, headers, body } = this;
    return { status, headers, body };
  }

  ends(): string {
    const ends = this.#received.ends(END_LENGTH).map((end) => end.toString("latin1"));
    return this.#clean(ends.join("\n"));
  }

  drop(): void {
    this.#received.drop();
  }
}
