/** The decisions of reconcile.ts as a table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElementRef, Graph, GraphEdge, GraphNode, GraphOp } from "../../../flow";
import type { JournalRecord } from "../../../sync/journal/record";
import { asWritten, carry, withoutAdditions } from "../../../sync/normal-form/normal-form";
import { type Answer, reconcile, view } from "../../../sync/reconcile";

function graphOf(nodes: Record<string, Omit<GraphNode, "id">>, edges: readonly GraphEdge[] = []): Graph {
  return {
    nodes: new Map(Object.entries(nodes).map(([id, node]) => [id, { id, type: "message", ...node }])),
    edges: new Map(edges.map((edge) => [edge.id, edge])),
    variables: new Map(),
    outputs: [],
  };
}

const set = (node_id: string, fields: Record<string, unknown>): GraphOp => ({
  op: "update_node_fields",
  node_id,
  fields,
});
const edge = (id: string): GraphEdge => ({ id, source: "a", target: "b" });

const start = graphOf({ a: { text: "old" }, b: {} });

interface Case {
  readonly name: string;
  readonly base: Graph;
  readonly sent: readonly GraphOp[];
  readonly seen: Graph;
  readonly version: number;
  readonly answer: Answer;
  readonly made?: number;
  /** The platform's graph as the file would write it; undefined if it must be merged first. */
  readonly reads?: Graph;
  readonly notStored?: number;
  readonly notTaken?: readonly string[];
}

/** Batches that the platform answers but doesn't apply. */
interface Ignored {
  readonly name: string;
  readonly base?: Graph;
  readonly sent: readonly GraphOp[];
  readonly notTaken: readonly string[];
  /** False if a platform that makes a version of it may have another reason: it doesn't store such values. */
  readonly isShown?: boolean;
}

const variable = (name: string, type: string) => ({ name, type });
const rich: Graph = {
  ...graphOf({ a: { text: "old" }, b: {}, c: {} }, [
    { ...edge("2"), when: "they ask" },
    { ...edge("1"), target: "c" },
    { ...edge("3"), target: "b" },
  ]),
  persona: "Kind.",
  entry: "a",
  variables: new Map([["mood", variable("mood", "string")]]),
  outputs: [{ name: "o", value: "one" }],
};
const ignored: readonly Ignored[] = [
  { name: "a value", sent: [set("a", { text: "new" })], notTaken: ["node a.text"] },
  { name: "a value taken away", sent: [set("a", { text: null })], notTaken: ["node a.text"] },
  { name: "a new field", sent: [set("a", { note: "mine" })], notTaken: ["node a.note"], isShown: false },
  {
    name: "a new node",
    sent: [{ op: "upsert_node", node: { id: "c", type: "end" } }],
    notTaken: ["node c"],
    isShown: false,
  },
  {
    name: "another type of node",
    sent: [{ op: "upsert_node", node: { id: "a", type: "collect", text: "old" } }],
    notTaken: ["node a.type"],
  },
  { name: "a removed node", sent: [{ op: "remove_node", node_id: "b" }], notTaken: ["node b"] },
  { name: "a removed edge", base: rich, sent: [{ op: "remove_edge", edge_id: "1" }], notTaken: ["edge 1"] },
  {
    name: "a changed edge at the end of its list",
    base: rich,
    sent: [
      { op: "remove_edge", edge_id: "3" },
      { op: "add_edge", edge: { ...edge("3"), target: "c" } },
    ],
    notTaken: ["edge 3.target"],
  },
  {
    name: "another order",
    base: rich,
    sent: [
      { op: "remove_edge", edge_id: "2" },
      { op: "add_edge", edge: { ...edge("2"), when: "they ask" } },
    ],
    notTaken: ["node a.edges"],
  },
  {
    name: "a removed variable",
    base: rich,
    sent: [{ op: "remove_context_variable", name: "mood" }],
    notTaken: ["variable mood"],
  },
  {
    name: "a changed variable",
    base: rich,
    sent: [{ op: "upsert_context_variable", variable: variable("mood", "number") }],
    notTaken: ["variable mood.type"],
  },
  { name: "the persona", base: rich, sent: [{ op: "set_persona", persona: "Stern." }], notTaken: ["persona"] },
  { name: "no persona", base: rich, sent: [{ op: "set_persona", persona: null }], notTaken: ["persona"] },
  { name: "the entry", base: rich, sent: [{ op: "set_entry_node", node_id: "b" }], notTaken: ["entry"] },
  {
    name: "the outputs",
    base: rich,
    sent: [{ op: "set_component_outputs", outputs: [{ name: "o", value: "two" }] }],
    notTaken: ["component_outputs"],
  },
];

const cases: readonly Case[] = [
  {
    name: "as meant",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "new" }, b: {} }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "new" }, b: {} }),
  },
  {
    name: "a default that was added is not read",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "new", timeout: 30 }, b: { timeout: 30 } }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "new" }, b: {} }),
  },
  {
    name: "a field that was dropped is still read",
    base: start,
    sent: [set("a", { note: "mine" })],
    seen: start,
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "old", note: "mine" }, b: {} }),
  },
  {
    name: "a field that stays absent without a version is no evidence that it isn't stored",
    base: start,
    sent: [set("a", { note: "mine" })],
    seen: start,
    version: 1,
    answer: "unchanged",
    reads: start,
    notTaken: ["node a.note"],
  },
  {
    name: "a field that stays absent while the rest of the batch arrived isn't stored",
    base: start,
    sent: [set("a", { note: "mine", text: "new" })],
    seen: graphOf({ a: { text: "new" }, b: {} }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "new", note: "mine" }, b: {} }),
  },
  {
    name: "a field that stays absent while the rest of the batch was ignored was ignored as well",
    base: start,
    sent: [set("a", { note: "mine", text: "new" })],
    seen: start,
    version: 2,
    answer: "applied",
    reads: start,
    notTaken: ["node a.text", "node a.note"],
  },
  {
    name: "a part of a batch was ignored: the rest is learned, the part is to be sent again",
    base: start,
    sent: [set("a", { text: "new" }), set("b", { timeout: "45s" })],
    seen: graphOf({ a: { text: "old" }, b: { timeout: 45 } }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "old" }, b: { timeout: "45s" } }),
    notTaken: ["node a.text"],
  },
  {
    name: "another type, or white space around it, is the same value though nothing moved",
    base: graphOf({ a: { text: "old", tries: 3 }, b: {} }),
    sent: [set("a", { text: "old\n", tries: "3" })],
    seen: graphOf({ a: { text: "old", tries: 3 }, b: {} }),
    version: 1,
    answer: "unchanged",
    reads: graphOf({ a: { text: "old\n", tries: "3" }, b: {} }),
  },
  {
    name: "another case is another value, unless the platform keeps one case",
    base: graphOf({ a: { text: "Old", kind: "low" }, b: {} }),
    sent: [set("a", { text: "old", kind: "Low" })],
    seen: graphOf({ a: { text: "Old", kind: "low" }, b: {} }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "Old", kind: "Low" }, b: {} }),
    notTaken: ["node a.text"],
  },
  {
    name: "nothing of the batch is there, and something else is: that is somebody's",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "old" }, b: { text: "theirs" } }),
    version: 2,
    answer: "applied",
  },
  ...[
    { a: { text: "old" }, b: { text: "theirs" } },
    { a: { text: "old", name: "theirs" }, b: {} },
  ].flatMap((nodes) =>
    [{ note: "mine" }, { text: "OLD" }, { text: " old" }].map(
      (fields): Case => ({
        name: `somebody's version is no evidence of how a field is kept: ${JSON.stringify([fields, nodes])}`,
        base: start,
        sent: [set("a", fields)],
        seen: graphOf(nodes),
        version: 2,
        answer: "applied",
      }),
    ),
  ),
  {
    name: "a new order that arrived is of the batch, and what is new on a node that the batch wasn't about is a colleague's",
    base: graphOf({ a: {}, b: {}, c: {} }, [edge("1"), { ...edge("2"), target: "c" }]),
    sent: [
      { op: "remove_edge", edge_id: "1" },
      { op: "add_edge", edge: edge("1") },
    ],
    seen: graphOf({ a: { timeout: 30 }, b: {}, c: {} }, [{ ...edge("2"), target: "c" }, edge("1")]),
    version: 2,
    answer: "applied",
  },
  {
    name: "somebody wrote under the same version while the batch was ignored",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "old" }, b: { text: "theirs" } }),
    version: 1,
    answer: "applied",
  },
  // Others may change the graph without a version: changes that a batch can't have made are merged, whatever the
  // version.
  ...Object.entries<Graph>({
    "a value": { ...rich, nodes: new Map([...rich.nodes, ["b", { id: "b", type: "message", text: "theirs" }]]) },
    "another field of the same node": {
      ...rich,
      nodes: new Map([...rich.nodes, ["a", { id: "a", type: "message", text: "theirs" }]]),
    },
    "a field that is gone": {
      ...rich,
      edges: new Map([...rich.edges, ["2", edge("2")]]),
    },
    "a new node": { ...rich, nodes: new Map([...rich.nodes, ["d", { id: "d", type: "end" }]]) },
    "a node that is gone": { ...rich, nodes: new Map([...rich.nodes].filter(([id]) => id !== "c")) },
    "a variable": { ...rich, variables: new Map([["mood", variable("mood", "number")]]) },
    "the persona": { ...rich, persona: "Strict." },
    "the order of edges": { ...rich, edges: new Map([...rich.edges].reverse()) },
  }).flatMap(([name, seen]) =>
    (["applied", "assumed"] as const).map(
      (answer): Case => ({
        name: `a batch whose answer "${answer}" also shows what others did without a version: ${name}`,
        base: rich,
        sent: [set("a", { note: "mine" })],
        seen: {
          ...seen,
          nodes: new Map([...seen.nodes, ["a", { ...(seen.nodes.get("a") as GraphNode), note: "mine" }]]),
        },
        version: 2,
        answer,
      }),
    ),
  ),
  {
    name: "a default that comes with the batch is one elsewhere, too, and so is white space that goes",
    base: graphOf({ a: { text: "old" }, b: { text: " more " } }),
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "new", timeout: 30 }, b: { text: "more", timeout: 30 } }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "new" }, b: { text: " more " } }),
  },
  ...(["applied", "assumed"] as const).flatMap((answer) =>
    (["theirs", "", 7] as const).map(
      (text): Case => ({
        name: `a batch was ignored, by its answer "${answer}", and a colleague set its only field to ${JSON.stringify(text)}`,
        base: start,
        sent: [set("a", { text: "mine" })],
        seen: graphOf({ a: { text }, b: {} }),
        version: 2,
        answer,
      }),
    ),
  ),
  {
    name: "a text that was cut off is the platform's form",
    base: start,
    sent: [set("a", { text: "a very long text" })],
    seen: graphOf({ a: { text: "a very" }, b: {} }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "a very long text" }, b: {} }),
  },
  {
    name: "versions that don't move: the batch shows, and so does its form",
    base: start,
    sent: [set("a", { text: "new", tries: "3" })],
    seen: graphOf({ a: { text: "new", tries: 3 }, b: {} }),
    version: 1,
    answer: "applied",
    reads: graphOf({ a: { text: "new", tries: "3" }, b: {} }),
  },
  ...(["applied", "assumed", "unchanged"] as const).flatMap((answer): Case[] =>
    ignored.map(({ name, base = start, sent, notTaken }) => ({
      name: `an answer "${answer}" with version and graph unmoved took nothing: ${name}`,
      base,
      sent,
      seen: base,
      version: 1,
      answer,
      reads: base,
      notTaken,
    })),
  ),
  // Removals, values and orders that didn't change weren't applied, even if the platform made a version.
  ...ignored
    .filter(({ isShown = true }) => isShown)
    .map(
      ({ name, base = start, sent, notTaken }): Case => ({
        name: `a version without a trace of the batch took nothing: ${name}`,
        base,
        sent,
        seen: base,
        // Any greater number may be the next version.
        version: 2 + (sent.length % 2) * 70,
        answer: "applied",
        reads: base,
        notTaken,
      }),
    ),
  {
    name: "another form, unlike what was written, in the answer itself",
    base: start,
    sent: [set("a", { timeout: "45s" })],
    seen: graphOf({ a: { text: "old", timeout: 45000 }, b: {} }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "old", timeout: "45s" }, b: {} }),
  },
  {
    name: "a renamed field is a drop and an addition",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { body: "new" }, b: {} }),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: { text: "new" }, b: {} }),
  },
  {
    name: "an order that is not kept",
    base: graphOf({ a: {}, b: {} }, [edge("2")]),
    sent: [{ op: "add_edge", edge: edge("1") }],
    seen: graphOf({ a: {}, b: {} }, [edge("1"), edge("2")]),
    version: 2,
    answer: "applied",
    reads: graphOf({ a: {}, b: {} }, [edge("2"), edge("1")]),
  },
  {
    name: "somebody else's version in between is merged",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "new" }, b: { text: "theirs" } }),
    version: 3,
    answer: "applied",
  },
  {
    name: "no answer, and a version that shows the batch: it was applied",
    base: start,
    sent: [set("a", { text: "new words" })],
    seen: graphOf({ a: { text: { value: "new words" }, timeout: 30 }, b: {} }),
    version: 2,
    answer: "unknown",
    reads: graphOf({ a: { text: "new words" }, b: {} }),
  },
  {
    name: "no answer, and a version that shows something else at the same place: somebody's",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "theirs" }, b: {} }),
    version: 2,
    answer: "unknown",
  },
  {
    name: "ignored without a word while somebody else wrote",
    base: start,
    sent: [set("a", { text: "new" })],
    seen: graphOf({ a: { text: "old" }, b: { text: "theirs" } }),
    version: 2,
    answer: "assumed",
  },
  {
    name: "an element that was accepted and not stored is told",
    base: start,
    sent: [{ op: "upsert_node", node: { id: "c", type: "end", text: "bye" } }],
    seen: start,
    version: 2,
    answer: "applied",
    reads: start,
    notStored: 1,
  },
];

for (const each of cases)
  test(each.name, () => {
    const record: JournalRecord = {
      base: { graph: each.base, version: 1 },
      inFlight: { ops: each.sent, baseVersion: 1 },
    };
    const seen = { graph: each.seen, version: each.version, made: each.made ?? 0 };
    const { change, notStored, notTaken } = reconcile(record, seen, each.answer, 0);
    assert.equal(change.inFlight, undefined);
    if (each.reads && change.base) {
      assert.equal(change.remote, undefined);
      assert.deepEqual(plain(view(change.base)), plain(each.reads));
    } else assert.deepEqual([each.reads, change.remote?.graph], [undefined, each.seen]);
    assert.equal(notStored.length, each.notStored ?? 0);
    assert.deepEqual(notTaken.map(nameOf), each.notTaken ?? []);
  });

test("a later change on either side breaks a pair", () => {
  const pairs = [{ of: "node", id: "a", wrote: { timeout: "45s" }, stores: { timeout: 45 } }] as const;
  const read = (timeout: unknown) => asWritten(graphOf({ a: { timeout } }), pairs).nodes.get("a")?.timeout;
  assert.deepEqual([read(45), read(60), read("45s")], ["45s", 60, "45s"]);
});

test("a field and its stored name are one pair: if either changes, both are read unchanged", () => {
  const pairs = [{ of: "node", id: "a", wrote: { text: "mine" }, stores: { body: "mine", timeout: 30 } }] as const;
  const cases: readonly [stored: object, read: object][] = [
    [{ body: "mine", timeout: 30 }, { text: "mine" }],
    // It was removed, or written again under the other name.
    [{ timeout: 30 }, {}],
    [{ body: "theirs", timeout: 30 }, { body: "theirs" }],
    // It is now stored under its own name, and the value under the other one is a leftover.
    [
      { text: "theirs", body: "mine", timeout: 30 },
      { text: "theirs", body: "mine" },
    ],
    [
      { body: "mine", timeout: 60 },
      { text: "mine", timeout: 60 },
    ],
  ];
  for (const [stored, read] of cases) {
    const graph = graphOf({ a: stored as GraphNode });
    assert.deepEqual(asWritten(graph, pairs), graphOf({ a: read as GraphNode }), JSON.stringify(stored));
    assert.deepEqual(asWritten(graph, carry(graph, pairs)), graphOf({ a: read as GraphNode }), JSON.stringify(stored));
  }
});

test("several pairs of one element apply together, each to its fields", () => {
  const pairs = [
    { of: "node", id: "a", wrote: { name: "A" }, stores: { name: { value: "A" } } },
    { of: "node", id: "a", wrote: { text: "old" }, stores: { body: "old" } },
  ] as const;
  const { name, text, body } = asWritten(graphOf({ a: { name: { value: "A" }, body: "old" } }), pairs).nodes.get(
    "a",
  ) as Record<string, unknown>;
  assert.deepEqual({ name, text, body }, { name: "A", text: "old", body: undefined });
});

test("if a platform stops renaming, the old value under the other name is read so that it can be removed", () => {
  const pairs = [{ of: "node", id: "a", wrote: { text: "old" }, stores: { body: "old", timeout: 30 } }] as const;
  const record: JournalRecord = {
    base: { graph: graphOf({ a: { body: "old", timeout: 30 } }), version: 1, pairs },
    inFlight: { ops: [set("a", { text: "new" })], baseVersion: 1 },
  };
  const read = (node: Record<string, unknown>) => {
    const seen = { graph: graphOf({ a: node as GraphNode }), version: 2, made: 0 };
    const { change, applied } = reconcile(record, seen, "applied", 0);
    assert.ok(applied && change.base);
    const { text, body, timeout } = view(change.base).nodes.get("a") as GraphNode;
    return { text, body, timeout };
  };
  assert.deepEqual(read({ text: "new", body: "old", timeout: 30 }), { text: "new", body: "old", timeout: undefined });
  assert.deepEqual(read({ body: "new", timeout: 30 }), { text: "new", body: undefined, timeout: undefined });
});

test("a sent value under another name is ours, even if the response was lost and others made changes", () => {
  const record: JournalRecord = {
    base: { graph: graphOf({ a: { name: "A", body: "theirs" }, b: {} }), version: 2 },
    inFlight: { ops: [set("a", { body: null, text: "mine" })], baseVersion: 2 },
  };
  const graph = graphOf({ a: { name: "changed", body: "mine" }, b: { body: "mine" } });
  const { change, applied } = reconcile(record, { graph, version: 4, made: 0 }, "unknown", 0);
  assert.ok(!applied && change.remote);
  // A change at a node outside of the batch is another user's.
  assert.deepEqual(view(change.remote), graphOf({ a: { name: "changed", text: "mine" }, b: { body: "mine" } }));
  // Both sides agree on it, so later edits of the node don't conflict.
  assert.deepEqual(change.base?.graph, graphOf({ a: { name: "A", body: "mine" }, b: {} }));
});

test("a default known from other elements counts as the platform's on sent elements, even if others made changes", () => {
  const pairs = [{ of: "node", id: "b", wrote: {}, stores: { timeout: 30 } }] as const;
  const record: JournalRecord = {
    base: { graph: graphOf({ b: { timeout: 30 } }), version: 1, pairs },
    inFlight: { ops: [{ op: "upsert_node", node: { id: "a", type: "message", text: "mine" } }], baseVersion: 1 },
  };
  const read = (node: Record<string, unknown>) => {
    const graph = graphOf({ b: { timeout: 30, name: "changed" }, a: node as GraphNode });
    const { change, applied } = reconcile(record, { graph, version: 3, made: 0 }, "unknown", 0);
    assert.ok(!applied && change.remote);
    return view(change.remote).nodes.get("a");
  };
  const sent = { id: "a", type: "message", text: "mine" };
  assert.deepEqual(read({ text: "mine", timeout: 30 }), sent);
  // Any other value, and any other field, is another user's change.
  assert.deepEqual(read({ text: "mine", timeout: 60 }), { ...sent, timeout: 60 });
  assert.deepEqual(read({ text: "mine", label: 30 }), { ...sent, label: 30 });
});

test("a batch without effect creates no version: an extra one belongs to a late batch and may hide another's change", () => {
  const record: JournalRecord = {
    base: { graph: graphOf({ a: { text: "theirs" } }), version: 5 },
    inFlight: { ops: [set("a", { text: "mine" })], baseVersion: 5 },
    lateUntil: 100,
  };
  const seen = { graph: graphOf({ a: { text: "mine" } }), version: 6, made: 0 };
  assert.deepEqual(reconcile(record, seen, "unchanged", 50).change.risks, [{ sent: 5, now: 6, at: 50 }]);
  assert.equal(reconcile(record, seen, "unchanged", 200).change.risks, undefined, "nothing is on its way any more");
  assert.equal(reconcile(record, seen, "applied", 50).change.risks, undefined, "it is the batch's own");
});

test("versions that jump with two batches in a row no longer indicate other users", () => {
  let record: JournalRecord = { base: { graph: graphOf({ a: { text: "0" } }), version: 1 } };
  const push = (text: string, version: number, stored: Record<string, unknown> = { text }) => {
    record = { ...record, inFlight: { ops: [set("a", { text })], baseVersion: record.base?.version as number } };
    const seen = { graph: graphOf({ a: stored }), version, made: 0 };
    const { change } = reconcile(record, seen, "applied", version);
    record = { ...record, ...change };
    return record.risks ?? [];
  };
  assert.deepEqual(push("1", 11), [{ sent: 1, now: 11, at: 11 }]);
  assert.deepEqual(push("2", 12).length, 1, "one version is no jump");
  assert.deepEqual(push("3", 15).length, 2);
  assert.deepEqual(push("4", 18), [{ sent: 1, now: 11, at: 11 }], "the jump before this one was no risk either");
  assert.deepEqual(push("5", 30).length, 1);
  assert.equal(push("6", 31).length, 1);
  assert.equal(push("7", 40).length, 1, "and it stays known");
  // With other new content there was another change, so it doesn't count as a jump.
  record = { base: { graph: graphOf({ a: { text: "0" } }), version: 1 } };
  push("1", 3, { text: "1", name: "theirs" });
  assert.deepEqual([record.jumps ?? 0, record.risks?.length], [0, 1]);
});

test("the platform's form is also learned if versions jump", () => {
  const record: JournalRecord = {
    base: { graph: graphOf({ a: { text: "0" } }), version: 1 },
    inFlight: { ops: [set("a", { text: "1" })], baseVersion: 1 },
    jumps: 2,
  };
  const seen = { graph: graphOf({ a: { text: "1", timeout: 30 } }), version: 9, made: 0 };
  const { change, applied } = reconcile(record, seen, "applied", 0);
  assert.ok(applied && change.base);
  assert.deepEqual(view(change.base), graphOf({ a: { text: "1" } }));
  assert.ok(!reconcile({ ...record, jumps: 1 }, seen, "applied", 0).applied);
});

test("a field that should have changed and didn't, under its other name, is read as before", () => {
  const pairs = [{ of: "node", id: "a", wrote: { text: "old" }, stores: { body: "old", timeout: 30 } }] as const;
  const record: JournalRecord = {
    base: { graph: graphOf({ a: { body: "old", timeout: 30 } }), version: 1, pairs },
    inFlight: { ops: [set("a", { text: "new" })], baseVersion: 1 },
  };
  const seen = { graph: graphOf({ a: { body: "old", timeout: 30 }, b: {} }), version: 2, made: 0 };
  for (const answer of ["passed-over", "unknown"] as const) {
    const { change } = reconcile(record, seen, answer, 0);
    assert.deepEqual(change.remote && view(change.remote), graphOf({ a: { text: "old" }, b: {} }), answer);
  }
});

test("a value stored under another name isn't an addition, even if the file dropped it", () => {
  const pairs = [{ of: "node", id: "a", wrote: { text: "old" }, stores: { body: "old", timeout: 30 } }] as const;
  const stored = graphOf({ a: { body: "old", timeout: 30 } });
  for (const file of [graphOf({ a: { text: "old" } }), graphOf({ a: {} })])
    assert.deepEqual(asWritten(stored, withoutAdditions(pairs, file)), graphOf({ a: { text: "old", timeout: 30 } }));
});

test("a node that should have been removed and wasn't is read as before", () => {
  const pairs = [{ of: "node", id: "a", wrote: { text: "old" }, stores: { body: "old" } }] as const;
  const record: JournalRecord = {
    base: { graph: graphOf({ a: { body: "old" } }), version: 1, pairs },
    inFlight: { ops: [{ op: "remove_node", node_id: "a" }], baseVersion: 1 },
  };
  const seen = { graph: graphOf({ a: { body: "old" }, b: {} }), version: 2, made: 0 };
  const { change } = reconcile(record, seen, "passed-over", 0);
  assert.deepEqual(change.remote && view(change.remote), graphOf({ a: { text: "old" }, b: {} }));
});

test("a form returned twice for the same batch is learned, however versions count", () => {
  const sent = [set("a", { timeout: "45s" })];
  const seen = graphOf({ a: { text: "old", timeout: 45 }, b: {} });
  let record: JournalRecord = { base: { graph: start, version: 100 }, inFlight: { ops: sent, baseVersion: 100 } };
  const first = reconcile(record, { graph: seen, version: 200, made: 0 }, "applied", 0);
  assert.ok(first.change.remote);
  // The user chose their own value, which is sent again.
  record = { ...first.change, base: { graph: seen, version: 200 }, inFlight: { ops: sent, baseVersion: 200 } };
  const second = reconcile(
    { ...record, remote: undefined as never },
    { graph: seen, version: 300, made: 0 },
    "applied",
    0,
  );
  const known = second.change.base ?? second.change.remote;
  assert.equal(known && view(known).nodes.get("a")?.timeout, "45s");
});

test("an uncertain form of an earlier journal is learned if it returns with a new version, otherwise not", () => {
  const doubts = [
    { of: "node", id: "a", wrote: { timeout: "45s" }, stores: { timeout: 45 } },
    { of: "node", id: "system", stores: { id: "system", type: "end" } },
  ] as const;
  const stored = graphOf({ a: { timeout: 45 }, system: { type: "end" } });
  const record: JournalRecord = {
    base: { graph: stored, version: 1 },
    inFlight: { ops: [set("a", { timeout: "45s" }), { op: "remove_node", node_id: "system" }], baseVersion: 1 },
    doubts,
  };
  const learned = reconcile(record, { graph: stored, version: 2, made: 0 }, "applied", 0);
  assert.deepEqual(learned.notTaken, []);
  assert.deepEqual(learned.change.base && view(learned.change.base), graphOf({ a: { timeout: "45s" } }));
  const ignored = reconcile(record, { graph: stored, version: 1, made: 0 }, "applied", 0);
  assert.deepEqual(ignored.notTaken.map(nameOf), ["node a.timeout", "node system"]);
  assert.ok(!("doubts" in ignored.change), "they stay in doubt");
  // The edit was ignored then, and is stored now.
  const now = { graph: graphOf({ a: { timeout: "45s" } }), version: 2, made: 0 };
  assert.deepEqual(reconcile(record, now, "applied", 0).change.base?.pairs, []);
});

test("a first push removes nothing by an edit: a restored value is a default if there is a new version", () => {
  const stored = graphOf({ a: { text: "old", timeout: 30 }, b: { timeout: 30 } });
  const ops = [set("a", { timeout: null, text: "new" }), set("b", { timeout: null })];
  const record: JournalRecord = { base: { graph: stored, version: 1 }, inFlight: { ops, baseVersion: 1 } };
  const graph = graphOf({ a: { text: "new", timeout: 30 }, b: { timeout: 30 } });
  const first = reconcile({ ...record, isFirstPush: true }, { graph, version: 2, made: 0 }, "applied", 0);
  assert.deepEqual(
    [first.notTaken, first.change.base && view(first.change.base).nodes.get("b")?.timeout],
    [[], undefined],
  );
  const later = reconcile(record, { graph, version: 2, made: 0 }, "applied", 0);
  assert.deepEqual(later.notTaken.map(nameOf), ["node a.timeout", "node b.timeout"]);
  // If the platform is known to add it, it is a default, however the file lost it.
  const pairs = [{ of: "node", id: "c", wrote: {}, stores: { timeout: 30 } }] as const;
  const known = { ...record, base: { graph: stored, version: 1, pairs } };
  assert.deepEqual(reconcile(known, { graph, version: 2, made: 0 }, "applied", 0).notTaken, []);
});

function nameOf(at: ElementRef): string {
  if (at.kind === "top") return at.key;
  const name = at.kind === "variable" ? at.name : at.kind === "output" ? at.index : at.id;
  return `${at.kind} ${name}${at.field === undefined ? "" : `.${at.field}`}`;
}

function plain(graph: Graph): unknown {
  return JSON.parse(
    JSON.stringify([[...graph.nodes], [...graph.edges]], (_, value) =>
      value && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  );
}
