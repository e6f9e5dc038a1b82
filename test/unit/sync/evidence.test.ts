/** What counts as evidence that a push was applied: cases in which others change the same things at the same time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type Graph, graphOf, sameGraph } from "../../../flow";
import { stateText } from "../../../sync";
import { ASSISTANT, type Behavior, HostilePlatform, REVISION } from "../../support/hostile-platform";
import { Desk } from "./desk";
import { withLowerIds } from "./mixed/platform";

const FLOW = `assistant: ${ASSISTANT}
revision: ${REVISION}
entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges: [{to: ask}]
  ask:
    type: message
    instructions: Ask how they are.
    edges: [{to: bye}]
  bye: {type: end}
`;

const LINK = { assistant: ASSISTANT, revision: REVISION };

/** Users with a file each, which is in sync with the platform. */
async function atDesks(work: (platform: HostilePlatform, desk: Desk, other: Desk) => Promise<void>): Promise<void> {
  const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
  const [desk, other] = [new Desk(platform, LINK), new Desk(platform, LINK)];
  try {
    for (const each of [desk, other]) assert.equal((await each.save(FLOW)).state.kind, "synced");
    platform.taken();
    await work(platform, desk, other);
  } finally {
    for (const each of [desk, other]) await each.close();
    await platform.stop();
  }
}

const withInstructions = (graph: Graph, id: string, instructions: string): Graph => ({
  ...graph,
  nodes: new Map([...graph.nodes, [id, { ...graph.nodes.get(id), id, type: "message", instructions }]]),
});

const instructionsOf = ({ graph }: { readonly graph: Graph }, id: string) => graph.nodes.get(id)?.instructions;

/** A push is never "synced" while the platform has another value, and a look never says so either. */
const isTrue = (desk: Desk, platform: HostilePlatform) =>
  desk.sync.status.state.kind !== "synced" || sameGraph(desk.graph, platform.graph);

/** Both send their batches before either gets an answer. */
async function atOnce(...saves: (readonly [desk: Desk, from: string, to: string])[]): Promise<void> {
  let waiting = saves.length;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  for (const [desk] of saves) {
    let isFirst = true;
    desk.travel = async (send, isBatch) => {
      if (isBatch && isFirst) {
        isFirst = false;
        if (--waiting === 0) open();
        await all;
      }
      return send();
    };
  }
  await Promise.all(saves.map(([desk, from, to]) => desk.edit(from, to)));
  for (const [desk] of saves) desk.travel = (send) => send();
}

test("a value that a colleague restores after the push is the colleague's change, not a normal form", () =>
  atDesks(async (platform, desk) => {
    assert.equal((await desk.edit("Say hello.", "Say hi.")).state.kind, "synced");
    platform.put(withInstructions(platform.graph, "greet", "Say hello."));
    assert.equal((await desk.sync.look()).state.kind, "diverged");
    platform.taken();
    assert.equal((await desk.sync.push()).state.kind, "diverged");
    assert.ok(
      !platform.taken().some((request) => request.startsWith("POST")),
      "the colleague's value isn't overwritten",
    );
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.equal(instructionsOf(desk, "greet"), "Say hello.");
  }));

for (const updated of [true, false, null] as const)
  for (const step of [1, 2])
    test(`a value that is restored before the answer is made is never "synced": updated ${updated}, ${step} versions`, () =>
      atDesks(async (platform, desk) => {
        let isRestored = false;
        platform.behavior = {
          updated,
          step: () => step,
          afterBatch: (graph) => {
            if (isRestored) return graph;
            isRestored = true;
            return withInstructions(graph, "greet", "Say hello.");
          },
        };
        await desk.edit("Say hello.", "Say hi.");
        assert.ok(isTrue(desk, platform), stateText(desk.sync.status.state));
        assert.match(desk.text, /Say hi\./);
        platform.behavior = {};
        await desk.sync.push();
        assert.ok(isTrue(desk, platform), stateText(desk.sync.status.state));
        assert.equal(instructionsOf(platform, "greet"), "Say hi.");
      }));

const behaviors: readonly Behavior[] = [{}, { updated: null }, { isStuck: true }, { step: () => 3 }];

for (const behavior of behaviors) {
  const name = JSON.stringify({ ...behavior, ...(behavior.step ? { step: behavior.step() } : {}) });

  test(`two users push different fields at once: both arrive, and both end in sync: ${name}`, () =>
    atDesks(async (platform, desk, other) => {
      platform.behavior = behavior;
      await atOnce([desk, "Say hello.", "Say hi."], [other, "Ask how they are.", "Ask."]);
      for (const each of [desk, other]) {
        await each.sync.pull();
        assert.equal(each.sync.status.state.kind, "synced", stateText(each.sync.status.state));
        assert.ok(sameGraph(each.graph, platform.graph));
      }
      assert.deepEqual([instructionsOf(platform, "greet"), instructionsOf(platform, "ask")], ["Say hi.", "Ask."]);
    }));

  test(`two users push the same field at once: one value wins, and the other user sees it: ${name}`, () =>
    atDesks(async (platform, desk, other) => {
      platform.behavior = behavior;
      await atOnce([desk, "Say hello.", "Say hi."], [other, "Say hello.", "Say hey."]);
      const won = instructionsOf(platform, "greet");
      for (const each of [desk, other]) {
        await each.sync.look();
        assert.ok(isTrue(each, platform), stateText(each.sync.status.state));
      }
      const [loser] = [desk, other].filter((each) => instructionsOf(each, "greet") !== won);
      assert.ok(loser && loser.sync.status.state.kind !== "synced");
      assert.equal(instructionsOf(platform, "greet"), won, "a look sends nothing");
    }));
}

test("a push that is ignored while another user's arrives is merged, sent again and reported", () =>
  atDesks(async (platform, desk, other) => {
    const ignores: Behavior["ignores"] = (op) => op.op === "update_node_fields" && op.node_id === "greet";
    platform.behavior = { ignores, updated: true };
    await atOnce([desk, "Say hello.", "Say hi."], [other, "Ask how they are.", "Ask."]);
    assert.equal(stateText(desk.sync.status.state), "pending (ignored by the platform)");
    platform.behavior = {};
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.deepEqual([instructionsOf(platform, "greet"), instructionsOf(platform, "ask")], ["Say hi.", "Ask."]);
    assert.match(desk.text, /instructions: Ask\.$/m);
  }));

/** Edits, each with another user's change of the same place before the ignored batch is answered. */
const meanwhile: readonly [what: string, from: string | RegExp, to: string, theirs: (flow: string) => string][] = [
  ["changes the same field", "Say hello.", "Say hi.", (flow) => flow.replace("Say hello.", "Say hey.")],
  ["changes a field that is removed", /\n {4}instructions: Say hello\./, "", (flow) => flow.replace("hello", "hey")],
  ["removes a field that is changed", "Say hello.", "Say hi.", (flow) => flow.replace(/\n.*Say hello\./, "")],
  ["adds the same field", "ask:\n", "ask:\n    name: Ask\n", (flow) => flow.replace("ask:\n", "ask:\n    name: Who\n")],
  [
    "adds a node with the same ID",
    "  bye:",
    "  more: {type: message, instructions: Say more.}\n  bye:",
    (flow) => flow.replace("  bye:", "  more: {type: message, instructions: Go on.}\n  bye:"),
  ],
  [
    "adds a node with the same ID and without details",
    "  bye:",
    "  more: {type: message, instructions: Say more.}\n  bye:",
    (flow) => flow.replace("  bye:", "  more: {type: message}\n  bye:"),
  ],
  [
    "adds a node with the same ID and another type",
    "  bye:",
    "  more: {type: end}\n  bye:",
    (flow) => flow.replace("  bye:", "  more: {type: message}\n  bye:"),
  ],
  [
    "adds a node with the same ID and edges",
    /edges: \[\{to: bye\}\]\n {2}bye:/,
    "edges: [{to: bye}, {to: more}]\n  more: {type: message, instructions: Say more., edges: [{to: bye}]}\n  bye:",
    (flow) => flow.replace("Say more.", "Go on."),
  ],
  [
    "adds a variable with the same name",
    "nodes:",
    "context_variables: {mood: {type: string}}\nnodes:",
    (flow) => flow.replace("nodes:", "context_variables: {mood: {type: number}}\nnodes:"),
  ],
  [
    "sets the same persona",
    "entry:",
    "persona: Kind.\nentry:",
    (flow) => flow.replace("entry:", "persona: Strict.\nentry:"),
  ],
  ["changes the same entry", "entry: greet", "entry: ask", (flow) => flow.replace("entry: greet", "entry: bye")],
  ["moves the same edge", "{to: ask}", "{to: bye}", (flow) => flow.replace("{to: ask}", "{to: greet}")],
  [
    "labels the same edge",
    "{to: ask}",
    "{to: ask, when: x}",
    (flow) => flow.replace("{to: ask}", "{to: ask, when: y}"),
  ],
];

for (const [what, from, to, theirs] of meanwhile)
  for (const updated of [true, null])
    test(`a push that is ignored while a colleague ${what} is never "synced": updated ${updated}`, () =>
      atDesks(async (platform, desk) => {
        const mine = FLOW.replace(from, to);
        assert.notEqual(mine, FLOW);
        // For an addition with details, the other user makes the same one with other details.
        const there = graphOf(FlowDocument.read(theirs(FLOW) === FLOW ? theirs(mine) : theirs(FLOW)));
        let isDone = false;
        platform.behavior = {
          ignores: () => true,
          get countsAll() {
            return !isDone;
          },
          updated,
          afterBatch: () => {
            isDone = true;
            return there;
          },
        };
        await desk.save(mine);
        assert.ok(isTrue(desk, platform), stateText(desk.sync.status.state));
        await desk.sync.look();
        assert.ok(isTrue(desk, platform), stateText(desk.sync.status.state));
        assert.ok(sameGraph(platform.graph, there), "nothing of the colleague's is overwritten");
      }));

for (const behavior of [{}, { isStuck: true }])
  test(`a field that a colleague removes from a pushed node isn't one that the platform doesn't store: ${JSON.stringify(behavior)}`, () =>
    atDesks(async (platform, desk) => {
      platform.put(graphOf(FlowDocument.read(FLOW.replace("greet:\n", "greet:\n    name: Greet\n"))));
      assert.equal((await desk.sync.pull()).state.kind, "synced");
      platform.behavior = behavior;
      desk.travel = (send, isBatch) => {
        if (!isBatch) return send();
        platform.put(graphOf(FlowDocument.read(FLOW)));
        desk.travel = (next) => next();
        return send();
      };
      await desk.edit("Say hello.", "Say hi.");
      assert.ok(isTrue(desk, platform), stateText(desk.sync.status.state));
      assert.deepEqual(desk.sync.notKept, []);
      await desk.sync.pull();
      await desk.sync.push();
      assert.equal(desk.text.includes("name: Greet"), false);
      assert.equal(instructionsOf(platform, "greet"), "Say hi.");
      assert.ok(sameGraph(desk.graph, platform.graph));
    }));

test("a removed value in whose place the platform sets a default is a conflict once, and then its form", () =>
  atDesks(async (platform, desk) => {
    assert.equal((await desk.edit("greet:\n", "greet:\n    timeout: 60\n")).state.kind, "synced");
    platform.behavior = {
      afterBatch: (graph) => ({
        ...graph,
        nodes: new Map([...graph.nodes].map(([id, node]) => [id, id === "greet" ? { timeout: 30, ...node } : node])),
      }),
    };
    const { state } = await desk.edit("    timeout: 60\n", "");
    assert.equal(state.kind, "conflict");
    assert.equal((await desk.resolve("ours")).state.kind, "synced");
    assert.equal(desk.text, FLOW);
    assert.equal((await desk.edit("Say hello.", "Say hi.")).state.kind, "synced");
    assert.equal(platform.graph.nodes.get("greet")?.timeout, 30);
  }));

for (const [what, addition, id] of [
  ["a node", "  AskName: {type: message, instructions: Ask for the name.}\n  bye:", "AskName"],
  ["a node with edges", "  ASK2: {type: message, instructions: Ask again., edges: [{to: bye}]}\n  bye:", "ASK2"],
] as const)
  test(`${what} that the platform stores under another ID is blocked, and a colleague's change to it stays`, () =>
    atDesks(async (platform, desk) => {
      platform.behavior = { afterBatch: withLowerIds };
      const stored = id.toLowerCase();
      assert.equal((await desk.edit("  bye:", addition)).state.kind, "blocked");
      assert.ok(platform.graph.nodes.has(stored));
      platform.put(withInstructions(platform.graph, stored, "A colleague's text."));
      platform.taken();
      const { state } = await desk.edit("Say hello.", "Say hi.");
      assert.equal(state.kind, "blocked");
      assert.match("message" in state ? state.message : "", new RegExp(`stores node "${id}" as "${stored}"`));
      assert.ok(!platform.taken().some((request) => request.startsWith("POST")));
      assert.equal(instructionsOf(platform, stored), "A colleague's text.");
      // With the platform's ID, everything is pushed.
      await desk.save(desk.text.replace(new RegExp(`^  ${id}: .*\n`, "m"), ""));
      assert.equal(desk.sync.status.state.kind, "synced", stateText(desk.sync.status.state));
      assert.equal(instructionsOf(platform, stored), "A colleague's text.");
      assert.equal(instructionsOf(platform, "greet"), "Say hi.");
    }));

for (const [how, name, form] of [
  ["in lower case", "CallerName", (id: string) => id.toLowerCase()],
  ["in upper case", "CallerName", (id: string) => id.toUpperCase()],
  ["trimmed", '" caller_name"', (id: string) => id.trim()],
] as const)
  test(`a variable whose name is stored ${how} is blocked, and a colleague's change to it stays`, () =>
    atDesks(async (platform, desk) => {
      const withForm = (graph: Graph): Graph => {
        const variables = [...graph.variables.values()].map((each) => ({ ...each, name: form(each.name) }));
        return { ...graph, variables: new Map(variables.map((each) => [each.name, each])) };
      };
      platform.behavior = { afterBatch: withForm };
      const [own, stored] = [name.replaceAll('"', ""), form(name.replaceAll('"', ""))];
      const section = `context_variables:\n  ${name}: {type: string}\nnodes:`;
      assert.equal((await desk.edit("nodes:", section)).state.kind, "blocked");
      const theirs = { name: stored, type: "string", description: "A colleague's text." };
      platform.put({ ...platform.graph, variables: new Map([[stored, theirs]]) });
      platform.taken();
      const { state } = await desk.edit("Say hello.", "Say hi.");
      assert.equal(state.kind, "blocked");
      assert.ok(
        "message" in state && state.message.includes(`stores variable "${own}" as "${stored}"`),
        stateText(state),
      );
      assert.ok(!platform.taken().some((request) => request.startsWith("POST")));
      await desk.save(desk.text.replace(`  ${name}: {type: string}\n`, ""));
      assert.equal(desk.sync.status.state.kind, "synced", stateText(desk.sync.status.state));
      assert.deepEqual([...platform.graph.variables.values()], [theirs]);
      assert.equal(instructionsOf(platform, "greet"), "Say hi.");
    }));

test("names of component outputs in another form are that form", () =>
  atDesks(async (platform, desk) => {
    platform.behavior = {
      afterBatch: (graph) => ({
        ...graph,
        outputs: graph.outputs.map((each) => ({ ...each, name: String(each.name).trim().toLowerCase() })),
      }),
    };
    const outputs = "component_outputs:\n  - {name: Result, value: done}\n";
    assert.equal((await desk.save(FLOW + outputs)).state.kind, "synced");
    assert.equal((await desk.edit("Say hello.", "Say hi.")).state.kind, "synced");
    assert.equal(desk.text, FLOW.replace("Say hello.", "Say hi.") + outputs);
    assert.deepEqual(platform.graph.outputs, [{ name: "result", value: "done" }]);
  }));

test("a node that is accepted and stored under another ID isn't awaited", () =>
  atDesks(async (platform, desk) => {
    platform.behavior = { afterBatch: withLowerIds };
    desk.travel = async (send, isBatch) => {
      const answer = await send();
      return isBatch ? { ...answer, status: 202, body: JSON.stringify({ status: "accepted" }) } : answer;
    };
    const { state } = await desk.edit("  bye:", "  AskName: {type: message, instructions: Ask for the name.}\n  bye:");
    assert.equal(state.kind, "blocked", stateText(state));
    assert.match("message" in state ? state.message : "", /stores node "AskName" as "askname"/);
  }));
