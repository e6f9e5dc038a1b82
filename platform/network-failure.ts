/** Classifies errors of fetch by their code. Their message isn't used, because it may quote the request. */
import type { TransportFailure } from "./transport";

type NetworkFailure = Extract<TransportFailure, "network" | "proxy" | "tls" | "timeout" | "reset">;

export function classify(error: unknown): { readonly failure: NetworkFailure; readonly code?: string } {
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
export function failureMessage(failure: NetworkFailure | "cancelled", host: string, code = ""): string {
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
