/** Random graphs, and the same graph written in many styles, for property tests of editing and formatting. */
import fc from "fast-check";
import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import type { Graph, GraphEdge, GraphNode, GraphVariable } from "../../../flow";

const words = fc.constantFrom(
  "Ask for the account number.",
  "yes",
  "no",
  "null",
  "1e3",
  "+15550100",
  "{{plan}} is known",
  "the {{plan}} plan",
  "a: b",
  "ends with:",
  "has # inside",
  'it\'s "quoted"',
  "- dash",
  "two\nlines",
  "two\nlines\n",
  "para\n\n  indented\nend\n",
  "# not a comment\nreally\n",
  "trailing  \nspaces",
  "\n\nleading",
  "many ends\n\n\n",
  "",
  " padded ",
  "tab\there",
  "emoji 🙂 ünï",
  "$.plan",
  "[a, b]",
  "a, b",
  "---",
  "<<",
  "\u2028 separator",
  "\u0007bell",
  "*star",
  "&amp",
  "!bang",
);
const text = fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: fc.string({ maxLength: 12 }) });
const id = fc.constantFrom("greet", "ask", "look_up", "bye", "a", "b-1", "Z9", "no", "on");
const data: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    text,
    fc.constantFrom<unknown>(true, false, 0, 1, -2.5, 1e21),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("account", "plan", "x y", "1", "null", "a:b", "<<", "#k"), tie("value"), {
      maxKeys: 3,
    }),
  ),
})).value;

const node = fc.record(
  {
    type: fc.constantFrom("message", "collect", "tool", "end", "custom"),
    name: text,
    instructions: text,
    variable: fc.constantFrom("plan", "account"),
    inputs: fc.dictionary(fc.constantFrom("account", "k", "no"), data, { maxKeys: 3 }),
    extra: data,
  },
  { requiredKeys: ["type"] },
);
const variable = fc.record(
  {
    type: fc.constantFrom("string", "number"),
    description: text,
    enum_values: fc.array(text, { maxLength: 4 }),
    reask_cap: fc.nat(9),
  },
  { requiredKeys: [] },
);
const edge = fc.record(
  {
    target: fc.nat(20),
    when: text,
    on: fc.constantFrom("error", "timeout"),
    label: text,
    own: fc.option(fc.constantFrom("e1", "e2", "5")),
  },
  { requiredKeys: ["target"] },
);

export const graphs: fc.Arbitrary<Graph> = fc
  .record({
    persona: fc.option(text, { nil: undefined }),
    entry: fc.option(id, { nil: undefined }),
    nodes: fc.dictionary(id, fc.tuple(node, fc.array(edge, { maxLength: 4 })), { maxKeys: 5 }),
    variables: fc.dictionary(fc.constantFrom("plan", "account", "v", "true"), variable, { maxKeys: 3 }),
    outputs: fc.array(fc.record({ name: text, value: text }), { maxLength: 3 }),
  })
  .map(build);

type Draft = {
  persona: string | undefined;
  entry: string | undefined;
  nodes: Record<string, [object, { target: number; own?: string | null }[]]>;
  variables: Record<string, object>;
  outputs: { name: string; value: string }[];
};

function build(draft: Draft): Graph {
  const ids = Object.keys(draft.nodes);
  const nodes = new Map<string, GraphNode>(ids.map((key) => [key, { ...draft.nodes[key]?.[0], id: key }]));
  const edges = new Map<string, GraphEdge>();
  for (const source of ids) {
    const seen = new Map<string, number>();
    for (const { target, own, ...fields } of draft.nodes[source]?.[1] ?? []) {
      const to = ids[target % ids.length] as string;
      const pair = `${source}--${to}`;
      const count = (seen.get(pair) ?? 0) + 1;
      const ownId = own && !edges.has(own) ? own : undefined;
      if (ownId === undefined) seen.set(pair, count);
      const edgeId = ownId ?? (count === 1 ? pair : `${pair}--${count}`);
      edges.set(edgeId, { ...fields, id: edgeId, source, target: to });
    }
  }
  const variables = new Map<string, GraphVariable>(
    Object.entries(draft.variables).map(([name, fields]) => [name, { ...fields, name }]),
  );
  return {
    ...(draft.persona === undefined ? {} : { persona: draft.persona }),
    ...(draft.entry === undefined ? {} : { entry: draft.entry }),
    nodes,
    edges,
    variables,
    outputs: draft.outputs,
  };
}

/** A graph similar to another: some elements come from the second. */
export function blend(a: Graph, b: Graph, choose: (n: number) => number): Graph {
  const mix = <T>(x: ReadonlyMap<string, T>, y: ReadonlyMap<string, T>) => {
    const mixed = new Map<string, T>();
    for (const [key, value] of [...x, ...y]) {
      const pick = choose(4);
      if (pick === 0) continue;
      const chosen = pick === 1 ? (y.get(key) ?? value) : (x.get(key) ?? value);
      mixed.set(key, chosen);
    }
    return mixed;
  };
  const nodes = mix(a.nodes, b.nodes);
  const edges = new Map([...mix(a.edges, b.edges)].filter(([, edge]) => nodes.has(edge.source)));
  return {
    ...(choose(2) ? a : b),
    nodes,
    edges: choose(3) === 0 ? new Map([...edges].reverse()) : edges,
    variables: mix(a.variables, b.variables),
    outputs: choose(2) ? a.outputs : b.outputs,
  };
}

export const styles = fc.record({
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  flow: fc.constantFrom("none", "leaves", "edges", "nodes", "json"),
  quote: fc.constantFrom<"PLAIN" | "QUOTE_DOUBLE" | "QUOTE_SINGLE">("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"),
  comments: fc.boolean(),
  blanks: fc.boolean(),
  crlf: fc.boolean(),
  bom: fc.boolean(),
});
export type StyleChoice = typeof styles extends fc.Arbitrary<infer T> ? T : never;

/** A graph written in a style by the `yaml` library instead of our code. */
export function writeGraph(graph: Graph, style: StyleChoice): string {
  const nodes: Record<string, unknown> = {};
  for (const node of graph.nodes.values()) {
    const { id: key, ...fields } = node;
    const edges = [...graph.edges.values()].filter((edge) => edge.source === key);
    const seen = new Map<string, number>();
    const items = edges.map(({ id: own, source, target, ...rest }) => {
      const pair = `${source}--${target}`;
      const count = (seen.get(pair) ?? 0) + 1;
      const derived = count === 1 ? pair : `${pair}--${count}`;
      if (own === derived) seen.set(pair, count);
      return { to: target, ...rest, ...(own === derived ? {} : { id: own }) };
    });
    nodes[key] = { ...fields, ...(items.length > 0 ? { edges: items } : {}) };
  }
  const variables = Object.fromEntries([...graph.variables].map(([key, { name: _, ...fields }]) => [key, fields]));
  const root = {
    assistant: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001",
    ...(graph.persona === undefined ? {} : { persona: graph.persona }),
    ...(graph.entry === undefined ? {} : { entry: graph.entry }),
    ...(graph.variables.size > 0 ? { context_variables: variables } : {}),
    nodes,
    ...(graph.outputs.length > 0 ? { component_outputs: graph.outputs } : {}),
  };
  if (style.flow === "json") return JSON.stringify(root, null, style.indent);
  const document = new Document(root);
  let number = 0;
  visit(document, {
    Collection(_, collection, path) {
      const depth = path.filter((step) => isMap(step) || isSeq(step)).length;
      const leaf = collection.items.every((item) => isScalar(item) || isScalar((item as { value?: unknown }).value));
      const flow = { none: false, leaves: leaf && depth > 1, edges: depth > 3, nodes: depth > 1 }[style.flow as "none"];
      if (flow) (collection as { flow?: boolean }).flow = true;
    },
    Pair(_, pair, path) {
      const inFlow = path.some((step) => (step as { flow?: boolean }).flow);
      if (!inFlow && isScalar(pair.key)) {
        if (style.comments && path.length < 8) pair.key.commentBefore = ` c${number++}`;
        if (style.blanks && path.length === 4) pair.key.spaceBefore = true;
      }
    },
  });
  const text = document.toString({
    indent: style.indent,
    indentSeq: style.indentSeq,
    defaultStringType: style.quote,
    defaultKeyType: "PLAIN",
    lineWidth: 0,
  });
  return (style.bom ? "\uFEFF" : "") + (style.crlf ? text.replaceAll("\n", "\r\n") : text);
}
