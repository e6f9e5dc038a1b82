/**
 * Fault injection. A fault applies to a number of requests that match it; the first matching fault wins.
 * docs/sandbox.md describes the JSON.
 */
import { randomUuid } from "../../system";

export type FaultAction =
  | { readonly kind: "latency"; readonly ms: number }
  /**
   * `before`: nothing is done. `after`: the write is done, but there is no response. `mid`: the write is done, and half
   * of the response is sent.
   */
  | { readonly kind: "reset"; readonly when: "before" | "mid" | "after" }
  /** A well-formed response whose JSON is cut off. */
  | { readonly kind: "truncate" }
  | { readonly kind: "html"; readonly status: number; readonly apply: boolean }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly error: string;
      readonly message: string;
      readonly retryable?: boolean;
      readonly retry_after?: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly apply: boolean;
    }
  /** Any body with any status, sent unchanged. */
  | {
      readonly kind: "body";
      readonly status: number;
      readonly content_type: string;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly apply: boolean;
    }
  | { readonly kind: "drip"; readonly bytes: number; readonly every_ms: number };

export interface Fault {
  readonly id: string;
  readonly family: "platform" | "calling" | "any";
  readonly method: string;
  /** A path pattern; `*` matches anything. */
  readonly path: string;
  /** The number of matching requests to skip first. */
  readonly skip: number;
  /** The number of requests to affect after that. */
  readonly times: number;
  readonly action: FaultAction;
}

export class Faults {
  #waiting: { fault: Fault; seen: number }[] = [];

  add(input: unknown): Fault {
    const fault = readFault(input);
    this.#waiting.push({ fault, seen: 0 });
    return fault;
  }

  list(): readonly (Fault & { readonly spoilt: number })[] {
    return this.#waiting.map(({ fault, seen }) => ({ ...fault, spoilt: Math.max(0, seen - fault.skip) }));
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault for this request, if any. */
  take(family: string, method: string, path: string): FaultAction | undefined {
    for (const entry of this.#waiting) {
      const { fault } = entry;
      if (fault.family !== "any" && fault.family !== family) continue;
      if (fault.method !== "*" && fault.method !== method) continue;
      if (!matches(fault.path, path) || entry.seen >= fault.skip + fault.times) continue;
      entry.seen += 1;
      if (entry.seen > fault.skip) return fault.action;
    }
    return undefined;
  }
}

/** An invalid fault definition; the message is for the caller. */
export class BadFault extends Error {
  override readonly name = "BadFault";
}

function readFault(input: unknown): Fault {
  const fault = record(input, "A fault");
  const match = fault.match === undefined ? {} : record(fault.match, "`match`");
  const family = text(match.family ?? "any", "match.family");
  if (family !== "platform" && family !== "calling" && family !== "any")
    throw new BadFault('"match.family" must be platform, calling or any.');
  return {
    id: randomUuid(),
    family,
    method: text(match.method ?? "*", "match.method").toUpperCase(),
    path: text(match.path ?? "*", "match.path"),
    skip: whole(fault.skip ?? 0, "skip", 0, 1_000_000),
    times: whole(fault.times ?? 1, "times", 1, 1_000_000),
    action: readAction(record(fault.fault, "`fault`")),
  };
}

function readAction(action: Record<string, unknown>): FaultAction {
  const apply = action.apply === true;
  switch (action.kind) {
    case "latency":
      return { kind: "latency", ms: whole(action.ms, "fault.ms", 0, 600_000) };
    case "reset": {
      const when = action.when ?? "before";
      if (when !== "before" && when !== "mid" && when !== "after")
        throw new BadFault('"fault.when" must be before, mid or after.');
      return { kind: "reset", when };
    }
    case "truncate":
      return { kind: "truncate" };
    case "html":
      return { kind: "html", status: status(action.status ?? 502), apply };
    case "status": {
      const code = status(action.status);
      return {
        kind: "status",
        status: code,
        error: text(action.error ?? "injected_fault", "fault.error"),
        message: text(action.message ?? `This ${code} was requested.`, "fault.message"),
        ...(action.retryable === undefined ? {} : { retryable: action.retryable === true }),
        ...(action.retry_after === undefined
          ? {}
          : { retry_after: whole(action.retry_after, "fault.retry_after", 0, 86_400) }),
        headers: headers(action.headers),
        apply,
      };
    }
    case "body":
      return {
        kind: "body",
        status: status(action.status ?? 200),
        content_type: text(action.content_type ?? "application/json", "fault.content_type"),
        body: text(action.body ?? "", "fault.body"),
        headers: headers(action.headers),
        apply,
      };
    case "drip":
      return {
        kind: "drip",
        bytes: whole(action.bytes ?? 1, "fault.bytes", 1, 1_000_000),
        every_ms: whole(action.every_ms ?? 20, "fault.every_ms", 0, 60_000),
      };
    default:
      throw new BadFault('"fault.kind" must be latency, reset, truncate, html, status, body or drip.');
  }
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new BadFault(`${what} must be an object.`);
}

function text(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new BadFault(`"${what}" must be a string.`);
}

function whole(value: unknown, what: string, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw new BadFault(`"${what}" must be a whole number from ${least} to ${most}.`);
}

function status(value: unknown): number {
  return whole(value, "fault.status", 200, 599);
}

function headers(value: unknown): Record<string, string> {
  if (value === undefined) return {};
  const result: Record<string, string> = {};
  for (const [name, content] of Object.entries(record(value, "`fault.headers`"))) {
    if (!/^[A-Za-z0-9-]+$/.test(name)) throw new BadFault("Header names may only contain letters, digits and hyphens.");
    if (typeof content !== "string" || /[^\t\x20-\x7e]/.test(content))
      throw new BadFault(`Header "${name}" must be plain text.`);
    result[name.toLowerCase()] = content;
  }
  return result;
}

/** Whether a path matches a pattern, in which `*` matches anything. Runs in linear time. */
function matches(pattern: string, path: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (!path.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return path === first;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
