/** The sandbox's platform, apart from how it is reached and where its state is stored. */
import { type AddressFamily, type EndpointName, openApiDocument } from "../platform";
import { apiFor, type Handlers } from "./api";
import { Assistants, type CompileBehavior, type MismatchBehavior } from "./assistants";
import { Calling } from "./calling/calling";
import type { Clock } from "./clock";
import { type DemoIds, seedCalls, seedDemo } from "./demo/demo";
import type { Answer } from "./http/answer";
import type { Exchange, Face } from "./http/exchange";
import { Keys } from "./keys";
import type { NormalForm } from "./normalize";
import { Organization } from "./organization";
import { startPage } from "./pages";
import type { Store } from "./storage/store";

/** Endpoints that aren't fully documented, by the names under which they can be disabled. */
export const OPTIONAL_PARTS = {
  whoami: "whoami",
  "revision-read": "getWorkflowRevision",
  "review-list": "listReviewRequests",
} as const satisfies Record<string, EndpointName>;
export type OptionalPart = keyof typeof OPTIONAL_PARTS;

export interface BackendOptions {
  /** Adds a demo organization to an empty store. */
  readonly demo?: boolean;
  /** Adds calls that run the demo's flow; they depend on the seed alone. */
  readonly calls?: { readonly count: number; readonly seed: string };
  readonly onVersionMismatch?: MismatchBehavior;
  /** How the platform normalizes graphs; by default not at all. */
  readonly normalize?: readonly NormalForm[];
  readonly without?: readonly OptionalPart[];
  readonly compile?: CompileBehavior;
  /** A key from an earlier start; reused if the data directory knows it and it has all permissions. */
  readonly apiKey?: string;
}

export interface Backend {
  /** A key with all permissions: the given one, or a new one. It isn't stored. */
  readonly apiKey: string;
  readonly demo?: DemoIds;
  /** Handles the requests of one URL. */
  face(family: AddressFamily, urls: Readonly<Record<AddressFamily, string>>, report: Face["report"]): Face;
}

/** `exampleText` reads a file of examples/, from which the demo is made. */
export async function openBackend(
  store: Store,
  clock: Clock,
  options: BackendOptions,
  exampleText: (name: string) => string,
): Promise<Backend> {
  clock.startAfter(store.lastCommit);
  const demo = options.demo ? seedDemo(store, clock, exampleText) : undefined;
  if (demo && options.calls) seedCalls(store, clock, options.calls.count, options.calls.seed);
  const keys = new Keys(store, clock);
  const apiKey = keys.isFull(options.apiKey) ? options.apiKey : keys.create({ name: "Start key" }).plain_text_key;
  await store.durable();
  const without = new Set<EndpointName>(options.without?.map((part) => OPTIONAL_PARTS[part]));
  const handlers = handlersOf(store, clock, keys, options);
  return {
    apiKey,
    ...(demo ? { demo } : {}),
    face(family, urls, report) {
      const api = apiFor({ family, keys, handlers, without });
      return {
        handle: (exchange) => publicPage(exchange, urls) ?? api(exchange),
        durable: () => store.durable(),
        report,
      };
    },
  };
}

function handlersOf(store: Store, clock: Clock, keys: Keys, options: BackendOptions): Handlers {
  const { onVersionMismatch = "409", normalize = [], compile } = options;
  const assistants = new Assistants(store, clock, onVersionMismatch, normalize, compile);
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
