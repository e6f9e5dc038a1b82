/**
 * The typed client of the platform, with one method per endpoint of the contract, over an injected transport. Every
 * failure is a PlatformError. Reads are retried (retry.ts); requests that change state are never sent twice.
 */
import type { GraphOp } from "../flow";
import { isUuid } from "../flow/grammar";
import {
  type ApiKey,
  type Assistant,
  type BodyOf,
  type Call,
  type CallInquiry,
  type CallingWorkflow,
  type CallPage,
  type CallQuery,
  type CreateApiKeyRequest,
  type CreateCallRequest,
  type CreateExecutionRequest,
  type EmbeddingCostQuery,
  type EmbeddingCostRow,
  type Endpoint,
  type EndpointName,
  endpoints,
  type GraphResult,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type ReviewRequest,
  type WebhookEventType,
  type Whoami,
  type WorkflowExecution,
  type WorkflowPage,
  type WorkflowQuery,
  type WorkflowRevision,
} from "./contract";
import { errorOfStatus, outcomeIsUnknown, PlatformError, safeText, unreadable } from "./errors";
import { readJson } from "./read";
import { DEFAULT_RETRY, type RetryPolicy, sleep, waitBeforeRetry } from "./retry";
import { Secret } from "./secret";
import { type HttpRequest, type HttpResponse, type SendOptions, type Transport, TransportError } from "./transport";

/** `timeoutMs` overrides the client's time limit for each request of this call. */
export type CallOptions = SendOptions;

export interface ClientOptions {
  readonly retry?: Partial<RetryPolicy>;
  /** The time limit of one request. */
  readonly timeoutMs?: number;
  /** Logs retries and undocumented values; never contains a key or customer data. */
  readonly log?: (line: string) => void;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

/** A new key with its secret, which the platform returns only once. */
export type NewApiKey = ApiKey & { readonly secret: Secret };

/** A parsed response. */
interface Reading<N extends EndpointName> {
  readonly status: number;
  readonly value: ResponseOf<N>;
  /** Fields that were ignored because they have another type than documented. */
  readonly odd: readonly string[];
}

export class PlatformClient {
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #retry: RetryPolicy;

  constructor(transport: Transport, options: ClientOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
  }

  async createApiKey(body: CreateApiKeyRequest, options?: CallOptions): Promise<NewApiKey> {
    const { plain_text_key, ...key } = await this.#call("createApiKey", { body }, options);
    return { ...(key as ApiKey), secret: new Secret(plain_text_key) };
  }

  async listApiKeys(options?: CallOptions): Promise<ApiKey[]> {
    return (await this.#call("listApiKeys", {}, options)).data;
  }

  async revokeApiKey(id: string, options?: CallOptions): Promise<void> {
    await this.#call("revokeApiKey", { params: { id } }, options);
  }

  embeddingCostByKb(query: EmbeddingCostQuery, options?: CallOptions): Promise<EmbeddingCostRow[]> {
    return this.#call("getModelRouterEmbeddingCostByKb", { query }, options);
  }

  async applyGraphOps(...batch: Parameters<PlatformClient["sendGraphOps"]>): Promise<GraphResult> {
    return (await this.sendGraphOps(...batch)).value;
  }

  /** Like `applyGraphOps`, with the status of the response, which says whether the batch is applied later. */
  async sendGraphOps(
    assistant: string,
    revision: string,
    batch: { readonly ops: readonly GraphOp[]; readonly base_version?: number },
    options?: CallOptions,
  ): Promise<Reading<"applyGraphOps">> {
    // The operations are the same, but read-only, which the schema's type can't express.
    const body = batch as BodyOf<"applyGraphOps">;
    const request = requestOf("applyGraphOps", { params: { agent_id: assistant, revision_id: revision }, body });
    const answer = await this.#once("applyGraphOps", request, options ?? {});
    if (!(answer instanceof PlatformError)) return answer;
    answer.requests = 1;
    throw answer;
  }

  restoreAssistant(assistant: string, options?: CallOptions): Promise<Assistant> {
    return this.#call("restoreAssistant", { params: { agent_id: assistant } }, options);
  }

  rejectReviewRequest(id: string, resolution_note?: string, options?: CallOptions): Promise<ReviewRequest> {
    const body = resolution_note === undefined ? {} : { resolution_note };
    return this.#call("rejectReviewRequest", { params: { request_id: id }, body }, options);
  }

  /** Assumed: this endpoint isn't documented. A platform without it responds with 404, 405 or 403. */
  async listReviewRequests(options?: CallOptions): Promise<ReviewRequest[]> {
    return (await this.#call("listReviewRequests", {}, options)).data;
  }

  async eventCatalog(options?: CallOptions): Promise<WebhookEventType[]> {
    return (await this.#call("getEventCatalog", {}, options)).events;
  }

  /** The endpoint is documented; its response is assumed. */
  whoami(options?: CallOptions): Promise<Whoami> {
    return this.#call("whoami", {}, options);
  }

  /** The endpoint is documented; its response is assumed. */
  getWorkflowRevision(id: string, options?: CallOptions): Promise<WorkflowRevision> {
    return this.#call("getWorkflowRevision", { params: { id } }, options);
  }

  createCall(body: CreateCallRequest, options?: CallOptions): Promise<CallInquiry> {
    return this.#call("createCall", { body }, options);
  }

  /** Fetches one page; `workflows` iterates over all of them. */
  listWorkflows(query: WorkflowQuery = {}, options?: CallOptions): Promise<WorkflowPage> {
    return this.#call("listWorkflows", { query }, options);
  }

  /** Iterates over all calling workflows from `query.cursor` on. */
  workflows(query: WorkflowQuery = {}, options?: CallOptions): AsyncGenerator<CallingWorkflow, void, undefined> {
    return pages(query, this.#options.log, async (at) => {
      const { data, pagination } = await this.listWorkflows(at, options);
      return { items: data, next: pagination?.nextCursor ? { cursor: pagination.nextCursor } : undefined };
    });
  }

  getWorkflow(id: string, options?: CallOptions): Promise<CallingWorkflow> {
    return this.#call("getWorkflow", { params: { id } }, options);
  }

  createExecution(workflowId: string, body: CreateExecutionRequest, options?: CallOptions): Promise<WorkflowExecution> {
    return this.#call("createExecution", { params: { workflowId }, body }, options);
  }

  /** Fetches one page; `calls` iterates over all of them. */
  listCalls(query: CallQuery = {}, options?: CallOptions): Promise<CallPage> {
    return this.#call("listCalls", { query }, options);
  }

  /**
   * Iterates over all calls that match `query`. Assumed: the next page is requested with `id` and `createdAt` of
   * `nextCursorId`.
   */
  calls(query: CallQuery = {}, options?: CallOptions): AsyncGenerator<Call, void, undefined> {
    return pages(query, this.#options.log, async (at) => {
      const { calls, nextCursorId } = await this.listCalls(at, options);
      return { items: calls, next: nextCursorId?.id ? pick(nextCursorId, "id", "createdAt") : undefined };
    });
  }

  /** The platform returns a page even for a single call, so the call is found by its ID. */
  async getCall(id: string, options?: CallOptions): Promise<Call> {
    const { calls } = await this.#call("getCall", { params: { id } }, options);
    const call = calls.find((each) => each.id === id) ?? calls[0];
    if (call) return call;
    throw new PlatformError("not-found", "This call doesn't exist on the platform.", { operation: "getCall" });
  }

  async #call<N extends EndpointName>(
    name: N,
    parts: { params?: ParamsOf<N>; query?: QueryOf<N>; body?: BodyOf<N> },
    options: CallOptions = {},
  ): Promise<ResponseOf<N>> {
    const request = requestOf(name, parts);
    for (let made = 1; ; made++) {
      const answer = await this.#once(name, request, options);
      if (!(answer instanceof PlatformError)) return answer.value;
      answer.requests = made;
      const wait =
        request.method === "GET"
          ? waitBeforeRetry(answer, made, this.#retry, this.#options.random ?? Math.random)
          : undefined;
      if (wait === undefined) throw answer;
      this.#options.log?.(`${name}: ${answer.kind}; retrying in ${Math.round(wait)} ms`);
      try {
        await (this.#options.sleep ?? sleep)(wait, options.signal);
      } catch {
        throw cancelled(name, made);
      }
    }
  }

  /** Sends one request and parses the response. */
  async #once<N extends EndpointName>(
    name: N,
    request: HttpRequest,
    options: CallOptions,
  ): Promise<Reading<N> | PlatformError> {
    const response = await this.#send(name, request, options);
    return response instanceof PlatformError ? response : this.#read(name, response);
  }

  #read<N extends EndpointName>(name: N, response: HttpResponse): Reading<N> | PlatformError {
    const endpoint: Endpoint = endpoints[name];
    const { status } = response;
    if (!endpoint.response) return { status, value: undefined as ResponseOf<N>, odd: [] };
    const reading = readJson(endpoint.response(), response.body);
    if (!reading.ok) return unreadable(name, endpoint, response, reading.why);
    if (reading.odd.length > 0)
      this.#options.log?.(`${name}: ignored invalid fields: ${reading.odd.slice(0, 5).join(", ")}`);
    return { status, value: reading.value as ResponseOf<N>, odd: reading.odd };
  }

  /** Sends one request and returns the successful response or an error. */
  async #send(
    name: EndpointName,
    request: HttpRequest,
    { signal, timeoutMs = this.#options.timeoutMs }: CallOptions,
  ): Promise<HttpResponse | PlatformError> {
    const endpoint: Endpoint = endpoints[name];
    if (signal?.aborted) return cancelled(name, 0);
    try {
      const response = await this.#transport.send(request, { signal, timeoutMs });
      const isYes = response.status >= 200 && response.status <= 299;
      return isYes ? response : errorOfStatus(name, endpoint, response);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const { code } = error;
      if (code && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) this.#options.log?.(`${name}: ${error.failure} (${code})`);
      return new PlatformError(error.failure, error.message, {
        operation: name,
        outcomeUnknown: outcomeIsUnknown(endpoint, error.failure),
      });
    }
  }
}

function cancelled(operation: string, requests: number): PlatformError {
  const error = new PlatformError("cancelled", "The request was canceled.", { operation });
  error.requests = requests;
  return error;
}

function requestOf<N extends EndpointName>(
  name: N,
  parts: { params?: ParamsOf<N>; query?: QueryOf<N>; body?: BodyOf<N> },
): HttpRequest {
  const { method, family, path }: Endpoint = endpoints[name];
  const params: Record<string, string> = parts.params ?? {};
  const query = Object.entries(parts.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return {
    method,
    family,
    path: path.replace(/\{(\w+)\}/g, (_, param: string) =>
      segment(name, params[param] ?? "", UUIDS.has(`${name} ${param}`)),
    ),
    ...(query.length > 0 ? { query: Object.fromEntries(query.map(([key, value]) => [key, String(value)])) } : {}),
    ...(parts.body === undefined ? {} : { body: parts.body }),
  };
}

/** IDs from flow files, which are untrusted. The platform's IDs are UUIDs, so nothing else is put into a path. */
const UUIDS: ReadonlySet<string> = new Set([
  "applyGraphOps agent_id",
  "applyGraphOps revision_id",
  "restoreAssistant agent_id",
  "getWorkflowRevision id",
]);

/** Encodes an ID as a path segment. An empty or dot segment would change the meaning of the URL. */
function segment(operation: string, id: string, uuid: boolean): string {
  if (id === "") throw new PlatformError("invalid", "The ID is empty. Copy it from the platform.", { operation });
  if (/^\.{1,2}$|\p{Cs}/u.test(id) || (uuid && !isUuid(id)))
    throw new PlatformError("invalid", `"${safeText(id)}" isn't a valid ID. Copy it from the platform.`, {
      operation,
    });
  return encodeURIComponent(id);
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Pick<T, K>;
}

/** A page of a list. */
interface Page<Item, Next> {
  readonly items: readonly Item[];
  /** The query of the next page; undefined on the last one. */
  readonly next?: Next;
}

/**
 * Yields each item once. Stops at the last page, at a repeated cursor, and at a page without new items, because a
 * faulty server could return cursors forever.
 */
async function* pages<Item extends { readonly id: string }, Query extends object>(
  query: Query,
  log: ((line: string) => void) | undefined,
  read: (query: Query) => Promise<Page<Item, Partial<Query>>>,
): AsyncGenerator<Item, void, undefined> {
  const seenItems = new Set<string>();
  const seenCursors = new Set<string>();
  let at = query;
  for (;;) {
    const { items, next } = await read(at);
    const fresh = items.filter((item) => !seenItems.has(item.id));
    for (const item of fresh) {
      if (seenItems.has(item.id)) continue;
      seenItems.add(item.id);
      yield item;
    }
    if (!next) return;
    const cursor = JSON.stringify(next);
    if (seenCursors.has(cursor) || fresh.length === 0) {
      log?.("paging: the platform repeats itself; stopped");
      return;
    }
    seenCursors.add(cursor);
    at = { ...at, ...next };
  }
}
