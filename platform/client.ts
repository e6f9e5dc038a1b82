/**
 * The platform as typed methods, one per endpoint of the contract, over an injected transport. Every failure is a
 * PlatformError. Reads are retried (retry.ts); nothing that changes state is ever sent twice.
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
import { pages } from "./pages";
import { readJson } from "./read";
import { DEFAULT_RETRY, type RetryPolicy, sleep, waitBeforeRetry } from "./retry";
import { Secret } from "./secret";
import { END_LENGTH, type HttpRequest, type HttpResponse, type Transport, TransportError } from "./transport";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How long each request of this call may take, where the client's own limit does not fit. */
  readonly timeoutMs?: number;
}

export interface ClientOptions {
  readonly retry?: Partial<RetryPolicy>;
  /** How long one request may take. */
  readonly timeoutMs?: number;
  /** Told of retries and of fields that were not as documented; lines hold no key and nothing a customer said. */
  readonly log?: (line: string) => void;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

/** A new key: the resource, and the secret, which is shown this once. */
export type NewApiKey = ApiKey & { readonly secret: Secret };

/** An answer that was not read yet. */
export interface Unread<T> {
  readonly status: number;
  /** Its first and its last signs. */
  readonly ends: string;
  /** Throws a PlatformError where it cannot be read. */
  read(): T;
  /** It is not read from now on. */
  drop(): void;
}

type Reading<N extends EndpointName> = { readonly value: ResponseOf<N> };

function opened<N extends EndpointName>(reading: Reading<N> | PlatformError): ResponseOf<N> {
  if (reading instanceof PlatformError) throw reading;
  return reading.value;
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

  async applyGraphOps(...batch: Parameters<PlatformClient["applyGraphOpsUnread"]>): Promise<GraphResult> {
    return (await this.applyGraphOpsUnread(...batch)).read();
  }

  /** The same, and the answer comes closed: it holds the whole graph, and who sends many batches reads few of them. */
  async applyGraphOpsUnread(
    assistant: string,
    revision: string,
    batch: { readonly ops: readonly GraphOp[]; readonly base_version?: number },
    options?: CallOptions,
  ): Promise<Unread<GraphResult>> {
    // The operations are the same; flow/ promises not to change them, which a schema's type cannot say.
    const body = batch as BodyOf<"applyGraphOps">;
    const request = requestOf("applyGraphOps", { params: { agent_id: assistant, revision_id: revision }, body });
    const answer = await this.#send("applyGraphOps", request, options ?? {});
    if (!(answer instanceof PlatformError))
      return {
        status: answer.status,
        ends:
          answer.ends?.() ?? `${answer.body.slice(0, END_LENGTH)}\n${answer.body.slice(END_LENGTH).slice(-END_LENGTH)}`,
        read: () => opened(this.#read("applyGraphOps", answer)),
        drop: () => answer.drop?.(),
      };
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

  /** Assumed: no list is documented. A platform without it answers 404, 405 or 403. */
  async listReviewRequests(options?: CallOptions): Promise<ReviewRequest[]> {
    return (await this.#call("listReviewRequests", {}, options)).data;
  }

  async eventCatalog(options?: CallOptions): Promise<WebhookEventType[]> {
    return (await this.#call("getEventCatalog", {}, options)).events;
  }

  /** Referenced by the document; its answer is assumed. */
  whoami(options?: CallOptions): Promise<Whoami> {
    return this.#call("whoami", {}, options);
  }

  /** Referenced by the document; its answer is assumed. */
  getWorkflowRevision(id: string, options?: CallOptions): Promise<WorkflowRevision> {
    return this.#call("getWorkflowRevision", { params: { id } }, options);
  }

  createCall(body: CreateCallRequest, options?: CallOptions): Promise<CallInquiry> {
    return this.#call("createCall", { body }, options);
  }

  /** One page; `workflows` walks them all. */
  listWorkflows(query: WorkflowQuery = {}, options?: CallOptions): Promise<WorkflowPage> {
    return this.#call("listWorkflows", { query }, options);
  }

  /** Every calling workflow from `query.cursor` on, each once. */
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

  /** One page; `calls` walks them all. */
  listCalls(query: CallQuery = {}, options?: CallOptions): Promise<CallPage> {
    return this.#call("listCalls", { query }, options);
  }

  /** Every call that fits `query`, each once. Assumed: the next page is asked for by the id and createdAt of nextCursorId. */
  calls(query: CallQuery = {}, options?: CallOptions): AsyncGenerator<Call, void, undefined> {
    return pages(query, this.#options.log, async (at) => {
      const { calls, nextCursorId } = await this.listCalls(at, options);
      return { items: calls, next: nextCursorId?.id ? pick(nextCursorId, "id", "createdAt") : undefined };
    });
  }

  /** The document answers a page for a single call, too: the call is the one in it that has the id. */
  async getCall(id: string, options?: CallOptions): Promise<Call> {
    const { calls } = await this.#call("getCall", { params: { id } }, options);
    const call = calls.find((each) => each.id === id) ?? calls[0];
    if (call) return call;
    throw new PlatformError("not-found", "The platform does not have this call.", { operation: "getCall" });
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
      this.#options.log?.(`${name}: ${answer.kind}; trying again in ${Math.round(wait)} ms`);
      try {
        await (this.#options.sleep ?? sleep)(wait, options.signal);
      } catch {
        throw cancelled(name, made);
      }
    }
  }

  /** One request, one answer: the value or the error. */
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
    if (!endpoint.response) return { value: undefined as ResponseOf<N> };
    const reading = readJson(endpoint.response(), response.body);
    if (!reading.ok) return unreadable(name, endpoint, response, reading.why);
    if (reading.odd.length > 0) this.#options.log?.(`${name}: read as missing: ${reading.odd.slice(0, 5).join(", ")}`);
    return { value: reading.value as ResponseOf<N> };
  }

  /** One request: the answer that says yes, or the error. */
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
  const error = new PlatformError("cancelled", "The request was cancelled.", { operation });
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

/** Ids that come out of flow files, which anybody may have written. The platform's are UUIDs, so nothing else goes into a path. */
const UUIDS: ReadonlySet<string> = new Set([
  "applyGraphOps agent_id",
  "applyGraphOps revision_id",
  "restoreAssistant agent_id",
  "getWorkflowRevision id",
]);

/** An id as one path segment. An empty one or a dot segment would make the address mean something else. */
function segment(operation: string, id: string, uuid: boolean): string {
  if (id === "")
    throw new PlatformError("invalid", "The ID is empty. Enter it as the platform shows it.", { operation });
  if (/^\.{1,2}$|\p{Cs}/u.test(id) || (uuid && !isUuid(id)))
    throw new PlatformError("invalid", `"${safeText(id)}" can't be an ID. Enter it as the platform shows it.`, {
      operation,
    });
  return encodeURIComponent(id);
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Pick<T, K>;
}
