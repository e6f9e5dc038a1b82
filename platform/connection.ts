/** A connection: URLs and the API key entered for them. This file decides where a key may be sent. */
import { Secret } from "./secret";
import { type HttpRequest, TransportError } from "./transport";

export interface Connection {
  /** The URL of the platform API; its path prefix is kept. */
  readonly baseUrl: string;
  readonly key: Secret;
  /** The URL of outbound calling; without it, calling requests fail with `no-connection`. */
  readonly workflowBaseUrl?: string;
  /** The key for the calling URL; by default the same key (assumed). */
  readonly workflowKey?: Secret;
}

/** The connection from environment variables, for the CLI and for editors without a key store. */
export function connectionFromEnvironment(env: Readonly<Record<string, string | undefined>>): Connection | undefined {
  const baseUrl = env.ASSISTANT_FLOW_BASE_URL;
  const key = env.ASSISTANT_FLOW_API_KEY;
  if (!baseUrl || !key) return undefined;
  return { baseUrl, key: new Secret(key), workflowBaseUrl: env.ASSISTANT_FLOW_WORKFLOW_BASE_URL || undefined };
}

/** Windows ignores the case of names. */
const KEY_VARIABLE = /^ASSISTANT_FLOW_API_KEY(?:_|$)/i;

/** The API keys in variables: the general one and those of environments. */
export function keysIn(env: Readonly<Record<string, string | undefined>>): Secret[] {
  return Object.entries(env).flatMap(([name, value]) => (value && KEY_VARIABLE.test(name) ? new Secret(value) : []));
}

/** The variables without API keys, for work that must not send requests. */
export function withoutKeys(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !KEY_VARIABLE.test(name)));
}

/** Validates a URL as it is typed; returns a message, or undefined if it is valid. */
export function addressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "Enter a URL that starts with https://.";
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "Use https. Over http, others could read the API key. Only URLs of this computer may use http.";
  if (url.username || url.password)
    return "Remove the user name and password from the URL. The API key is entered separately.";
  if (url.search || url.hash) return "Remove everything after the ? or # from the URL.";
  return undefined;
}

/** A URL for display, without a user name, password or query. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "an invalid URL";
  const url = new URL(address);
  if (!url.username && !url.password && !url.search && !url.hash) return address;
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

/** Validates an API key; returns a message, which never quotes the key, or undefined if it is valid. */
export function keyProblem(key: string): string | undefined {
  if (key === "") return "The API key is empty. Enter a key for this connection.";
  // Headers can't contain other characters, and the error of fetch would quote the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    return "The API key contains a space, a line break or another invalid character. Copy it again, then enter it.";
  return undefined;
}

/** Returns the URL and the key of a request, or throws a TransportError before anything is sent. */
export function target(connection: Connection, request: HttpRequest): { readonly url: URL; readonly key: Secret } {
  const calling = request.family === "calling";
  const address = calling ? connection.workflowBaseUrl : connection.baseUrl;
  if (!address)
    throw new TransportError(
      "no-connection",
      calling
        ? "This connection has no calling URL. Add one to see workflows and calls."
        : "No platform connection. Add one first.",
    );
  const wrongAddress = addressProblem(address);
  if (wrongAddress) throw new TransportError("insecure-address", `Invalid connection URL. ${wrongAddress}`);
  const key = (calling ? connection.workflowKey : undefined) ?? connection.key;
  const wrongKey = keyProblem(key.reveal());
  if (wrongKey) throw new TransportError("bad-key", wrongKey);
  return { url: resolve(new URL(address), request), key };
}

function resolve(base: URL, request: HttpRequest): URL {
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, "");
  const url = new URL(base.origin + prefix + request.path);
  // A path outside the prefix or origin is a bug in the caller; the key must not be sent there.
  if (!request.path.startsWith("/") || url.origin !== base.origin || url.pathname !== prefix + request.path)
    throw new TransportError(
      "insecure-address",
      "The request wasn't sent because its path is outside the connection URL.",
    );
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return url;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
