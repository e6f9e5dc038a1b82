/** The named changes and the behavior between two flows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  applyEdits,
  applyGraph,
  behaviorBetween,
  type Change,
  changesBetween,
  changesBetweenDocuments,
  FlowDocument,
  type Graph,
  graphOf,
  sameGraph,
} from "../../../flow";
import { relatives } from "../sync/graphs";

const flow = (nodes: string, entry = "a") =>
  FlowDocument.read(`entry: ${entry}\ncontext_variables: {v: {type: string}}\nnodes:\n${nodes}`);
const told = (from: FlowDocument, to: FlowDocument) =>
  changesBetween(graphOf(from), graphOf(to)).map(
    ({ kind, what, id, fields }) => `${kind} ${what} ${id} ${fields.join(",")}`,
  );

test("an edge that leads elsewhere is another edge; edges of a new node are not named", () => {
  const before = flow("  a: {type: message, edges: [{to: b, id: e}]}\n  b: {type: end}\n");
  const after = flow(
    "  a: {type: message, edges: [{to: c, id: e}]}\n  b: {type: end}\n  c: {type: message, edges: [{to: b}]}\n",
  );
  assert.deepEqual(told(before, after), ["added node c type", "removed edge e to", "added edge e to"]);
});

test("an edge that changed its place is moved, once, with the fields that changed", () => {
  const before = flow(
    "  a: {type: message, edges: [{to: b, when: x}, {to: c, when: y}, {to: d}]}\n  b: {type: end}\n  c: {type: end}\n  d: {type: end}\n",
  );
  const after = flow(
    "  a: {type: message, edges: [{to: c, when: y}, {to: d}, {to: b, when: z}]}\n  b: {type: end}\n  c: {type: end}\n  d: {type: end}\n",
  );
  assert.deepEqual(told(before, after), ["moved edge a--b when"]);
});

test("what can be reached and what may be unset, before and after", () => {
  const rest = "  b: {type: message, instructions: '{{v}}', edges: [{to: c}]}\n  c: {type: end}\n";
  const before = flow(
    `  a: {type: collect, variable: v, edges: [{to: b}]}\n${rest}  s: {type: message, edges: [{to: a, when: x}, {to: b}]}\n`,
  );
  const after = flow(
    `  a: {type: collect, variable: v, edges: [{to: c}]}\n${rest}  s: {type: message, edges: [{to: a, when: x}, {to: b}]}\n`,
    "s",
  );
  const behavior = { reachable: ["s"], unreachable: [], may_be_unset: ["b: v"] };
  assert.deepEqual(behaviorBetween(before, after), behavior);
  const gone = flow("  a: {type: end}\n  b: {type: end}\n  c: {type: end}\n");
  assert.deepEqual(behaviorBetween(before, gone), { reachable: [], unreachable: ["b", "c"], may_be_unset: [] });
});

/** The old graph with the named changes made to it. */
function applied(from: Graph, to: Graph, changes: readonly Change[]): Graph {
  const nodes = new Map(from.nodes);
  const variables = new Map(from.variables);
  const edges = new Map(from.edges);
  const result: { persona?: string; entry?: string; outputs: Graph["outputs"] } = { ...from };
  for (const { kind, what, id, fields, after } of changes) {
    const field = (old: object) => ({
      ...Object.fromEntries(Object.entries(old).filter(([name]) => !fields.includes(name))),
      ...after,
    });
    if (what === "node") kind === "removed" ? nodes.delete(id) : nodes.set(id, { ...field(nodes.get(id) ?? {}), id });
    else if (what === "variable")
      kind === "removed" ? variables.delete(id) : variables.set(id, { ...field(variables.get(id) ?? {}), name: id });
    else if (what === "edge" && kind === "removed") edges.delete(id);
    else if (what === "edge") {
      const { source, target } = to.edges.get(id) ?? { source: "", target: "" };
      const { to: _, ...rest } = field((kind === "added" ? undefined : edges.get(id)) ?? {}) as Record<string, unknown>;
      edges.set(id, { ...rest, id, source, target });
    } else if (what === "outputs") result.outputs = (after.component_outputs as Graph["outputs"]) ?? [];
    else if (kind === "removed") delete result[what];
    else result[what] = after[id] as string;
  }
  // The edges of nodes that were added or removed go with them; places are those of the new graph for what is named moved or added.
  for (const edge of from.edges.values())
    if (!nodes.has(edge.source) && edges.get(edge.id) === edge) edges.delete(edge.id);
  for (const edge of to.edges.values()) if (!from.nodes.has(edge.source)) edges.set(edge.id, edge);
  const named = new Set(changes.filter(({ what, kind }) => what === "edge" && kind !== "changed").map(({ id }) => id));
  const still = (graph: Graph) =>
    [...graph.edges.values()].filter(
      ({ id, source }) => !named.has(id) && from.nodes.has(source) && to.nodes.has(source),
    );
  for (const node of to.nodes.keys())
    assert.deepEqual(
      still(from)
        .filter(({ source }) => source === node)
        .map(({ id }) => id),
      still(to)
        .filter(({ source }) => source === node)
        .map(({ id }) => id),
    );
  const ordered = new Map([...to.edges.keys()].flatMap((id) => (edges.has(id) ? [[id, edges.get(id) as never]] : [])));
  assert.equal(ordered.size, edges.size);
  return { ...result, nodes, variables, edges: ordered };
}

test("the named changes turn one graph into the other, and name each element once", () => {
  fc.assert(
    fc.property(relatives(), ([from, to]) => {
      const changes = changesBetween(from, to);
      const retargeted = (id: string) =>
        from.edges.has(id) &&
        to.edges.has(id) &&
        (from.edges.get(id)?.target !== to.edges.get(id)?.target ||
          from.edges.get(id)?.source !== to.edges.get(id)?.source);
      const names = changes
        .filter(({ what, id }) => what !== "edge" || !retargeted(id))
        .map(({ what, id }) => `${what} ${id}`);
      assert.equal(new Set(names).size, names.length);
      assert.ok(sameGraph(applied(from, to, changes), to));
    }),
    { numRuns: Number(process.env.CHANGE_RUNS ?? 1000) },
  );
});

test("two documents have the changes of their graphs, whatever they share", () => {
  const textOf = (graph: Graph) => applyEdits("", applyGraph(FlowDocument.read(""), graph));
  let shared = 0;
  fc.assert(
    fc.property(relatives(), ([from, to]) => {
      const before = FlowDocument.read(textOf(from));
      const after = FlowDocument.read(textOf(to), before);
      shared += after.nodes.filter((node) => before.has(node)).length;
      assert.deepEqual(changesBetweenDocuments(before, after), changesBetween(graphOf(before), graphOf(after)));
    }),
    { numRuns: Number(process.env.CHANGE_RUNS ?? 1000) },
  );
  assert.ok(shared > 100, `${shared} nodes are shared`);
});
