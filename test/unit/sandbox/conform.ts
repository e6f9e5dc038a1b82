/**
 * Sends requests to a sandbox over real HTTP and validates every request and response against the OpenAPI document that
 * it serves, with ajv. Responses are also validated against a closed form: no undocumented field, and no null unless
 * allowed.
 */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

export interface Ask {
  readonly key?: string | null;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request violates the contract on purpose; `schema` if the document itself excludes it. */
  readonly broken?: "schema" | "meaning";
}

export interface Conforming {
  readonly sandbox: Sandbox;
  platform(method: string, path: string, ask?: Ask): Promise<Reply>;
  calling(method: string, path: string, ask?: Ask): Promise<Reply>;
  admin(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Operations that were answered with their success status. */
  readonly covered: ReadonlySet<string>;
}

export async function conforming(options: SandboxOptions = {}): Promise<Conforming> {
  const sandbox = await startSandbox({ adminPort: 0, ...options });
  const document = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as Json;
  const contract = checker(document);
  const covered = new Set<string>();
  const ask = async (base: string, method: string, path: string, options: Ask = {}): Promise<Reply> => {
    const key = options.key === undefined ? sandbox.apiKey : options.key;
    const sent = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(key === null ? {} : { "x-api-key": key }),
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const body = type.startsWith("application/json") ? JSON.parse(text) : text;
    const operation = contract.find(base, method, path);
    if (operation) {
      contract.checkRequest(operation, path, options);
      contract.checkResponse(operation, response.status, text === "" ? undefined : body);
      if (response.ok) covered.add(operation.id);
    }
    return { status: response.status, headers: response.headers, body };
  };
  return {
    sandbox,
    platform: (method, path, options) => ask(sandbox.baseUrl, method, path, options),
    calling: (method, path, options) => ask(sandbox.workflowBaseUrl, method, path, options),
    admin: (method, path, body) =>
      ask(sandbox.adminUrl ?? "", method, path, { key: null, ...(body === undefined ? {} : { body }) }),
    covered,
  };
}

/** Every operation the document lists. */
export async function operationIds(sandbox: Sandbox): Promise<string[]> {
  const document = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as Json;
  return Object.values(document.paths as Record<string, Json>).flatMap((path) =>
    Object.values(path).flatMap((each) => ((each as Json).operationId as string | undefined) ?? []),
  );
}

interface Operation {
  readonly id: string;
  readonly spec: Json;
}

/** Statuses of the HTTP server, before any operation. */
const HTTP_STATUSES = [413, 415, 500, 503];

function checker(document: Json) {
  const open = ajvFor(document, "open");
  const closed = ajvFor(closedForm(document), "closed");
  const check = (ajv: Ajv2020, schema: Json, value: unknown) => {
    const validate = ajv.compile(rooted(schema, ajv === open ? "open" : "closed"));
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  return {
    find(base: string, method: string, path: string): Operation | undefined {
      const asked = path.split("?")[0] ?? "";
      for (const [template, item] of Object.entries(document.paths as Record<string, Json>)) {
        const server = (item.servers as { url: string }[])[0]?.url;
        if (server !== base || !new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(asked)) continue;
        const spec = item[method.toLowerCase()] as Json | undefined;
        if (spec) return { id: spec.operationId as string, spec };
      }
      return undefined;
    },
    checkRequest({ id, spec }: Operation, path: string, ask: Ask): void {
      if (ask.raw !== undefined || ask.broken === "meaning") return;
      const problems: string[] = [];
      const query = new URLSearchParams(path.split("?")[1] ?? "");
      for (const parameter of spec.parameters as Json[]) {
        if (parameter.in !== "query") continue;
        const text = query.get(parameter.name as string);
        if (text === null) {
          if (parameter.required) problems.push(`${parameter.name} is missing`);
          continue;
        }
        const schema = parameter.schema as Json;
        const value = schema.type === "integer" && /^-?\d+$/.test(text) ? Number(text) : text;
        const problem = check(open, schema, value);
        if (problem) problems.push(`${parameter.name}: ${problem}`);
      }
      const request = spec.requestBody as Json | undefined;
      if (request && ask.body !== undefined) {
        const problem = check(open, schemaOf(request), ask.body);
        if (problem) problems.push(problem);
      } else if (request?.required && ask.body === undefined) problems.push("the body is missing");
      if (ask.broken === "schema")
        assert.notEqual(problems.length, 0, `${id}: the document finds nothing wrong with this`);
      else assert.deepEqual(problems, [], `${id}: the request does not hold`);
    },
    checkResponse({ id, spec }: Operation, status: number, body: unknown): void {
      const responses = spec.responses as Record<string, Json>;
      const response = responses[status];
      if (!response) {
        assert.ok(HTTP_STATUSES.includes(status), `${id}: ${status} is not in the document`);
        assert.equal(check(closed, { $ref: "#/components/schemas/ErrorResponse" }, body), undefined);
        return;
      }
      if (!response.content) {
        assert.equal(body, undefined, `${id}: ${status} has a body`);
        return;
      }
      const problem = check(open, schemaOf(response), body) ?? check(closed, schemaOf(response), body);
      assert.equal(problem, undefined, `${id} ${status}: ${problem}`);
      assert.deepEqual(nullsIn(body), [], `${id} ${status}: null where the document allows none`);
    },
  };
}

function ajvFor(document: Json, name: string): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: name, components: document.components as Json });
  return ajv;
}

/** The same schema, its references pointing into the document. */
function rooted(schema: Json, name: string): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${name}#/components/`)) as Json;
}

function schemaOf(holder: Json): Json {
  return ((holder.content as Json)["application/json"] as Json).schema as Json;
}

/** Parts of a graph are open. */
const OPEN_SCHEMAS = new Set([
  "FlowNode",
  "FlowEdge",
  "FlowContextVariable",
  "FlowComponentOutput",
  "AssistantRevision",
]);

function closedForm(document: Json): Json {
  const copy = structuredClone(document);
  const close = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const schema = value as Json;
    if (schema.properties) schema.additionalProperties = false;
    for (const each of Object.values(schema)) close(each);
  };
  for (const [name, schema] of Object.entries((copy.components as Json).schemas as Json))
    if (!OPEN_SCHEMAS.has(name)) close(schema);
  return copy;
}

const NULLABLE = new Set(["last_used_at", "expires_at", "retryable", "retry_after"]);

function nullsIn(value: unknown, path = ""): string[] {
  // Fields that repeat what the caller sent.
  if (/normalized_graph|compiled_graph|executable_graph|\.input$|\.ctx/.test(path)) return [];
  if (value === null) return NULLABLE.has(path.slice(path.lastIndexOf(".") + 1)) ? [] : [path];
  if (typeof value !== "object") return [];
  return Object.entries(value as Json).flatMap(([key, each]) => nullsIn(each, `${path}.${key}`));
}
