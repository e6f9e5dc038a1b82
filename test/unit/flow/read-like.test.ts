/** Parsing a file similar to a parsed document: common parts are the same objects, and nothing else differs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";

const node = (id: string, words = "Hello.", to = "z") =>
  `  ${id}:\n    type: message\n    instructions: ${words}\n    edges:\n      - to: ${to}\n`;
const flow = (...nodes: string[]) => `entry: a\nnodes:\n${nodes.join("")}  z: {type: end}\n`;
const before = FlowDocument.read(flow(node("a"), node("b"), node("c"), node("d")));

/** The IDs of the nodes that both share, after checking that the result equals a fresh parse. */
function shared(text: string, like = before): string[] {
  const document = FlowDocument.read(text, like);
  const fresh = FlowDocument.read(text);
  const said = ({ blocks, problems, explainedProblems: told, lineCount }: FlowDocument) =>
    JSON.stringify([blocks.map(({ key, text, value }) => [key, text, value]), problems, told, lineCount]);
  assert.equal(said(document), said(fresh));
  assert.deepEqual(
    document.blocks.map((block) => document.positionOf(block)),
    fresh.blocks.map((block) => fresh.positionOf(block)),
  );
  return document.nodes.filter((each) => like.node(each.id) === each).map(({ id }) => id);
}

test("changes, additions, removals and moves keep all other objects", () => {
  assert.deepEqual(shared(before.text), ["a", "b", "c", "d", "z"]);
  assert.deepEqual(shared(flow(node("a"), node("b", "Bye."), node("c"), node("d"))), ["a", "c", "d", "z"]);
  assert.deepEqual(shared(flow(node("a"), node("b"), node("x"), node("c"), node("d"))), ["a", "b", "c", "d", "z"]);
  assert.deepEqual(shared(flow(node("a"), node("b"), node("d"))), ["a", "b", "d", "z"]);
  assert.deepEqual(shared(flow(node("a"), node("b"), node("d"), node("c"))), ["a", "b", "d", "c", "z"]);
});

test("a node with additional lines is another node", () => {
  const longer = flow(node("a"), `${node("b")}      - to: a\n`, node("c"), node("d"));
  assert.deepEqual(shared(longer), ["a", "c", "d", "z"]);
  assert.deepEqual(shared(before.text, FlowDocument.read(longer)), ["a", "c", "d", "z"]);
});

test("a node that is repeated, or in another section, is parsed again", () => {
  assert.deepEqual(shared(flow(node("a"), node("a"), node("c"))), ["a", "c", "z"]);
  assert.deepEqual(shared(`entry: a\nnodes:\n${node("a")}context_variables:\n${node("b")}`), ["a"]);
  assert.deepEqual(shared(before.text.replaceAll("\n", "\r\n")), []);
  assert.deepEqual(shared(before.text.slice(0, -8)), ["a", "b", "c", "d"]);
  assert.deepEqual(shared(""), []);
});

test("an entry with an anchor or alias is parsed again", () => {
  const text = flow(node("a", "&hello Hello."), node("b", "*hello"), node("c"), node("d"));
  assert.deepEqual(shared(text), ["c", "d", "z"]);
  assert.deepEqual(shared(text, FlowDocument.read(text)), ["c", "d", "z"]);
});
