/**
 * Random small flows with random policies of each kind: verdicts and path lengths equal those of an independent
 * enumeration of concrete runs, and every violating path can be run in the machine.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { FlowPolicies, Judge, matchedParts, readPolicyFile } from "../../../flow/policy";
import {
  type Answer,
  isEntry,
  next,
  type Program,
  programOf,
  type RunEdge,
  type State,
  start,
} from "../../../flow/run";
import { cases } from "../../support/cases";
import { pick, seeded } from "../run/random-flows";
import {
  ASSIGNMENTS,
  type Edge,
  moves,
  type Node,
  randomFlow,
  randomPolicy,
  textOf,
  VALUES,
  type Values,
  type Wanted,
  type Way,
} from "./small-flows";

const ROUNDS = cases(3_000, "POLICY_ROUNDS");
const EDITS = Number(process.env.POLICY_EDITS ?? 12);

/** The length in nodes of a shortest run that violates a policy. */
function enumerate(nodes: readonly Node[], policy: Wanted, byShape: boolean): number | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let layer = (byShape ? ASSIGNMENTS.slice(0, 1) : ASSIGNMENTS).map((values) => ({
    values,
    way: { nodes: ["n0"], edges: [] } as Way,
  }));
  const seen = new Set<string>();
  for (; layer.length > 0; ) {
    const following: typeof layer = [];
    for (const { values, way } of layer) {
      if (policy.breaks(way, false)) return way.nodes.length;
      const id = way.nodes.at(-1) as string;
      const key = `${id} ${values.v} ${values.w} ${policy.summary(way)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const move of moves(byId.get(id) as Node, values, byShape)) {
        if (move === "ends") {
          if (policy.breaks(way, true)) return way.nodes.length;
        } else
          following.push({
            values: move.values,
            way: { nodes: [...way.nodes, move.edge.to], edges: [...way.edges, move.edge] },
          });
      }
    }
    layer = following;
  }
  return undefined;
}

/** Whether the machine can take these edges, one after the other, with some values and answers. */
function replays(program: Program, edges: readonly RunEdge[]): boolean {
  let states = ASSIGNMENTS.flatMap((values) => start(program, Object.entries(values)) ?? []);
  for (const edge of edges) {
    const arrived = new Map<string, State>();
    const pending = [...states];
    for (const state of pending)
      for (const answer of answersTo(state, edge)) {
        const after = next(state, answer);
        if (after !== state && isEntry(after) && after.taken === edge)
          arrived.set([...after.frame.variables].sort().join(), after);
        else if (after.phase === "leaving") pending.push(after);
      }
    states = [...arrived.values()];
  }
  return states.length > 0;
}

function answersTo({ question }: State, edge: RunEdge): (Answer | undefined)[] {
  if (!question) return [undefined];
  if (question.kind === "choice") return question.ways.open.includes(edge) ? [{ take: edge }] : [];
  if (question.kind === "value") return VALUES.map((give) => ({ give }));
  return [...VALUES.map((it) => ({ return: { it } })), ...(edge.isOnEvent ? [{ event: "error" }] : [])];
}

test(`verdicts are those of an enumeration of runs, with shortest paths that replay (${ROUNDS} flows)`, () => {
  const met = new Map<string, number>();
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seeded(seed);
    const nodes = randomFlow(random);
    const wanted = randomPolicy(random, nodes);
    const text = textOf(nodes);
    const program = programOf(FlowDocument.read(text));
    const [policy] = readPolicyFile(`policies: [{id: p, ${wanted.text}}]`).policies;
    assert.ok(policy, wanted.text);
    const told = `seed ${seed}: ${wanted.text}\n${text}`;
    if (matchedParts(policy, program).includes(false)) continue;
    const verdict = new Judge(program).judge(policy.demand);
    const path = verdict.verdict === "broken" ? verdict.path : undefined;
    const length = enumerate(nodes, wanted, false);
    met.set(`${policy.demand.kind} ${verdict.verdict}`, (met.get(`${policy.demand.kind} ${verdict.verdict}`) ?? 0) + 1);
    if (path) assert.ok(replays(program, path.edges as RunEdge[]), told);
    if (policy.demand.kind === "at-most") {
      const isKept = length !== undefined && length - 1 <= policy.demand.most;
      assert.equal(verdict.verdict, isKept ? "proved-by-shape" : "broken", told);
      if (path) assert.equal(path.nodes.length, length ?? 1, told);
      continue;
    }
    assert.equal(path?.nodes.length, length, told);
    if (path) {
      const byEdges = (path.edges as RunEdge[]).map(
        ({ from, model }) =>
          nodes.find(({ id }) => id === from)?.edges[program.nodes.get(from)?.block.edges.indexOf(model) ?? -1] as Edge,
      );
      assert.ok(wanted.breaks({ nodes: path.nodes.map(({ id }) => id), edges: byEdges }, true), told);
    } else {
      const byShape = enumerate(nodes, wanted, true) === undefined;
      assert.equal(verdict.verdict, byShape ? "proved-by-shape" : "proved-given-conditions", told);
    }
  }
  const kinds = ["passes", "never", "always"].flatMap((kind) =>
    ["proved-by-shape", "broken"].map((each) => `${kind} ${each}`),
  );
  assert.ok([...met.keys()].some((each) => each.endsWith("proved-given-conditions")));
  for (const each of [...kinds, "at-most broken", "at-most proved-by-shape"])
    assert.ok(met.has(each), `${each} was met`);
  if (process.env.POLICY_ROUNDS) console.log(met);
});

/** What may hold at a node after one history: all possible values of variables. */
interface Reached {
  readonly id: string;
  readonly states: readonly Values[];
  readonly depth: number;
}

/** The length in nodes of a shortest path through one of some nodes from which the path to others is too long. */
function enumerateDistances(
  nodes: readonly Node[],
  from: (id: string) => boolean,
  to: (id: string) => boolean,
  most: number,
): number | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const movesAt = (id: string, values: Values) =>
    moves(byId.get(id) as Node, values, false).flatMap((move) => (move === "ends" ? [] : [move]));
  const wayFrom = ({ id, states }: Reached): number | undefined => {
    const seen = new Set<string>();
    let layer = states.map((values) => ({ id, values }));
    for (let length = 0; layer.length > 0; length++) {
      if (layer.some((each) => to(each.id))) return length;
      layer = layer.flatMap((each) => {
        const key = `${each.id} ${each.values.v} ${each.values.w}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return movesAt(each.id, each.values).map(({ edge, values }) => ({ id: edge.to, values }));
      });
    }
    return undefined;
  };
  const queue: Reached[] = [{ id: "n0", states: ASSIGNMENTS, depth: 1 }];
  const seen = new Set<string>();
  let shortest: number | undefined;
  for (const reached of queue) {
    const { id, states, depth } = reached;
    const key = `${id} ${[...new Set(states.map(({ v, w }) => `${v}-${w}`))].sort()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const length = from(id) ? wayFrom(reached) : 0;
    if (length === undefined || length > most) shortest = Math.min(shortest ?? Infinity, depth + (length ?? 0));
    const behind = new Map<Edge, Values[]>();
    for (const values of states)
      for (const move of movesAt(id, values)) behind.set(move.edge, [...(behind.get(move.edge) ?? []), move.values]);
    for (const [edge, values] of behind) queue.push({ id: edge.to, states: values, depth: depth + 1 });
  }
  return shortest;
}

test(`distances from any node are those of an enumeration of histories (${ROUNDS} flows)`, () => {
  const met = { proved: 0, broken: 0 };
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seeded(7_000_000 + seed);
    const nodes = randomFlow(random);
    const type = pick(random, ["message", "decision", "collect", "tool"]);
    const target = pick(random, nodes).id;
    const most = Math.floor(random() * 5);
    const isFrom = (id: string) => nodes.some((node) => node.id === id && node.type === type);
    const text = textOf(nodes);
    const program = programOf(FlowDocument.read(text));
    const demand = `at_most: ${most}, from: {type: ${type}}, to: {node: ${target}}`;
    const [policy] = readPolicyFile(`policies: [{id: p, ${demand}}]`).policies;
    assert.ok(policy);
    if (matchedParts(policy, program).includes(false)) continue;
    const verdict = new Judge(program).judge(policy.demand);
    const path = verdict.verdict === "broken" ? verdict.path : undefined;
    const told = `seed ${seed}: ${demand}\n${text}`;
    assert.equal(
      path?.nodes.length,
      enumerateDistances(nodes, isFrom, (id) => id === target, most),
      told,
    );
    if (path) assert.ok(replays(program, path.edges as RunEdge[]), told);
    met[path ? "broken" : "proved"]++;
  }
  assert.ok(met.proved > 0 && met.broken > 0, JSON.stringify(met));
});

test("after each edit, verdicts and their paths equal those of a fresh parse", () => {
  for (let seed = 1; seed <= Math.ceil(ROUNDS / 10); seed++) {
    const random = seeded(seed);
    // Some are as large as real flows.
    const size = seed % 3 === 0 ? 80 : 12;
    const nodes = randomFlow(random, size);
    const texts = Array.from({ length: 8 }, () => randomPolicy(random, nodes).text);
    for (const id of ["n0", "n1"])
      for (const most of [2, 5, 30]) texts.push(`at_most: ${most}, from: {type: message}, to: {node: ${id}}`);
    texts.push("at_most: 4, from: {type: collect}, to: {type: end}", "at_most: 4, from: {node: n1}, to: {type: end}");
    const { policies } = readPolicyFile(
      `policies:\n${texts.map((text, at) => `  - {id: p${at}, ${text}}\n`).join("")}`,
    );
    const document = FlowDocument.read(textOf(nodes));
    const edited = new FlowPolicies(document);
    edited.update(policies);
    for (let edit = 0; edit < EDITS; edit++) {
      // Mostly one edge of one node; otherwise nodes from another flow with the same IDs.
      for (let count = random() < 0.8 ? 1 : 3; count > 0; count--) {
        const at = Math.floor(random() * nodes.length);
        const own = nodes[at] as Node;
        const other = randomFlow(random, size)[0] as Node;
        const known = other.edges.filter(({ to }) => to === "nowhere" || nodes.some(({ id }) => id === to));
        const isEdge = random() < 0.6 && own.edges.length > 0;
        const edges = isEdge ? own.edges.map((edge, index) => (index === 0 ? (known[0] ?? edge) : edge)) : known;
        nodes[at] = { ...(isEdge ? own : other), id: `n${at}`, edges };
        const line = new RegExp(`^  n${at}: .*\n`, "m").exec(document.text) as RegExpExecArray;
        const [text] = new RegExp(`^  n${at}: .*\n`, "m").exec(textOf(nodes)) as RegExpExecArray;
        document.edit([{ start: line.index, end: line.index + line[0].length, text }]);
      }
      edited.update(policies);
      const anew = new FlowPolicies(FlowDocument.read(document.text));
      anew.update(policies);
      for (const policy of policies) {
        const [is, shouldBe] = [edited.verdict(policy), anew.verdict(policy)];
        const told = `seed ${seed}, edit ${edit}: ${policy.id} of ${texts.join("\n")}\n${document.text}`;
        assert.equal(is?.verdict, shouldBe?.verdict, told);
        assert.deepEqual(is?.path, shouldBe?.path, told);
      }
    }
  }
});
