/** Sentences of `diff` about edges: they name nodes and conditions, and no two are alike. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cli, folderWith } from "./cli";

const head = (values: string) =>
  `entry: a\ncontext_variables:\n  plan: {type: string, enum_values: [${values}]}\nnodes:\n`;
const flow = (edges: string, values = "basic, plus, max") =>
  `${head(values)}  a: {type: collect, variable: plan, instructions: Ask., edges: [${edges}]}\n  b: {type: message, instructions: Hi., edges: [{to: c}]}\n  c: {type: end}\n`;

async function sentences(before: string, after: string): Promise<string[]> {
  const folder = folderWith({ "old.flow.yaml": before, "new.flow.yaml": after });
  const { out } = await cli(["diff", "old.flow.yaml", "new.flow.yaml"], { cwd: folder.path });
  folder.remove();
  return out
    .split("\n")
    .filter((line) => /condition|model|any more|Path|Waits/.test(line))
    .map((line) => line.trim());
}

test("an edge is named by its nodes and its condition", async () => {
  const edges = "{to: b, when: '{{plan}} is max'}, {to: c}";
  assert.deepEqual(await sentences(flow(edges), flow("{to: b}, {to: c}")), [
    "Path closed: a → c.",
    "Can't be taken any more: a → c (default).",
    "No longer has a condition: a → b (default, before: {{plan}} is max).",
  ]);
  assert.deepEqual(await sentences(flow(edges), flow(edges, "basic, plus, most")), [
    "Now left to the model: a → b ({{plan}} is max).",
  ]);
  assert.deepEqual(await sentences(flow(edges), flow(edges.replace("is max", "is large"))), [
    "Now left to the model: a → b ({{plan}} is large, before: {{plan}} is max).",
  ]);
});

test("a changed event is reported, because a run with the old one gets stuck", async () => {
  const tool = (on: string) =>
    flow("{to: b}").replace(
      "  b: {type: message, instructions: Hi., edges: [{to: c}]}",
      `  b: {type: tool, tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003, edges: [{to: c}, {to: a, on: ${on}}]}`,
    );
  assert.deepEqual(await sentences(tool("error"), tool("timeout")), [
    "Waits for something else: b → a (on timeout, before: on error).",
  ]);
});

test("parallel edges with the same text are distinguished by their IDs", async () => {
  const twice = "{to: c, label: more}, {to: c, label: more}";
  const said = await sentences(
    flow(`{to: c, when: so}, {to: b}`),
    flow(`{to: c, on: error}, {to: c, on: error}, {to: b}`),
  );
  assert.equal(new Set(said).size, said.length, said.join("\n"));
  const guarded = await sentences(
    flow(twice.replaceAll("label: more", "label: more, when: '{{plan}} is max'")),
    flow(`{to: c, label: more, when: the caller is nice}, {to: c, label: more, when: the caller is nice}`),
  );
  assert.equal(new Set(guarded).size, guarded.length, guarded.join("\n"));
  assert.ok(guarded.length >= 2, guarded.join("\n"));
});
