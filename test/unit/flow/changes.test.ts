/** The named changes and the behavior between two flows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, FlowDocument, type Graph, graphOf, sameGraph } from "../../../flow";
import { applyGraph } from "../../../flow/edit";
import { behaviorBetween, type Change, changesBetween, changesBetweenDocuments } from "../../../flow/review";
import { cases } from "../../support/cases";
import { relatives } from "../sync/graphs";

const flow = (nodes: string, entry = "a") =>
  FlowDocument.read(`entry: ${entry}\ncontext_variables: {v: {type: string}}\nnodes:\n${nodes}`);
const told = (from: FlowDocument, to: FlowDocument) =>
  changesBetween(graphOf(from), graphOf(to)).map(
    ({ kind, what, id, fields }) => `${kind} ${what} ${id} ${fields.join(",")}`,
  );

test("an edge with another target is another edge unless it has an ID; edges of a new node aren't listed", () => {
  const nodes = "  b: {type: end}\n  c: {type: message, edges: [{to: b}]}\n";
  const before = (edge: string) => flow(`  a: {type: message, edges: [{to: b${edge}}]}\n  b: {type: end}\n`);
  const after = (edge: string) => flow(`  a: {type: message, edges: [{to: c${edge}}]}\n${nodes}`);
  assert.deepEqual(told(before(""), after("")), ["added node c type", "removed edge a--b to", "added edge a--c to"]);
  assert.deepEqual(told(before(", id: e"), after(", id: e, when: p")), ["added node c type", "changed edge e to,when"]);
});

test("parallel edges are matched by their content", () => {
  const rest = "  b: {type: end}\n  c: {type: end}\n";
  const of = (...edges: string[]) =>
    flow(`  a: {type: message, edges: [${edges.map((edge) => `{${edge}}`).join(", ")}]}\n${rest}`);
  const base = of("to: c, when: t", "to: b, on: error", "to: b");
  assert.deepEqual(told(base, of("to: c, when: t", "to: b", "to: b, on: error")), ["moved edge a--b "]);
  assert.deepEqual(told(base, of("to: c, when: t", "to: b")), ["removed edge a--b to,on"]);
  assert.deepEqual(told(base, of("to: c, when: t", "to: b, when: n", "to: b, on: error, label: L", "to: b")), [
    "added edge a--b to,when",
    "changed edge a--b--2 label",
  ]);
  assert.deepEqual(told(base, of("to: c, when: t", "to: b, on: error, id: e", "to: b")), ["changed edge e id"]);
});

test("an edge in another position is reported once as moved, with its changed fields", () => {
  const before = flow(
    "  a: {type: message, edges: [{to: b, when: x}, {to: c, when: y}, {to: d}]}\n  b: {type: end}\n  c: {type: end}\n  d: {type: end}\n",
  );
  const after = flow(
    "  a: {type: message, edges: [{to: c, when: y}, {to: d}, {to: b, when: z}]}\n  b: {type: end}\n  c: {type: end}\n  d: {type: end}\n",
  );
  assert.deepEqual(told(before, after), ["moved edge a--b when"]);
});

test("reachable nodes and possibly unset variables, before and after", () => {
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

interface Listed {
  readonly id: string;
  readonly words: string;
}

/** The edges of a node as a file has them, without IDs that result from their position. */
function listed(graph: Graph, node: string): Listed[] {
  return [...graph.edges.values()]
    .filter(({ source }) => source === node)
    .map(({ id, source: _, target, ...fields }) => ({ id, words: words({ to: target, ...fields }) }));
}

function words(fields: object): string {
  return JSON.stringify(
    Object.entries(fields)
      .filter(([name, value]) => name !== "id" && value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The edges of a node after the named changes. Added and moved ones are at the end, in any order. */
function edgesAfter(
  from: Graph,
  to: Graph,
  node: string,
  changes: readonly Change[],
): [still: string[], rest: string[]] {
  const is = new Set(listed(to, node).map(({ id }) => id));
  const was = new Set(listed(from, node).map(({ id }) => id));
  const own = changes.filter(({ what, kind, id }) => what === "edge" && (kind === "removed" ? was : is).has(id));
  const byOld = new Map(
    own.filter(({ kind }) => kind !== "added").map((change) => [change.old_id ?? change.id, change]),
  );
  const still: string[] = [];
  const rest = own.filter(({ kind }) => kind === "added").map(({ after }) => words(after));
  for (const edge of listed(from, node)) {
    const change = byOld.get(edge.id);
    if (change?.kind === "removed") continue;
    const fields = Object.fromEntries(JSON.parse(edge.words) as [string, unknown][]);
    for (const name of change?.fields ?? []) delete fields[name];
    (change?.kind === "moved" ? rest : still).push(words({ ...fields, ...change?.after }));
  }
  return [still, rest.sort()];
}

/** The old graph after the named changes; its edges are checked and then replaced by the new ones. */
function applied(from: Graph, to: Graph, changes: readonly Change[]): Graph {
  const nodes = new Map(from.nodes);
  const variables = new Map(from.variables);
  const result: { persona?: string; entry?: string; outputs: Graph["outputs"] } = { ...from };
  for (const { kind, what, id, fields, after } of changes) {
    const field = (old: object) => ({
      ...Object.fromEntries(Object.entries(old).filter(([name]) => !fields.includes(name))),
      ...after,
    });
    if (what === "node") kind === "removed" ? nodes.delete(id) : nodes.set(id, { ...field(nodes.get(id) ?? {}), id });
    else if (what === "variable")
      kind === "removed" ? variables.delete(id) : variables.set(id, { ...field(variables.get(id) ?? {}), name: id });
    else if (what === "edge") continue;
    else if (what === "outputs") result.outputs = (after.component_outputs as Graph["outputs"]) ?? [];
    else if (kind === "removed") delete result[what];
    else result[what] = after[id] as string;
  }
  const put = new Set(
    changes.filter(({ what, kind }) => what === "edge" && (kind === "added" || kind === "moved")).map(({ id }) => id),
  );
  for (const node of to.nodes.keys()) {
    if (!from.nodes.has(node)) continue;
    const [still, rest] = edgesAfter(from, to, node, changes);
    const now = listed(to, node);
    assert.deepEqual(
      still,
      now.filter(({ id }) => !put.has(id)).map((edge) => edge.words),
    );
    assert.deepEqual(
      rest,
      now
        .filter(({ id }) => put.has(id))
        .map((edge) => edge.words)
        .sort(),
    );
  }
  return { ...result, nodes, variables, edges: to.edges };
}

test("the changes turn one graph into the other and list each element once", () => {
  fc.assert(
    fc.property(relatives(), ([from, to]) => {
      const changes = changesBetween(from, to);
      const names = changes.map(({ kind, what, id }) => `${what} ${id} ${what === "edge" && kind === "removed"}`);
      assert.equal(new Set(names).size, names.length);
      assert.ok(sameGraph(applied(from, to, changes), to));
    }),
    { numRuns: cases(1000, "CHANGE_RUNS") },
  );
});

test("the changes between two documents are those of their graphs, whatever objects they share", () => {
  const textOf = (graph: Graph) => applyEdits("", applyGraph(FlowDocument.read(""), graph));
  let shared = 0;
  fc.assert(
    fc.property(relatives(), ([from, to]) => {
      const before = FlowDocument.read(textOf(from));
      const after = FlowDocument.read(textOf(to), before);
      shared += after.nodes.filter((node) => before.has(node)).length;
      assert.deepEqual(changesBetweenDocuments(before, after), changesBetween(graphOf(before), graphOf(after)));
    }),
    { numRuns: cases(1000, "CHANGE_RUNS") },
  );
  assert.ok(shared > cases(1000) / 2, `${shared} nodes are shared`);
});
