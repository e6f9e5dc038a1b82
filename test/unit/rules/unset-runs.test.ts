/**
 * `may-be-unset` agrees with runs: in random small flows every read of an unset variable that a run can reach is
 * reported, and every reported read can be reached. Runs start with any values, callers give up, answers lack values,
 * tools and components fail. `UNSET_RUNS` raises the count.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyze, FlowDocument } from "../../../flow";
import { firstReads } from "../../../flow/rules/analyses/unset";
import { type Answer, next, type Program, programOf, type State, start } from "../../../flow/run";
import { cases } from "../../support/cases";
import { pick, type Random, seeded } from "../run/random-flows";

/** For each variable: its declaration, the values that conditions distinguish, and the conditions. */
const VARIABLES: Readonly<
  Record<string, { declared: string; values: readonly unknown[]; clauses: readonly string[] }>
> = {
  plan: {
    declared: "{type: string, enum_values: [x, y]}",
    values: ["x", "y"],
    clauses: ["is x", "is not y", "== 'x'"],
  },
  mood: { declared: "{type: string, enum_values: [x, y]}", values: ["x", "y"], clauses: ["is y", "is one of x, y"] },
  city: { declared: "{type: string}", values: ["Rome", "Oslo"], clauses: ["is 'Rome'", "is not 'Rome'"] },
  age: { declared: "{type: number}", values: [1, 3, 5], clauses: ["< 3", ">= 3", "is 3", "> 4"] },
};
const NAMES = Object.keys(VARIABLES);

function clause(random: Random): string {
  const name = pick(random, random() < 0.5 ? NAMES.slice(0, 2) : NAMES);
  const asked = VARIABLES[name]?.clauses as readonly string[];
  return `{{${name}}} ${pick(random, random() < 0.5 ? ["is known", "is unknown", "is set", "is not known"] : asked)}`;
}

function condition(random: Random): string {
  const kind = random();
  if (kind < 0.1) return "the caller agrees";
  if (kind < 0.7) return clause(random);
  if (kind < 0.78) return `not (${clause(random)})`;
  if (kind < 0.82) return `${clause(random)} and the caller is in a hurry`;
  return `${clause(random)} ${pick(random, ["and", "or"])} ${clause(random)}`;
}

function randomFlow(random: Random): string {
  const ids = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, index) => `n${index}`);
  const nodes = ids.map((id) => {
    const type = pick(random, ["message", "decision", "collect", "collect", "tool", "component", "end", "transfer"]);
    const some = () => pick(random, NAMES);
    const fields = [
      `type: ${type}`,
      ...(random() < 0.6 ? [`instructions: "Say {{${some()}}}${random() < 0.3 ? ` and {{${some()}}}` : ""}."`] : []),
      ...(type === "collect" ? [`variable: ${some()}`] : []),
      ...(type === "tool" || type === "component"
        ? [`${type}: c${id}`, `saves: {${some()}: $.it}`, ...(random() < 0.3 ? [`inputs: {in: "{{${some()}}}"}`] : [])]
        : []),
    ];
    const edges = Array.from({ length: Math.floor(random() * 4) }, () => {
      const when = random() < 0.75 ? `, when: "${condition(random)}"` : "";
      const on = random() < (type === "tool" ? 0.3 : 0.05) ? ", on: error" : "";
      return `{to: ${random() < 0.03 ? "nowhere" : pick(random, ids)}${when}${on}}`;
    });
    return `  ${id}: {${fields.join(", ")}, edges: [${edges.join(", ")}]}`;
  });
  const variables = NAMES.map((name) => `  ${name}: ${VARIABLES[name]?.declared}`);
  return ["entry: n0", "context_variables:", ...variables, "nodes:", ...nodes, ""].join("\n");
}

const valuesOf = (name: string): readonly unknown[] => [undefined, ...(VARIABLES[name]?.values ?? [])];

function answersTo({ question, node }: State): (Answer | undefined)[] {
  if (!question) return [undefined];
  if (question.kind === "choice") return question.ways.open.map((take) => ({ take }));
  if (question.kind === "value") return valuesOf(question.variable).map((give) => ({ give }));
  const saved = node.saves[0]?.variable;
  return [...(saved === undefined ? [] : valuesOf(saved)).map((it) => ({ return: { it } })), { event: "error" }];
}

/** Runs with all possible given values. */
function startsOf(program: Program): State[] {
  const given = NAMES.reduce<[string, unknown][][]>(
    (all, name) => all.flatMap((each) => valuesOf(name).map((value) => [...each, [name, value] as [string, unknown]])),
    [[]],
  );
  return given.flatMap((each) => start(program, each) ?? []);
}

function keyOf({ at, phase, frame, question }: State): string {
  const event = question?.kind === "choice" ? question.event : "";
  return `${at} ${phase} ${event} ${NAMES.map((name) => frame.variables.get(name)).join()}`;
}

/** `node variable` for each unset read that a run can reach. */
function readsOfRuns(program: Program): Set<string> {
  const states = startsOf(program);
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const state of states) {
    const key = keyOf(state);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const { variable, at } of state.unset) found.add(`${at} ${variable}`);
    // A state refers to earlier ones, so each continuation is a separate run.
    if (!state.ended) for (const answer of answersTo(state)) states.push({ ...next(state, answer), steps: 1 });
  }
  return found;
}

function readsOfRule(document: FlowDocument): Set<string> {
  const flow = analyze(document);
  const reads = firstReads(flow);
  const all = reads.numbers.flatMap((read) => {
    const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
    return [{ node, use }, ...reads.othersOf(node, use)];
  });
  return new Set(all.map(({ node, use }) => `${flow.nodes[node]?.id} ${flow.nodes[node]?.refs[use]?.name}`));
}

/** Whether a run can pass these nodes in order and read the variable unset at the last. */
function comesBy(program: Program, path: readonly string[], variable: string): boolean {
  let states = startsOf(program);
  for (const [step, id] of path.entries()) {
    const here = states.filter(({ at }) => at === id);
    if (step === path.length - 1) return here.some(({ unset }) => unset.some((read) => read.variable === variable));
    const arrived = new Map<string, State>();
    for (const state of here)
      for (const answer of answersTo(state)) {
        const after = next(state, answer);
        if (after.phase === "leaving") here.push(after);
        else if (after.ended?.kind !== "stuck") arrived.set(keyOf(after), after);
      }
    states = [...arrived.values()];
  }
  return false;
}

const RUNS = cases(200, "UNSET_RUNS");

test(`in ${RUNS} random flows the reads that may be unset are those that runs come to`, () => {
  let met = 0;
  let guarded = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const text = randomFlow(seeded(seed));
    const document = FlowDocument.read(text);
    const program = programOf(document);
    const wanted = readsOfRuns(program);
    assert.deepEqual([...readsOfRule(document)].sort(), [...wanted].sort(), `seed ${seed}\n${text}`);
    const flow = analyze(document);
    const reads = firstReads(flow);
    for (const read of reads.numbers) {
      const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
      const path = reads.pathTo(node, use).path.map((each) => flow.nodes[each]?.id ?? "");
      const name = flow.nodes[node]?.refs[use]?.name ?? "";
      assert.ok(comesBy(program, path, name), `seed ${seed}: ${path.join()} ${name}\n${text}`);
    }
    met += wanted.size;
    for (const { id, reads } of program.nodes.values())
      for (const { variable } of reads) if (!wanted.has(`${id} ${variable}`)) guarded++;
  }
  assert.ok(met > RUNS && guarded > RUNS / 3, `${met} unset reads, ${guarded} others`);
});
