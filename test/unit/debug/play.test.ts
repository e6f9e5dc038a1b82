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
