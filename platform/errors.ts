/** The error type of the client, with a kind and a message that tells the user what to do. */
import * as z from "zod/mini";
import { parsedJson } from "../flow/json";
import {
  type Endpoint,
  type ErrorResponse,
  errorResponse,
  httpValidationError,
  type ValidationError,
} from "./contract";
import type { HttpResponse, TransportFailure } from "./transport";

export type PlatformErrorKind =
  /** There was no response. */
  | TransportFailure
  /** 401 */
  | "unauthorized"
  /** 403 */
  | "forbidden"
  /** 404 and 410 */
  | "not-found"
  /** 409 and 412 */
  | "conflict"
  /** 422, with locations in `detail`. Also an ID that can't be sent. */
  | "invalid"
  /** 429 */
  | "rate-limited"
  /** 5xx */
  | "server"
  /** Any other error status, such as 400. */
  | "refused"
  /** A response that doesn't match the contract. */
  | "unreadable";

/** Errors after which the same request may succeed. */
export const PASSING: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>([
  "network",
  "timeout",
  "reset",
  "rate-limited",
  "server",
  "unreadable",
]);

export interface PlatformErrorFacts {
  /** The name of the endpoint in the contract. */
  readonly operation: string;
  readonly status?: number;
  /** The `error` of an ErrorResponse, such as `authentication_required`. */
  readonly code?: string;
  readonly detail?: readonly ValidationError[];
  /** The platform's hint whether to retry. */
  readonly retryable?: boolean;
  /** The delay the platform asks for. */
  readonly retryAfterMs?: number;
  /** Whether a write may or may not have taken effect; check before sending it again. */
  readonly outcomeUnknown?: boolean;
  /** Why a response can't be parsed, such as "it is empty". */
  readonly why?: string;
}

export class PlatformError extends Error {
  override readonly name = "PlatformError";
  declare readonly operation: string;
  declare readonly status?: number;
  declare readonly code?: string;
  readonly detail: readonly ValidationError[] = [];
  declare readonly retryable?: boolean;
  declare readonly retryAfterMs?: number;
  readonly outcomeUnknown: boolean = false;
  declare readonly why?: string;
  /** The number of requests sent before giving up. */
  requests = 0;

  constructor(
    readonly kind: PlatformErrorKind,
    message: string,
    facts: PlatformErrorFacts,
  ) {
    super(facts.outcomeUnknown ? `${message} The change may or may not have taken effect.` : message);
    Object.assign(this, facts);
  }

  /** Sending the request again won't help. */
  get isLasting(): boolean {
    return !PASSING.has(this.kind);
  }
}

/** Failures after which a write may or may not have reached the platform. All others occur before anything is sent. */
const UNCERTAIN: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>([
  "timeout",
  "reset",
  "redirect",
  "site",
  "too-large",
  "cancelled",
  "server",
  "unreadable",
]);

export function outcomeIsUnknown(endpoint: Endpoint, kind: PlatformErrorKind): boolean {
  return endpoint.method !== "GET" && UNCERTAIN.has(kind);
}

/** Creates the error for an error status. A body that isn't an ErrorResponse is quoted briefly. */
export function errorOfStatus(operation: string, endpoint: Endpoint, response: HttpResponse): PlatformError {
  const { status } = response;
  const kind = kindOfStatus(status);
  // Without JSON, the status explains the failure, and the excerpt shows the body.
  const body = parsedJson(response.body);
  const error = z.safeParse(errorResponse(), body).data;
  const detail = z.safeParse(httpValidationError(), body).data?.detail ?? [];
  const retryAfterMs = waitAsked(error, response.headers);
  const reported = error ? safeText(error.message) || safeText(error.error) : describeDetail(detail);
  const quoted = reported || endpoint.holdsSecret ? "" : excerpt(response.body);
  const reason = wordsFor(kind, status, endpoint, retryAfterMs);
  // A rejected key is independent of the request.
  const message = [kind === "unauthorized" ? reason : `${couldNot(endpoint)}: ${reason}`];
  if (reported) message.push(sentence(`The platform says: ${reported}`));
  if (quoted) message.push(sentence(`The response was ${quoted}`));
  return new PlatformError(kind, message.join(" "), {
    operation,
    status,
    code: error?.error,
    detail,
    retryable: error?.retryable ?? undefined,
    retryAfterMs,
    outcomeUnknown: outcomeIsUnknown(endpoint, kind),
  });
}

/** Creates the error for a response that doesn't match the contract; `why` names the location, never the content. */
export function unreadable(operation: string, endpoint: Endpoint, response: HttpResponse, why: string): PlatformError {
  const seen = endpoint.holdsSecret ? "" : excerpt(response.body);
  const message = `${couldNot(endpoint)}: invalid response from the platform (${why}). Check the connection URL; a proxy or a sign-in page may be responding instead.`;
  return new PlatformError("unreadable", seen ? `${message} ${sentence(`It was ${seen}`)}` : message, {
    operation,
    status: response.status,
    why,
    outcomeUnknown: outcomeIsUnknown(endpoint, "unreadable"),
  });
}

function kindOfStatus(status: number): PlatformErrorKind {
  if (status >= 500) return "server";
  return KINDS[status] ?? "refused";
}

const KINDS: Record<number, PlatformErrorKind> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  407: "proxy",
  408: "timeout",
  409: "conflict",
  410: "not-found",
  412: "conflict",
  422: "invalid",
  429: "rate-limited",
};

function wordsFor(kind: PlatformErrorKind, status: number, endpoint: Endpoint, retryAfterMs?: number): string {
  const wait = retryAfterMs === undefined ? "in a moment" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  switch (kind) {
    case "unauthorized":
      return "The API key was rejected; it may be revoked, expired, or mistyped. Enter a new key for this connection.";
    case "forbidden":
      return endpoint.scope
        ? `the API key doesn't have permission. Use a key with the scope ${endpoint.scope}.`
        : "the API key doesn't have permission.";
    case "not-found":
      if (endpoint.method === "GET" && !endpoint.path.includes("{"))
        return "there is nothing at this URL. Check the URLs of the connection.";
      return "it doesn't exist on the platform. Check the ID, and that this connection uses the right platform.";
    case "conflict":
      if (endpoint.conflict !== undefined) return endpoint.conflict;
      return "it has changed on the platform, or its state doesn't allow this. Refresh, then try again.";
    case "invalid":
      return "the platform rejected the request.";
    case "rate-limited":
      return `too many requests. Try again ${wait}.`;
    case "server":
      return `the platform reported an internal error (${status}). Try again ${wait}.`;
    case "proxy":
      return "the proxy requires a sign-in. Check the proxy settings.";
    case "timeout":
      return "the platform timed out waiting for the request. Try again.";
    default:
      return `the platform rejected the request (${status}).`;
  }
}

/**
 * Larger values of `retry_after` are milliseconds. Its unit isn't documented, but no platform asks for longer delays.
 */
const MOST_SECONDS = 600;

/** The requested delay, from the body or from the HTTP header (seconds or a date). */
function waitAsked(error: ErrorResponse | undefined, headers: HttpResponse["headers"]): number | undefined {
  const asked = error?.retry_after ?? undefined;
  if (asked !== undefined && asked >= 0) return asked > MOST_SECONDS ? asked : asked * 1000;
  const header = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const until = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  // Relative to the platform's clock, if the response has a date.
  const now = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

function describeDetail(detail: readonly ValidationError[]): string {
  const shown = detail.slice(0, 3).map((fault) => `${fault.loc.join(".")}: ${fault.msg}`);
  if (detail.length > shown.length) shown.push(`and ${detail.length - shown.length} more`);
  return safeText(shown.join("; "));
}

/** Shortens text from others to one line without control or direction characters. */
export function safeText(text: string, length = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > length ? `${line.slice(0, length).trimEnd()}…` : line;
}

const couldNot = ({ summary }: Endpoint) => `Couldn't ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;

const sentence = (words: string) => (/[.!?…]["']?$/.test(words) ? words : `${words}.`);

function excerpt(body: string): string {
  const head = body.slice(0, 4000);
  if (!/^\s*<(?:!doctype|html|\?xml|head|body)/i.test(head))
    return head.trim() === "" ? "" : `"${safeText(head, 120)}"`;
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1];
  return title ? `an HTML page titled "${safeText(title, 80)}"` : "an HTML page";
}
