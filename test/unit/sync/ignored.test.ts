/** A platform that answers a push with success but doesn't apply it, or not all of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, graphOf, sameGraph } from "../../../flow";
import { type SyncState, stateText } from "../../../sync";
import { ASSISTANT, type Behavior, HostilePlatform, REVISION } from "../../support/hostile-platform";
import { Desk } from "./desk";

const FLOW = `assistant: ${ASSISTANT}
revision: ${REVISION}
entry: greet
context_variables:
  mood: {type: string}
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges:
      - {to: bye, when: they leave}
      - {to: ask}
  ask:
    type: message
    instructions: Ask how they are.
    edges: [{to: bye}]
  more:
    type: message
    instructions: Say more.
    edges: [{to: bye}]
  pause: {type: message, instructions: Wait.}
  again: {type: message, instructions: Say it again.}
  bye: {type: end}
`;

/** A setup whose file is in sync with a platform. */
async function atDesk(work: (desk: Desk, platform: HostilePlatform) => Promise<void>): Promise<void> {
  const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
  const desk = new Desk(platform, { assistant: ASSISTANT, revision: REVISION });
  try {
    assert.equal((await desk.save(FLOW)).state.kind, "synced");
    platform.taken();
    await work(desk, platform);
  } finally {
    await desk.close();
    await platform.stop();
  }
}

const everything = () => true;
const behaviors: readonly Behavior[] = [
  { ignores: everything },
  { ignores: everything, updated: true },
  { ignores: everything, updated: null },
  { ignores: everything, countsAll: true },
  { ignores: everything, countsAll: true, updated: true },
  { ignores: everything, countsAll: true, updated: null },
];

/** Edits of every kind, each with the expected message. */
const edits: readonly [from: string | RegExp, to: string, said: RegExp][] = [
  ["Say hello.", "Say hi.", /`instructions` of node "greet"/],
  ["    instructions: Say more.\n", "", /`instructions` of node "more"/],
  [/ {2}pause: .*\n/, "", /node "pause"/],
  [", when: they leave", "", /`when` of edge "greet--bye"/],
  ["    edges: [{to: bye}]\n  more", "  more", /edge "ask--bye"/],
  ["  mood: {type: string}", "  mood: {type: number}", /`type` of variable "mood"/],
  ["entry: greet", "entry: ask", /`entry`/],
  [/( {6}- .*\n)( {6}- \{to: ask\}\n)/, "$2$1", /`edges` of node "greet"/],
];

const messageOf = (state: SyncState) => ("message" in state ? state.message : "");

for (const behavior of behaviors)
  test(`an ignored push is never "synced" and goes out with the next one: ${JSON.stringify({ ...behavior, ignores: true })}`, () =>
    atDesk(async (desk, platform) => {
      for (const [from, to, said] of edits) {
        platform.behavior = behavior;
        const { state } = await desk.edit(from, to);
        assert.equal(stateText(state), "pending (ignored by the platform)", JSON.stringify(state));
        assert.match(messageOf(state), /^The platform ignored the change to /);
        assert.match(messageOf(state), said);
        assert.ok(platform.taken().length <= 5, "a look, the push and what follows");
        // Nothing is sent automatically, and reading and pulling don't change the file.
        const text = desk.text;
        await desk.sync.look();
        const { state: pulled } = await desk.sync.pull();
        assert.equal(pulled.kind, "pending", JSON.stringify(pulled));
        assert.equal(desk.text, text, "a pull doesn't bring back what the platform kept");
        assert.ok(!platform.taken().some((request) => request.startsWith("POST")));
        // It survives a restart of the editor.
        await desk.sync.close();
        desk.sync = desk.open("later");
        assert.notEqual((await desk.save()).state.kind, "synced");
        // The platform works again: a push is enough.
        platform.behavior = {};
        assert.equal((await desk.sync.push()).state.kind, "synced", String(from));
        assert.ok(sameGraph(desk.graph, platform.graph));
        platform.taken();
      }
    }));

test("ignored new elements aren't marked as stored, and are sent again", () =>
  atDesk(async (desk, platform) => {
    for (const behavior of behaviors) {
      platform.behavior = behavior;
      const name = `n${behaviors.indexOf(behavior)}`;
      const { state } = await desk.edit("  bye:", `  ${name}: {type: message, instructions: New.}\n  bye:`);
      assert.notEqual(state.kind, "synced");
      assert.match(messageOf(state), new RegExp(`node "${name}"`));
      platform.behavior = {};
      assert.equal((await desk.sync.push()).state.kind, "synced");
      assert.ok(platform.graph.nodes.has(name));
    }
  }));

test("ignored parts of a batch are reported, and the rest isn't sent again", () =>
  atDesk(async (desk, platform) => {
    platform.behavior = { ignores: (op) => op.op === "update_node_fields" && op.node_id === "ask", updated: true };
    await desk.save(FLOW.replace("Say hello.", "Say hi.").replace("Ask how they are.", "Ask."));
    const { state } = desk.sync.status;
    assert.match(messageOf(state), /ignored the change to `instructions` of node "ask"\. /);
    assert.equal(platform.graph.nodes.get("greet")?.instructions, "Say hi.");
    platform.behavior = {};
    platform.taken();
    assert.equal((await desk.save()).state.kind, "synced", "a save is a push");
    assert.deepEqual(platform.taken().slice(-1), ["POST update_node_fields"]);
    assert.equal(platform.graph.nodes.get("ask")?.instructions, "Ask.");
  }));
