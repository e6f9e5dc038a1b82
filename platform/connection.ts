/** A connection: the addresses a person entered, and the key entered for them. Here it is decided where a key may go. */
import { Secret } from "./secret";
import { type HttpRequest, TransportError } from "./transport";

export interface Connection {
  /** The platform API; a path prefix is kept. */
  readonly baseUrl: string;
  readonly key: Secret;
  /** Outbound calling; without it, calling requests fail with `no-connection`. */
  readonly workflowBaseUrl?: string;
  /** A second key for the calling address; without it the one key serves both (assumed). */
  readonly workflowKey?: Secret;
}

/** The connection that the environment describes, for the CLI and for editors without a key store. */
export function connectionFromEnvironment(env: Readonly<Record<string, string | undefined>>): Connection | undefined {
  const baseUrl = env.ASSISTANT_FLOW_BASE_URL;
  const key = env.ASSISTANT_FLOW_API_KEY;
  if (!baseUrl || !key) return undefined;
  const workflowBaseUrl = env.ASSISTANT_FLOW_WORKFLOW_BASE_URL || undefined;
  return { baseUrl, key: new Secret(key), ...(workflowBaseUrl ? { workflowBaseUrl } : {}) };
}

/** Says what is wrong with an address, or nothing if it will do: for the box in which it is typed. */
export function addressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "Enter a URL that begins with https://.";
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return "Use https: over http the key could be read on the way. Only URLs of this computer may use http.";
  if (url.username || url.password) return "Leave name and password out of the URL; the key is entered separately.";
  if (url.search || url.hash) return "Leave everything from the ? or # on out of the URL.";
  return undefined;
}

/** An address as it may be shown: without the name and the password that somebody may have put into it. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "a URL that can't be read";
  const url = new URL(address);
  if (!url.username && !url.password && !url.search && !url.hash) return address;
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

/** Says what is wrong with a key, or nothing if it will do. It never quotes the key. */
export function keyProblem(key: string): string | undefined {
  if (key === "") return "The API key is empty. Enter a key for this connection.";
  // A header can hold nothing else, and the error of fetch would quote the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    return "The API key contains a space, a line break or another invalid character. Copy it again, then enter it.";
  return undefined;
}

/** The full address of a request and the key for it, or a TransportError before anything is sent. */
export function target(connection: Connection, request: HttpRequest): { readonly url: URL; readonly key: Secret } {
  const calling = request.family === "calling";
  const address = calling ? connection.workflowBaseUrl : connection.baseUrl;
  if (!address)
    throw new TransportError(
      "no-connection",
      calling
        ? "This connection has no calling URL. Add one to see workflows and calls."
        : "There is no connection to a platform. Add one first.",
    );
  const wrongAddress = addressProblem(address);
  if (wrongAddress)
    throw new TransportError("insecure-address", `The URL of this connection can't be used. ${wrongAddress}`);
  const key = (calling ? connection.workflowKey : undefined) ?? connection.key;
  const wrongKey = keyProblem(key.reveal());
  if (wrongKey) throw new TransportError("bad-key", wrongKey);
  return { url: resolve(new URL(address), request), key };
}

function resolve(base: URL, request: HttpRequest): URL {
  const prefix = base.pathname.replace(/\/+$/, "");
  const url = new URL(base.origin + prefix + request.path);
  // A path that climbs out of the prefix or to another origin is a fault of the caller; the key must not follow it.
  if (!request.path.startsWith("/") || url.origin !== base.origin || url.pathname !== prefix + request.path)
    throw new TransportError("insecure-address", "The request leaves the URL of this connection and was not sent.");
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return url;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
