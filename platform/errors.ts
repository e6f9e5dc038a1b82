/** The one error type of the client: what went wrong, told apart, in words a person can act on. */
import * as z from "zod/mini";
import {
  type Endpoint,
  type ErrorResponse,
  errorResponse,
  httpValidationError,
  type ValidationError,
} from "./contract";
import type { HttpResponse, TransportFailure } from "./transport";

export type PlatformErrorKind =
  /** No answer came. */
  | TransportFailure
  /** 401 */
  | "unauthorized"
  /** 403 */
  | "forbidden"
  /** 404 and 410 */
  | "not-found"
  /** 409 and 412 */
  | "conflict"
  /** 422; `detail` says where. Also an id that cannot be sent. */
  | "invalid"
  /** 429 */
  | "rate-limited"
  /** 5xx */
  | "server"
  /** Any other status that is no success, 400 among them. */
  | "refused"
  /** An answer came, and it is not what the contract says. */
  | "unreadable";

export interface PlatformErrorFacts {
  /** The name of the endpoint in the contract. */
  readonly operation: string;
  readonly status?: number;
  /** The `error` of an ErrorResponse, such as `authentication_required`. */
  readonly code?: string;
  readonly detail?: readonly ValidationError[];
  /** The platform's own hint whether to try again. */
  readonly retryable?: boolean;
  /** How long the platform asks to wait. */
  readonly retryAfterMs?: number;
  /** True for a write of which nobody can say whether it took effect: look before sending it again. */
  readonly outcomeUnknown?: boolean;
  /** What is wrong with an answer that can't be read: “it is empty”. */
  readonly why?: string;
}

export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly operation: string;
  readonly status?: number;
  readonly code?: string;
  readonly detail: readonly ValidationError[];
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly outcomeUnknown: boolean;
  readonly why?: string;
  /** How many requests were made before giving up. */
  requests = 0;

  constructor(
    readonly kind: PlatformErrorKind,
    message: string,
    facts: PlatformErrorFacts,
  ) {
    super(facts.outcomeUnknown ? `${message} It is not known whether the change was made.` : message);
    this.operation = facts.operation;
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail ?? [];
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
    this.why = facts.why;
    this.outcomeUnknown = facts.outcomeUnknown ?? false;
  }
}

/** The failures after which a write may or may not have reached the platform. The others happen before anything is sent. */
const UNCERTAIN: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>([
  "timeout",
  "reset",
  "redirect",
  "too-large",
  "cancelled",
  "server",
  "unreadable",
]);

export function outcomeIsUnknown(endpoint: Endpoint, kind: PlatformErrorKind): boolean {
  return endpoint.method !== "GET" && UNCERTAIN.has(kind);
}

/** Reads an answer whose status is no success. A body that is no ErrorResponse is described by a short excerpt. */
export function errorOfStatus(operation: string, endpoint: Endpoint, response: HttpResponse): PlatformError {
  const { status } = response;
  const kind = kindOfStatus(status);
  const body = parsed(response.body);
  const error = z.safeParse(errorResponse(), body).data;
  const detail = z.safeParse(httpValidationError(), body).data?.detail ?? [];
  const retryAfterMs = waitAsked(error, response.headers);
  const told = error ? safeText(error.message) || safeText(error.error) : describeDetail(detail);
  const came = told || endpoint.holdsSecret ? "" : excerpt(response.body);
  const reason = wordsFor(kind, status, endpoint, retryAfterMs);
  // A wrong key has nothing to do with what the request was for.
  const message = [kind === "unauthorized" ? reason : `${couldNot(endpoint)}: ${reason}`];
  if (told) message.push(sentence(`The platform says: ${told}`));
  if (came) message.push(sentence(`The answer was ${came}`));
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

/** An answer that is not what the contract says; `why` names the place, never the content. */
export function unreadable(operation: string, endpoint: Endpoint, response: HttpResponse, why: string): PlatformError {
  const seen = endpoint.holdsSecret ? "" : excerpt(response.body);
  const message = `${couldNot(endpoint)}: the platform's answer could not be read (${why}). Check the URL of this connection; a proxy or a sign-in page may be answering in its place.`;
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
        ? `the API key has no permission for this. Use a key with the scope ${endpoint.scope}.`
        : "the API key has no permission for this.";
    case "not-found":
      return "the platform doesn't have it. Check the ID, and that this connection points at the right platform.";
    case "conflict":
      return "the platform's copy has changed, or its state doesn't allow this. Refresh, then try again.";
    case "invalid":
      return "the platform rejected the request.";
    case "rate-limited":
      return `the platform asks for fewer requests. Try again ${wait}.`;
    case "server":
      return `the platform has a problem of its own (${status}). Try again ${wait}.`;
    case "proxy":
      return "the proxy asks for a sign-in. Check the proxy settings.";
    case "timeout":
      return "the platform gave up waiting for the request. Try again.";
    default:
      return `the platform rejected the request (${status}).`;
  }
}

/** Above this a `retry_after` is in milliseconds: its unit is not documented, and no platform asks to wait for longer. */
const MOST_SECONDS = 600;

/** How long the platform asks to wait. The header is as HTTP has it: a number of seconds, or a date. */
function waitAsked(error: ErrorResponse | undefined, headers: HttpResponse["headers"]): number | undefined {
  const asked = error?.retry_after ?? undefined;
  if (asked !== undefined && asked >= 0) return asked > MOST_SECONDS ? asked : asked * 1000;
  const header = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const until = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  // By the clock of the platform, where it says what that shows.
  const now = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

function describeDetail(detail: readonly ValidationError[]): string {
  const shown = detail.slice(0, 3).map((fault) => `${fault.loc.join(".")}: ${fault.msg}`);
  if (detail.length > shown.length) shown.push(`and ${detail.length - shown.length} more`);
  return safeText(shown.join("; "));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The status already says what went wrong; the excerpt shows what came in place of an ErrorResponse.
    return undefined;
  }
}

/** Somebody else's text on one line: no control or direction characters, and short. */
export function safeText(text: string, length = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > length ? `${line.slice(0, length).trimEnd()}…` : line;
}

const couldNot = ({ summary }: Endpoint) => `Could not ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;

const sentence = (words: string) => (/[.!?…]["']?$/.test(words) ? words : `${words}.`);

function excerpt(body: string): string {
  const head = body.slice(0, 4000);
  if (!/^\s*<(?:!doctype|html|\?xml|head|body)/i.test(head))
    return head.trim() === "" ? "" : `"${safeText(head, 120)}"`;
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1];
  return title ? `an HTML page titled "${safeText(title, 80)}"` : "an HTML page";
}
