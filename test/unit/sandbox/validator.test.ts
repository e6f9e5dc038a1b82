/**
 * The platform's rules: each finds its problem and nothing else; locations and fixes are correct; nothing makes it
 * throw.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { applyOps, emptyGraph, FlowDocument, type Graph, type GraphOp, graphOf } from "../../../flow";
import type { Finding } from "../../../platform";
import { platformRules, validate } from "../../../sandbox/validator/validator";

/** The graph of a flow file, each node with its location, as the client sends it. */
function graphWithPlaces(text: string): Graph {
  const document = FlowDocument.read(text);
  const graph = graphOf(document);
  const nodes = new Map(
    document.nodes.map((entry) => {
      const start = document.startOf(entry);
      const excerpt = entry.text.trimEnd();
      const from = document.positionAt(start);
      const to = document.positionAt(start + excerpt.length);
      const source_span = {
        start_line: from.line + 1,
        start_col: from.character + 1,
        end_line: to.line + 1,
        end_col: to.character + 1,
        raw_text_excerpt: excerpt,
      };
      return [entry.id, { ...entry.wire, source_span }];
    }),
  );
  return { ...graph, nodes };
}

const clean = `
persona: Be kind.
entry: greet
context_variables:
  account_id: {type: string}
nodes:
  greet:
    type: message
    instructions: Hello.
    edges:
      - to: ask
  ask:
    type: collect
    variable: account_id
    instructions: Ask.
    edges:
      - to: look_up
        when: "{{account_id}} is known"
      - to: hand_over
  look_up:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0103
    edges:
      - to: bye
      - to: hand_over
        on: error
  hand_over:
    type: transfer
    destination: "+15550100"
  bye:
    type: end
component_outputs:
  - {name: account, value: "{{account_id}}"}
`;

/** The change of the clean flow that each rule reports, and the text its finding must point at. */
const cases: Record<string, readonly [change: (text: string) => string, words?: string]> = {
  "graph.empty": [() => "entry: x\n"],
  "entry.missing": [(text) => text.replace("entry: greet\n", "")],
  "entry.unknown": [(text) => text.replace("entry: greet", "entry: great")],
  "edge.dangling": [(text) => text.replace("- to: bye", "- to: by"), "by"],
  "edge.duplicate": [(text) => text.replace("      - to: ask\n", "      - to: ask\n      - to: ask\n"), "ask"],
  "terminal.has-edges": [
    (text) => text.replace("  bye:\n    type: end", "  bye:\n    type: end\n    edges:\n      - to: greet"),
  ],
  "node.dead-end": [(text) => text.replace("    edges:\n      - to: ask\n", "")],
  "node.unreachable": [(text) => text.replace("- to: look_up", "- to: bye"), "look_up"],
  "loop.no-exit": [
    (text) => text.replace("    edges:\n      - to: ask\n", "    edges:\n      - to: greet\n        when: again\n"),
    "greet",
  ],
  "edge.self-unconditional": [(text) => text.replace("- to: hand_over\n  look_up", "- to: ask\n  look_up"), "ask"],
  "edge.shadowed": [
    (text) => text.replace("      - to: ask\n", "      - to: ask\n      - to: bye\n        when: no\n"),
    "bye",
  ],
  "node.no-default": [(text) => text.replace("      - to: hand_over\n  look_up", "  look_up")],
  "decision.single-way": [(text) => text.replace("type: message", "type: decision"), "greet"],
  "variable.unknown": [(text) => text.replace("Hello.", "Hello {{acount_id}}."), "acount_id"],
  "variable.unused": [(text) => text.replace("context_variables:\n", "context_variables:\n  spare: {type: string}\n")],
  "variable.repeated-value": [(text) => text.replace("{type: string}", "{type: string, enum_values: [a, b, a]}")],
  "collect.unknown-variable": [(text) => text.replace("variable: account_id", "variable: acount_id"), "acount_id"],
  "output.unknown-variable": [(text) => text.replace('value: "{{account_id}}"', 'value: "{{nothing}}"')],
  "output.repeated-name": [(text) => `${text}  - {name: account, value: x}\n`],
  "node.unknown-type": [(text) => text.replace("type: message", "type: mesage"), "mesage"],
  "collect.no-variable": [(text) => text.replace("    variable: account_id\n", ""), "ask"],
  "tool.no-tool": [(text) => text.replace(/ {4}tool: .*\n/, ""), "look_up"],
  "tool.no-error-path": [(text) => text.replace("      - to: hand_over\n        on: error\n", "")],
  "transfer.no-destination": [(text) => text.replace('    destination: "+15550100"\n', "")],
  "instructions.missing": [(text) => text.replace("    instructions: Hello.\n", ""), "greet"],
  "instructions.long": [(text) => text.replace("Hello.", "Hello. ".repeat(200))],
};

test("a good flow has no findings", () => {
  const { findings, valid } = validate(graphWithPlaces(clean));
  assert.deepEqual(findings, []);
  assert.equal(valid, true);
});

test("every rule has a case", () => {
  assert.deepEqual(Object.keys(cases).sort(), platformRules.map((rule) => rule.id).sort());
  assert.ok(platformRules.length >= 15);
});

for (const [id, [change, words]] of Object.entries(cases))
  test(`${id} is found where it is`, () => {
    const text = change(clean);
    assert.notEqual(text, clean);
    const { findings } = validate(graphWithPlaces(text));
    const found = findings.filter((finding) => finding.rule_id === id);
    assert.equal(found.length, 1, JSON.stringify(findings.map((finding) => finding.rule_id)));
    const [finding] = found as [Finding];
    assert.ok(finding.message && finding.suggested_fix && finding.category);
    assert.doesNotMatch(finding.message, /undefined|null/);
    if (finding.source_span) assert.equal(textAt(text, finding.source_span), finding.source_span.raw_text_excerpt);
    if (words !== undefined) assert.equal(finding.source_span?.raw_text_excerpt, words);
  });

test("fixes of all four kinds are sent, and those that can be applied make their finding go away", () => {
  const seen = new Set<string>();
  const flawed = readFileSync("test/support/flawed.flow.yaml", "utf8");
  for (const text of [flawed, ...Object.values(cases).map(([change]) => change(clean))]) {
    const graph = graphWithPlaces(text);
    for (const finding of validate(graph).findings) {
      const kind = kindOf(finding);
      seen.add(kind);
      if (kind === "prose") continue;
      const after =
        kind === "ops"
          ? applyOps(graph, JSON.parse(finding.suggested_fix ?? "") as GraphOp[]).graph
          : graphWithPlaces(replaceAt(text, finding.source_span, finding.suggested_fix ?? ""));
      assert.ok(after, `${finding.rule_id}: the fix does not apply`);
      const same = validate(after).findings.filter(
        (each) =>
          each.rule_id === finding.rule_id && each.message === finding.message && each.edge_id === finding.edge_id,
      );
      assert.deepEqual(same, [], `${finding.rule_id}: still there after its fix`);
    }
  }
  assert.deepEqual([...seen].sort(), ["ops", "prose", "replacement", "yaml"]);
});

test("without positions, findings are the same except for their spans", () => {
  const text = readFileSync("test/support/flawed.flow.yaml", "utf8");
  const bare = validate(graphOf(FlowDocument.read(text))).findings;
  assert.ok(bare.length > 5);
  assert.deepEqual(
    bare.map((finding) => [finding.rule_id, finding.node_id]),
    validate(graphWithPlaces(text)).findings.map((finding) => [finding.rule_id, finding.node_id]),
  );
  assert.ok(bare.every((finding) => finding.source_span === undefined && finding.related_spans === undefined));
});

test("no graph makes it throw, and the same graph gives the same findings", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "__proto__", "");
  const value = fc.oneof(
    fc.constantFrom("{{a}}", "message", "collect", "tool", "end", "error"),
    fc.jsonValue(),
    fc.constant({ toString: 1 }),
  );
  const node = fc
    .tuple(
      id,
      fc.dictionary(fc.constantFrom("type", "variable", "instructions", "saves", "source_span", "tool"), value),
    )
    .map(([name, fields]): GraphOp => ({ op: "upsert_node", node: { ...fields, id: name || "x" } as never }));
  const edge = fc
    .record({ id: fc.string({ minLength: 1, maxLength: 3 }), source: id, target: id, when: value, on: value })
    .map(
      (each): GraphOp => ({
        op: "add_edge",
        edge: { ...each, source: each.source || "x", target: each.target || "y" },
      }),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(node, edge), { maxLength: 12 }), id, (ops, entry) => {
      let graph: Graph = { ...emptyGraph, entry };
      for (const op of ops) graph = applyOps(graph, [op]).graph ?? graph;
      const verdict = validate(graph);
      assert.equal(JSON.stringify(validate(graph)), JSON.stringify(verdict));
    }),
    { numRuns: 500 },
  );
});

function kindOf({ suggested_fix = "", node_id = "", source_span }: Finding): "ops" | "yaml" | "replacement" | "prose" {
  if (suggested_fix.startsWith("[")) return "ops";
  if (source_span && suggested_fix.startsWith(`${node_id}:\n`)) return "yaml";
  return source_span && /^[\w-]+$/.test(suggested_fix) ? "replacement" : "prose";
}

function textAt(text: string, span: NonNullable<Finding["source_span"]>): string {
  const { start, end } = offsets(text, span);
  return text.slice(start, end);
}

function replaceAt(text: string, span: Finding["source_span"], by: string): string {
  assert.ok(span);
  const { start, end } = offsets(text, span);
  return text.slice(0, start) + by + text.slice(end);
}

function offsets(text: string, span: NonNullable<Finding["source_span"]>): { start: number; end: number } {
  const document = FlowDocument.read(text);
  const at = (line: number, col: number) => document.offsetAt({ line: line - 1, character: col - 1 });
  return { start: at(span.start_line, span.start_col), end: at(span.end_line, span.end_col) };
}

test("names of any length are checked", () => {
  const long = "n".repeat(100_000);
  const text = clean.replaceAll("to: look_up", `to: ${long}`).replace("Ask.", `"Ask {{${long}}}."`);
  assert.ok(validate(graphWithPlaces(text)).findings.some(({ message }) => message?.includes("nnnn")));
});
