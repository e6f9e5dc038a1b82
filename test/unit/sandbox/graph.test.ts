/**
 * Batches of operations: order, atomicity, versions, the five responses to a stale one, and the compile that follows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MismatchBehavior } from "../../../sandbox";
import { type Conforming, conforming } from "./conform";

const ASSISTANT = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";

async function within(behavior: MismatchBehavior, run: (it: Conforming) => Promise<void>): Promise<void> {
  const begun = Date.now();
  // Time advances only on request.
  const it = await conforming({ demo: true, onVersionMismatch: behavior, wall: () => begun });
  try {
    await run(it);
  } finally {
    await it.sandbox.stop();
  }
}
const send = (it: Conforming, ops: object[], base_version?: number) =>
  it.platform("POST", `/v1/assistants/${ASSISTANT}/revisions/${REVISION}/graph/ops`, {
    body: { ops, ...(base_version === undefined ? {} : { base_version }) },
  });
const read = async (it: Conforming) => (await it.platform("GET", `/v1/workflows/revisions/${REVISION}`)).body;

test("all ten kinds are applied in order, and the normalized graph shows them", () =>
  within("409", async (it) => {
    const first = await send(it, [
      { op: "upsert_context_variable", variable: { name: "a", type: "string" } },
      { op: "upsert_context_variable", variable: { name: "gone" } },
      { op: "upsert_node", node: { id: "one", type: "message", instructions: "{{a}}", extra: { deep: [1, null] } } },
      { op: "upsert_node", node: { id: "two", type: "end" } },
      { op: "upsert_node", node: { id: "gone", type: "end" } },
      { op: "add_edge", edge: { id: "e1", source: "one", target: "two", label: "x" } },
      { op: "add_edge", edge: { id: "e2", source: "one", target: "gone" } },
      { op: "update_node_fields", node_id: "one", fields: { name: "One", instructions: null } },
      { op: "remove_edge", edge_id: "e2" },
      { op: "remove_node", node_id: "gone" },
      { op: "remove_context_variable", name: "gone" },
      { op: "set_entry_node", node_id: "one" },
      { op: "set_persona", persona: "Kind." },
      { op: "set_component_outputs", outputs: [{ name: "a", value: "{{a}}" }] },
    ]);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.equal(first.body.graph_version, 1);
    assert.deepEqual(first.body.validation.normalized_graph, {
      persona: "Kind.",
      entry_node_id: "one",
      context_variables: [{ name: "a", type: "string" }],
      nodes: [
        { id: "one", type: "message", extra: { deep: [1, null] }, name: "One" },
        { id: "two", type: "end" },
      ],
      edges: [{ id: "e1", source: "one", target: "two", label: "x" }],
      component_outputs: [{ name: "a", value: "{{a}}" }],
    });
    const second = await send(it, [{ op: "set_persona", persona: null }], 1);
    assert.equal(second.body.graph_version, 2);
    assert.equal(second.body.validation.normalized_graph.persona, undefined);
  }));

test("a batch that fails in the middle changes nothing", () =>
  within("409", async (it) => {
    await send(it, [{ op: "upsert_node", node: { id: "one", type: "end" } }]);
    const failed = await send(it, [
      { op: "upsert_node", node: { id: "two", type: "end" } },
      { op: "remove_node", node_id: "three" },
    ]);
    assert.equal(failed.status, 422);
    assert.deepEqual(failed.body.detail[0].loc, ["body", "ops", 1, "node_id"]);
    const after = await send(it, [{ op: "set_persona", persona: "x" }]);
    assert.equal(after.body.graph_version, 2);
    assert.deepEqual(
      after.body.validation.normalized_graph.nodes.map((node: { id: string }) => node.id),
      ["one"],
    );
  }));

for (const behavior of ["409", "412", "422", "apply", "ignore"] as const)
  test(`a stale base_version with --on-version-mismatch=${behavior}`, () =>
    within(behavior, async (it) => {
      await send(it, [{ op: "set_persona", persona: "first" }], 0);
      const stale = await send(it, [{ op: "set_persona", persona: "stale" }], 0);
      const now = await read(it);
      if (behavior === "apply") {
        assert.equal(stale.status, 200);
        assert.equal(stale.body.updated, true);
        assert.equal(now.graph_version, 2);
        return;
      }
      assert.equal(now.graph_version, 1);
      if (behavior === "ignore") {
        assert.equal(stale.status, 200);
        assert.equal(stale.body.updated, false);
        assert.equal(stale.body.graph_version, 1);
        assert.equal(stale.body.validation.normalized_graph.persona, "first");
        return;
      }
      assert.equal(stale.status, Number(behavior));
      if (behavior === "422") assert.deepEqual(stale.body.detail[0].loc, ["body", "base_version"]);
      else assert.match(stale.body.message, /version 1, not 0/);
    }));

test("the compile follows over time: pending, running, then succeeded or failed", () =>
  within("409", async (it) => {
    assert.equal((await read(it)).compilation_status, "not_started");
    const pass = async (ms: number) => {
      await it.admin("POST", "/clock", { advance_ms: ms });
      return read(it);
    };
    const good = [
      { op: "upsert_node", node: { id: "one", type: "end" } },
      { op: "set_entry_node", node_id: "one" },
    ];
    const { revision } = (await send(it, good)).body;
    assert.ok(["pending", "running"].includes(revision.compilation_status));
    assert.equal(revision.compiled_graph, undefined);
    const done = await pass(2000);
    assert.equal(done.compilation_status, "succeeded");
    assert.equal(done.compiled_graph.graph_version, 1);
    assert.deepEqual(done.executable_graph, done.compiled_graph);
    await send(it, [{ op: "set_entry_node", node_id: "nowhere" }]);
    const working = await read(it);
    assert.ok(["pending", "running"].includes(working.compilation_status));
    assert.deepEqual(working.compilation_errors, []);
    assert.equal(working.compiled_graph.graph_version, 1, "the old compile is shown until the new one is done");
    const failed = await pass(2000);
    assert.equal(failed.compilation_status, "failed");
    assert.match(failed.compilation_errors[0], /^entry\.unknown: /);
    assert.equal(failed.compiled_graph.graph_version, 2);
    assert.equal(failed.executable_graph.graph_version, 1, "what can be run stays the last good one");
  }));

test("equal graphs have equal input hashes", () =>
  within("409", async (it) => {
    const hash = async (persona: string) =>
      (await send(it, [{ op: "set_persona", persona }])).body.revision.compilation_input_hash;
    const first = await hash("a");
    assert.notEqual(await hash("b"), first);
    assert.equal(await hash("a"), first);
  }));

test("an archived assistant's flow cannot be changed; the persona of a flow shows on its assistant", () =>
  within("409", async (it) => {
    const agent = it.sandbox.demo?.archivedAssistant;
    const restored = await conforming({ demo: true });
    const revision = (await restored.platform("POST", `/v1/assistants/${agent}/restore`)).body.active_revision_id;
    await restored.sandbox.stop();
    const path = `/v1/assistants/${agent}/revisions/${revision}/graph/ops`;
    const body = { ops: [{ op: "set_persona", persona: "Festive." }] };
    assert.equal((await it.platform("POST", path, { body })).body.error, "assistant_archived");
    await it.platform("POST", `/v1/assistants/${agent}/restore`);
    assert.equal((await it.platform("POST", path, { body })).status, 200);
    assert.equal(
      (await it.platform("POST", `/v1/assistants/${ASSISTANT}/revisions/${revision}/graph/ops`, { body })).status,
      404,
    );
  }));

test("endpoints the document only refers to can be left out", async () => {
  const it = await conforming({ without: ["whoami", "revision-read", "review-list"] });
  for (const path of ["/v1/identity/whoami", "/v1/workflows/revisions/x", "/v1/identity/review-requests"])
    assert.equal((await it.platform("GET", path)).status, 404);
  assert.equal((await it.platform("GET", "/v1/identity/api-keys")).status, 200);
  await it.sandbox.stop();
});
