/**
 * Generated tests: they take every edge for which a naive search finds a path to an end, they pass, they are few, and
 * they detect changes of the flow. `GENERATE_FLOWS` sets the number of random flows.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse, stringify } from "yaml";
import { FlowDocument } from "../../../flow";
import { type Program, programOf } from "../../../flow/run";
import { faultsIn, generateTests, readTestFile, runTest, type TestFile, writeTests } from "../../../flow/test";
import { cases } from "../../support/cases";
import { mutationScore } from "./mutants";
import { type Data, edgeIds, type Meaning, type NaiveFlow } from "./naive";
import { randomFlows, seeded } from "./random-flows";

const none = () => undefined;
const programFor = (flow: unknown) => programOf(FlowDocument.read(typeof flow === "string" ? flow : stringify(flow)));
const edgesOf = (program: Program) => [...program.nodes.values()].flatMap((node) => node.edges.map(({ id }) => id));

/** Generates, writes, reads again and runs. */
function generated(program: Program): {
  file: TestFile;
  covered: Set<string>;
  failed: string[];
  unreachable: Map<string, string>;
} {
  const { tests, unreachable } = generateTests(program);
  const text = writeTests("x.flow.yaml", tests);
  const file = readTestFile(text);
  assert.deepEqual(file.problems, [], text);
  const results = file.tests.map((each) => runTest(each, program, none));
  return {
    file,
    covered: new Set(results.flatMap(({ edges }) => edges)),
    failed: results.flatMap((each) => each.failures.map(({ message }) => `${each.test.name}: ${message}`)),
    unreachable: new Map(unreachable.map(({ id, reason }) => [id, reason])),
  };
}

test("the examples: every edge that can be taken, in few more tests than there are edges that end a run", () => {
  for (const name of ["billing", "support-line"]) {
    const program = programFor(readFileSync(`examples/${name}.flow.yaml`, "utf8"));
    const { file, covered, failed, unreachable } = generated(program);
    assert.deepEqual(failed, []);
    assert.deepEqual(
      edgesOf(program).filter((id) => !covered.has(id) && !unreachable.has(id)),
      [],
    );
    assert.deepEqual([...unreachable], []);
    const ending = [...program.nodes.values()].flatMap(({ edges }) =>
      edges.filter(({ to }) => ["end", "transfer"].includes(program.nodes.get(to)?.type ?? "")),
    ).length;
    // A run takes one such edge, so no smaller set of tests takes them all.
    assert.ok(
      file.tests.length <= 1.2 * ending,
      `${name}: ${file.tests.length} tests for ${ending} edges that end a run`,
    );
  }
});

const count = cases(40, "GENERATE_FLOWS");

test(`${count} random flows: what the naive search reaches is taken, and every generated test passes`, () => {
  for (let seed = 1; seed <= count; seed++) {
    const { flows, meanings } = randomFlows(seeded(seed), { components: false });
    const flow = flows[0] as NaiveFlow;
    flow.context_variables = { ...flow.context_variables, city: { type: "string" }, paid: { type: "boolean" } };
    const program = programFor(flow);
    const { file, covered, failed, unreachable } = generated(program);
    const feasible = searched(flow, meanings);
    const told = () => `seed ${seed}\n${stringify(flow)}`;
    assert.deepEqual(failed, [], told());
    assert.deepEqual(
      [...feasible].filter((id) => !covered.has(id)),
      [],
      told(),
    );
    assert.deepEqual(
      edgesOf(program).filter((id) => covered.has(id) === unreachable.has(id)),
      [],
      told(),
    );
    // Mistakes in conditions need tests of their own, but not many.
    assert.ok(file.tests.length <= 4 * edgesOf(program).length, told());
  }
});

const DOMAIN: Record<string, Data[]> = {
  plan: ["basic", "plus", "max"],
  age: [-1, 0, 1, 2, 3, 4, 5, 6],
  city: ["Rome", "Oslo", "", "5", "else"],
  paid: [true, false],
};

/** The edges on a path from some values at the entry to an end, by trying every node with every value. */
function searched(flow: NaiveFlow, meanings: ReadonlyMap<string, Meaning>): Set<string> {
  type Values = Record<string, Data | undefined>;
  const names = Object.keys(DOMAIN);
  const keyOf = (id: string, values: Values) => JSON.stringify([id, ...names.map((name) => values[name] ?? null)]);
  const seen = new Map<string, { id: string; values: Values }>();
  const into = new Map<string, { from: string; edge: string }[]>();
  const queue: string[] = [];
  const arrive = (id: string, values: Values) => {
    const key = keyOf(id, values);
    if (!seen.has(key)) {
      seen.set(key, { id, values });
      queue.push(key);
    }
    return key;
  };
  let starts: Values[] = [{}];
  for (const name of names)
    starts = starts.flatMap((values) => [
      values,
      ...(DOMAIN[name] as Data[]).map((value) => ({ ...values, [name]: value })),
    ]);
  for (const values of starts) arrive(flow.entry, values);
  const ends: string[] = [];
  for (const key of queue) {
    const { id, values } = seen.get(key) as { id: string; values: Values };
    const node = flow.nodes[id];
    if (!node) continue;
    if (node.type === "end" || node.type === "transfer") {
      ends.push(key);
      continue;
    }
    const set = node.type === "collect" ? node.variable : Object.keys(node.saves ?? {})[0];
    const after: Values[] =
      set === undefined
        ? [values]
        : [undefined, ...(DOMAIN[set] as Data[])].map((value) => ({ ...values, [set]: value }));
    const outcomes: { event?: string; values: Values }[] = after.map((each) => ({ values: each }));
    if (node.type === "tool") for (const event of ["error", "timeout"]) outcomes.push({ event, values });
    for (const outcome of outcomes)
      for (const { id: edge, edge: way } of edgeIds(id, node.edges ?? [])) {
        if (way.on !== outcome.event) continue;
        const truth = way.when === undefined ? true : truthOf(meanings.get(way.when) as Meaning, outcome.values);
        if (truth === false) continue;
        if (flow.nodes[way.to]) {
          const next = arrive(way.to, outcome.values);
          into.set(next, [...(into.get(next) ?? []), { from: key, edge }]);
        }
        if (truth === true) break;
      }
  }
  const feasible = new Set<string>();
  const good = new Set(ends);
  for (const key of good)
    for (const { from, edge } of into.get(key) ?? []) {
      feasible.add(edge);
      good.add(from);
    }
  return feasible;
}

function truthOf(meaning: Meaning, values: Record<string, Data | undefined>): boolean | "unknown" {
  if (meaning.kind === "prose") return "unknown";
  if (meaning.kind === "test") return meaning.holds(values[meaning.variable]);
  if (meaning.kind === "not") {
    const truth = truthOf(meaning.part, values);
    return truth === "unknown" ? truth : !truth;
  }
  const truths = meaning.parts.map((part) => truthOf(part, values));
  const deciding = meaning.kind === "or";
  return truths.includes(deciding) ? deciding : truths.includes("unknown") ? "unknown" : !deciding;
}

interface Mutant {
  name: string;
  flow: NaiveFlow;
}

function mutantsOf(flow: NaiveFlow): Mutant[] {
  const mutants: Mutant[] = [];
  const ids = Object.keys(flow.nodes);
  const change = (name: string, edit: (copy: NaiveFlow) => void) => {
    const copy = structuredClone(flow);
    edit(copy);
    mutants.push({ name, flow: copy });
  };
  const edgesIn = (copy: NaiveFlow, id: string) =>
    copy.nodes[id]?.edges as NonNullable<NaiveFlow["nodes"][string]["edges"]>;
  for (const [id, node] of Object.entries(flow.nodes)) {
    for (const [index, edge] of (node.edges ?? []).entries()) {
      for (const step of [1, 5, 11]) {
        const to = ids[(ids.indexOf(edge.to) + step) % ids.length] as string;
        if (to !== edge.to)
          change(`${id} edge ${index} to ${to}`, (copy) => {
            (edgesIn(copy, id)[index] as typeof edge).to = to;
          });
      }
      if (edge.when !== undefined)
        change(`${id} edge ${index} negated`, (copy) => {
          (edgesIn(copy, id)[index] as typeof edge).when = `not (${edge.when})`;
        });
      if (edge.when === undefined && edge.on === undefined)
        change(`${id} without its default`, (copy) => edgesIn(copy, id).splice(index, 1));
      if (index > 0)
        change(`${id} edges ${index - 1} and ${index} swapped`, (copy) => {
          const [one] = edgesIn(copy, id).splice(index, 1);
          edgesIn(copy, id).splice(index - 1, 0, one as typeof edge);
        });
    }
    for (const variable of Object.keys(node.saves ?? {}))
      change(`${id} saves ${variable} from elsewhere`, (copy) => {
        (copy.nodes[id]?.saves as Record<string, string>)[variable] = "$.elsewhere";
      });
  }
  for (const id of ids)
    if (id !== flow.entry)
      change(`entry ${id}`, (copy) => {
        copy.entry = id;
      });
  return mutants;
}

/**
 * Mutations that change a run without a generated test detecting it. There are none: each test expects the whole path,
 * every variable and the end. An entry here needs an explanation.
 */
const EXPLAINED: readonly { readonly survivor: string; readonly because: string }[] = [];

test("generated tests detect mutations of the examples that change runs", (t) => {
  let [changing, caught] = [0, 0];
  const survivors: string[] = [];
  for (const name of ["billing", "support-line"]) {
    const flow = parse(readFileSync(`examples/${name}.flow.yaml`, "utf8")) as NaiveFlow;
    const own = generated(programFor(flow)).file.tests;
    const original = programFor(flow);
    for (const mutant of mutantsOf(flow)) {
      const program = programFor(mutant.flow);
      const isCaught = own.some((each) => runTest(each, program, none).status === "failed");
      // Whether the mutation changes anything: a test generated for the mutant that fails on the original shows it.
      const isChanging =
        isCaught || generated(program).file.tests.some((each) => runTest(each, original, none).status === "failed");
      if (!isChanging) continue;
      changing++;
      if (isCaught) caught++;
      else survivors.push(`${name}: ${mutant.name}`);
    }
  }
  assert.ok(changing >= 200, `${changing} mutations`);
  assert.ok(caught >= 0.95 * changing, `${caught} of ${changing}; survivors:\n${survivors.join("\n")}`);
  assert.deepEqual(
    survivors,
    EXPLAINED.map(({ survivor }) => survivor),
    `${caught} of ${changing}`,
  );
  t.diagnostic(`${caught} of ${changing} mutations are noticed`);
});

test("a flow with too many combinations of values still gets tests, with a note", () => {
  const count = 12;
  const lines = ["entry: c0", "context_variables:"];
  for (let n = 0; n < count; n++) lines.push(`  v${n}: {enum_values: [a, b, c, d]}`);
  lines.push("nodes:");
  const next = (kind: string, n: number, last: string) => (n + 1 < count ? `${kind}${n + 1}` : last);
  for (let n = 0; n < count; n++)
    lines.push(`  c${n}: {type: collect, variable: v${n}, edges: [{to: ${next("c", n, "d0")}}]}`);
  for (let n = 0; n < count; n++)
    lines.push(`  d${n}: {type: decision, edges: [{to: e, when: "{{v${n}}} is d"}, {to: ${next("d", n, "e")}}]}`);
  lines.push("  e: {type: end}", "  f: {type: message, edges: [{to: e}]}");
  const program = programFor(`${lines.join("\n")}\n`);
  const { covered, failed, unreachable } = generated(program);
  assert.deepEqual(failed, []);
  assert.deepEqual(
    edgesOf(program).filter((id) => !covered.has(id)),
    ["f--e"],
  );
  assert.deepEqual([...unreachable], [["f--e", 'no path from the entry leads to "f"']]);
});

test("generated tests detect changes of random flows and their components (bench/mutation.ts has 100 flows)", (t) => {
  const { changing, caught, survivors } = mutationScore([3, 4, 8], 60);
  t.diagnostic(`${caught} of ${changing} mutations are noticed`);
  assert.ok(changing >= 80, `${changing} mutations`);
  assert.ok(caught >= 0.95 * changing, `${caught} of ${changing}; survivors:\n${survivors.join("\n")}`);
});

const BOUNDS = (operator: string) => `entry: ask
context_variables:
  age: {type: integer}
  found: {type: string}
nodes:
  ask: {type: collect, variable: age, edges: [{to: look, when: "{{age}} ${operator} 18"}, {to: person}]}
  look:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
    saves: {found: $.found}
    edges: [{to: done}]
  person: {type: transfer}
  done: {type: end}
`;

for (const operator of ["<", "<=", ">", ">="])
  test(`bounds of ${operator}, transfers and what is saved are part of generated tests`, () => {
    const { tests } = generated(programFor(BOUNDS(operator))).file;
    const mutants = [
      ...["<", "<=", ">", ">="].filter((other) => other !== operator).map(BOUNDS),
      BOUNDS(operator).replace("18", "17"),
      BOUNDS(operator).replace("18", "19"),
      BOUNDS(operator).replace("type: transfer", "type: end"),
      BOUNDS(operator).replace("type: end", "type: transfer"),
      BOUNDS(operator).replace("    saves: {found: $.found}\n", ""),
    ];
    for (const mutant of mutants) {
      const program = programFor(mutant);
      assert.ok(
        tests.some((each) => runTest(each, program, none).status === "failed"),
        mutant,
      );
    }
  });

test("an undeclared variable is never expected, and unset reads are reported", () => {
  const program = programFor(`entry: a
context_variables: {name: {type: string}, place: {type: string}}
nodes:
  a: {type: tool, tool: t, saves: {nmae: $.name}, edges: [{to: b}]}
  b: {type: message, instructions: "Hello {{naem}} of {{place}}.", edges: [{to: c}]}
  c: {type: end}
`);
  const { tests } = generateTests(program);
  const text = writeTests("x.flow.yaml", tests);
  const result = runTest(readTestFile(text).tests[0] as TestFile["tests"][number], program, none);
  assert.ok(!/naem|nmae/.test(text.slice(text.indexOf("expect:"))), text);
  assert.match(text, /unset: \[place\]/);
  assert.deepEqual(
    result.failures.map(({ kind, message }) => [kind, message.includes('"naem"')]),
    [["unset-read", true]],
  );
  assert.deepEqual(faultsIn(tests), [
    'b reads "naem", which isn\'t declared; this fails "b goes on, ends at c".',
    'b reads "place", which isn\'t set there; expected as `unset` by "b goes on, ends at c".',
  ]);
});

test("components run if their flows exist, and are stubbed if they are recursive", () => {
  const [outer, inner] = ["0000000a", "0000000b"].map((end) => `00000000-0000-4000-8000-0000${end}`);
  const part = programFor(`assistant: ${inner}
entry: ask
context_variables: {plan: {type: string, enum_values: [basic, plus]}}
nodes:
  ask: {type: collect, variable: plan, edges: [{to: again, when: "{{plan}} is plus"}, {to: done}]}
  again: {type: component, component: ${inner}, edges: [{to: done}]}
  done: {type: end}
component_outputs: [{name: chosen, value: "{{plan}}"}]
`);
  const program = programFor(`assistant: ${outer}
entry: choose
context_variables: {own: {type: string}}
nodes:
  choose:
    type: component
    component: ${inner}
    saves: {own: $.chosen}
    edges: [{to: person, when: "{{own}} is 'plus'"}, {to: done}, {to: person, on: error}]
  person: {type: transfer}
  done: {type: end}
`);
  const flowOf = (id: string) => (id === inner ? part : undefined);
  const { tests, unreachable } = generateTests(program, flowOf);
  assert.deepEqual(unreachable, []);
  const text = writeTests("x.flow.yaml", tests);
  const results = readTestFile(text).tests.map((each) => runTest(each, program, flowOf));
  assert.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
    text,
  );
  const edges = new Set(results.flatMap((each) => each.edges));
  for (const id of ["choose--person", "choose--done", "choose--person--2", "choose/ask--again", "choose/ask--done"])
    assert.ok(edges.has(id), `${id}\n${text}`);
  assert.match(text, /choose\/again: \{return: \{\}\}/);
});
