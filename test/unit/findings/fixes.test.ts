import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, FlowDocument } from "../../../flow";
import { type PlatformFinding, placeFinding } from "../../../flow/findings";
import { suggestedFix } from "../../../flow/findings/fixes";
import { isSameRule } from "../../../flow/findings/same-rule";
import type { Problem } from "../../../flow/rules/engine/rule";

const flow = `entry: greet
context_variables:
  account_id:
    type: string
nodes:
  greet: # the first words
    type: mesage
    instructions: Ask for {{acount_id}}.
    edges:
      - to: look_up
        when: the caller answers
      - to: bye
  look_up:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
    edges:
      - {to: bye} # done
  bye:
    type: end
`;

/** No rule reports a problem, because only the parsing of fixes is tested here. */
const quiet = () => [];

function fixed(finding: PlatformFinding, check: (document: FlowDocument) => readonly Problem[] = quiet): string {
  const document = FlowDocument.read(flow);
  const fix = suggestedFix(document, placeFinding(document, finding), check);
  if (fix?.kind !== "edit") return fix ? `advice: ${fix.text}` : "nothing";
  return lineDiff(flow, applyEdits(flow, fix.edits));
}

function lineDiff(before: string, after: string): string {
  const old = before.split("\n");
  const now = after.split("\n");
  const removed = old.filter((line) => !now.includes(line)).map((line) => `- ${line.trim()}`);
  const added = now.filter((line) => !old.includes(line)).map((line) => `+ ${line.trim()}`);
  return [...removed, ...added].join("\n");
}

function span(text: string): PlatformFinding["source_span"] {
  const before = flow.slice(0, flow.indexOf(text)).split("\n");
  const line = before.length;
  const col = (before.at(-1) ?? "").length + 1;
  return { start_line: line, start_col: col, end_line: line, end_col: col + text.length, raw_text_excerpt: text };
}

test("replacement text replaces the span", () => {
  assert.equal(
    fixed({ node_id: "greet", source_span: span("mesage"), suggested_fix: "message" }),
    "- type: mesage\n+ type: message",
  );
  assert.equal(
    fixed({ node_id: "greet", source_span: span("{{acount_id}}"), suggested_fix: "{{account_id}}" }),
    "- instructions: Ask for {{acount_id}}.\n+ instructions: Ask for {{account_id}}.",
  );
  assert.equal(
    fixed({ node_id: "greet", source_span: span("type: mesage"), suggested_fix: "type: message" }),
    "- type: mesage\n+ type: message",
  );
});

test("a YAML block sets fields, adds edges or adds nodes, and keeps comments", () => {
  assert.equal(
    fixed({ node_id: "look_up", source_span: span("type: tool"), suggested_fix: "name: Look up the account" }),
    "+ name: Look up the account",
  );
  assert.equal(
    fixed({ node_id: "look_up", suggested_fix: "edges:\n  - to: bye\n    on: error" }),
    "+ - {to: bye, on: error}",
    "no way is lost by a list that lacks it",
  );
  assert.equal(
    fixed({ node_id: "look_up", suggested_fix: "edges:\n  - to: bye\n  - to: greet\n    on: error" }),
    "+ - {to: greet, on: error}",
    "a list with every way is the whole list",
  );
  assert.equal(
    fixed({ node_id: "greet", suggested_fix: "- to: greet\n  when: the caller is silent" }),
    "+ - to: greet\n+ when: the caller is silent",
  );
  assert.equal(
    fixed({ suggested_fix: "hand_over:\n  type: transfer\n  destination: '+15550100'" }),
    '+ hand_over:\n+ type: transfer\n+ destination: "+15550100"',
  );
  assert.equal(fixed({ suggested_fix: "context_variables:\n  plan:\n    type: string" }), "+ plan:");
});

test("a whole node becomes an edit of the differences, with any indentation", () => {
  const node = "look_up:\n    type: tool\n    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";
  const more = "\n    name: Look up";
  for (const suggested_fix of [node + more, (node + more).replaceAll("\n  ", "\n")]) {
    const document = FlowDocument.read(flow);
    const at = { ...span("look_up:"), end_line: 15, end_col: 47, raw_text_excerpt: node };
    const fix = suggestedFix(
      document,
      placeFinding(document, { node_id: "look_up", source_span: at, suggested_fix }),
      quiet,
    );
    assert.deepEqual(fix?.kind === "edit" && [fix.title, fix.edits.map((edit) => edit.text)], [
      'Add "name: Look up"',
      [more],
    ]);
  }
});

test("an edge's fields are set on the edge", () => {
  assert.equal(
    fixed({ edge_id: "greet--look_up", node_id: "greet", suggested_fix: "when: the caller asks about a bill" }),
    "- when: the caller answers\n+ when: the caller asks about a bill",
  );
});

test("operations become edits of the text", () => {
  const ops = [
    { op: "upsert_node", node: { id: "hand_over", type: "transfer", destination: "+15550100" } },
    { op: "add_edge", edge: { id: "look_up--hand_over", source: "look_up", target: "hand_over", on: "error" } },
  ];
  const result = fixed({ node_id: "look_up", suggested_fix: JSON.stringify(ops) });
  assert.match(result, /^\+ hand_over:/m);
  assert.match(result, /to: hand_over/);
  assert.equal(
    fixed({ suggested_fix: '{"ops":[{"op":"update_node_fields","node_id":"greet","fields":{"type":"message"}}]}' }),
    "- type: mesage\n+ type: message",
  );
  assert.match(
    fixed({ suggested_fix: '{"op":"remove_node","node_id":"nobody"}' }),
    /^advice/,
    "operations that do not apply are no fix",
  );
});

test("prose is advice and is never pasted", () => {
  for (const text of [
    "Add an error edge to this node.",
    "Consider splitting this node",
    "Note: tools can fail",
    "Ask for the account number first.",
    "Remove it!",
  ])
    assert.equal(fixed({ node_id: "greet", source_span: span("mesage"), suggested_fix: text }), `advice: ${text}`);
});

test("a fix is rejected if it loses a node, breaks the file or changes nothing", () => {
  assert.match(fixed({ node_id: "bye", source_span: span("nodes:"), suggested_fix: "nodez:" }), /^advice/);
  assert.match(fixed({ node_id: "greet", source_span: span("mesage"), suggested_fix: "'unclosed" }), /^advice/);
  assert.match(fixed({ node_id: "bye", suggested_fix: "type: end" }), /^advice/);
  assert.equal(fixed({ node_id: "bye" }), "nothing");
});

test("a fix is rejected if it adds a problem or doesn't solve its own", () => {
  const problem = (code: string): Problem => ({ code, severity: "error", message: "", span: { start: 0, end: 0 } });
  const always = () => [problem("near-miss-type")];
  const finding = {
    rule_id: "graph.near_miss_type",
    node_id: "greet",
    source_span: span("mesage"),
    suggested_fix: "message",
  };
  assert.match(fixed(finding, always), /^advice/);
  assert.match(
    fixed(finding, (document) => (document.text.includes("mesage") ? [] : [problem("other")])),
    /^advice/,
  );
  assert.match(
    fixed(finding, (document) => (document.text.includes("mesage") ? [problem("near-miss-type")] : [])),
    /^- type/,
  );
});

test("the platform's rule IDs are compared word by word", () => {
  for (const [code, id] of [
    ["unreachable-node", "node.unreachable"],
    ["unreachable-node", "graph.UnreachableNode"],
    ["duplicate-edge", "edge.duplicate"],
    ["undefined-variable", "variable.unknown"],
    ["missing-default", "node.no-default"],
    ["tool-without-error-edge", "tool.no-error-path"],
  ] as const)
    assert.ok(isSameRule(code, id), `${code} is ${id}`);
  assert.ok(!isSameRule("unused-variable", "variable.unknown"));
  assert.ok(!isSameRule("missing-field", undefined));
  assert.ok(isSameRule("constructor-missing", "constructor.without"));
});
