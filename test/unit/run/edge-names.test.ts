/** The edge that a step names if the run doesn't reach it: the only one in the flow with this name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { type Program, programOf, type RunEdge, type RunNode } from "../../../flow/run";
import { edgesNamed, namesInTest, readTestFile } from "../../../flow/test";
import { pick, seeded } from "./random-flows";

const unreached = { steps: [], last: undefined, question: undefined };
const names = ["a", "b", "c", "d", "a--b", "b--c", "yes"];

/** A flow whose IDs, conditions, labels and targets have the same few names. */
function flowWith(seed: number): Program {
  const random = seeded(seed);
  const edge = () => {
    const fields = ["id", "when", "label"].flatMap((key) => (random() < 0.3 ? [`${key}: ${pick(random, names)}`] : []));
    return `{${[`to: ${pick(random, names.slice(0, 4))}`, ...fields].join(", ")}}`;
  };
  const nodes = names.slice(0, 4).map((id) => {
    const edges = Array.from({ length: Math.floor(random() * 4) }, edge);
    return `  ${id}: {type: message, edges: [${edges.join(", ")}]}`;
  });
  return programOf(FlowDocument.read(`entry: a\nnodes:\n${nodes.join("\n")}\n`));
}

const testText = (takes: readonly string[]) =>
  `flow: a.flow.yaml\ntests:\n  - name: t\n    steps:\n${takes.map((name) => `      - take: ${name}\n`).join("")}`;

function edgesOf(text: string, program: Program) {
  const [read] = readTestFile(text).tests;
  assert.ok(read);
  return namesInTest(read, text, program, () => undefined, unreached).flatMap((each) =>
    each.kind === "edge" ? [[each.name, each.edge] as const] : [],
  );
}

/** The edges of a node with a name, by the definition. */
function named({ edges }: RunNode, name: string): readonly RunEdge[] {
  const kinds = ["id", "when", "label", "to"] as const;
  return kinds.map((kind) => edges.filter((edge) => edge[kind] === name)).find(({ length }) => length > 0) ?? [];
}

test("the only edge with a name is the same as by looking at each node", () => {
  let found = 0;
  for (let seed = 0; seed < 300; seed++) {
    const program = flowWith(seed);
    const nodes = [...program.nodes.values()];
    for (const node of nodes)
      for (const name of names) assert.deepEqual(edgesNamed(node, name), named(node, name), `seed ${seed}`);
    const expected = names.flatMap((name) => {
      const all = nodes.flatMap((node) => named(node, name));
      return all.length === 1 ? [[name, all[0]] as const] : [];
    });
    const actual = edgesOf(testText(names), program);
    assert.deepEqual(
      actual.map(([name]) => name),
      expected.map(([name]) => name),
      `seed ${seed}`,
    );
    for (const [at, [name, edge]] of expected.entries()) assert.equal(actual[at]?.[1], edge, `seed ${seed}, ${name}`);
    found += expected.length;
  }
  assert.ok(found > 200, `${found}`);
});

test("the nodes are looked through once for all steps", () => {
  let looks = 0;
  class Counting<Key, Value> extends Map<Key, Value> {
    override values() {
      looks++;
      return super.values();
    }
  }
  const { nodes, ...rest } = flowWith(1);
  const program = { ...rest, nodes: new Counting(nodes) };
  for (let times = 0; times < 50; times++) edgesOf(testText(names), program);
  assert.equal(looks, 1);
});
