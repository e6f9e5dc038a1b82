import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, graphOf, toMermaid } from "../../../flow";
import { elementAt } from "../../../server/features/graph/graph-view";
import { type Filter, inFocus, neighborOf, nextMatch, search, variablesOf } from "../../../webview/graph/filter";
import { flowOfArrows, viewOf } from "./views";

const flow = `entry: hello
nodes:
  hello:
    type: message
    name: Greeting
    instructions: |

      Welcome the caller.
      Be kind.
    edges:
      - {to: ask, when: the caller stays}
      - {to: bye, on: hangup}
  ask:
    type: collect
    variable: account
    edges:
      - {to: tell, label: next}
  tell:
    type: message
    instructions: Tell {{account}} the news.
    edges:
      - to: hello
      - to: nowhere
  bye:
    type: end
  lost:
    type: message
    instructions: Nobody comes here.
    edges:
      - to: tell
`;

test("a view has the texts, types and marks of the graph", () => {
  const view = viewOf(flow);
  const [hello, ask, tell, bye] = view.nodes;
  assert.deepEqual([hello?.name, hello?.text, hello?.terminal], ["Greeting", "Welcome the caller.", false]);
  assert.deepEqual([ask?.text, ask?.sets, tell?.reads, bye?.terminal], [undefined, ["account"], ["account"], true]);
  assert.deepEqual(
    view.edges.map(({ source, target, kind, label, dangling }) => [source, target, kind, label, dangling]),
    [
      ["hello", "ask", "when", "the caller stays", false],
      ["hello", "bye", "on", "hangup", false],
      ["ask", "tell", "default", "next", false],
      ["tell", "hello", "default", undefined, false],
      ["tell", "nowhere", "default", undefined, true],
      ["lost", "tell", "default", undefined, false],
    ],
  );
  assert.equal(view.broken, false);
  assert.equal(view.compared, false);
});

test("a view marks changes since the last sync, and shows removed elements", () => {
  const base = graphOf(FlowDocument.read(flow));
  const view = viewOf(
    flow.replace("Be kind.", "Be brief.").replace(/ {2}lost:[\s\S]*$/, "  fresh:\n    type: end\n"),
    base,
  );
  const marks = Object.fromEntries(view.nodes.map(({ id, change }) => [id, change]));
  assert.deepEqual(marks, {
    ...{ hello: "changed", ask: undefined, tell: undefined, bye: undefined },
    ...{ fresh: "added", lost: "removed" },
  });
  assert.deepEqual(
    view.edges.filter(({ change }) => change).map(({ source, change }) => [source, change]),
    [["lost", "removed"]],
  );
  assert.equal(
    viewOf(flow, base).nodes.some(({ change }) => change),
    false,
    "nothing changed",
  );
});

test("a removed node still leads to its neighbors, and no other node leads to it", () => {
  const base = graphOf(FlowDocument.read(flow));
  const without = flow
    .replace(/ {2}ask:[\s\S]*(?= {2}tell:)/, "")
    .replace("      - {to: ask, when: the caller stays}\n", "");
  const view = viewOf(without, base);
  assert.equal(neighborOf(view, "ask", "next"), "tell");
  assert.equal(neighborOf(view, "ask", "previous"), "hello");
  assert.equal(neighborOf(view, "hello", "next"), "bye");
  assert.equal(neighborOf(view, "tell", "previous"), "lost");
});

test("findings are counted at the node they are in", () => {
  const span = (text: string) => ({ start: flow.indexOf(text), end: flow.indexOf(text) + 1 });
  const view = viewOf(flow, undefined, [
    { code: "a", message: "m", severity: "error", span: span("Tell {{") },
    { code: "b", message: "m", severity: "warning", span: span("to: nowhere") },
    { code: "c", message: "m", severity: "hint", span: span("entry") },
  ]);
  const counts = view.nodes.map(({ id, errors, warnings, hints }) => `${id} ${errors} ${warnings} ${hints}`);
  assert.deepEqual(
    counts.filter((text) => !text.endsWith(" 0 0 0")),
    ["tell 1 1 0"],
  );
  assert.deepEqual(focused({ kind: "findings" }, view), ["tell"]);
});

test("the element at a place of the text", () => {
  const document = FlowDocument.read(flow);
  const at = (text: string) => elementAt(document, flow.indexOf(text) + 1);
  assert.deepEqual(at("variable: account"), { kind: "node", id: "ask" });
  const edge = at("on: hangup");
  assert.equal(edge?.kind, "edge");
  assert.equal(edge?.kind === "edge" && edge.node, "hello");
  const line = flow.lastIndexOf("\n", flow.indexOf("- {to: ask")) + 1;
  for (const place of [line, line + 3, flow.indexOf("- {to: ask")])
    assert.equal(elementAt(document, place)?.kind, "edge", "the indentation and the dash belong to the edge");
  assert.equal(at("entry"), undefined);
});

test("filters select the right nodes", () => {
  assert.equal(inFocus(viewOf(flow), { kind: "all" }), undefined);
  assert.deepEqual(focused({ kind: "unreachable" }), ["lost"]);
  assert.deepEqual(focused({ kind: "paths", id: "tell" }), ["hello", "ask", "tell"]);
  assert.deepEqual(focused({ kind: "paths", id: "lost" }), []);
  assert.deepEqual(focused({ kind: "variable", name: "account" }), ["ask", "tell"]);
  assert.deepEqual(variablesOf(viewOf(flow)), ["account"]);
});

test("Enter goes from match to match, in both directions", () => {
  const next = (selected: string | undefined, step: 1 | -1, words = " the ") =>
    nextMatch(viewOf(flow), words, selected, step);
  assert.deepEqual(next(undefined, 1), { id: "hello", isOnly: false });
  assert.deepEqual(next("hello", 1), { id: "tell", isOnly: false });
  assert.deepEqual(next("tell", 1), { id: "hello", isOnly: false });
  assert.deepEqual(next("ask", -1), { id: "tell", isOnly: false });
  assert.deepEqual(next("ask", 1, "collect"), { id: "ask", isOnly: true });
  assert.equal(next("ask", 1, "zebra"), undefined);
});

test("search covers IDs, names, types and texts, in file order", () => {
  const view = viewOf(flow);
  assert.deepEqual(search(view, "GREET"), ["hello"]);
  assert.deepEqual(search(view, " the "), ["hello", "tell"]);
  assert.deepEqual(search(view, "collect"), ["ask"]);
  assert.deepEqual(search(view, "  "), []);
});

test("Mermaid: shapes by type, labels, dotted error edges, an entry; nothing in a flow can break out", () => {
  const text = toMermaid(graphOf(FlowDocument.read(flow)));
  assert.match(text, /^flowchart TD\n {2}start\(\(start\)\) --> n1\n/);
  assert.match(text, /n1\["Greeting<br\/><small>message<\/small>"\]/);
  assert.match(text, /n4\(\["bye/);
  assert.match(text, /n1 -->\|"the caller stays"\| n2/);
  assert.match(text, /n1 -\.->\|"on hangup"\| n4/);
  assert.doesNotMatch(text, /nowhere/);
  const hostile = flowOfArrows("end>graph").replace("Say end.", 'x"]; click n1 "javascript:alert(1)"');
  for (const line of toMermaid(
    graphOf(FlowDocument.read(hostile.replace("type: message", 'type: message\n    name: "a\\"]-->b{x}|;#<script>`"'))),
  ).split("\n"))
    assert.match(line, /^(flowchart TD| {2}start\(\(start\)\) --> n1| {2}n\d\[".*"\]| {2}n\d --> n\d|)$/, line);
  assert.doesNotMatch(toMermaid(graphOf(FlowDocument.read(hostile))), /<script|javascript:alert\(1\)"/);
});

function focused(filter: Filter, view = viewOf(flow)): string[] {
  return [...(inFocus(view, filter) ?? [])];
}
