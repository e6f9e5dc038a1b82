/**
 * All endpoints of part 4. The client's methods, the sandbox's routes and the OpenAPI document are derived from this
 * table. Undocumented details (a success status, a scope, a referenced endpoint) are assumptions, listed in
 * docs/assumptions.md.
 */
import type { AddressFamily } from "../transport";
import * as assistants from "./assistant";
import * as calls from "./calling";
import * as graph from "./graph";
import * as identity from "./identity";
import * as ops from "./ops";
import * as reports from "./reports";
import type { Infer, Lazy } from "./schema";

export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly family: AddressFamily;
  /** With `{name}` for each path parameter; path parameters are strings. */
  readonly path: string;
  /** The action, as in "Couldn't …". */
  readonly summary: string;
  readonly query?: Lazy;
  readonly body?: Lazy;
  /** Missing if the response has no body. */
  readonly response?: Lazy;
  readonly status: number;
  /** The status for an invalid body or query: 422 with HTTPValidationError, or 400 with ErrorResponse. */
  readonly invalid?: 400 | 422;
  /** Statuses whose body is an ErrorResponse. */
  readonly errors: readonly number[];
  /** What a 409 means, if that is known. */
  readonly conflict?: string;
  /** The required scope (assumed); missing if any valid key is enough. */
  readonly scope?: string;
  /** The response contains a key and must not be quoted. */
  readonly holdsSecret?: true;
  /** The endpoint isn't fully documented, so a real platform may not have it. */
  readonly assumed?: true;
}

type Row = Omit<Endpoint, "family" | "status"> & { readonly status?: number };

/** Endpoints of the platform and of outbound calling. The status is 200 unless the row has another one. */
const platform = <const T extends Row>(row: T) =>
  ({ status: 200, ...row, family: "platform" }) as T & { readonly family: "platform"; readonly status: number };
const calling = <const T extends Row>(row: T) =>
  ({ status: 200, ...row, family: "calling" }) as T & { readonly family: "calling"; readonly status: number };

export const endpoints = {
  createApiKey: platform({
    method: "POST",
    path: "/v1/identity/api-keys",
    summary: "Create an API key",
    body: identity.createApiKeyRequest,
    response: identity.createdApiKey,
    status: 201,
    invalid: 400,
    errors: [400, 401, 403],
    scope: "api_keys:write",
    holdsSecret: true,
  }),
  listApiKeys: platform({
    method: "GET",
    path: "/v1/identity/api-keys",
    summary: "List API keys",
    response: identity.apiKeyList,
    errors: [401, 403],
    scope: "api_keys:read",
  }),
  revokeApiKey: platform({
    method: "DELETE",
    path: "/v1/identity/api-keys/{id}",
    summary: "Revoke the API key",
    status: 204,
    errors: [401, 403, 404],
    scope: "api_keys:write",
  }),
  getModelRouterEmbeddingCostByKb: platform({
    method: "GET",
    path: "/v1/analytics/model-router/embeddings/cost/by-kb",
    summary: "Read embedding spend by knowledge base",
    query: reports.embeddingCostQuery,
    response: reports.embeddingCostRows,
    invalid: 422,
    errors: [400, 401, 403],
    scope: "analytics:read",
  }),
  applyGraphOps: platform({
    method: "POST",
    path: "/v1/assistants/{agent_id}/revisions/{revision_id}/graph/ops",
    summary: "Apply changes to the flow",
    body: ops.graphOpsRequest,
    response: graph.graphResult,
    invalid: 422,
    errors: [401, 403, 404, 409, 412],
    scope: "agents:write",
  }),
  restoreAssistant: platform({
    method: "POST",
    path: "/v1/assistants/{agent_id}/restore",
    summary: "Restore the assistant",
    response: assistants.assistant,
    invalid: 422,
    errors: [401, 403, 404, 409],
    conflict: "only an archived assistant can be restored.",
    scope: "agents:write",
  }),
  rejectReviewRequest: platform({
    method: "POST",
    path: "/v1/identity/review-requests/{request_id}/reject",
    summary: "Reject the review request",
    body: identity.rejectReviewRequest,
    response: identity.reviewRequest,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "identity:write",
  }),
  listReviewRequests: platform({
    method: "GET",
    path: "/v1/identity/review-requests",
    summary: "List review requests",
    response: identity.reviewRequestList,
    errors: [401, 403, 404],
    scope: "identity:read",
    assumed: true,
  }),
  getEventCatalog: platform({
    method: "GET",
    path: "/v1/webhooks/event-catalog",
    summary: "List webhook events",
    response: reports.webhookEventCatalog,
    errors: [401, 403],
    scope: "webhooks:read",
  }),
  whoami: platform({
    method: "GET",
    path: "/v1/identity/whoami",
    summary: "Read the owner of the API key",
    response: identity.whoami,
    errors: [401, 404],
    assumed: true,
  }),
  getWorkflowRevision: platform({
    method: "GET",
    path: "/v1/workflows/revisions/{id}",
    summary: "Read the flow's revision",
    response: graph.workflowRevision,
    errors: [401, 403, 404],
    scope: "agents:read",
    assumed: true,
  }),
  createCall: calling({
    method: "POST",
    path: "/call",
    summary: "Create the call inquiry",
    body: calls.createCallRequest,
    response: calls.callInquiry,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "calls:write",
  }),
  listWorkflows: calling({
    method: "GET",
    path: "/workflows",
    summary: "List calling workflows",
    query: calls.workflowQuery,
    response: calls.workflowPage,
    invalid: 422,
    errors: [401, 403],
    scope: "workflows:read",
  }),
  getWorkflow: calling({
    method: "GET",
    path: "/workflows/{id}",
    summary: "Read the calling workflow",
    response: calls.callingWorkflow,
    errors: [401, 403, 404, 409],
    scope: "workflows:read",
  }),
  createExecution: calling({
    method: "POST",
    path: "/workflows/{workflowId}/executions",
    summary: "Start the workflow",
    body: calls.createExecutionRequest,
    response: calls.workflowExecution,
    status: 201,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "workflows:write",
  }),
  listCalls: calling({
    method: "GET",
    path: "/calls",
    summary: "List calls",
    query: calls.callQuery,
    response: calls.callPage,
    invalid: 422,
    errors: [401, 403],
    scope: "calls:read",
  }),
  getCall: calling({
    method: "GET",
    path: "/calls/{id}",
    summary: "Read the call",
    response: calls.callPage,
    errors: [401, 403, 404],
    scope: "calls:read",
  }),
} satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

type InferIf<E, Part extends string> = E extends { readonly [P in Part]: infer L extends Lazy } ? Infer<L> : undefined;
export type QueryOf<N extends EndpointName> = InferIf<Endpoints[N], "query">;
export type BodyOf<N extends EndpointName> = InferIf<Endpoints[N], "body">;
export type ResponseOf<N extends EndpointName> = InferIf<Endpoints[N], "response">;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
export type ParamsOf<N extends EndpointName> = { readonly [P in Names<Endpoints[N]["path"]>]: string };
