/** The OpenAPI document of the platform, derived from the endpoint table and the schemas. */
import * as z from "zod/mini";
import type { AddressFamily } from "../transport";
import { type Endpoint, endpoints } from "./endpoints";
import { INTERFACE_VERSION } from "./limits";
import { components, documented } from "./schema";

type JsonObject = Record<string, unknown>;

/** `servers` are the two URLs; without them the document contains placeholders. */
export function openApiDocument(servers?: Readonly<Record<AddressFamily, string>>): JsonObject {
  const server = (family: AddressFamily) =>
    servers
      ? { url: servers[family], description: DESCRIPTIONS[family] }
      : {
          url: family === "platform" ? "{base_url}" : "{workflow_base_url}",
          description: DESCRIPTIONS[family],
          variables:
            family === "platform"
              ? { base_url: { default: "http://127.0.0.1:4010" } }
              : { workflow_base_url: { default: "http://127.0.0.1:4010/calling" } },
        };
  const paths: Record<string, JsonObject> = {};
  for (const [operationId, endpoint] of Object.entries<Endpoint>(endpoints)) {
    paths[endpoint.path] ??= { servers: [server(endpoint.family)] };
    (paths[endpoint.path] as JsonObject)[endpoint.method.toLowerCase()] = operation(operationId, endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Customer Experience Platform API",
      version: INTERFACE_VERSION,
      description: "Generated from the contract. Parts marked as assumed aren't documented by the platform.",
    },
    servers: [server("platform"), server("calling")],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      schemas: componentSchemas(),
    },
  };
}

const DESCRIPTIONS: Record<AddressFamily, string> = {
  platform: "The platform API",
  calling: "Outbound calls and calling workflows",
};

function operation(operationId: string, endpoint: Endpoint): JsonObject {
  const responses: JsonObject = {
    [endpoint.status]: endpoint.response
      ? answer("Success.", ref(nameOf(endpoint.response)))
      : { description: "Done; no body." },
  };
  for (const status of endpoint.errors)
    responses[status] = answer(REASONS[status] ?? "Rejected.", ref("ErrorResponse"));
  if (endpoint.invalid === 422) responses[422] = answer("The request isn't valid.", ref("HTTPValidationError"));
  return {
    operationId,
    summary: endpoint.summary,
    ...(endpoint.scope ? { "x-required-scope": endpoint.scope } : {}),
    ...(endpoint.assumed ? { "x-assumed": true } : {}),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(endpoint.body
      ? { requestBody: { required: !z.safeParse(endpoint.body(), {}).success, ...json(ref(nameOf(endpoint.body))) } }
      : {}),
    responses,
  };
}

const REASONS: Record<number, string> = {
  400: "The request has an invalid value.",
  401: "The key is missing, malformed, revoked or expired.",
  403: "The key doesn't have the scope.",
  404: "Not found.",
  409: "The current state doesn't allow this.",
  412: "The graph has changed since base_version.",
};

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const answer = (description: string, schema: JsonObject): JsonObject => ({ description, ...json(schema) });

function nameOf(lazy: unknown): string {
  for (const [name, each] of components) if (each === lazy) return name;
  throw new Error("A schema of an endpoint has no name.");
}

function pathParameters(endpoint: Endpoint): JsonObject[] {
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(endpoint: Endpoint): JsonObject[] {
  if (!endpoint.query) return [];
  const { properties = {}, required = [] } = jsonSchema(endpoint.query());
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: "query",
    required: (required as string[]).includes(name),
    schema,
  }));
}

function componentSchemas(): JsonObject {
  const names = z.registry<{ id: string }>();
  for (const [id, lazy] of components) names.add(lazy(), { id });
  const { schemas } = z.toJSONSchema(names, {
    ...OPTIONS,
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]));
}

function jsonSchema(schema: z.ZodMiniType): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, OPTIONS);
  return rest;
}

const OPTIONS = {
  metadata: documented,
  io: "input",
  /** Drops the bounds of safe integers, which aren't documented, and patterns that repeat a format. */
  override({ jsonSchema: schema }: { jsonSchema: JsonObject }) {
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (schema.format !== undefined) delete schema.pattern;
  },
} as const;
