/** The sandbox's platform, apart from how it is reached and where its state is stored. */
import { type AddressFamily, type Endpoint, type EndpointName, endpoints, openApiDocument } from "../platform";
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
    demo,
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

/** The page at `/`: lists the endpoints and shows how to send a first request. Contains no secrets. */
function startPage(baseUrl: string, workflowBaseUrl: string): string {
  const rows = Object.values<Endpoint>(endpoints).map((endpoint) => {
    const base = endpoint.family === "platform" ? baseUrl : workflowBaseUrl;
    return `<tr><td>${endpoint.method}</td><td><code>${html(base + endpoint.path)}</code></td><td>${html(endpoint.summary)}</td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assistant Flow sandbox</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid #8884; padding: .3rem .5rem; vertical-align: top; }
code, pre { font: 14px/1.4 ui-monospace, monospace; } pre { background: #8882; padding: .75rem; overflow: auto; }
</style>
</head>
<body>
<h1>Assistant Flow sandbox</h1>
<p>A local platform to try flows on. It answers on this machine only. The API key was printed where the sandbox was started.</p>
<pre>curl -H "x-api-key: $ASSISTANT_FLOW_API_KEY" ${html(workflowBaseUrl)}/workflows</pre>
<p>The interface in full: <a href="/openapi.json">/openapi.json</a>.</p>
<table>
${rows.join("\n")}
</table>
</body>
</html>
`;
}

function html(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
