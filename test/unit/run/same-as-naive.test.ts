/**
 * Compares the machine with the naive interpreter on random flows and scripts. `RUN_FLOWS` sets how many; `RUN_SEED`
 * repeats one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { FlowDocument, topText } from "../../../flow";
import { type FlowOf, programOf } from "../../../flow/run";
import { coverageOf, readTestFile, runTest } from "../../../flow/test";
import { cases } from "../../support/cases";
import { edgeIds, type NaiveFlow, type NaiveRun, type NaiveTest, runNaively } from "./naive";
import { randomFlows, randomTest, seeded } from "./random-flows";

const count = cases(250, "RUN_FLOWS");
const first = Number(process.env.RUN_SEED ?? 1);

test(`${count} random flows and scripts: path, edges, variables, end, failures and coverage are the naive walker's`, () => {
  const ends = new Map<string, number>();
  for (let seed = first; seed < first + (process.env.RUN_SEED ? 1 : count); seed++) {
    const random = seeded(seed);
    const made = randomFlows(random);
    const script = randomTest(random, made);
    const naive = runNaively(made.flows, made.meanings, script);
    const { result, coverage } = runProduct(made.flows, script);
    const compare = (ours: unknown, theirs: unknown) => {
      // Most runs are equal; differences are only formatted if there are any.
      if (JSON.stringify(ours) !== JSON.stringify(theirs))
        assert.deepEqual(ours, theirs, `seed ${seed}\n${stringify(made.flows)}\n${stringify(script)}`);
    };
    const kinds = result.failures.map(({ kind }) => kind);
    compare(
      { path: result.path, edges: result.edges, variables: Object.fromEntries(result.variables), ended: result.ended },
      { path: naive.path, edges: naive.edges, variables: naive.variables, ended: naive.ended },
    );
    compare([...new Set(kinds)].sort(), naiveKinds(naive, script));
    compare(coverage, naiveCoverage(made.flows[0] as NaiveFlow, naive));
    const end = naive.stopped ?? naive.ended.kind;
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  // Verifies the test itself: every kind of run occurs.
  const wanted = [
    "end",
    "transfer",
    "stuck",
    "endless",
    "step-missing",
    "stub-missing",
    "wrong-step",
    "edge-unknown",
    "edge-not-taken",
  ];
  if (count >= 250 && !process.env.RUN_SEED)
    assert.deepEqual(
      wanted.filter((kind) => !ends.has(kind)),
      [],
      JSON.stringify([...ends]),
    );
});

function runProduct(flows: readonly NaiveFlow[], script: NaiveTest) {
  const programs = flows.map((flow) => programOf(FlowDocument.read(stringify(flow))));
  const flowOf: FlowOf = (id) => programs.find(({ document }) => topText(document, "assistant") === id);
  const file = readTestFile(stringify({ flow: "main.flow.yaml", tests: [script] }));
  assert.deepEqual(file.problems, []);
  const [main] = programs;
  const [only] = file.tests;
  assert.ok(main && only);
  const result = runTest(only, main, flowOf);
  return { result, coverage: coverageOf(main, [result]) };
}

/** The failures of a test without expectations. */
function naiveKinds(run: NaiveRun, script: NaiveTest): string[] {
  if (run.stopped) return [run.stopped];
  if (run.ended.kind === "stuck" || run.ended.kind === "endless") return [run.ended.kind];
  const kinds: string[] = [];
  if (run.stepsUsed < script.steps.length) kinds.push("step-left-over");
  if (run.unset.length > 0) kinds.push("unset-read");
  return kinds;
}

function naiveCoverage(flow: NaiveFlow, run: NaiveRun) {
  const reachable = new Set([flow.entry]);
  const open = new Set<string>();
  let size = 0;
  while (size !== reachable.size + open.size) {
    size = reachable.size + open.size;
    for (const id of reachable) {
      const node = flow.nodes[id];
      if (!node || node.type === "end" || node.type === "transfer") continue;
      let isBehind = false;
      for (const { id: edge, edge: way } of edgeIds(id, node.edges ?? [])) {
        if (isBehind && way.on === undefined) continue;
        if (way.when === undefined && way.on === undefined) isBehind = true;
        open.add(edge);
        if (flow.nodes[way.to]) reachable.add(way.to);
      }
    }
  }
  const cover = (all: string[], entered: string[], canBe: Set<string>) => ({
    covered: all.filter((id) => entered.includes(id)),
    missing: all.filter((id) => !entered.includes(id) && canBe.has(id)),
    unreachable: all.filter((id) => !entered.includes(id) && !canBe.has(id)),
  });
  const edges = Object.entries(flow.nodes).flatMap(([id, node]) =>
    edgeIds(id, node.edges ?? []).map((edge) => edge.id),
  );
  return { nodes: cover(Object.keys(flow.nodes), run.path, reachable), edges: cover(edges, run.edges, open) };
}
