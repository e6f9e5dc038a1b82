/** Starts the sandbox as a server on loopback, with its state in memory or in a directory. */
import type { AddressFamily } from "../platform";
import { isSameSecret, randomHex } from "../system";
import { type BackendOptions, openBackend } from "./backend";
import { executionAt } from "./calling/life";
import { Clock } from "./clock";
import type { DemoIds } from "./demo/demo";
import { exampleText } from "./demo/example-files";
import { type Answer, refuse } from "./http/answer";
import { readJson } from "./http/body";
import type { Exchange } from "./http/exchange";
import { Faults } from "./http/faults";
import { type Listening, listen } from "./http/server";
import { lockDirectory } from "./storage/lock";
import { Store } from "./storage/store";

export interface SandboxOptions extends BackendOptions {
  /** The default, 0, selects a free port. */
  readonly port?: number;
  /** The port of the calling URL; by default the next one after `port` if it is free. */
  readonly callingPort?: number;
  /** Without it there is no admin API; 0 selects a free port. */
  readonly adminPort?: number;
  /** Without it the state is only in memory. */
  readonly dataDir?: string;
  /** The speed of the sandbox clock relative to real time. */
  readonly clockSpeed?: number;
  /** The system clock, replaced by tests. */
  readonly wall?: () => number;
  /** Reports damaged files and internal errors. */
  readonly report?: (message: string) => void;
}

export interface Sandbox {
  readonly baseUrl: string;
  readonly workflowBaseUrl: string;
  /** A key with all permissions: the given one, or a new one. It isn't stored. */
  readonly apiKey: string;
  readonly adminUrl?: string;
  readonly demo?: DemoIds;
  stop(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const report = options.report ?? ((message) => process.stderr.write(`${message}\n`));
  const clock = new Clock({ speed: options.clockSpeed, wall: options.wall });
  const unlock = options.dataDir === undefined ? undefined : await lockDirectory(options.dataDir);
  const open: Listening[] = [];
  let store: Store | undefined;
  const stop = async () => {
    await Promise.all(open.splice(0).map((each) => each.stop()));
    await store?.close();
    await unlock?.();
  };
  try {
    store = await Store.open({ directory: options.dataDir, now: () => clock.now(), report });
    const backend = await openBackend(store, clock, options, exampleText);
    const faults = new Faults();
    const log: SeenRequest[] = [];
    const urls = { platform: "", calling: "" };
    const family = (name: AddressFamily, port: number) =>
      listen(
        {
          ...backend.face(name, urls, report),
          takeFault: (method, path) => faults.take(name, method, path),
          seen: (method, path, status) => logRequest(log, { family: name, method, path, status }),
        },
        port,
      );
    const platform = await family("platform", options.port ?? 0);
    open.push(platform);
    const calling = await listenNear((port) => family("calling", port), options);
    open.push(calling);
    urls.platform = platform.url;
    urls.calling = calling.url;
    let admin: Listening | undefined;
    const adminToken = randomHex(24);
    if (options.adminPort !== undefined) {
      admin = await listen(
        { handle: withToken(adminToken, adminFor({ faults, log, clock, store })), report },
        options.adminPort,
      );
      open.push(admin);
    }
    return {
      baseUrl: platform.url,
      workflowBaseUrl: calling.url,
      apiKey: backend.apiKey,
      adminUrl: admin && `${admin.url}/${adminToken}`,
      demo: backend.demo,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The calling URL uses the next port, so that a fixed port results in two fixed URLs. */
async function listenNear(
  start: (port: number) => Promise<Listening>,
  { port = 0, callingPort }: SandboxOptions,
): Promise<Listening> {
  if (callingPort !== undefined) return start(callingPort);
  if (port === 0 || port === 65535) return start(0);
  return start(port + 1).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return start(0);
  });
}

/** The first path segment must be the token; otherwise nothing is revealed. */
function withToken(token: string, handle: (exchange: Exchange) => Promise<Answer>): typeof handle {
  return async (exchange) => {
    const [, given = "", ...rest] = exchange.path.split("/");
    if (!isSameSecret(given, token)) throw refuse(401, "unauthorized", "The admin API requires the token in its URL.");
    return handle({ ...exchange, path: `/${rest.join("/")}` });
  };
}

/**
 * The admin API, on a separate port: faults, recorded requests, the clock, and executions, which no platform endpoint
 * returns.
 */
interface SeenRequest {
  readonly family: string;
  readonly method: string;
  readonly path: string;
  /** 0 if the connection was reset. */
  readonly status: number;
}

/** Adds a request to the most recent ones, oldest first. */
function logRequest(log: SeenRequest[], request: SeenRequest): void {
  log.push(request);
  if (log.length > 2000) log.splice(0, 1000);
}

function adminFor(parts: {
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
