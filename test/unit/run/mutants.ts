/**
 * Mutation testing of flows: how many behavior changes the generated tests detect. Whether an undetected mutation
 * changes anything is decided without the product: the naive interpreter runs the same scripts on both.
 */
import assert from "node:assert/strict";
import { stringify } from "yaml";
import { FlowDocument, topText } from "../../../flow";
import { type FlowOf, type Program, programOf } from "../../../flow/run";
import { generateTests, readTestFile, runTest, writeTests } from "../../../flow/test";
import { type Data, type NaiveEdge, type NaiveFlow, type NaiveNode, type NaiveTest, runNaively, walk } from "./naive";
import {
  condition,
  negated,
  pick,
  type Random,
  type RandomFlows,
  sample,
  seeded,
  VARIABLES,
  type Worded,
} from "./random-flows";

export interface Mutant extends Pick<RandomFlows, "flows" | "meanings"> {
  readonly kind: string;
  readonly name: string;
}

/** Mutates every flow of the set, including components. */
export function mutantsOf({ flows, meanings, slips }: RandomFlows): Mutant[] {
  const mutants: Mutant[] = [];
  const change = (kind: string, name: string, edit: (copy: NaiveFlow[]) => void, worded?: Worded) => {
    const copy = structuredClone(flows);
    edit(copy);
    const known = worded ? new Map(meanings).set(worded.text, worded.meaning) : meanings;
    mutants.push({ kind, name, flows: copy, meanings: known });
  };
  for (const [number, flow] of flows.entries()) {
    const ids = Object.keys(flow.nodes);
    const own = number === 0 ? "" : `part ${number}, `;
    for (const [id, node] of Object.entries(flow.nodes)) {
      const place = own + id;
      const inNode = (kind: string, name: string, edit: (node: NaiveNode) => void, worded?: Worded) =>
        change(kind, `${place} ${name}`, (copy) => edit(copy[number]?.nodes[id] as NaiveNode), worded);
      for (const [index, edge] of (node.edges ?? []).entries())
        mutateEdge(edge, index, ids, slips, (kind, edit, worded) =>
          inNode(kind, `edge ${index}`, ({ edges = [] }) => edit(edges, edges[index] as NaiveEdge), worded),
        );
      if (node.type === "end" || node.type === "transfer")
        inNode("end or transfer", "", (copy) => {
          copy.type = node.type === "end" ? "transfer" : "end";
        });
      if (node.type === "message")
        inNode("ends early", "", (copy) => {
          copy.type = "end";
        });
      if (node.type === "collect")
        inNode("other variable", "", (copy) => {
          copy.variable = node.variable === "plan" ? "city" : "plan";
        });
      for (const variable of Object.keys(node.saves ?? {})) {
        inNode("save dropped", variable, ({ saves = {} }) => delete saves[variable]);
        inNode("save from elsewhere", variable, ({ saves = {} }) => {
          saves[variable] = "$.elsewhere";
        });
      }
      if (node.type === "component")
        for (const input of Object.keys(node.inputs ?? {}))
          inNode("input dropped", input, ({ inputs = {} }) => delete inputs[input]);
    }
    change("entry", `${own}entry`, (copy) => {
      (copy[number] as NaiveFlow).entry = ids[1] as string;
    });
    if (flow.component_outputs)
      change("output dropped", `${own}output`, (copy) => {
        (copy[number] as NaiveFlow).component_outputs = [];
      });
  }
  return mutants;
}

type EditEdge = (edges: NaiveEdge[], edge: NaiveEdge) => void;

function mutateEdge(
  edge: NaiveEdge,
  index: number,
  ids: readonly string[],
  slips: RandomFlows["slips"],
  change: (kind: string, edit: EditEdge, worded?: Worded) => void,
): void {
  const to = ids[(ids.indexOf(edge.to) + 1) % ids.length] as string;
  change("other target", (_, copy) => {
    copy.to = to;
  });
  change("edge dropped", (edges) => edges.splice(index, 1));
  if (index > 0)
    change("edges swapped", (edges, copy) => {
      edges.splice(index, 1);
      edges.splice(index - 1, 0, copy);
    });
  if (edge.on !== undefined) {
    change("event dropped", (_, copy) => delete copy.on);
    change("other event", (_, copy) => {
      copy.on = "other";
    });
  }
  const { when } = edge;
  if (when === undefined) return;
  change("condition dropped", (_, copy) => delete copy.when);
  const own = slips.get(when) ?? [];
  const words = { text: when, meaning: { kind: "prose" as const }, slips: [] };
  for (const slip of own)
    if (slip.text !== when)
      change(
        "condition slipped",
        (_, copy) => {
          copy.when = slip.text;
        },
        slip,
      );
  if (own.length === 0)
    change(
      "words negated",
      (_, copy) => {
        copy.when = negated(words).text;
      },
      negated(words),
    );
}

/** Realistic flows: forward, mostly with a default, to ends and transfers; two components; all variables declared. */
export function forwardFlows(seed: number): RandomFlows {
  const random = seeded(seed);
  const meanings: RandomFlows["meanings"] = new Map();
  const slips: RandomFlows["slips"] = new Map();
  const parts = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
  const flows = ["main", ...parts].map((assistant, number): NaiveFlow => {
    const count = (number === 0 ? 6 : 3) + Math.floor(random() * 4);
    const names = Array.from({ length: count }, (_, index) => `n${index}`);
    const nodes = names.map((name, index) => [name, forwardNode(random, names, index, parts.slice(number))] as const);
    return {
      assistant,
      entry: "n0",
      context_variables: {
        plan: { type: "string", enum_values: ["basic", "plus", "max"] },
        age: { type: "integer" },
        city: { type: "string" },
        paid: { type: "boolean" },
      },
      nodes: Object.fromEntries(nodes),
      ...(number > 0 ? { component_outputs: [{ name: "out", value: `{{${pick(random, VARIABLES)}}}` }] } : {}),
    };
  });
  return { flows, meanings, slips };

  function forwardNode(each: Random, names: readonly string[], index: number, callable: readonly string[]): NaiveNode {
    const isLast = index >= names.length - 2;
    if (isLast) return { type: index === names.length - 1 ? "end" : pick(each, ["end", "transfer"]) };
    const kinds = ["message", "decision", "collect", "collect", "tool", ...(callable.length > 0 ? ["component"] : [])];
    const type = pick(each, kinds);
    const node: NaiveNode = { type };
    if (type === "collect") node.variable = pick(each, VARIABLES);
    if (type === "tool") node.tool = `tool-${index}`;
    if (type === "component") {
      node.component = pick(each, callable);
      const handed = pick(each, VARIABLES);
      node.inputs = { [handed]: `{{${handed}}}` };
    }
    if (type === "tool" || type === "component") node.saves = { [pick(each, VARIABLES)]: "$.out" };
    if (type === "tool" && each() < 0.3) node.saves = { ...node.saves, [pick(each, VARIABLES)]: "$.more.deep[0]" };
    const later = names.slice(index + 1);
    node.edges = Array.from({ length: Math.floor(each() * 3) }, () => {
      const { text, meaning, slips: own } = condition(each);
      meanings.set(text, meaning);
      slips.set(text, own);
      // Edges back depend on the caller.
      const to = each() < 0.1 && meaning.kind === "prose" ? pick(each, names) : pick(each, later);
      return { to, when: text };
    });
    if (type === "tool" && each() < 0.5) node.edges.push({ to: pick(each, later), on: "error" });
    if (index === 0 || each() < 0.97) node.edges.push({ to: each() < 0.7 ? (later[0] as string) : pick(each, later) });
    return node;
  }
}

interface Made {
  readonly program: Program;
  readonly flowOf: FlowOf;
  /** By their source. */
  readonly programs: readonly (readonly [string, Program])[];
}

/** `like` has programs that can be reused. */
export function programsOf(flows: readonly NaiveFlow[], like: readonly (readonly [string, Program])[] = []): Made {
  const known = new Map(like);
  const programs = flows.map(
    (flow) => known.get(JSON.stringify(flow)) ?? programOf(FlowDocument.read(stringify(flow))),
  );
  return {
    program: programs[0] as Program,
    flowOf: (id) => programs.find(({ document }) => topText(document, "assistant") === id),
    programs: flows.map((flow, index) => [JSON.stringify(flow), programs[index] as Program]),
  };
}

export function generatedFor({ program, flowOf }: Pick<Made, "program" | "flowOf">) {
  const text = writeTests("x.flow.yaml", generateTests(program, flowOf).tests);
  const { tests, problems } = readTestFile(text);
  assert.deepEqual(problems, [], text);
  return { tests, text };
}

/** A script with values of the declared types; components are run. */
function typedScript(random: Random, { flows, meanings }: Pick<RandomFlows, "flows" | "meanings">): NaiveTest {
  const test: NaiveTest = { name: "typed", given: {}, tools: {}, steps: [] };
  const some = (variable: string): Data => (random() < 0.15 ? null : (sample[variable]?.(random) as Data));
  if (random() < 0.3) for (const variable of VARIABLES) if (random() < 0.5) test.given[variable] = some(variable);
  walk(flows, meanings, test.given, (asked, at) => {
    if (test.steps.length > 30) return "enough";
    if (asked.kind === "value") {
      const value = some(asked.variable);
      test.steps.push({ give: { [asked.variable]: value } });
      return { answer: value };
    }
    if (asked.kind === "choice") {
      const each = pick(random, asked.edges);
      test.steps.push({ take: each.id });
      return { answer: each };
    }
    if (asked.canEnter) return { answer: "enter" };
    const { saves = {}, edges = [] } = nodeAt(flows, at);
    const fails = edges.some(({ on }) => on === "error") && random() < 0.3;
    const values = Object.entries(saves).map(([variable, path]) => [path, some(variable)] as const);
    const returned = { out: null, more: { deep: [null] } } as { out: Data; more: { deep: Data[] } };
    for (const [path, value] of values)
      if (path === "$.out") returned.out = value;
      else returned.more.deep[0] = value;
    const answer: Data = fails ? { error: "failed" } : { return: returned };
    test.tools[at] = [...((test.tools[at] as Data[] | undefined) ?? []), answer];
    return { answer };
  });
  return test;
}

/** A node by its name in a run, which may be inside components. */
function nodeAt(flows: readonly NaiveFlow[], at: string): NaiveNode {
  let flow = flows[0] as NaiveFlow;
  const [last = "", ...outer] = at.split("/").reverse();
  for (const id of outer.reverse()) {
    const called = flow.nodes[id]?.component;
    flow = flows.find(({ assistant }) => assistant === called) as NaiveFlow;
  }
  return flow.nodes[last] as NaiveNode;
}

/** Whether some script runs differently, by the naive interpreter alone. */
export function isChanging(original: Pick<RandomFlows, "flows" | "meanings">, mutant: Mutant, runs: number): boolean {
  const random = seeded(runs);
  for (let run = 0; run < runs; run++) {
    const from = run % 2 === 0 ? original : mutant;
    const script = typedScript(random, from);
    const [a, b] = [original, mutant].map(({ flows, meanings }) => {
      const { path, variables, ended, stopped, stepsUsed } = runNaively(flows, meanings, script);
      return JSON.stringify([path, Object.entries(variables).sort(), ended, stopped, stepsUsed]);
    });
    if (a !== b) return true;
  }
  return false;
}

export interface MutationScore {
  mutants: number;
  changing: number;
  caught: number;
  tests: number;
  /** By kind: how many change something, and how many of them are detected. */
  readonly kinds: Map<string, { changing: number; caught: number }>;
  readonly survivors: string[];
}

export function mutationScore(seeds: Iterable<number>, runs: number): MutationScore {
  const score: MutationScore = { mutants: 0, changing: 0, caught: 0, tests: 0, kinds: new Map(), survivors: [] };
  for (const seed of seeds) {
    const made = forwardFlows(seed);
    const own = programsOf(made.flows);
    const { tests, text } = generatedFor(own);
    score.tests += tests.length;
    for (const each of tests) {
      const { failures } = runTest(each, own.program, own.flowOf);
      assert.deepEqual(failures, [], `seed ${seed}\n${stringify(made.flows)}\n${text}`);
    }
    for (const mutant of mutantsOf(made)) {
      const { program, flowOf } = programsOf(mutant.flows, own.programs);
      score.mutants++;
      const isCaught = tests.some((each) => runTest(each, program, flowOf).status === "failed");
      if (!isCaught && !isChanging(made, mutant, runs)) continue;
      const kind = score.kinds.get(mutant.kind) ?? { changing: 0, caught: 0 };
      score.kinds.set(mutant.kind, kind);
      score.changing++;
      kind.changing++;
      if (isCaught) {
        score.caught++;
        kind.caught++;
      } else score.survivors.push(`seed ${seed}: ${mutant.kind}, ${mutant.name}`);
    }
  }
  return score;
}
