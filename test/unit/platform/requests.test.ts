import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRequest, type EndpointName } from "../../../platform";

type Query = [string, string][];
const dates: Query = [
  ["start_date", "2026-01-01"],
  ["end_date", "2026-01-31"],
];

/** The faults of a request as `loc type`, or "ok". */
function check(name: EndpointName, request: { query?: Query; body?: unknown }): string[] | "ok" {
  const checked = checkRequest(name, request);
  if (checked.ok) return "ok";
  assert.equal(checked.status, 422);
  return (checked.body.detail ?? []).map((fault) => `${fault.loc.join(".")} ${fault.type}`);
}

const ops = (...items: unknown[]) => ({ body: { ops: items } });

const CASES: readonly (readonly [EndpointName, { query?: Query; body?: unknown }, string[] | "ok"])[] = [
  ["getModelRouterEmbeddingCostByKb", { query: dates }, "ok"],
  ["getModelRouterEmbeddingCostByKb", {}, ["query.start_date missing", "query.end_date missing"]],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", "1"]] }, "ok"],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", "100"]] }, "ok"],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", "0"]] }, ["query.limit greater_than_equal"]],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", "101"]] }, ["query.limit less_than_equal"]],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", "ten"]] }, ["query.limit int_parsing"]],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", ""]] }, ["query.limit int_parsing"]],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["limit", "1.5"]] }, ["query.limit int_parsing"]],
  ["getModelRouterEmbeddingCostByKb", { query: [...dates, ["source", "7"]] }, "ok"],
  [
    "getModelRouterEmbeddingCostByKb",
    { query: [["start_date", "2026-02-30"], dates[1] as [string, string]] },
    ["query.start_date date_parsing"],
  ],
  ["applyGraphOps", {}, ["body missing"]],
  ["applyGraphOps", { body: [] }, ["body dict_type"]],
  ["applyGraphOps", { body: {} }, ["body.ops missing"]],
  ["applyGraphOps", { body: { ops: "x" } }, ["body.ops list_type"]],
  ["applyGraphOps", ops(), ["body.ops too_short"]],
  ["applyGraphOps", ops(...Array(200).fill({ op: "remove_node", node_id: "a" })), "ok"],
  ["applyGraphOps", ops(...Array(201).fill({ op: "remove_node", node_id: "a" })), ["body.ops too_long"]],
  [
    "applyGraphOps",
    { body: { ops: [{ op: "remove_node", node_id: "a" }], base_version: "1" } },
    ["body.base_version int_type"],
  ],
  [
    "applyGraphOps",
    { body: { ops: [{ op: "remove_node", node_id: "a" }], base_version: 1.5 } },
    ["body.base_version int_type"],
  ],
  ["applyGraphOps", ops({ op: "upsert_node", node: { id: "a", type: "a type nobody knows", more: [1] } }), "ok"],
  ["applyGraphOps", ops({ op: "upsert_node", node: { id: "a", type: 3 } }), ["body.ops.0.node.type string_type"]],
  ["applyGraphOps", ops({ op: "upsert_node", node: {} }), ["body.ops.0.node.id missing"]],
  ["applyGraphOps", ops({ op: "upsert_node" }), ["body.ops.0.node missing"]],
  ["applyGraphOps", ops({ op: "remove_node", node_id: "a" }, { op: "explode" }), ["body.ops.1.op union_tag_invalid"]],
  ["applyGraphOps", ops({}), ["body.ops.0.op missing"]],
  ["applyGraphOps", ops(null), ["body.ops.0 dict_type"]],
  ["applyGraphOps", ops({ op: "update_node_fields", node_id: "a", fields: [] }), ["body.ops.0.fields dict_type"]],
  ["applyGraphOps", ops({ op: "add_edge", edge: { id: "e", source: "a" } }), ["body.ops.0.edge.target missing"]],
  ["applyGraphOps", ops({ op: "set_entry_node", node_id: null }, { op: "set_persona", persona: null }), "ok"],
  ["applyGraphOps", ops({ op: "set_persona" }), ["body.ops.0.persona missing"]],
  [
    "applyGraphOps",
    ops({ op: "set_component_outputs", outputs: [{ name: 1 }] }),
    ["body.ops.0.outputs.0.name string_type"],
  ],
  ["rejectReviewRequest", {}, "ok"],
  ["rejectReviewRequest", { body: { resolution_note: 5 } }, ["body.resolution_note string_type"]],
  ["rejectReviewRequest", { body: { resolution_note: null } }, ["body.resolution_note string_type"]],
  ["createCall", { body: { firstName: 5 } }, ["body.firstName string_type"]],
  ["createExecution", { body: { textContent: "Hello", unknown: 1 } }, "ok"],
  [
    "listWorkflows",
    {
      query: [
        ["limit", "100"],
        ["active", "false"],
        ["cursor", "w1"],
      ],
    },
    "ok",
  ],
  ["listWorkflows", { query: [["limit", "101"]] }, ["query.limit string_pattern_mismatch"]],
  ["listWorkflows", { query: [["limit", "0"]] }, ["query.limit string_pattern_mismatch"]],
  ["listWorkflows", { query: [["active", "yes"]] }, ["query.active enum"]],
  [
    "listCalls",
    {
      query: [
        ["callEndedReason", "DNC"],
        ["createdAt", "2026-01-01T00:00:00.000Z"],
      ],
    },
    "ok",
  ],
  ["listCalls", { query: [["callEndedReason", "dnc"]] }, ["query.callEndedReason enum"]],
  ["listCalls", { query: [["createdAt", "yesterday"]] }, ["query.createdAt datetime_parsing"]],
  ["listApiKeys", { query: [["anything", "1"]] }, "ok"],
];

for (const [name, request, expected] of CASES)
  test(`${name} ${JSON.stringify(request).slice(0, 90)}`, () => assert.deepEqual(check(name, request), expected));

test("an invalid key request returns 400 bad_request", () => {
  for (const body of [undefined, {}, { name: 5 }, { name: "a", scopes: "x" }, { name: "a", expires_at: "tomorrow" }]) {
    const checked = checkRequest("createApiKey", { body });
    assert.ok(!checked.ok && checked.status === 400, JSON.stringify(body));
    assert.equal((checked.body as { error: string }).error, "bad_request");
  }
  for (const expires_at of ["2030-01-01T00:00:00Z", "2030-01-01T00:00:00+02:00", "2030-01-01T00:00:00.123"])
    assert.ok(checkRequest("createApiKey", { body: { name: "a", expires_at } }).ok, expires_at);
});

test("a name that every object inherits isn't a query field", () => {
  assert.ok(
    checkRequest("listWorkflows", {
      query: [
        ["constructor", "1"],
        ["__proto__", "2"],
        ["toString", "3"],
      ],
    }).ok,
  );
});
