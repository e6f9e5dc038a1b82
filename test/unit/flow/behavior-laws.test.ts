/** Behavior changes agree with an enumeration of small flows. `BEHAVIOR_ROUNDS` raises the count. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type GraphEdge, graphOf, matchEdges } from "../../../flow";
import { behaviorBetween, changesBetween, changesBetweenDocuments, endingsBetween } from "../../../flow/review";
import { programOf } from "../../../flow/run";
import { cases } from "../../support/cases";
import { ASSIGNMENTS, moves, type Node, randomFlow, textOf } from "../policy/small-flows";
import { pick, type Random, seeded } from "../run/random-flows";

const ROUNDS = cases(200, "BEHAVIOR_ROUNDS");

/** The same flow with a few edges retargeted, dropped or with other conditions. */
function edited(random: Random, nodes: readonly Node[]): Node[] {
  const others = randomFlow(random);
  return nodes.map((node) => {
    const other = others.find(({ id }) => id === node.id);
    return other && random() < 0.4 ? { ...node, edges: other.edges.filter(({ to }) => isThere(nodes, to)) } : node;
  });
}

function isThere(nodes: readonly Node[], id: string): boolean {
  return nodes.some((node) => node.id === id);
}

function reachable(nodes: readonly Node[]): Set<string> {
  const found = new Set(["n0"]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { id, edges } of nodes)
      if (found.has(id)) for (const { to } of edges) if (isThere(nodes, to)) found.add(to);
  }
  return found;
}

/** `from to place` of every edge by which a run with any values reaches an end or a transfer. */
function lastEdges(nodes: readonly Node[]): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isLast = (id: string) => /end|transfer/.test(byId.get(id)?.type ?? "");
  const found = new Set<string>(isLast("n0") ? ["n0"] : []);
  const seen = new Set<string>();
  const open = ASSIGNMENTS.map((values) => ({ id: "n0", values }));
  for (let at = open.pop(); at; at = open.pop()) {
    const key = JSON.stringify([at.id, at.values.v, at.values.w]);
    if (seen.has(key)) continue;
    seen.add(key);
    const node = byId.get(at.id) as Node;
    for (const move of moves(node, at.values, false)) {
      if (move === "ends") continue;
      if (isLast(move.edge.to)) found.add(`${node.id} ${move.edge.to} ${node.edges.indexOf(move.edge)}`);
      open.push({ id: move.edge.to, values: move.values });
    }
  }
  return found;
}

test(`what opened, closed, or can be reached is what an enumeration says (${ROUNDS} pairs)`, () => {
  let met = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seeded(seed);
    const was = randomFlow(random);
    const is = edited(random, was);
    const before = FlowDocument.read(textOf(was));
    const after = FlowDocument.read(textOf(is), before);
    const told = `seed ${seed}\n${before.text}\n${after.text}`;
    const { reachable: gained, unreachable: lost } = behaviorBetween(before, after);
    const only = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((each) => !b.has(each)).sort();
    assert.deepEqual([...gained].sort(), only(reachable(is), reachable(was)), told);
    assert.deepEqual([...lost].sort(), only(reachable(was), reachable(is)), told);
    // The enumeration identifies an edge by its position, which gives the ID; an old edge has its ID in the new flow.
    const newId = (from: string, id: string | undefined) => {
      const edges = (document: FlowDocument) => document.node(from)?.edges.map(({ wire }) => wire as GraphEdge) ?? [];
      const [old, now] = [edges(before), edges(after)];
      const pair = matchEdges(old, now).pairs.find((each) => old[each.before]?.id === id);
      return pair ? now[pair.after]?.id : `gone ${id}`;
    };
    const ids = (document: FlowDocument, keys: ReadonlySet<string>) =>
      new Set(
        [...keys].map((key) => {
          const [from = "", to, place] = key.split(" ");
          const id = document.node(from)?.edges[Number(place)]?.id;
          return place === undefined ? key : `${from} ${to} ${document === before ? newId(from, id) : id}`;
        }),
      );
    const [a, b] = [ids(before, lastEdges(was)), ids(after, lastEdges(is))];
    const { opened, closed } = endingsBetween(programOf(before), programOf(after, programOf(before)));
    assert.deepEqual(changesBetweenDocuments(before, after), changesBetween(graphOf(before), graphOf(after)), told);
    const named = (endings: typeof opened, idOf = (_: string, id: string): string | undefined => id) =>
      endings
        .map(({ node, edge, path }) =>
          edge === undefined ? node : `${path.at(-2)} ${node} ${idOf(path.at(-2) as string, edge)}`,
        )
        .sort();
    assert.deepEqual(named(opened), only(b, a), told);
    assert.deepEqual(named(closed, newId), only(a, b), told);
    met += opened.length + closed.length;
  }
  assert.ok(met > ROUNDS / 10, `${met} paths opened or closed`);
});

/** Edges that any run may take, variables that only some nodes set, and reads in the text of others. */
test(`what may now be unset is what an enumeration says (${ROUNDS} pairs)`, () => {
  interface Plain {
    readonly sets?: string;
    readonly reads?: string;
    readonly to: readonly number[];
  }
  const NAMES = ["v", "w"];
  const plain = (random: Random): Plain[] =>
    Array.from({ length: 6 }, () => ({
      ...(random() < 0.4 ? { sets: pick(random, NAMES) } : random() < 0.6 ? { reads: pick(random, NAMES) } : {}),
      to: Array.from({ length: Math.floor(random() * 3) }, () => Math.floor(random() * 6)),
    }));
  const text = (flow: readonly Plain[]) =>
    `entry: n0\ncontext_variables: {v: {type: string}, w: {type: string}}\nnodes:\n${flow
      .map(({ sets, reads, to }, index) => {
        const own = sets ? `type: collect, variable: ${sets}` : `type: message, instructions: "Say {{${reads ?? ""}}}"`;
        const edges = to.map((target, at) => `{id: e${index}_${at}, to: n${target}, when: asked}`).join(", ");
        return `  n${index}: {${reads || sets ? own : "type: message, instructions: Hi"}, edges: [${edges}]}\n`;
      })
      .join("")}`;
  /** Whether a path reaches the read without trying to set the variable; asking may always fail. */
  const unset = (flow: readonly Plain[]) => {
    const found = new Map<string, boolean>();
    for (const isUntried of [false, true])
      for (const name of NAMES) {
        const seen = new Set<number>();
        const open = [0];
        for (let at = open.pop(); at !== undefined; at = open.pop()) {
          if (seen.has(at)) continue;
          seen.add(at);
          if (flow[at]?.reads === name) found.set(`n${at}: ${name}`, isUntried);
          if (!isUntried || flow[at]?.sets !== name) open.push(...(flow[at]?.to ?? []));
        }
      }
    return found;
  };
  let met = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seeded(seed);
    const [was, is] = [plain(random), plain(random)];
    const before = unset(was);
    const wanted = [...unset(is)]
      .flatMap(([each, isUntried]) => (!before.has(each) || (isUntried && !before.get(each)) ? [each] : []))
      .sort();
    const old = FlowDocument.read(text(was));
    const { may_be_unset } = behaviorBetween(old, FlowDocument.read(text(is), old));
    assert.deepEqual([...may_be_unset].sort(), wanted, `seed ${seed}\n${text(was)}\n${text(is)}`);
    met += wanted.length;
  }
  assert.ok(met > ROUNDS / 10, `${met} reads`);
});
