/** The graph of a flow compared with another version: marks, the list of changes, and both versions of an element. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, graphOf } from "../../../flow";
import { readWhole } from "../../../flow/review";
import { changeList, comparedTexts, OtherVersion } from "../../../server/features/graph/comparison";
import { compareGraphs } from "../../../server/features/graph/graph-view";
import { comparisonTitle } from "../../../webview/graph/overlays/comparison-title";
import { viewOf } from "./views";

const before = `entry: a
persona: Calm.
context_variables: {v: {type: string}}
nodes:
  a:
    type: message
    instructions: Say hello to them.
    edges: [{id: x, to: b, when: one}, {id: y, to: c, when: two}, {id: z, to: d}]
  b: {type: end}
  c: {type: end}
  d: {type: end}
`;
const after = before
  .replace("hello", "welcome")
  .replace(
    "{id: x, to: b, when: one}, {id: y, to: c, when: two}",
    "{id: y, to: c, when: two}, {id: x, to: b, when: one}",
  )
  .replace("{id: z, to: d}", "{id: z, to: e}")
  .replace("  d: {type: end}", "  e: {type: message, edges: [{to: b}]}")
  .replace("{v: {type: string}}", "{v: {type: number}}");
const documents = { before: FlowDocument.read(before), after: FlowDocument.read(after) };

test("every node and edge of both versions has its mark; an edge with another target is drawn twice", () => {
  const view = viewOf(after, graphOf(documents.before));
  assert.deepEqual(
    view.nodes.map(({ id, change }) => `${id} ${change}`),
    ["a changed", "b undefined", "c undefined", "e added", "d removed"],
  );
  assert.deepEqual(
    view.edges.map(({ id, target, change }) => `${id} ${target} ${change}`),
    ["y c moved", "x b undefined", "z e changed", "e--b b added", "z d removed"],
  );
});

test("the list has each change with its position in the graph", () => {
  const list = changeList(compareGraphs(graphOf(documents.before), documents.after));
  assert.deepEqual(
    list.map(({ kind, what, label, fields }) => `${kind} ${what} ${label} ${fields.join()}`.trim()),
    [
      "changed variable v type",
      "changed node a instructions",
      "added node e",
      "removed node d",
      "moved edge a → c",
      "changed edge a → e to",
    ],
  );
  assert.deepEqual(list[0]?.element, undefined);
  assert.deepEqual(list[1]?.element, { kind: "node", id: "a" });
  assert.deepEqual(list[5]?.element, { kind: "edge", node: "a", id: "z" });
});

test("two texts of an element, word by word, without the indentation of its lines", () => {
  const runs = comparedTexts(documents.before, documents.after, { what: "node", id: "a" });
  const side = (kind: string) =>
    runs
      ?.filter((run) => run.kind === "same" || run.kind === kind)
      .map(({ text }) => text)
      .join("");
  assert.match(side("removed") ?? "", /^a:\n {2}type: message\n {2}instructions: Say hello to them\.\n/);
  assert.match(side("added") ?? "", /^a:\n {2}type: message\n {2}instructions: Say welcome to them\.\n/);
  assert.deepEqual(comparedTexts(documents.before, documents.after, { what: "node", id: "d" }), [
    { kind: "removed", text: "d: {type: end}" },
  ]);
  assert.equal(comparedTexts(documents.before, documents.after, { what: "node", id: "none" }), undefined);
  assert.deepEqual(comparedTexts(documents.before, documents.after, { what: "top", id: "persona" }), [
    { kind: "same", text: "persona: Calm." },
  ]);
});

test("the title is a sentence, also for versions without a name of their own", () => {
  const changes = changeList(compareGraphs(graphOf(documents.before), documents.after)).slice(0, 1);
  const title = (which?: "base" | "platform", shown?: string) =>
    [{ changes }, { changes: [] }, { problem: "It is gone." }].map((comparison) =>
      comparisonTitle(comparison, { name: "HEAD", key: undefined, which, shown }),
    );
  assert.deepEqual(title(), [
    "Compared with HEAD: 1 change",
    "Compared with HEAD: no changes",
    "Can't compare with HEAD. It is gone.",
  ]);
  assert.deepEqual(title("base"), [
    "Compared with the last synced version: 1 change",
    "Compared with the last synced version: no changes",
    "Can't compare with the last synced version. It is gone.",
  ]);
  assert.deepEqual(title("platform"), [
    "Compared with the platform's version: 1 change",
    "Compared with the platform's version: no changes",
    "Can't compare with the platform's version. It is gone.",
  ]);
  assert.equal(title(undefined, "Version 3")[0], "Version 3 compared with HEAD: 1 change");
});

test("an incomplete flow isn't compared, with the reason", () => {
  const problem = (text: string) => {
    const read = readWhole(text);
    return "problem" in read ? read.problem : undefined;
  };
  assert.equal(problem("\0\u0001"), "is binary, not a flow.");
  assert.match(problem("a: b\n") ?? "", /^isn't a flow/);
  assert.match(problem("nodes:\n  a: {type: end\n  b: [}\n") ?? "", /^has syntax errors\. Line \d+: /);
  assert.equal(problem(""), undefined, "a flow that is new");
  const other = new OtherVersion();
  assert.equal(other.read(before), other.read(before), "read once");
  assert.notEqual(other.read(before), other.read(after));
});
