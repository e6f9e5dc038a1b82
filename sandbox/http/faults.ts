/**
 * Fault injection. A fault applies to a number of requests that match it; the first matching fault wins.
 * docs/sandbox.md describes the JSON.
 */
import * as z from "zod/mini";
import { namePattern } from "../../flow";
import { checkValue } from "../../platform";
import { randomUuid } from "../../system";
import { refuse } from "./answer";

const text = (usual: string) => z._default(z.string(), usual);
const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const status = () => whole(200, 599);
/** Whether the request is handled before the response is replaced. */
const apply = z._default(z.boolean(), false);
const headers = z._default(
  z.record(z.string().check(z.regex(/^[A-Za-z0-9-]+$/)), z.string().check(z.regex(/^[\t\x20-\x7e]*$/))),
  {},
);

const faultAction = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("latency"), ms: whole(0, 600_000) }),
  /**
   * `before`: nothing is done. `after`: the write is done, but there is no response. `mid`: the write is done, and half
   * of the response is sent.
   */
  z.object({ kind: z.literal("reset"), when: z._default(z.enum(["before", "mid", "after"]), "before") }),
  /** A well-formed response whose JSON is cut off. */
  z.object({ kind: z.literal("truncate") }),
  z.object({ kind: z.literal("html"), status: z._default(status(), 502), apply }),
  z.object({
    kind: z.literal("status"),
    status: status(),
    error: text("injected_fault"),
    message: z.optional(z.string()),
    retryable: z.optional(z.boolean()),
    retry_after: z.optional(whole(0, 86_400)),
    headers,
    apply,
  }),
  /** Any body with any status, sent unchanged. */
  z.object({
    kind: z.literal("body"),
    status: z._default(status(), 200),
    content_type: text("application/json"),
    body: text(""),
    headers,
    apply,
  }),
  z.object({
    kind: z.literal("drip"),
    bytes: z._default(whole(1, 1_000_000), 1),
    every_ms: z._default(whole(0, 60_000), 20),
  }),
]);
export type FaultAction = z.infer<typeof faultAction>;

const fault = z.object({
  match: z._default(
    z.object({
      family: z._default(z.enum(["platform", "calling", "any"]), "any"),
      method: text("*"),
      /** A path pattern; `*` matches anything. */
      path: text("*"),
    }),
    { family: "any", method: "*", path: "*" },
  ),
  /** The number of matching requests to skip first. */
  skip: z._default(whole(0, 1_000_000), 0),
  /** The number of requests to affect after that. */
  times: z._default(whole(1, 1_000_000), 1),
  fault: faultAction,
});
type Fault = z.infer<typeof fault> & { readonly id: string };

export class Faults {
  #waiting: { fault: Fault; seen: number }[] = [];

  add(input: unknown): Fault {
    const checked = checkValue("body", fault, input);
    if ("detail" in checked)
      throw refuse(400, "bad_request", checked.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    const added = { id: randomUuid(), ...checked.value };
    this.#waiting.push({ fault: added, seen: 0 });
    return added;
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
      const { match, skip, times, fault: action } = entry.fault;
      if (match.family !== "any" && match.family !== family) continue;
      if (match.method !== "*" && match.method.toUpperCase() !== method) continue;
      if (!namePattern(match.path)?.test(path) || entry.seen >= skip + times) continue;
      entry.seen += 1;
      if (entry.seen > skip) return action;
    }
    return undefined;
  }
}
