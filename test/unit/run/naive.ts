/**
 * A second, naive interpreter of flows: plain loops over plain data, written independently of the product, to compare
 * with the machine. Conditions are trees with their text, so the product's parser of conditions is tested too.
 */

export type Data = null | boolean | number | string | Data[] | { [key: string]: Data };

/** The meaning of a condition: a test of one variable, prose, or combined parts. */
export type Meaning =
  | { kind: "prose" }
  | { kind: "test"; variable: string; holds: (value: Data | undefined) => boolean }
  | { kind: "not"; part: Meaning }
  | { kind: "and" | "or"; parts: Meaning[] };

export interface NaiveEdge {
  to: string;
  when?: string;
  on?: string;
  label?: string;
  id?: string;
}

export interface NaiveNode {
  type: string;
  instructions?: string;
  variable?: string;
  tool?: string;
  component?: string;
  inputs?: Record<string, Data>;
  saves?: Record<string, string>;
  edges?: NaiveEdge[];
}

export interface NaiveFlow {
  assistant: string;
  entry: string;
  context_variables: Record<string, Data>;
  nodes: Record<string, NaiveNode>;
  component_outputs?: { name: string; value: string }[];
}

export interface NaiveTest {
  name: string;
  given: Record<string, Data>;
  tools: Record<string, Data>;
  steps: { take?: string; give?: Record<string, Data> }[];
}

export interface NaiveRun {
  path: string[];
  edges: string[];
  variables: Record<string, Data>;
  ended: { kind: string; node: string };
  /** The kind of failure that stopped the run, if any. */
  stopped?: string;
  stepsUsed: number;
  unset: string[];
}

export type Asked =
  | { kind: "choice"; edges: { id: string; edge: NaiveEdge }[] }
  | { kind: "value"; variable: string }
  | { kind: "call"; keys: string[]; canEnter: boolean };

/** Answers a question, or returns the kind of failure. */
export type Driver = (asked: Asked, at: string, all: { id: string; edge: NaiveEdge }[]) => string | { answer: unknown };

export function edgeIds(from: string, edges: readonly NaiveEdge[]): { id: string; edge: NaiveEdge }[] {
  return edges.map((edge, index) => {
    const number = edges.slice(0, index + 1).filter((other) => other.to === edge.to).length;
    return { edge, id: edge.id ?? `${from}--${edge.to}${number > 1 ? `--${number}` : ""}` };
  });
}

function truthOf(meaning: Meaning, variables: Record<string, Data>): boolean | "unknown" {
  if (meaning.kind === "prose") return "unknown";
  if (meaning.kind === "test") return meaning.holds(variables[meaning.variable]);
  if (meaning.kind === "not") {
    const truth = truthOf(meaning.part, variables);
    return truth === "unknown" ? "unknown" : !truth;
  }
  const truths = meaning.parts.map((part) => truthOf(part, variables));
  if (meaning.kind === "and") return truths.includes(false) ? false : truths.includes("unknown") ? "unknown" : true;
  return truths.includes(true) ? true : truths.includes("unknown") ? "unknown" : false;
}

function filled(data: Data, variables: Record<string, Data>): Data | undefined {
  if (typeof data !== "string") return data;
  const whole = /^\{\{(\w+)\}\}$/.exec(data);
  if (whole) return variables[whole[1] as string];
  return data.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(variables[name] ?? ""));
}

function found(path: string, answer: Data): Data | undefined {
  let value: Data | undefined = answer;
  for (const [, name, index] of path.slice(1).matchAll(/\.(\w+)|\[(\d+)\]/g)) {
    if (name !== undefined && value && typeof value === "object" && !Array.isArray(value)) value = value[name];
    else if (index !== undefined && Array.isArray(value)) value = value[Number(index)];
    else return undefined;
  }
  return value ?? undefined;
}

export function walk(
  flows: readonly NaiveFlow[],
  meanings: ReadonlyMap<string, Meaning>,
  given: Record<string, Data>,
  drive: Driver,
): NaiveRun {
  const path: string[] = [];
  const edges: string[] = [];
  const unset: string[] = [];
  let ended: NaiveRun["ended"] | undefined;
  let stopped: string | undefined;
  let outermost: Record<string, Data> = {};

  /** Runs a flow to its end; returns the outputs after an `end`, undefined if the whole run is over. */
  const runFlow = (
    flow: NaiveFlow,
    variables: Record<string, Data>,
    prefix: string,
    depth: number,
  ): Data | undefined => {
    if (depth === 0) outermost = variables;
    let id = flow.entry;
    for (;;) {
      const node = flow.nodes[id] as NaiveNode;
      const at = prefix + id;
      const over = (kind: string) => {
        ended = { kind, node: at };
        return undefined;
      };
      if (path.length === 10_000 || depth > 100) return over("endless");
      path.push(at);
      const texts = [node.instructions ?? "", ...Object.values(node.inputs ?? {}).map(String)];
      for (const [, name] of texts.join(" ").matchAll(/\{\{(\w+)\}\}/g))
        if (variables[name as string] === undefined) unset.push(`${at} ${name}`);
      const save = (answer: Data) => {
        for (const [name, where] of Object.entries(node.saves ?? {})) {
          const value = found(where, answer);
          if (value === undefined) delete variables[name];
          else variables[name] = value;
        }
      };
      let event: string | undefined;
      if (node.type === "transfer") return over("transfer");
      if (node.type === "end") {
        if (depth === 0) return over("end");
        const outputs: Record<string, Data> = {};
        for (const { name, value } of flow.component_outputs ?? []) {
          const out = filled(value, variables);
          if (out !== undefined) outputs[name] = out;
        }
        return outputs;
      }
      const all = edgeIds(id, node.edges ?? []);
      const ask = (asked: Asked): unknown => {
        const said = drive(asked, at, all);
        if (typeof said !== "string") return said.answer;
        stopped = said;
        ended = { kind: "waiting", node: at };
        return undefined;
      };
      if (node.type === "collect") {
        const value = ask({ kind: "value", variable: node.variable as string }) as Data | undefined;
        if (stopped) return undefined;
        if (value === null || value === undefined) delete variables[node.variable as string];
        else variables[node.variable as string] = value;
      }
      if (node.type === "tool" || node.type === "component") {
        const called = (node.tool ?? node.component) as string;
        const inner = node.type === "component" ? flows.find(({ assistant }) => assistant === called) : undefined;
        const answer = ask({ kind: "call", keys: [at, called], canEnter: inner !== undefined }) as
          | { return: Data }
          | { error: Data }
          | { event: string }
          | "enter";
        if (stopped) return undefined;
        if (answer === "enter") {
          const inputs: Record<string, Data> = {};
          for (const [name, value] of Object.entries(node.inputs ?? {})) {
            const input = filled(value, variables);
            if (input !== undefined && input !== null) inputs[name] = input;
          }
          const outputs = runFlow(inner as NaiveFlow, inputs, `${at}/`, depth + 1);
          if (outputs === undefined) return undefined;
          save(outputs);
        } else if ("return" in answer) save(answer.return);
        else event = "error" in answer ? "error" : answer.event;
      }
      const open: { id: string; edge: NaiveEdge }[] = [];
      let certain = true;
      for (const each of all) {
        if (each.edge.on !== event) continue;
        const truth = each.edge.when === undefined ? true : truthOf(meanings.get(each.edge.when) as Meaning, variables);
        if (truth === false) continue;
        open.push(each);
        if (truth === true) break;
        certain = false;
      }
      if (open.length === 0) return over("stuck");
      const taken = certain ? open[0] : (ask({ kind: "choice", edges: open }) as (typeof open)[number]);
      if (stopped || !taken) return undefined;
      edges.push(prefix + taken.id);
      if (!flow.nodes[taken.edge.to]) return over("stuck");
      id = taken.edge.to;
    }
  };
  runFlow(flows[0] as NaiveFlow, { ...given }, "", 0);
  return {
    path,
    edges,
    variables: outermost,
    ended: ended as NaiveRun["ended"],
    ...(stopped ? { stopped } : {}),
    stepsUsed: 0,
    unset,
  };
}

/** Runs a test with plain tools and steps. */
export function runNaively(
  flows: readonly NaiveFlow[],
  meanings: ReadonlyMap<string, Meaning>,
  test: NaiveTest,
): NaiveRun {
  let step = 0;
  const calls: Record<string, number> = {};
  const run = walk(flows, meanings, test.given, (asked, _at, all) => {
    if (asked.kind === "call") {
      const key = asked.keys.find((name) => name in test.tools);
      if (key === undefined) return asked.canEnter ? { answer: "enter" } : "stub-missing";
      calls[key] = (calls[key] ?? 0) + 1;
      const stub = test.tools[key] as Data;
      const answer = Array.isArray(stub) ? stub[(calls[key] as number) - 1] : stub;
      return answer === undefined ? "stub-missing" : { answer };
    }
    const next = test.steps[step];
    if (!next) return "step-missing";
    if (asked.kind === "value") {
      if (!next.give || !(asked.variable in next.give)) return "wrong-step";
      step++;
      return { answer: next.give[asked.variable] };
    }
    if (next.take === undefined) return "wrong-step";
    const ways = [
      (each: { id: string; edge: NaiveEdge }) => each.id,
      (each: { edge: NaiveEdge }) => each.edge.when,
      (each: { edge: NaiveEdge }) => each.edge.label,
      (each: { edge: NaiveEdge }) => each.edge.to,
    ];
    const named = ways.map((way) => all.filter((each) => way(each) === next.take)).find((list) => list.length > 0);
    if (!named) return "edge-unknown";
    const left = named.filter((each) => asked.edges.some(({ edge }) => edge === each.edge));
    if (left.length > 1) return "bad-test";
    if (left.length === 0) return "edge-not-taken";
    step++;
    return { answer: left[0] };
  });
  return { ...run, stepsUsed: step };
}
