/** Strings that a platform may write into a finding, from plain to hostile, and findings with one in each field. */
import type { PlatformFinding } from "../../flow/findings";
import { generator } from "./random";

const deep = (open: string, close = "", times = 20_000) => open.repeat(times) + close.repeat(times);

/** Each of these has crashed a parser, or could. */
export const ANY_TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "\ud800",
  "\u2028",
  "a\r\nb\rc",
  "😀".repeat(50),
  // A name that is too large for a regular expression.
  `"${"n".repeat(100_000)}"`,
  // Aliases, anchors, tags, merge keys, several documents and directives.
  "*a",
  "name: *a",
  "name: &a [*a]",
  "edges: &a\n  - to: bye\n  - *a",
  "<<: *a",
  "<<: {name: b}",
  "&a name: b\n*a : c",
  "name: &a b\ndescription: *a",
  `a: &a [x]\nb: &b [${"*a, ".repeat(20)}]\nc: [${"*b, ".repeat(20)}]`,
  "name: !!js/function 'x'",
  "name: !!binary x",
  "!!set {name}",
  "? {name: a}\n: b",
  "? [a]\n: b",
  "%YAML 9.9\n---\nname: a",
  "--- a\n--- b",
  "name: 2020-01-01",
  "name: .nan",
  "name: 0x1F\nname: b",
  "__proto__: {type: end}",
  "nodes: {__proto__: {type: end}}",
  "constructor: {type: end}",
  "nodes: *a",
  "nodes: [1]\nentry: {a: b}\ncontext_variables: 5\ncomponent_outputs: {a: 1}",
  "edges: [null, {}, {to: 5}, {to: [bye]}]",
  "edges: *a",
  "to: bye\nwhen: &x [*x]",
  // JSON that is almost a batch of operations.
  "[]",
  "{}",
  "[[]]",
  '{"ops": [null]}',
  ...[
    "upsert_node",
    "remove_node",
    "update_node_fields",
    "add_edge",
    "remove_edge",
    "set_entry_node",
    "upsert_context_variable",
    "remove_context_variable",
    "set_persona",
    "set_component_outputs",
    "fly",
    "toString",
  ].flatMap((op) => [
    JSON.stringify({ op }),
    JSON.stringify([{ op, node: null, node_id: null, edge: null, fields: null, variable: null, outputs: null }]),
    JSON.stringify([
      { op, node: [], node_id: {}, edge: "a", fields: [1], variable: 7, outputs: {}, persona: [], name: 1 },
    ]),
    JSON.stringify({ ops: [{ op, node: { id: "a b" }, node_id: "greet", edge_id: "greet--bye", name: "tier" }] }),
    JSON.stringify([
      {
        op,
        node: { id: "greet", type: { a: [1] }, edges: "x", id2: null },
        node_id: "greet",
        fields: { edges: [1], id: "other", type: null, "": 1, "a: b": { c: [null] } },
        edge: { id: "new", source: "greet", target: "nowhere", to: "x", source_span: 4 },
        variable: { name: "tier", type: ["a"], name2: 1 },
        outputs: [{}, { name: null }],
        persona: "\0\r\n#",
        name: "tier",
      },
    ]),
    JSON.stringify([
      {
        op,
        node: { id: "__proto__", type: "end" },
        node_id: "__proto__",
        fields: { ["__proto__"]: 1 },
        edge: { id: "constructor", source: "__proto__", target: "" },
        variable: { name: "" },
        outputs: [{ name: "", value: { "": [] } }],
        persona: "",
        name: "",
      },
    ]),
  ]),
  // Too deep or too long for a recursive parser.
  deep("["),
  deep("[", "]"),
  deep("{a: "),
  deep('{"a":', "}").replace("}", "1}"),
  `[{"op":"set_component_outputs","outputs":[{"value":${deep("[", "]")}}]}]`,
  `{"op":"upsert_node","node":{"id":"greet","x":${deep("[", "]")}}}`,
  deep("- "),
  deep("? "),
  deep("a:\n "),
  `name: ${deep("[", "]", 70)}`,
  "*a ".repeat(3_000),
  "&a ".repeat(3_000),
  "'".repeat(9_999),
  "{{".repeat(9_999),
  "`".repeat(9_999),
  "a".repeat(99_999),
  `name: "${"\\u0000".repeat(1_000)}"`,
  // Patterns, formats and markup.
  "$&$1$`",
  "(a+)+$",
  "[a-",
  "\\",
  "%s%n%d {0}",
  "```\n# x\n```",
  "“greet” 'bye' `tier` {{tier}} {{ nobody }}",
  '"toString" "__proto__" "hasOwnProperty"',
];

const WORDS = [
  ..."[]{}:,#&*!|>-?'\"%@`<\n\n\n   \t",
  "name",
  "type",
  "edges",
  "to",
  "when",
  "nodes",
  "entry",
  "context_variables",
  "component_outputs",
  "greet",
  "bye",
  "tier",
  "message",
  "\n  ",
  "\n    ",
  "\n- ",
  ": ",
  "- ",
  "&a ",
  "*a",
  "<<: ",
  "{{tier}}",
  "op",
  '"op": "remove_node"',
  "null",
  "~",
  "1e9",
];

/** Random combinations of YAML syntax and a flow's keywords. */
export function* anyTexts(count: number): Generator<string> {
  const random = generator(4711);
  for (let made = 0; made < count; made++)
    yield Array.from(
      { length: 1 + Math.floor(random() * 14) },
      () => WORDS[Math.floor(random() * WORDS.length)] as string,
    ).join("");
}

const place = { start_line: 6, start_col: 11, end_line: 6, end_col: 17 };

/** A finding with the text in each string field, and one with it in all of them. */
export function* findingsWith(text: string): Generator<PlatformFinding> {
  const whole: PlatformFinding = {
    severity: "error",
    rule_id: "node.type",
    category: "nodes",
    message: "Something is wrong.",
    node_id: "greet",
    edge_id: "greet--bye",
    related_node_ids: ["bye"],
    related_edge_ids: ["look_up--bye"],
    source_span: { ...place, raw_text_excerpt: "mesage" },
    suggested_fix: "message",
    related_spans: [{ ...place, raw_text_excerpt: "mesage" }],
  };
  const hostile: PlatformFinding = {
    severity: text,
    rule_id: text,
    category: text,
    message: text,
    node_id: text,
    edge_id: text,
    related_node_ids: [text],
    related_edge_ids: [text],
    source_span: { ...place, raw_text_excerpt: text },
    suggested_fix: text,
    related_spans: [{ ...place, raw_text_excerpt: text }],
  };
  for (const [field, value] of Object.entries(hostile)) yield { ...whole, [field]: value };
  const { edge_id: _edge, ...node } = whole;
  const { node_id: _node, source_span: _span, ...nowhere } = node;
  yield { ...node, suggested_fix: text };
  yield { ...nowhere, suggested_fix: text, message: text };
  yield hostile;
}
