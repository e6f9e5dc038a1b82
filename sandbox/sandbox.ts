/** Creates and starts the sandbox. */
import { type AddressFamily, type EndpointName, openApiDocument } from "../platform";
import { isSameSecret, randomHex } from "../system";
import { adminFor, RequestLog } from "./admin";
import { apiFor, type Handlers } from "./api";
import { Assistants, type CompileBehavior, type MismatchBehavior } from "./assistants";
import { Calling } from "./calling/calling";
import { Clock } from "./clock";
import { type DemoIds, seedCalls, seedDemo } from "./demo/demo";
import { type Answer, refuse } from "./http/answer";
import { Faults } from "./http/faults";
import { type Exchange, type Listening, listen } from "./http/server";
import { Keys } from "./keys";
import type { NormalForm } from "./normalize";
import { Organization } from "./organization";
import { startPage } from "./pages";
import { lockDirectory } from "./storage/lock";
import { Store } from "./storage/store";

/** Endpoints that aren't fully documented, by the names under which they can be disabled. */
export const OPTIONAL_PARTS = {
  whoami: "whoami",
  "revision-read": "getWorkflowRevision",
  "review-list": "listReviewRequests",
} as const satisfies Record<string, EndpointName>;
export type OptionalPart = keyof typeof OPTIONAL_PARTS;

export interface SandboxOptions {
  /** The default, 0, selects a free port. */
  readonly port?: number;
  /** The port of the calling URL; by default the next one after `port` if it is free. */
  readonly callingPort?: number;
  /** Without it there is no admin API; 0 selects a free port. */
  readonly adminPort?: number;
  /** Without it the state is only in memory. */
  readonly dataDir?: string;
  /** Adds a demo organization to an empty store. */
  readonly demo?: boolean;
  /** Adds calls that run the demo's flow; they depend on the seed alone. */
  readonly calls?: { readonly count: number; readonly seed: string };
  readonly onVersionMismatch?: MismatchBehavior;
  /** How the platform normalizes graphs; by default not at all. */
  readonly normalize?: readonly NormalForm[];
  readonly without?: readonly OptionalPart[];
  readonly compile?: CompileBehavior;
  /** The speed of the sandbox clock relative to real time. */
  readonly clockSpeed?: number;
  /** A key from an earlier start; reused if the data directory knows it and it has all permissions. */
  readonly apiKey?: string;
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
  const clock = new Clock({
    ...(options.clockSpeed === undefined ? {} : { speed: options.clockSpeed }),
    ...(options.wall === undefined ? {} : { wall: options.wall }),
  });
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
    clock.startAfter(store.lastCommit);
    const demo = options.demo ? seedDemo(store, clock) : undefined;
    if (demo && options.calls) seedCalls(store, clock, options.calls.count, options.calls.seed);
    const keys = new Keys(store, clock);
    const apiKey = keys.isFull(options.apiKey) ? options.apiKey : keys.create({ name: "Start key" }).plain_text_key;
    await store.durable();

    const faults = new Faults();
    const log = new RequestLog();
    const without = new Set<EndpointName>(options.without?.map((part) => OPTIONAL_PARTS[part]));
    const handlers = handlersOf(
      store,
      clock,
      keys,
      options.onVersionMismatch ?? "409",
      options.normalize ?? [],
      options.compile,
    );
    const urls = { platform: "", calling: "" };
    const family = (name: AddressFamily, port: number) => {
      const api = apiFor({ family: name, keys, handlers, without });
      return listen(
        {
          handle: (exchange) => publicPage(exchange, urls) ?? api(exchange),
          durable: () => (store as Store).durable(),
          takeFault: (method, path) => faults.take(name, method, path),
          seen: (method, path, status) => log.add({ family: name, method, path, status }),
          report,
        },
        port,
      );
    };
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
      apiKey,
      ...(admin ? { adminUrl: `${admin.url}/${adminToken}` } : {}),
      ...(demo ? { demo } : {}),
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

function handlersOf(
  store: Store,
  clock: Clock,
  keys: Keys,
  onMismatch: MismatchBehavior,
  forms: readonly NormalForm[],
  compile: CompileBehavior | undefined,
): Handlers {
  const assistants = new Assistants(store, clock, onMismatch, forms, compile);
  const organization = new Organization(store, clock);
  const calling = new Calling(store, clock);
  return {
    createApiKey: ({ body }) => keys.create(keys.checked(body)),
    listApiKeys: () => ({ data: keys.list() }),
    revokeApiKey: ({ params }) => keys.revoke(params.id),
    getModelRouterEmbeddingCostByKb: (asked) => organization.embeddingCost(asked),
    applyGraphOps: (asked) => assistants.applyGraphOps(asked),
    restoreAssistant: (asked) => assistants.restore(asked),
    rejectReviewRequest: (asked) => organization.reject(asked),
    listReviewRequests: () => ({ data: organization.reviews() }),
    getEventCatalog: () => ({ events: organization.events() }),
    whoami: ({ key }) => organization.whoami(key),
    getWorkflowRevision: ({ params }) => assistants.readRevision(params.id),
    createCall: (asked) => calling.createCall(asked),
    listWorkflows: (asked) => calling.listWorkflows(asked),
    getWorkflow: ({ params }) => calling.getWorkflow(params.id),
    createExecution: (asked) => calling.createExecution(asked),
    listCalls: (asked) => calling.listCalls(asked),
    getCall: ({ params }) => calling.getCall(params.id),
  };
}

/** The first path segment must be the token; otherwise nothing is revealed. */
function withToken(token: string, handle: (exchange: Exchange) => Promise<Answer>): typeof handle {
  return async (exchange) => {
    const [, given = "", ...rest] = exchange.path.split("/");
    if (!isSameSecret(given, token)) throw refuse(401, "unauthorized", "The admin API requires the token in its URL.");
    return handle({ ...exchange, path: `/${rest.join("/")}` });
  };
}

/** The two pages that don't require a key. */
function publicPage({ method, path }: Exchange, urls: Record<AddressFamily, string>): Answer | undefined {
  if (method !== "GET") return undefined;
  if (path === "/")
    return {
      status: 200,
      headers: {
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      },
      text: { type: "text/html; charset=utf-8", content: startPage(urls.platform, urls.calling) },
    };
  if (path === "/openapi.json") return { status: 200, json: openApiDocument(urls) };
  return undefined;
}
