import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type SourceSpan } from "../../../flow";
import { FileFindings } from "../../../flow/findings/file-findings";
import type { PlatformFinding } from "../../../flow/findings/finding";
import { placeFinding } from "../../../flow/findings/spans";

const flow = `entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello 👋 to {{name}} and wait.
    edges:
      - to: ask
        when: the caller answers
      - {to: bye, label: gave up}
  ask:
    type: collect
    instructions: |
      Ask for the account number.
      Ask   again if it is not clear.
    edges:
      - {to: bye, label: gave up}
  bye:
    type: end
`;

/** The span of the nth occurrence of a string, as the platform would send it. */
function spanOf(
  text: string,
  { nth = 0, base = 1, unit = "utf-16", inclusive = false, excerpt = text as string | null, from = flow } = {},
): SourceSpan {
  let start = -1;
  for (let i = 0; i <= nth; i++) start = from.indexOf(text, start + 1);
  const at = (offset: number) => {
    const before = from.slice(0, offset).split("\n");
    const column = before.at(-1) ?? "";
    return { line: before.length - 1 + base, col: (unit === "utf-16" ? column.length : [...column].length) + base };
  };
  const first = at(start);
  const last = at(start + text.length);
  return {
    start_line: first.line,
    start_col: first.col,
    end_line: last.line,
    end_col: last.col - (inclusive ? 1 : 0),
    ...(excerpt === null ? {} : { raw_text_excerpt: excerpt }),
  };
}

/** The location of a finding: `anchor: text (nth occurrence)`. */
function placed(finding: PlatformFinding, text = flow): string {
  const document = FlowDocument.read(text);
  const { span, anchor } = placeFinding(document, finding);
  const shown = document.slice(span);
  const nth = shown === "" ? 0 : text.slice(0, span.start).split(shown).length - 1;
  return `${anchor}: ${shown}${nth > 0 ? ` #${nth}` : ""}`;
}

const moved = `# A comment that pushes everything down.\n\n${flow}`;
const cases: [name: string, finding: PlatformFinding, expected: string, text?: string][] = [
  // As we send it.
  ["1-based UTF-16", { source_span: spanOf("type: message") }, "span: type: message"],
  ["1-based without an excerpt", { source_span: spanOf("type: collect", { excerpt: null }) }, "span: type: collect"],
  ["1-based with an empty excerpt", { source_span: spanOf("type: end", { excerpt: "" }) }, "span: type: end"],
  ["a repeated text by its span", { source_span: spanOf("label: gave up", { nth: 1 }) }, "span: label: gave up #1"],
  ["after an emoji", { source_span: spanOf("{{name}}") }, "span: {{name}}"],
  // Other bases and units.
  ["0-based lines and columns", { source_span: spanOf("type: message", { base: 0 }) }, "span: type: message"],
  [
    "0-based without an excerpt but with a zero",
    { source_span: spanOf("entry: greet", { base: 0, excerpt: null }) },
    "span: entry: greet",
  ],
  ["code points after an emoji", { source_span: spanOf("{{name}}", { unit: "points" }) }, "span: {{name}}"],
  ["0-based code points", { source_span: spanOf("{{name}}", { unit: "points", base: 0 }) }, "span: {{name}}"],
  ["inclusive end", { source_span: spanOf("type: collect", { inclusive: true }) }, "span: type: collect"],
  [
    "0-based with an inclusive end",
    { source_span: spanOf("label: gave up", { nth: 1, base: 0, inclusive: true }) },
    "span: label: gave up #1",
  ],
  [
    "code points with an inclusive end",
    { source_span: spanOf("{{name}}", { unit: "points", inclusive: true }) },
    "span: {{name}}",
  ],
  // Inexact excerpts.
  [
    "white space folded",
    { source_span: spanOf("Ask   again if it is not clear.", { excerpt: "Ask again if it is not clear." }) },
    "span: Ask   again if it is not clear.",
  ],
  [
    "several lines folded into one",
    {
      source_span: spanOf("- to: ask\n        when: the caller answers", {
        excerpt: "- to: ask when: the caller answers",
      }),
    },
    "span: - to: ask\n        when: the caller answers",
  ],
  [
    "cut with three dots",
    { source_span: spanOf("Say hello 👋 to {{name}} and wait.", { excerpt: "Say hello 👋 to..." }) },
    "span: Say hello 👋 to {{name}} and wait.",
  ],
  [
    "cut with an ellipsis",
    { source_span: spanOf("Say hello 👋 to {{name}} and wait.", { excerpt: "Say hello…" }) },
    "span: Say hello 👋 to {{name}} and wait.",
  ],
  [
    "cut without a sign, at eighty characters",
    {
      source_span: spanOf(flow.slice(flow.indexOf("greet:\n"), flow.indexOf("  ask:")), {
        excerpt: flow.slice(flow.indexOf("greet:\n"), flow.indexOf("  ask:")).slice(0, 110),
      }),
    },
    `span: ${flow.slice(flow.indexOf("greet:\n"), flow.indexOf("  ask:")).trim()}`,
  ],
  [
    "an excerpt with white space around it",
    { source_span: spanOf("type: end", { excerpt: "  type: end\n" }) },
    "span: type: end",
  ],
  // Text that has moved.
  ["moved down", { source_span: spanOf("type: collect") }, "excerpt: type: collect", moved],
  [
    "moved down, repeated, inside its node",
    { node_id: "ask", source_span: spanOf("label: gave up", { nth: 1 }) },
    "excerpt: label: gave up #1",
    moved,
  ],
  [
    "moved down, repeated, the nearer one",
    { source_span: spanOf("label: gave up", { nth: 1 }) },
    "excerpt: label: gave up #1",
    moved,
  ],
  [
    "moved with other white space",
    {
      node_id: "ask",
      source_span: spanOf("Ask   again if it is not clear.", { excerpt: "Ask again if it is not clear." }),
    },
    "excerpt: Ask   again if it is not clear.",
    moved,
  ],
  [
    "not inside a longer word",
    { source_span: spanOf("to: ask", { excerpt: "to: ask" }) },
    "excerpt: to: ask #1",
    flow.replace("entry: greet", "entry: greet\n# to: asking"),
  ],
  [
    "the excerpt of another node is not taken while its own has it",
    { node_id: "ask", source_span: spanOf("label: gave up", { nth: 0 }) },
    "span: label: gave up",
  ],
  // Text that is gone.
  [
    "text gone, its edge stays",
    { edge_id: "greet--ask", source_span: spanOf("when: the caller answers") },
    "edge: ask",
    flow.replace("when: the caller answers", "when: she speaks"),
  ],
  [
    "text gone, its node stays",
    { node_id: "ask", source_span: spanOf("type: collect") },
    "node: ask #1",
    flow.replace("collect", "decision"),
  ],
  [
    "text and node gone",
    { node_id: "ask", source_span: { ...spanOf("type: collect"), start_line: 11 } },
    "file: entry: greet",
    flow.replace(/ {2}ask:[\s\S]*? {2}bye:/, "  bye:"),
  ],
  // No span at all, or nonsense.
  ["only a node", { node_id: "bye" }, "node: bye #2"],
  ["only an edge", { edge_id: "ask--bye" }, "edge: bye #1"],
  ["an edge and its node", { edge_id: "greet--bye", node_id: "greet" }, "edge: bye"],
  ["an unknown edge of a known node", { edge_id: "no-such-edge", node_id: "bye" }, "node: bye #2"],
  ["nothing known", { node_id: "nobody" }, "file: entry: greet"],
  [
    "a span past the end of the file",
    { source_span: { start_line: 900, start_col: 1, end_line: 901, end_col: 1 } },
    "file: entry: greet",
  ],
  [
    "a span past the end of a line, its node stays",
    { node_id: "ask", source_span: { start_line: 1, start_col: 900, end_line: 1, end_col: 901 } },
    "node: ask #1",
  ],
  [
    "a span that ends before it starts",
    { node_id: "bye", source_span: { start_line: 5, start_col: 5, end_line: 4, end_col: 1 } },
    "node: bye #2",
  ],
  ["a span with a part missing", { node_id: "bye", source_span: { start_line: 5, start_col: 5 } }, "node: bye #2"],
  [
    "a span without an excerpt outside the node it names",
    { node_id: "bye", source_span: spanOf("type: message", { excerpt: null }) },
    "node: bye #2",
  ],
];

for (const [name, finding, expected, text] of cases)
  test(`a finding is placed: ${name}`, () => {
    assert.equal(placed(finding, text), expected);
  });

test("excerpts of any length and content don't move other findings", () => {
  const long = "Say so. ".repeat(5000).trim();
  const text = flow.replace("Say hello 👋 to {{name}} and wait.", long);
  const hostile = [
    "(".repeat(40_000),
    "a".repeat(40_000),
    " \n".repeat(20_000),
    "\\".repeat(40_000),
    "x y ".repeat(10_000),
    ".",
  ];
  const findings = new FileFindings();
  const quoting = (excerpt: string) => ({
    node_id: "bye",
    source_span: { ...spanOf("type: end"), raw_text_excerpt: excerpt },
  });
  findings.set([...hostile.map(quoting), { source_span: spanOf("type: collect") }], FlowDocument.read(moved));
  assert.equal(findings.problems().length, hostile.length + 1);
  assert.equal(placed({ source_span: spanOf(long, { from: text }) }, text), `span: ${long}`);
  // The beginning is searched for, even if it ends inside a word.
  const found = placed({ source_span: spanOf(long, { from: text }) }, `# Later.\n${text}`);
  assert.match(found, /^excerpt: Say so\. Say so\./);
  const cutInside = spanOf("type: collect", { excerpt: `${" ".repeat(600)}type: coll…` });
  assert.equal(placed({ source_span: cutInside }, moved), "excerpt: type: coll");
});

test("CRLF files are placed like others", () => {
  const text = flow.replaceAll("\n", "\r\n");
  assert.equal(placed({ source_span: spanOf("type: collect", { from: text }) }, text), "span: type: collect");
});

test("a finding about a node is shown at its name, one about a line at the line", () => {
  const document = FlowDocument.read(flow);
  const whole = flow.slice(flow.indexOf("greet:\n"), flow.indexOf("  ask:")).trim();
  const shown = (finding: PlatformFinding) => document.slice(placeFinding(document, finding).shown);
  assert.equal(shown({ node_id: "greet", source_span: spanOf(whole) }), "greet");
  assert.equal(shown({ node_id: "greet", source_span: spanOf("type: message") }), "type: message");
  assert.equal(shown({ source_span: spanOf(whole) }), whole, "nobody says which node it is");
});

test("related spans, nodes and edges become related locations, each once", () => {
  const document = FlowDocument.read(flow);
  const { related } = placeFinding(document, {
    node_id: "ask",
    source_span: spanOf("type: collect"),
    related_spans: [
      spanOf("type: end"),
      spanOf("type: end"),
      { start_line: 999, start_col: 1, end_line: 999, end_col: 2 },
    ],
    related_node_ids: ["greet", "ask", "nobody"],
    related_edge_ids: ["ask--bye"],
  });
  assert.deepEqual(
    related.map((place) => `${place.message}: ${document.slice(place.span)}`),
    ["Node greet: greet", "Edge ask--bye: bye", "Related place: type: end"],
  );
});

test("a related node with an ID and a span is one location", () => {
  const document = FlowDocument.read(flow);
  const whole = flow.slice(flow.indexOf("bye:\n"));
  const { related } = placeFinding(document, {
    node_id: "greet",
    related_node_ids: ["bye", "bye"],
    related_spans: [spanOf(whole.trimEnd(), { nth: 0 }), spanOf("type: collect")],
  });
  assert.deepEqual(
    related.map((place) => `${place.message}: ${document.slice(place.span)}`),
    ["Node bye: bye", "Related place: type: collect"],
  );
});

const outputs = `persona: You are {{nobody}}, a calm voice.
entry: greet
context_variables:
  account_id:
    type: string
  bye: {type: string}
nodes:
  greet: {type: message, instructions: "{{account_id}}", edges: [{to: bye}]}
  bye: {type: end}
component_outputs:
  - {name: account, value: "{{account_id}}"}
  - {name: account, value: "{{balance}}"}
`;

/** Findings without an ID: they are shown at the element they mention. */
const spoken: [name: string, finding: PlatformFinding, expected: string][] = [
  [
    "by the operation of its fix",
    { suggested_fix: JSON.stringify([{ op: "remove_context_variable", name: "account_id" }]) },
    "named: account_id",
  ],
  [
    "by operations in an object",
    { suggested_fix: JSON.stringify({ ops: [{ op: "remove_edge", edge_id: "greet--bye" }] }) },
    "named: bye #1",
  ],
  [
    "a fix that lacks its parts is nothing's name",
    { suggested_fix: '[{"op":"upsert_node"}]' },
    `file: ${outputs.split("\n")[0]}`,
  ],
  ["by a quoted variable", { message: "The context variable “account_id” is never used." }, "named: account_id"],
  ["a name that two have, by the rule", { rule_id: "variable.unused", message: "'bye' is never used." }, "named: bye"],
  ["a name that two have, else the node", { rule_id: "dead.code", message: 'Nobody needs "bye".' }, "named: bye #2"],
  [
    "by a quoted output, the last of that name",
    { rule_id: "output.repeated-name", message: "Two component outputs are called “account”." },
    "named: account #4",
  ],
  [
    "by where a name that is nothing's is read",
    { rule_id: "variable.unknown", message: "“nobody” is read but is not a context variable." },
    "named: {{nobody}}",
  ],
  [
    "by the section of its rule",
    { rule_id: "variable.too-many", message: "There are too many." },
    "section: context_variables",
  ],
  ["by the section of its category", { category: "structure", message: "It is too large." }, "section: nodes"],
  ["the entry by its value", { rule_id: "entry.unknown", message: "It is not a node." }, "section: greet"],
  ["nothing that is known", { rule_id: "billing.overdue", message: "“x” is due." }, `file: ${outputs.split("\n")[0]}`],
];

for (const [name, finding, expected] of spoken)
  test(`a finding without an id is placed: ${name}`, () => {
    assert.equal(placed(finding, outputs), expected);
  });
