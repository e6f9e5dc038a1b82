/**
 * The admin API, on a separate port: faults, recorded requests, the clock, and executions, which no platform endpoint
 * returns.
 */
import { executionAt } from "./calling/life";
import type { Clock } from "./clock";
import { type Answer, refuse } from "./http/answer";
import { readJson } from "./http/body";
import type { Exchange } from "./http/exchange";
import type { Faults } from "./http/faults";
import type { Store } from "./storage/store";

export interface SeenRequest {
  readonly family: string;
  readonly method: string;
  readonly path: string;
  /** 0 if the connection was reset. */
  readonly status: number;
}

/** Adds a request to the most recent ones, oldest first. */
export function logRequest(log: SeenRequest[], request: SeenRequest): void {
  log.push(request);
  if (log.length > 2000) log.splice(0, 1000);
}

export function adminFor(parts: {
  readonly faults: Faults;
  readonly log: SeenRequest[];
  readonly clock: Clock;
  readonly store: Store;
}): (exchange: Exchange) => Promise<Answer> {
  const { faults, log, clock, store } = parts;
  return async ({ method, path: asked, headers, body: sent }) => {
    const path = asked.replace(/^\/admin(?=\/)/, "");
    const execution = /^\/executions\/([^/]+)$/.exec(path)?.[1];
    if (execution !== undefined && method === "GET") {
      const plan = store.get("executions", execution);
      if (!plan) throw refuse(404, "not_found", "No execution has this ID.");
      return { status: 200, json: executionAt(plan, clock.now(), (id) => store.get("calls", id)) };
    }
    const call = /^\/calls\/([^/]+)\/path$/.exec(path)?.[1];
    if (call !== undefined && method === "GET") {
      const run = store.get("calls", call)?.run;
      if (!run) throw refuse(404, "not_found", "No call with this ID ran a flow.");
      return { status: 200, json: { call, path: run.path, caller: run.caller } };
    }
    switch (`${method} ${path}`) {
      case "GET /faults":
        return { status: 200, json: { faults: faults.list() } };
      case "POST /faults":
        return { status: 201, json: faults.add(await readJson({ headers, body: sent })) };
      case "DELETE /faults":
        faults.clear();
        return { status: 204 };
      case "GET /requests":
        return { status: 200, json: { requests: log } };
      case "DELETE /requests":
        log.length = 0;
        return { status: 204 };
      case "GET /clock":
        return { status: 200, json: { now: clock.iso() } };
      case "POST /clock": {
        const body = (await readJson({ headers, body: sent })) as { advance_ms?: unknown } | undefined;
        const by = body?.advance_ms;
        if (typeof by !== "number" || !(by >= 0 && by <= 1e12))
          throw refuse(400, "bad_request", '"advance_ms" must be a number of milliseconds, 0 or more.');
        clock.advance(by);
        return { status: 200, json: { now: clock.iso() } };
      }
      default:
        throw refuse(
          404,
          "not_found",
          "The admin API has /faults, /requests, /clock, /executions/{id} and /calls/{id}/path. See docs/sandbox.md.",
        );
    }
  };
}
