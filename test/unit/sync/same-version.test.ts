/** Another graph under a known version: a restored backup, or a counter that doesn't move. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type Graph, graphOf } from "../../../flow";
import { ASSISTANT, HostilePlatform, REVISION } from "../../support/hostile-platform";
import { Desk } from "./desk";

const FLOW = `assistant: ${ASSISTANT}
revision: ${REVISION}
entry: greet
nodes:
  greet: {type: message, instructions: Say hello., edges: [{to: ask}]}
  ask: {type: message, instructions: Ask., edges: [{to: bye}]}
  bye: {type: end}
`;

async function atDesk(work: (desk: Desk, platform: HostilePlatform) => Promise<void>): Promise<void> {
  const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
  const desk = new Desk(platform, { assistant: ASSISTANT, revision: REVISION });
  try {
    assert.equal((await desk.save(FLOW)).state.kind, "synced");
    await work(desk, platform);
  } finally {
    await desk.close();
    await platform.stop();
  }
}

/** The same graph with other instructions at a node. */
function saying(graph: Graph, id: string, instructions: string): Graph {
  const node = graph.nodes.get(id) as NonNullable<ReturnType<Graph["nodes"]["get"]>>;
  return { ...graph, nodes: new Map([...graph.nodes, [id, { ...node, instructions }]]) };
}

test("content that changed under the same version is another user's change: found by a check, merged by a save", () =>
  atDesk(async (desk, platform) => {
    platform.behavior = { isStuck: true };
    platform.put(saying(platform.graph, "ask", "Theirs."));
    const { state } = await desk.sync.look();
    assert.equal(state.kind, "diverged", JSON.stringify(state));
    assert.equal(desk.text, FLOW, "looking writes nothing");
    assert.equal((await desk.edit("Say hello.", "Say hi.")).state.kind, "synced");
    assert.match(desk.text, /Say hi\..*\n.*Theirs\./);
    const say = (id: string) => platform.graph.nodes.get(id)?.instructions;
    assert.deepEqual([say("greet"), say("ask")], ["Say hi.", "Theirs."]);
  }));

test("an edit of content that changed under the same version is a conflict, and nothing is overwritten", () =>
  atDesk(async (desk, platform) => {
    platform.behavior = { isStuck: true };
    platform.put(saying(platform.graph, "ask", "Theirs."));
    const { state } = await desk.edit("Ask.", "Mine.");
    assert.equal(state.kind, "conflict", JSON.stringify(state));
    assert.equal(platform.graph.nodes.get("ask")?.instructions, "Theirs.");
    assert.equal((await desk.resolve("ours")).state.kind, "synced");
    assert.equal(platform.graph.nodes.get("ask")?.instructions, "Mine.");
  }));

test("a backup restored under an earlier version is another user's change", () =>
  atDesk(async (desk, platform) => {
    const backup = { graph: platform.graph, version: platform.version };
    assert.equal((await desk.edit("Ask.", "Ask kindly.")).state.kind, "synced");
    Object.assign(platform, backup);
    // Another edit increased the counter to its value before the backup.
    platform.put(saying(platform.graph, "greet", "Theirs."));
    const { state } = await desk.sync.look();
    assert.equal(state.kind, "diverged", JSON.stringify(state));
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.match(desk.text, /Theirs\./);
  }));

test("checking an unchanged platform doesn't change the journal", () =>
  atDesk(async (desk) => {
    const before = desk.sync.journalText;
    for (let i = 0; i < 3; i++) assert.equal((await desk.sync.look()).state.kind, "synced");
    assert.equal(desk.sync.journalText, before);
  }));
