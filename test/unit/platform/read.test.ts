import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { apiKeyList, callPage, embeddingCostRows, graphResult, workflowPage } from "../../../platform";
import { readJson } from "../../../platform/read";
import { cases } from "../../support/cases";

const read = (schema: Parameters<typeof readJson>[0], value: unknown) => readJson(schema, JSON.stringify(value));

test("unknown fields and unknown values are kept, missing ones are fine", () => {
  const call = { id: "c1", status: "TELEPATHY", callEndedReason: "BORED", mood: { x: [1] } };
  const reading = read(callPage(), { calls: [call], trace: 7 });
  assert.deepEqual(reading, { ok: true, value: { calls: [call], trace: 7 }, odd: [] });
});

test("null or a wrong type in an optional field counts as missing, and is reported", () => {
  const reading = read(workflowPage(), {
    data: [{ id: "w", name: null, steps: [{ order: "first", type: "CALL" }], stats: 5 }],
    pagination: { limit: 10, nextCursor: null },
  });
  assert.ok(reading.ok);
  assert.deepEqual(reading.value, { data: [{ id: "w", steps: [{ type: "CALL" }] }], pagination: { limit: 10 } });
  assert.deepEqual([...reading.odd].sort(), [
    "data[0].name",
    "data[0].stats",
    "data[0].steps[0].order",
    "pagination.nextCursor",
  ]);
});

test("null stays where the document allows it", () => {
  const reading = read(apiKeyList(), { data: [{ id: "k", expires_at: null, last_used_at: null }] });
  assert.ok(reading.ok);
  assert.deepEqual(reading.value, { data: [{ id: "k", expires_at: null, last_used_at: null }] });
});

test("an object without required fields is dropped, and its neighbors stay", () => {
  const finding = { message: "m", node_id: "a", source_span: { start_line: 1, start_col: "x" } };
  const reading = read(graphResult(), { graph_version: 3, validation: { findings: [finding] } });
  assert.ok(reading.ok);
  assert.deepEqual(reading.value, {
    graph_version: 3,
    validation: { findings: [{ message: "m", node_id: "a" }] },
  });
});

test("a row without an ID makes the response unreadable, so no row is lost", () => {
  for (const row of [{ name: "no id" }, { id: 5 }, null, "x"]) {
    const reading = read(apiKeyList(), { data: [{ id: "k" }, row] });
    assert.ok(!reading.ok, JSON.stringify(row));
    assert.match(reading.why, /^data\[1\](\.id)? is missing or doesn't/);
  }
  const rows = read(embeddingCostRows(), [{ kb_id: "a" }]);
  assert.ok(!rows.ok);
});

test("a response that isn't JSON is unreadable and isn't quoted", () => {
  for (const body of ["", "  ", "<html>", '{"data": [', "sk-secret"]) {
    const reading = readJson(apiKeyList(), body);
    assert.ok(!reading.ok);
    assert.match(reading.why, /^it (is empty|isn't JSON)$/);
  }
  for (const body of ["null", "5", '"x"', "[]", "{}"]) assert.ok(!readJson(apiKeyList(), body).ok, body);
});

test("no response makes parsing throw", () => {
  const json = fc.jsonValue({ maxDepth: 6 });
  const nearMiss = fc.record(
    { data: fc.array(fc.dictionary(fc.constantFrom("id", "name", "steps", "stats"), json)), pagination: json },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(json, nearMiss), (value) => {
      const reading = read(workflowPage(), value);
      assert.equal(typeof reading.ok, "boolean");
    }),
    { numRuns: cases(500) },
  );
});
