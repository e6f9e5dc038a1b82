/** What kind of failure stands behind an error of fetch. Only its code is read: its message may quote the request. */
import type { TransportFailure } from "./transport";

type NetworkFailure = Extract<TransportFailure, "network" | "proxy" | "tls" | "timeout" | "reset">;

export function classify(error: unknown): { readonly failure: NetworkFailure; readonly code?: string } {
  const codes = [...codesOf(error, 0)];
  for (const [failure, pattern] of PATTERNS) {
    const code = codes.find((each) => pattern.test(each));
    if (code) return { failure, code };
  }
  // Not knowing how far the request came, we take the case in which a write may have happened.
  return { failure: "reset", code: codes[0] };
}

/** In the order in which they are tried: a proxy's trouble also shows as a network or TLS error. */
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

/** Codes are on the error, its causes and, where several addresses were tried, its parts. */
function* codesOf(error: unknown, depth: number): Generator<string> {
  if (typeof error !== "object" || error === null || depth > 5) return;
  const { code, message, cause, errors } = error as Partial<Record<"code" | "message" | "cause" | "errors", unknown>>;
  if (typeof code === "string") yield code;
  if (typeof message === "string") {
    const chromium = /net::(ERR_\w+)/.exec(message)?.[1];
    if (chromium) yield chromium;
    if (/\bproxy\b/i.test(message)) yield "PROXY";
    // Browsers' list of ports that no request may go to; fetch keeps it and gives no code.
    if (message === "bad port") yield "BAD_PORT";
    // Node's fetch turns a 407 into an error that says nothing at all, and does so with nothing else.
    if (message === "" && depth === 1 && code === undefined && errors === undefined) yield "HTTP_407";
  }
  if (Array.isArray(errors)) for (const each of errors) yield* codesOf(each, depth + 1);
  yield* codesOf(cause, depth + 1);
}

/** What went wrong and what to do about it. The code only chooses the words; it is for the log. */
export function wordsFor(failure: NetworkFailure | "cancelled", host: string, code = ""): string {
  switch (failure) {
    case "network":
      return `${host} cannot be reached. Check the network and the URL of this connection.`;
    case "proxy":
      return `The proxy on the way to ${host} did not let the request through. Check the proxy settings.`;
    case "tls":
      if (/EXPIRED|DATE_INVALID/.test(code))
        return `The certificate of ${host} has expired. Check the clock of this computer, or tell whoever runs the platform.`;
      if (/ALTNAME|HOSTNAME|COMMON_NAME/.test(code))
        return `The certificate of ${host} is for another host. Check the URL of this connection.`;
      return `The certificate of ${host} is not trusted. If your organization uses its own certificates, add them to the system's trusted ones.`;
    case "timeout":
      return `${host} did not answer in time. Try again, or check whether the platform is busy.`;
    case "reset":
      return `The connection to ${host} broke before the answer was complete. Try again.`;
    case "cancelled":
      return "The request was cancelled.";
  }
}
