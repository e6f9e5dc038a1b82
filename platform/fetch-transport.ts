/**
 * The direct transport: one connection, over fetch. The key is only sent to the connection's own origins; a redirect is
 * an error, because fetch would send the key along; http is only allowed on loopback; and responses are limited in time
 * and in decompressed size.
 */
import { type Arriving, arriving, fetchOnThisMachine, isOnThisMachine, whyNoAnswer } from "../system";
import { type Connection, target } from "./connection";
import { redactAnswer, type Secret } from "./secret";
import {
  type HttpRequest,
  type HttpResponse,
  type Transport,
  TransportError,
  type TransportFailure,
} from "./transport";

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
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const asked: RequestInit = {
        ...message,
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
      };
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
      const failure = late.signal.aborted ? "timeout" : signal?.aborted ? "cancelled" : kind;
      const why = failure === "reset" && code === undefined ? await whyNoAnswer(url) : undefined;
      if (why === "site") throw new TransportError("site", "The platform doesn't accept requests from this site.");
      throw new TransportError(failure, failureMessage(why ?? failure, url.host, code), code);
    } finally {
      clearTimeout(timer);
    }
  };
  return { send };
}

function init(request: HttpRequest, key: Secret): RequestInit {
  const headers = { accept: "application/json", "x-api-key": key.reveal() };
  const message = { method: request.method, headers, redirect: "manual" } as const;
  if (request.body === undefined) return message;
  return {
    ...message,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(request.body),
  };
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

type NetworkFailure = Extract<TransportFailure, "network" | "proxy" | "tls" | "timeout" | "reset">;

/** Classifies an error of fetch by its codes. Its message isn't used, because it may quote the request. */
function classify(error: unknown): { readonly failure: NetworkFailure; readonly code?: string } {
  const codes = [...codesOf(error, 0)];
  for (const [failure, pattern] of PATTERNS) {
    const code = codes.find((each) => pattern.test(each));
    if (code) return { failure, code };
  }
  // If it is unclear how far the request got, assume that a write may have taken effect.
  return { failure: "reset", code: codes[0] };
}

/** In order of precedence: proxy failures also appear as network or TLS errors. */
const PATTERNS: readonly (readonly [NetworkFailure, RegExp])[] = [
  ["proxy", /PROXY|UND_ERR_PRX|TUNNEL_CONNECTION|^HTTP_407$/],
  ["tls", /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^CRL_|SIGNATURE/],
  [
    "network",
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|BAD_PORT|UND_ERR_CONNECT_TIMEOUT|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_ADDRESS_UNREACHABLE|ERR_NETWORK_CHANGED)$/,
  ],
  ["timeout", /TIMEDOUT|TIMED_OUT|TIMEOUT/],
  ["reset", /./],
];

/** Collects the codes of an error, its causes and, if several addresses were tried, its parts. */
function* codesOf(error: unknown, depth: number): Generator<string> {
  if (typeof error !== "object" || error === null || depth > 5) return;
  const { code, message, cause, errors } = error as Partial<Record<"code" | "message" | "cause" | "errors", unknown>>;
  if (typeof code === "string") yield code;
  if (typeof message === "string") {
    const chromium = /net::(ERR_\w+)/.exec(message)?.[1];
    if (chromium) yield chromium;
    if (/\bproxy\b/i.test(message)) yield "PROXY";
    // fetch rejects ports on the browsers' block list without a code.
    if (message === "bad port") yield "BAD_PORT";
    // Node's fetch turns a 407, and only that, into an error without a message.
    if (message === "" && depth === 1 && code === undefined && errors === undefined) yield "HTTP_407";
  }
  if (Array.isArray(errors)) for (const each of errors) yield* codesOf(each, depth + 1);
  yield* codesOf(cause, depth + 1);
}

/** The message for the user. The code only selects the wording. */
function failureMessage(failure: NetworkFailure | "cancelled", host: string, code = ""): string {
  switch (failure) {
    case "network":
      return `Can't reach ${host}. Check the network and the connection URL.`;
    case "proxy":
      return `The proxy for ${host} rejected the request. Check the proxy settings.`;
    case "tls":
      if (/EXPIRED|DATE_INVALID/.test(code))
        return `The certificate of ${host} has expired. Check the clock of this computer, or contact the platform's administrator.`;
      if (/ALTNAME|HOSTNAME|COMMON_NAME/.test(code))
        return `The certificate of ${host} is for another host. Check the connection URL.`;
      return `The certificate of ${host} isn't trusted. If your organization uses its own certificates, add them to the system's trusted certificates.`;
    case "timeout":
      return `${host} didn't respond in time. Try again later.`;
    case "reset":
      return `The connection to ${host} closed before the response was complete. Try again.`;
    case "cancelled":
      return "The request was canceled.";
  }
}
