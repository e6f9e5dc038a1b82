/**
 * Every endpoint of part 4, once. The client's methods, the sandbox's routes and the OpenAPI document are read off this
 * table. Where the document does not show a thing (a success status, a scope, a referenced endpoint) the row holds what
 * we assume and docs/assumptions.md says so.
 */
import type { AddressFamily } from "../transport";
import * as assistants from "./assistant";
import * as calling from "./calling";
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
  /** What a caller wants, so that a message can say "Could not …". */
  readonly summary: string;
  readonly query?: Lazy;
  readonly body?: Lazy;
  /** Absent where the answer has no body. */
  readonly response?: Lazy;
  readonly status: number;
  /** The status of an answer to a body or query that does not hold: 422 with HTTPValidationError, or 400 with ErrorResponse. */
  readonly invalid?: 400 | 422;
  /** Statuses that answer with ErrorResponse. */
  readonly errors: readonly number[];
  /** The scope a key needs (assumed); absent where any valid key will do. */
  readonly scope?: string;
  /** The answer holds a key: no part of it may be quoted. */
  readonly holdsSecret?: true;
  /** True for what the document references or leaves out, so that it may be missing on a real platform. */
  readonly assumed?: true;
}

const table = <const T extends Record<string, Endpoint>>(endpoints: T) => endpoints;

export const endpoints = table({
  createApiKey: {
    method: "POST",
    family: "platform",
    path: "/v1/identity/api-keys",
    summary: "Create an API key",
    body: identity.createApiKeyRequest,
    response: identity.createdApiKey,
    status: 201,
    invalid: 400,
    errors: [400, 401, 403],
    scope: "api_keys:write",
    holdsSecret: true,
  },
  listApiKeys: {
    method: "GET",
    family: "platform",
    path: "/v1/identity/api-keys",
    summary: "List the API keys",
    response: identity.apiKeyList,
    status: 200,
    errors: [401, 403],
    scope: "api_keys:read",
  },
  revokeApiKey: {
    method: "DELETE",
    family: "platform",
    path: "/v1/identity/api-keys/{id}",
    summary: "Revoke the API key",
    status: 204,
    errors: [401, 403, 404],
    scope: "api_keys:write",
  },
  getModelRouterEmbeddingCostByKb: {
    method: "GET",
    family: "platform",
    path: "/v1/analytics/model-router/embeddings/cost/by-kb",
    summary: "Read the embedding spend by knowledge base",
    query: reports.embeddingCostQuery,
    response: reports.embeddingCostRows,
    status: 200,
    invalid: 422,
    errors: [400, 401, 403],
    scope: "analytics:read",
  },
  applyGraphOps: {
    method: "POST",
    family: "platform",
    path: "/v1/assistants/{agent_id}/revisions/{revision_id}/graph/ops",
    summary: "Apply the changes to the flow",
    body: ops.graphOpsRequest,
    response: graph.graphResult,
    status: 200,
    invalid: 422,
    errors: [401, 403, 404, 409, 412],
    scope: "agents:write",
  },
  restoreAssistant: {
    method: "POST",
    family: "platform",
    path: "/v1/assistants/{agent_id}/restore",
    summary: "Restore the assistant",
    response: assistants.assistant,
    status: 200,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "agents:write",
  },
  rejectReviewRequest: {
    method: "POST",
    family: "platform",
    path: "/v1/identity/review-requests/{request_id}/reject",
    summary: "Reject the review request",
    body: identity.rejectReviewRequest,
    response: identity.reviewRequest,
    status: 200,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "identity:write",
  },
  listReviewRequests: {
    method: "GET",
    family: "platform",
    path: "/v1/identity/review-requests",
    summary: "List the review requests",
    response: identity.reviewRequestList,
    status: 200,
    errors: [401, 403, 404],
    scope: "identity:read",
    assumed: true,
  },
  getEventCatalog: {
    method: "GET",
    family: "platform",
    path: "/v1/webhooks/event-catalog",
    summary: "List the webhook events",
    response: reports.webhookEventCatalog,
    status: 200,
    errors: [401, 403],
    scope: "webhooks:read",
  },
  whoami: {
    method: "GET",
    family: "platform",
    path: "/v1/identity/whoami",
    summary: "Read who the key belongs to",
    response: identity.whoami,
    status: 200,
    errors: [401, 404],
    assumed: true,
  },
  getWorkflowRevision: {
    method: "GET",
    family: "platform",
    path: "/v1/workflows/revisions/{id}",
    summary: "Read the flow's revision",
    response: graph.workflowRevision,
    status: 200,
    errors: [401, 403, 404],
    scope: "agents:read",
    assumed: true,
  },
  createCall: {
    method: "POST",
    family: "calling",
    path: "/call",
    summary: "Create the call inquiry",
    body: calling.createCallRequest,
    response: calling.callInquiry,
    status: 200,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "calls:write",
  },
  listWorkflows: {
    method: "GET",
    family: "calling",
    path: "/workflows",
    summary: "List the calling workflows",
    query: calling.workflowQuery,
    response: calling.workflowPage,
    status: 200,
    invalid: 422,
    errors: [401, 403],
    scope: "workflows:read",
  },
  getWorkflow: {
    method: "GET",
    family: "calling",
    path: "/workflows/{id}",
    summary: "Read the calling workflow",
    response: calling.callingWorkflow,
    status: 200,
    errors: [401, 403, 404, 409],
    scope: "workflows:read",
  },
  createExecution: {
    method: "POST",
    family: "calling",
    path: "/workflows/{workflowId}/executions",
    summary: "Start the workflow",
    body: calling.createExecutionRequest,
    response: calling.workflowExecution,
    status: 201,
    invalid: 422,
    errors: [401, 403, 404, 409],
    scope: "workflows:write",
  },
  listCalls: {
    method: "GET",
    family: "calling",
    path: "/calls",
    summary: "List the calls",
    query: calling.callQuery,
    response: calling.callPage,
    status: 200,
    invalid: 422,
    errors: [401, 403],
    scope: "calls:read",
  },
  getCall: {
    method: "GET",
    family: "calling",
    path: "/calls/{id}",
    summary: "Read the call",
    response: calling.callPage,
    status: 200,
    errors: [401, 403, 404],
    scope: "calls:read",
  },
});

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

type InferIf<E, Part extends string> = E extends { readonly [P in Part]: infer L extends Lazy } ? Infer<L> : undefined;
export type QueryOf<N extends EndpointName> = InferIf<Endpoints[N], "query">;
export type BodyOf<N extends EndpointName> = InferIf<Endpoints[N], "body">;
export type ResponseOf<N extends EndpointName> = InferIf<Endpoints[N], "response">;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
export type ParamsOf<N extends EndpointName> = { readonly [P in Names<Endpoints[N]["path"]>]: string };
