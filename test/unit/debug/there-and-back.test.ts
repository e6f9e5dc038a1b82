/**
 * Properties of debugged runs, on random flows: going back restores the exact state, going forward again the exact next
 * one, and a run that ended can be saved as a test. `DEBUG_RUNS` and `DEBUG_SAVES` raise the counts, `DEBUG_SEED`
 * repeats one run.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { FlowDocument, topText } from "../../../flow";
import {
  framesOf,
  momentsOf,
  needsAnswer,
  Run,
  type RunSetup,
  repeatRun,
  saveAsTest,
  scriptWith,
} from "../../../flow/debug";
import { type Answer, type FlowOf, pathOf, programOf, type State } from "../../../flow/run";
import { readTestFile, runTest } from "../../../flow/test";
import { cases } from "../../support/cases";
import { pick, type Random, randomFlows, randomTest, seeded } from "../run/random-flows";

const runs = cases(200, "DEBUG_RUNS");
const saves = cases(80, "DEBUG_SAVES");
const only = process.env.DEBUG_SEED === undefined ? undefined : Number(process.env.DEBUG_SEED);

function* seeds(count: number): Generator<number> {
  if (only !== undefined) yield only;
  else for (let seed = 1; seed <= count; seed++) yield seed;
}

function setupFor(random: Random): RunSetup {
  const made = randomFlows(random);
  const programs = made.flows.map((flow) => programOf(FlowDocument.read(stringify(flow))));
  const flowOf: FlowOf = (id) => programs.find(({ document }) => topText(document, "assistant") === id);
  const script = randomTest(random, made);
  const [read] = readTestFile(stringify({ flow: "main.flow.yaml", tests: [script] })).tests;
  assert.ok(read && programs[0]);
  return { program: programs[0], flowOf, test: read };
}

/** The visible part of a state, as one string. */
function seen(state: State): string {
  const { question } = state;
  return JSON.stringify({
    at: state.at,
    phase: state.phase,
    steps: state.steps,
    taken: state.taken?.id,
    ended: state.ended,
    unset: state.unset.map(({ variable, span }) => [variable, span]),
    variables: framesOf(state).map(({ variables, prefix }) => [prefix, [...variables]]),
    asks: question && { kind: question.kind, open: question.kind === "choice" && question.ways.open.map((e) => e.id) },
  });
}

const values = ["basic", "plus", 3, 0, true, "Rome", undefined];

function randomAnswer(random: Random, { question, node }: State): Answer {
  assert.ok(question);
  if (question.kind === "choice") return { take: pick(random, question.ways.open) };
  if (question.kind === "value") return { give: pick(random, values) };
  if (random() < 0.3) return { event: pick(random, ["error", "timeout"]) };
  return { return: pick<unknown>(random, [{ out: pick(random, values) }, { a: { b: ["deep"] } }, node.id]) };
}

/** Continues, with a random answer if needed; false if the run has ended. */
function advance(run: Run, random: Random, withEdits: boolean): boolean {
  if (withEdits && random() < 0.04) {
    run.set(pick(random, framesOf(run.state)), pick(random, ["plan", "age", "city"]), pick(random, values));
    return true;
  }
  const result = run.forward();
  if (result.kind === "asks") run.answer(randomAnswer(random, run.state));
  return result.kind !== "ended";
}

test(`${runs} random runs: k forward and k back give the identical state, and forward again too`, () => {
  let longest = 0;
  const ends = new Set<string>();
  for (const seed of seeds(runs)) {
    const random = seeded(seed);
    const run = Run.begin(setupFor(random));
    assert.ok(run);
    const moments = [run.now];
    const looks = [seen(run.state)];
    const limit = random() < 0.02 ? 20_000 : 60;
    while (moments.length < limit && advance(run, random, true)) {
      moments.push(run.now);
      looks.push(moments.length < 300 ? seen(run.state) : "");
    }
    ends.add(run.state.ended?.kind ?? "going on");
    longest = Math.max(longest, moments.length);
    for (let round = 0; round < 3; round++) {
      const at = moments.indexOf(run.now);
      const back = Math.floor(random() * (at + 1));
      for (let step = 0; step < back; step++) assert.ok(run.back(), `seed ${seed}`);
      assert.equal(run.now, moments[at - back], `seed ${seed}: ${back} back from ${at}`);
      if (at - back < 300) assert.equal(seen(run.state), looks[at - back], `seed ${seed}`);
      const forward = Math.floor(random() * (moments.length - (at - back)));
      for (let step = 0; step < forward; step++) assert.equal(run.forward().kind, "moved", `seed ${seed}`);
      assert.equal(run.now, moments[at - back + forward], `seed ${seed}: ${forward} forward`);
    }
    while (run.back());
    assert.equal(run.now, moments[0], `seed ${seed}: the start`);
    assert.equal(seen(run.state), looks[0]);
  }
  if (only === undefined && runs >= 400) {
    assert.deepEqual([...ends].sort(), ["end", "endless", "going on", "stuck", "transfer"]);
    assert.ok(longest > 1000, `The longest run has ${longest} moments.`);
  }
});

test(`${saves} random runs that ended, saved as a test: it passes with the same path`, () => {
  let kinds = new Map<string, number>();
  let saved = 0;
  for (let seed = only ?? 1; saved < (only === undefined ? saves : 1); seed++) {
    const random = seeded(seed * 7919);
    const setup = setupFor(random);
    const script = scriptWith({ given: random() < 0.5 ? { plan: "plus", age: 3 } : {} });
    assert.ok("test" in script);
    const run = Run.begin({ ...setup, test: script.test });
    assert.ok(run);
    for (let left = 200; left > 0 && advance(run, random, false); left--);
    const { ended } = run.state;
    if (!ended || ended.kind === "endless") continue;
    const test = saveAsTest(run.now, run.setup, { flow: "main.flow.yaml" });
    assert.ok("text" in test, `seed ${seed}: ${"problem" in test ? test.problem : ""}`);
    const [read] = readTestFile(test.text).tests;
    assert.ok(read);
    const result = runTest(read, setup.program, setup.flowOf);
    assert.deepEqual(result.failures, [], `seed ${seed}\n${test.text}`);
    assert.deepEqual(result.path, pathOf(run.state), `seed ${seed}`);
    // The same run isn't saved again under any name. Another test in the same file leaves the first unchanged.
    for (const name of [undefined, "another name", read.name]) {
      const twice = saveAsTest(run.now, run.setup, { flow: "main.flow.yaml", existing: test.text, name });
      assert.match("problem" in twice ? twice.problem : "", /^(Test ".*" already runs|A test named)/s, `seed ${seed}`);
    }
    const elsewhere = saveAsTest(run.now, run.setup, { flow: "my.flow.yaml", existing: test.text, name: "mine" });
    assert.match("problem" in elsewhere ? elsewhere.problem : "", /test file is for "main\.flow\.yaml"/);
    const existing = "flow: main.flow.yaml\ntests:\n  - name: other\n    given: {elsewhere: 1}\n";
    const second = saveAsTest(run.now, run.setup, { flow: "main.flow.yaml", existing, name: "mine" });
    assert.ok("text" in second, `seed ${seed}: ${"problem" in second ? second.problem : ""}`);
    assert.ok(second.text.startsWith(existing.trimEnd()), second.text);
    assert.deepEqual(
      readTestFile(second.text).tests.map(({ name }) => name),
      ["other", "mine"],
    );
    kinds = kinds.set(ended.kind, (kinds.get(ended.kind) ?? 0) + 1);
    saved++;
  }
  if (only === undefined && saves >= 150) assert.deepEqual([...kinds.keys()].sort(), ["end", "stuck", "transfer"]);
});

test(`${runs} random runs repeated on the same text come to the same state`, () => {
  for (const seed of seeds(runs)) {
    const random = seeded(seed * 104729);
    const setup = setupFor(random);
    const run = Run.begin(setup);
    assert.ok(run);
    for (let left = 40; left > 0 && advance(run, random, false); left--);
    const document = FlowDocument.read(setup.program.document.text);
    const again = repeatRun(run.now, { ...setup, program: programOf(document) });
    assert.ok(again);
    assert.equal(again.note, undefined, `seed ${seed}`);
    assert.equal(seen(again.run.state), seen(run.state), `seed ${seed}`);
    assert.equal(momentsOf(again.run.now).length, momentsOf(run.now).length, `seed ${seed}`);
    assert.equal(needsAnswer(again.run.state), needsAnswer(run.state));
  }
});
