/**
 * Names and styles in files with anchors, aliases and merge keys. Every name is renamed in random flows: the parsed
 * result is the original with the name replaced, or the rename is rejected.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { applyEdits, FlowDocument, refactoringsAt, type TextEdit } from "../../../flow";
import { graphEdit } from "../../../server/features/graph/graph-edit";
import { type FlowName, nameAt } from "../../../server/features/names/occurrences";
import { rename, renamedAt } from "../../../server/features/names/rename";
import type { GraphEdit } from "../../../server/messages";
import { cases } from "../../support/cases";

const FLOWS = cases(300);
const NEW = "renamed";
type Json = Record<string, unknown>;

const mapped = (value: unknown, change: (entries: [string, unknown][]) => [string, unknown][]) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(change(Object.entries(value)))
    : value;

/** The file's data with another name, computed without the product. */
function renamedIn(data: Json, { kind, name }: FlowName): Json {
  const other = (value: unknown) => (value === name ? NEW : value);
  const keys = (value: unknown) => mapped(value, (all) => all.map(([key, each]) => [key === name ? NEW : key, each]));
  const inText = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll(`{{${name}}}`, `{{${NEW}}}`);
    if (Array.isArray(value)) return value.map(inText);
    return mapped(value, (all) => all.map(([key, each]) => [key, inText(each)]));
  };
  const field = (value: unknown, key: string, change: (value: unknown) => unknown) =>
    mapped(value, (all) => all.map(([each, inner]) => [each, each === key ? change(inner) : inner]));
  const each = (change: (value: unknown) => unknown) => (value: unknown) =>
    Array.isArray(value) ? value.map(change) : value;
  const inNodes = (change: (node: unknown) => unknown) =>
    mapped(data.nodes, (all) => all.map(([id, node]) => [id, change(node)]));
  if (kind === "output")
    return { ...data, component_outputs: each((output) => field(output, "name", other))(data.component_outputs) };
  if (kind === "node") {
    const nodes = inNodes((node) =>
      field(
        node,
        "edges",
        each((edge) => field(edge, "to", other)),
      ),
    );
    return { ...data, entry: other(data.entry), nodes: keys(nodes) };
  }
  const nodes = inNodes((node) => inText(field(field(node, "saves", keys), "variable", other)));
  const { component_outputs, entry, context_variables } = data;
  return {
    ...data,
    entry: inText(entry),
    context_variables: keys(context_variables),
    nodes,
    component_outputs: inText(component_outputs),
  };
}

/** A flow with all kinds of values from aliases and merge keys. */
function randomFlow(seed: number): string {
  let state = seed;
  const chance = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = (from: readonly string[]) => from[Math.floor(chance() * from.length)] as string;
  const anchors = new Map<string, string[]>();
  let count = 0;
  const value = (kind: string, make: () => string): string => {
    const known = anchors.get(kind) ?? [];
    if (known.length > 0 && chance() < 0.5) return `*${pick(known)} `;
    const made = make();
    if (chance() < 0.6) return made;
    const name = `k${count++}`;
    anchors.set(kind, [...(anchors.get(kind) ?? []), name]);
    return `&${name} ${made}`;
  };
  const map = (kind: string, fields: () => readonly string[]) =>
    value(kind, () => {
      const known = anchors.get(kind) ?? [];
      const merge = known.length > 0 && chance() < 0.4 ? [`<<: *${pick(known)} `] : [];
      return `{${[...merge, ...fields()].join(", ")}}`;
    });
  const maybe = (make: () => string) => (chance() < 0.5 ? [make()] : []);
  const text = () => value("text", () => pick(['"hi {{x}} {{y}}"', '"{{a}}"', "'{{z}} a'", "x", "a", "b"]));
  const name = (names: readonly string[]) => value("text", () => pick(names));
  const [NODES, VARIABLES] = [
    ["a", "b", "c"],
    ["x", "y", "z", "a"],
  ];
  const edge = () => map("edge", () => [`to: ${name(NODES)}`, ...maybe(() => `when: ${text()}`)]);
  const edges = () =>
    value("edges", () => `[${Array.from({ length: 1 + Math.floor(chance() * 3) }, edge).join(", ")}]`);
  const node = () =>
    map("node", () => [
      `type: ${pick(["message", "collect", "tool"])}`,
      ...maybe(() => `variable: ${name(VARIABLES)}`),
      ...maybe(() => `saves: ${map("saves", () => [`${pick(["x", "y"])}: $.p`, `${pick(["z", "a"])}: $.p`])}`),
      ...maybe(() => `inputs: ${map("inputs", () => [`p: ${text()}`, `x: ${text()}`])}`),
      ...maybe(() => `instructions: ${text()}`),
      ...maybe(() => `edges: ${edges()}`),
    ]);
  const variable = () => map("variable", () => ["type: string", ...maybe(() => `description: ${text()}`)]);
  const parts = [
    () => `entry: ${name(NODES)}\n`,
    () => `context_variables:\n${VARIABLES.map((each) => `  ${each}: ${variable()}\n`).join("")}`,
    () => `nodes:\n${NODES.map((each) => `  ${each}: ${node()}\n`).join("")}`,
    () =>
      `component_outputs:\n${["x", "o"].map((each) => `  - {name: ${value("text", () => each)}, value: ${text()}}\n`).join("")}`,
  ];
  const order = parts.map((part) => ({ part, at: chance() })).sort((a, b) => a.at - b.at);
  return order.map(({ part }) => part()).join("");
}

test("a rename changes the name everywhere and nothing else, or is rejected", () => {
  let renames = 0;
  for (let seed = 1; seed <= FLOWS; seed++) {
    const text = randomFlow(seed * 7919);
    const document = FlowDocument.read(text);
    if (document.problems.length > 0) continue;
    const before = parse(text, { merge: true }) as Json;
    const seen = new Set<number>();
    for (let at = 0; at < text.length; at++) {
      const name = nameAt(document, at);
      if (!name || seen.has(name.span.start) || !renamedAt(document, at)) continue;
      seen.add(name.span.start);
      const result = rename(document, at, NEW);
      if ("refused" in result) continue;
      renames++;
      const after: unknown = parse(applyEdits(text, result.edits), { merge: true });
      assert.deepEqual(plain(after), plain(renamedIn(before, name)), `${name.kind} ${name.name} in\n${text}`);
    }
  }
  assert.ok(renames > FLOWS, `${renames} renames`);
});

test("a change of an edge changes no other part, or is rejected", () => {
  let changes = 0;
  for (let seed = 1; seed <= FLOWS; seed++) {
    const text = randomFlow(seed * 7919);
    const document = FlowDocument.read(text);
    if (document.problems.length > 0) continue;
    const nodesOf = (flow: string) =>
      plain((parse(flow, { merge: true }) as { nodes: Json }).nodes) as Record<string, { edges?: unknown[] }>;
    const before = nodesOf(text);
    const check = (source: string, title: string, edits: readonly TextEdit[], edges: (was: unknown[]) => unknown[]) => {
      if (edits.length === 0) return;
      changes++;
      const after = nodesOf(applyEdits(text, edits));
      const message = `${title} in\n${text}`;
      for (const [id, node] of Object.entries(before)) {
        const { edges: was = [], ...rest } = node;
        const { edges: now = [], ...others } = after[id] ?? {};
        assert.deepEqual(others, rest, message);
        assert.deepEqual(now, id === source ? edges(was) : was, message);
      }
    };
    for (const source of document.nodes) {
      const graph = (edit: GraphEdit, edges: (was: unknown[]) => unknown[]) => {
        const result = graphEdit(document, edit);
        if ("edits" in result) check(source.id, JSON.stringify(edit), result.edits, edges);
      };
      for (const [at, edge] of source.edges.entries()) {
        const { start } = document.absolute(source, edge.toSpan ?? edge.span);
        for (const { id, title, edits } of refactoringsAt(document, { start, end: start }))
          if (id === "insert-on-edge")
            check(source.id, title, edits(), (was) =>
              was.map((each, index) => (index === at ? { ...(each as Json), to: `before_${edge.to}` } : each)),
            );
        graph({ kind: "delete", element: { kind: "edge", node: source.id, id: edge.id } }, (was) =>
          was.toSpliced(at, 1),
        );
      }
      const added = { to: "a", when: "asked for it" };
      const fallback = source.edges.findIndex((edge) => edge.isDefault);
      graph({ kind: "connect", from: source.id, ...added }, (was) =>
        was.toSpliced(fallback < 0 ? was.length : fallback, 0, added),
      );
    }
  }
  assert.ok(changes > FLOWS, `${changes} changes`);
});

test("an edit that is only tried keeps all blocks the same objects", () => {
  for (let seed = 1; seed <= FLOWS; seed += 10) {
    const text = randomFlow(seed * 7919);
    const document = FlowDocument.read(text);
    const blocks = [...document.nodes, ...document.variables, ...document.tops];
    for (let at = 0; at < text.length; at += 7) {
      document.trial([{ start: at, end: at + 5, text: "" }], () => {});
      const again = [...document.nodes, ...document.variables, ...document.tops];
      assert.ok(
        again.every((block, index) => block === blocks[index]),
        `${at} in\n${text}`,
      );
    }
  }
});

/** Copies shared objects: aliases produce one object, but a name refers to what is read. */
function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data));
}

test("the other style keeps what a merge key refers to", () => {
  const text = `entry: a
x-shared: &shared {label: Hi}
x-base: &base
  type: message
nodes:
  a:
    <<: *base
    inputs:
      <<: *shared
      b: {<<: *shared, c: 2}
      d: ["<<"]
    edges:
      - <<: *shared
        to: b
      - {"<<": *shared, to: b}
  b: {<<: [*base, *shared], edges: [{to: c, <<: *shared}]}
  c: {type: end}
`;
  const document = FlowDocument.read(text);
  for (let at = 0; at < text.length; at++)
    for (const { id, edits } of refactoringsAt(document, { start: at, end: at })) {
      if (id !== "to-flow-style" && id !== "to-block-style") continue;
      const after = applyEdits(text, edits());
      assert.deepEqual(parse(after, { merge: true }), parse(text, { merge: true }), after);
      assert.equal(after.match(/<<["']?:/g)?.length, text.match(/<<["']?:/g)?.length, after);
    }
});

test("a template inserted by an alias is parsed", () => {
  const text = `entry: a
context_variables:
  x: {type: string, description: &words "It is {{x}}."}
nodes:
  a: {type: message, instructions: *words , edges: [{to: b}]}
  b: {type: end}
`;
  assert.deepEqual(
    FlowDocument.read(text)
      .node("a")
      ?.refs.map(({ name }) => name),
    ["x"],
  );
});
