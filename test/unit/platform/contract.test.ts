import assert from "node:assert/strict";
import { test } from "node:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { GraphOp } from "../../../flow";
import { openApiDocument, type WireGraphOp } from "../../../platform";
import { ASSUMED_ENDPOINTS, ENDPOINTS, RESOURCES, type Shape } from "./document";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is read here by paths that the assertions check.
type Json = any;

const document: Json = openApiDocument();
const schemas: Record<string, Json> = document.components.schemas;

/** Writes a JSON Schema in the notation of document.ts. */
function shapeOf(schema: Json): Shape {
  if (schema.$ref) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return schema.anyOf.map(shapeOf).join(" or ");
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.type === "array") return [shapeOf(schema.items)];
  if (schema.type === "object") {
    if (!schema.properties) return "object";
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        schema.required?.includes(name) ? `${name}!` : name,
        shapeOf(field),
      ]),
    );
  }
  if (schema.format) return schema.format.replace("date-time", "datetime");
  if (schema.examples) return `${schema.type} like ${schema.examples.join(" ")}`;
  return schema.type ?? "any";
}

for (const [name, shape] of Object.entries(RESOURCES))
  test(`${name} has every field of the document and no other`, () => {
    assert.ok(schemas[name], `${name} is not in the OpenAPI document`);
    assert.deepEqual(shapeOf(schemas[name]), shape);
  });

test("every object keeps fields that are not documented", () => {
  const visit = (schema: Json, where: string) => {
    if (typeof schema !== "object" || schema === null) return;
    if (schema.type === "object" && schema.properties)
      assert.deepEqual(schema.additionalProperties, {}, `${where} would drop or refuse an unknown field`);
    for (const [key, value] of Object.entries(schema)) visit(value, `${where}.${key}`);
  };
  visit(schemas, "schemas");
});

test("the endpoints are those of part 4 of the API description, and three assumed ones", () => {
  const seen = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method]) => method !== "servers")
      .map(([method, operation]) => ({ request: `${method.toUpperCase()} ${path}`, operation })),
  );
  const refName = (content: Json) => content?.["application/json"].schema.$ref.split("/").pop();
  const documented = seen.filter(({ operation }) => !operation["x-assumed"]);
  assert.deepEqual(
    documented
      .map(({ request, operation }) => {
        const query = operation.parameters.filter((parameter: Json) => parameter.in === "query");
        const status = Object.keys(operation.responses).find((each) => each.startsWith("2")) ?? "";
        return [
          request,
          query.map((parameter: Json) => parameter.name + (parameter.required ? "!" : "")).join(" "),
          refName(operation.requestBody?.content),
          Number(status),
          refName(operation.responses[status].content),
        ];
      })
      .sort(),
    [...ENDPOINTS].sort(),
  );
  assert.deepEqual(
    seen.filter(({ operation }) => operation["x-assumed"]).map(({ request }) => request),
    ASSUMED_ENDPOINTS,
  );
});

test("every path parameter is declared, and the calling paths belong to the calling address", () => {
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const [method, operation] of Object.entries<Json>(item)) {
      if (method === "servers") continue;
      const declared = operation.parameters.filter((parameter: Json) => parameter.in === "path");
      assert.deepEqual(
        declared.map((parameter: Json) => parameter.name),
        names,
      );
    }
    assert.equal(item.servers[0].url, path.startsWith("/v1/") ? "{base_url}" : "{workflow_base_url}");
  }
});

test("versions, addresses, key header and limits match the API description", () => {
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "1.87.0");
  assert.deepEqual(document.components.securitySchemes.apiKey, { type: "apiKey", in: "header", name: "x-api-key" });
  assert.deepEqual(document.security, [{ apiKey: [] }]);
  assert.equal(schemas.GraphOpsRequest.properties.ops.minItems, 1);
  assert.equal(schemas.GraphOpsRequest.properties.ops.maxItems, 200);
  const { minimum, maximum, default: byDefault } = schemas.EmbeddingCostByKbQuery.properties.limit;
  assert.deepEqual([minimum, maximum, byDefault], [1, 100, 20]);
  assert.equal(schemas.CallingWorkflowQuery.properties.limit.default, "10");
  const servers = { platform: "http://127.0.0.1:1", calling: "http://127.0.0.1:1/calling" };
  assert.deepEqual(
    (openApiDocument(servers) as Json).servers.map((server: Json) => server.url),
    Object.values(servers),
  );
});

test("an independent validator accepts the schemas and tells good from bad", () => {
  const ajv = addFormats(new Ajv2020({ strict: false }));
  ajv.addSchema(document, "openapi");
  const valid = (name: string, value: unknown) => ajv.validate({ $ref: `openapi#/components/schemas/${name}` }, value);
  for (const name of Object.keys(schemas)) assert.equal(valid(name, 5), false, `${name} accepts a number`);
  assert.ok(valid("ApiKey", { id: "k", expires_at: null, more: 1 }));
  assert.ok(!valid("ApiKey", { id: "k", created_at: null }));
  assert.ok(valid("GraphOpsRequest", { ops: [{ op: "upsert_node", node: { id: "a", type: "message" } }] }));
  assert.ok(!valid("GraphOpsRequest", { ops: [{ op: "upsert_node", node: { type: "message" } }] }));
  assert.ok(!valid("GraphOpsRequest", { ops: [] }));
  assert.ok(!valid("GraphOpsRequest", { ops: Array(201).fill({ op: "remove_node", node_id: "a" }) }));
  assert.ok(valid("Finding", { severity: "a severity nobody has heard of" }));
});

test("the ten operations of flow/ and of the contract are the same", () => {
  // Checked by compiling: each type is assignable to the other, except for what a schema's type can't express:
  // readonly, and additional fields.
  type Frozen<T> = T extends string | number | boolean | null | undefined
    ? T
    : T extends unknown[]
      ? readonly Frozen<T[number]>[]
      : T extends object
        ? { readonly [K in keyof T as string extends K ? never : K]: Frozen<T[K]> }
        : T;
  const toWire = (op: GraphOp): Frozen<WireGraphOp> => op;
  const fromWire = (op: WireGraphOp): GraphOp => op;
  const kinds: Record<GraphOp["op"], true> & Record<WireGraphOp["op"], true> = {
    upsert_node: true,
    remove_node: true,
    update_node_fields: true,
    add_edge: true,
    remove_edge: true,
    set_entry_node: true,
    upsert_context_variable: true,
    remove_context_variable: true,
    set_persona: true,
    set_component_outputs: true,
  };
  assert.equal(Object.keys(kinds).length, 10);
  assert.equal(schemas.GraphOp.oneOf.length, 10);
  const op: GraphOp = { op: "remove_node", node_id: "a" };
  assert.deepEqual(fromWire(toWire(op) as WireGraphOp), op);
});
