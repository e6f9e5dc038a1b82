/** Conversations on the Play page: answers, going back, starting points, and edits of the flow in between. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Play, type PlayFrom } from "../../../debug";
import { inProject } from "../../../scripts/project";

const billing = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");

/** A conversation with a flow whose text can be changed. */
async function playing(from: PlayFrom = {}, tools?: string) {
  const file = { text: billing };
  const host = {
    cwd: "/none",
    textOf: async (name: string) => (name === "/none/billing.flow.yaml" ? file.text : undefined),
    watch: () => ({ dispose: () => undefined }),
    toolsFor: async () => tools,
  };
  const play = await Play.begin(host, "/none/billing.flow.yaml", from);
  const edit = async (to: string) => {
    file.text = to;
    await play.repeat();
  };
  return { play, edit, at: () => play.view.asks?.at ?? play.view.ended };
}

test("it asks, goes back one question at a time, and another answer starts another path", async () => {
  const { play, at } = await playing();
  assert.equal(at(), "greet");
  assert.equal(play.view.canGoBack, false);
  assert.match(play.answer("take nonsense") ?? "", /can't take "nonsense"/);
  assert.equal(play.answer("take the caller asks about a bill"), undefined);
  assert.equal(play.answer("give account_id 4711"), undefined);
  assert.equal(at(), "look_up");
  assert.equal(play.view.asks?.answer, '{"plan":"basic"}');
  play.back();
  assert.equal(at(), "ask_account");
  play.back();
  assert.equal(at(), "greet");
  assert.equal(play.answer("take goodbye"), undefined);
  assert.equal(play.view.ended, 'The conversation ended at "goodbye".');
  const saved = play.save({ flow: "billing.flow.yaml" });
  assert.ok("text" in saved);
  assert.match(saved.text, /path: \[greet, goodbye\]/);
  play.restart();
  assert.deepEqual([at(), play.view.turns.length], ["greet", 1]);
});

test("a selected value has the type that the flow lists", async () => {
  const ends = async (type: string, values: string, when: string, selected: string) => {
    const { play, edit } = await playing();
    await edit(`entry: ask
context_variables: {v: {type: ${type}, enum_values: ${values}}}
nodes:
  ask: {type: collect, variable: v, edges: [{to: yes, when: '${when}'}, {to: no}]}
  yes: {type: end}
  no: {type: end}
`);
    assert.ok(play.view.asks?.values.includes(selected), JSON.stringify(play.view.asks));
    assert.equal(play.answer(`give v ${JSON.stringify(selected)}`), undefined);
    const saved = play.save({ flow: "billing.flow.yaml" });
    return "text" in saved ? [play.view.variables[0]?.value, /give: .*/.exec(saved.text)?.[0], play.view.ended] : saved;
  };
  const yes = 'The conversation ended at "yes".';
  assert.deepEqual(await ends("number", "[1.5, 2]", "{{v}} > 1.7", "2"), ["2", "give: {v: 2}", yes]);
  assert.deepEqual(await ends("boolean", "[true, false]", "{{v}} is true", "true"), ["true", "give: {v: true}", yes]);
  assert.deepEqual(await ends("string", "[1, 2]", "{{v}} is 2", "2"), ['"2"', 'give: {v: "2"}', yes]);
  assert.deepEqual(await ends("enum", '["1", "2"]', "{{v}} is 2", "2"), ['"2"', 'give: {v: "2"}', yes]);
});

test("the proposed answer of a tool has listed values with their type", async () => {
  const { play, edit } = await playing();
  await edit(`entry: look
context_variables:
  size: {type: number, enum_values: [2, 3]}
  known: {type: boolean, enum_values: [false]}
  word: {type: string, enum_values: ["7"]}
nodes:
  look: {type: tool, tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0103, saves: {size: $.size, known: $.known, word: $.word}, edges: [{to: no}]}
  no: {type: end}
`);
  assert.equal(play.view.asks?.answer, '{"size":2,"known":false,"word":"7"}');
});

test("the proposed answer of a tool has the shape of its outputs", async () => {
  const outputs = [{ path: "$.plan" }, { path: "$.owner.name", alias: "owner" }];
  const tool = { id: "6A2D7C1E-0c4b-4b7e-9f2c-3d1f5a9b0003", name: "Look up", outputs };
  const { play } = await playing({ node: "look_up" }, JSON.stringify({ version: 1, tools: [tool] }));
  assert.equal(play.view.asks?.answer, '{"plan":"basic","owner":{"name":""}}');
  assert.match(play.view.turns.at(-1)?.title ?? "", / · Look up$/);
  const { play: other } = await playing({ node: "look_up" }, "{");
  assert.doesNotMatch(other.view.turns.at(-1)?.title ?? "", /·/);
  assert.equal(other.view.asks?.answer, '{"plan":"basic"}');
});

test("starting at a node fills in the shortest path, which can be undone", async () => {
  const { play, at } = await playing({ node: "look_up" });
  assert.equal(at(), "look_up");
  assert.deepEqual(play.view.place.path, ["greet", "ask_account", "look_up"]);
  play.back();
  assert.equal(at(), "ask_account");
  const nowhere = await playing({ node: "none" });
  assert.match(nowhere.play.view.note ?? "", /No answers lead to "none"/);
});

test("an edit repeats the conversation; a part that it cuts off returns when the edit is undone", async () => {
  const { play, edit, at } = await playing();
  play.answer("take the caller asks about a bill");
  play.answer("give account_id 4711");
  await edit(billing.replace("Ask for the account number", "Ask kindly for the account number"));
  assert.deepEqual([at(), play.view.note], ["look_up", undefined]);
  assert.match(play.view.turns.map(({ text }) => text).join(), /Ask kindly/);
  for (const half of ["variable: account_i", "variable: pla", "variable: plan"]) {
    await edit(billing.replace("variable: account_id", half));
    assert.equal(at(), "ask_account");
    assert.match(play.view.note ?? "", /answer at "ask_account" no longer applies/);
  }
  await edit(billing);
  assert.deepEqual([at(), play.view.note], ["look_up", undefined]);
  await edit("");
  assert.match(play.view.note ?? "", /no entry node/);
  assert.equal(at(), "look_up", "the conversation stays as it was");
  await edit(billing);
  play.answer("fail timeout");
  assert.equal(play.view.ended, 'The caller was transferred at "hand_over".');
});
