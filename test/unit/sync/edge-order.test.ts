/** A platform that returns edges in a different order with every read: the file's order stays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type Graph, graphOf } from "../../../flow";
import { ASSISTANT, type Behavior, HostilePlatform, REVISION } from "../../support/hostile-platform";
import { Desk } from "./desk";

const FLOW = `assistant: ${ASSISTANT}
revision: ${REVISION}
entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges:
      - {to: ask, when: they stay} # first
      - {to: bye, when: they leave}
      - {to: more, when: they want more}
      - {to: ask}
  ask:
    type: message
    instructions: Ask.
    edges:
      - {to: more, when: they answer}
      - {to: bye, when: they don't}
      - {to: greet}
  more:
    type: message
    instructions: Say more.
    edges:
      - {to: bye}
      - {to: ask, on: error}
  bye: {type: end}
`;

/** A seeded random generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled(graph: Graph, random: () => number): Graph {
  const edges = [...graph.edges.values()].map((edge) => ({ edge, at: random() })).sort((a, b) => a.at - b.at);
  return { ...graph, edges: new Map(edges.map(({ edge }) => [edge.id, edge])) };
}

/** Reorders edges of different nodes, but not those of each node. */
function regrouped(graph: Graph): Graph {
  const sources = [...new Set([...graph.edges.values()].map(({ source }) => source))].reverse();
  const edges = sources.flatMap((source) => [...graph.edges.values()].filter((edge) => edge.source === source));
  return { ...graph, edges: new Map(edges.map((edge) => [edge.id, edge])) };
}

async function atDesk(
  behavior: Behavior,
  work: (desk: Desk, platform: HostilePlatform) => Promise<void>,
): Promise<void> {
  const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
  const desk = new Desk(platform, { assistant: ASSISTANT, revision: REVISION });
  try {
    assert.equal((await desk.save(FLOW)).state.kind, "synced");
    platform.behavior = behavior;
    await work(desk, platform);
  } finally {
    await desk.close();
    await platform.stop();
  }
}

/** Another user changes the instructions of a node. */
function colleague(platform: HostilePlatform, id: string, instructions: string): void {
  const node = platform.graph.nodes.get(id) as { id: string };
  platform.put({ ...platform.graph, nodes: new Map([...platform.graph.nodes, [id, { ...node, instructions }]]) });
}

for (const seed of [1, 2, 3, 4, 5])
  test(`edges that are shuffled on every read leave the file's order alone (${seed})`, () => {
    const random = generator(seed);
    return atDesk({ shows: (graph) => shuffled(graph, random) }, async (desk, platform) => {
      let text = FLOW;
      for (let i = 0; i < 4; i++) {
        colleague(platform, "more", `Theirs ${i}.`);
        text = text.replace(/Say more\.|Theirs \d\./, `Theirs ${i}.`).replace(/Say hello.*/, `Say hello ${i}.`);
        const { state } = await desk.edit(/Say hello.*/, `Say hello ${i}.`);
        assert.equal(state.kind, "synced", JSON.stringify(state));
        assert.equal(desk.text, text, "only what the colleague wrote comes in");
        assert.equal((await desk.sync.look()).state.kind, "synced");
        assert.equal((await desk.sync.pull()).state.kind, "synced");
        assert.equal(desk.text, text);
      }
      // A changed order in the file is still pushed, and the file keeps it.
      text = text.replace(/( {6}- .*first\n)( {6}- .*\n)/, "$2$1");
      assert.equal((await desk.save(text)).state.kind, "synced");
      assert.equal(desk.text, text);
      assert.deepEqual(
        [...platform.graph.edges.values()].filter(({ source }) => source === "greet").map(({ target }) => target),
        ["bye", "ask", "more", "ask"],
      );
    });
  });

test("the order of edges of different nodes has no effect and sends nothing", () =>
  atDesk({ shows: regrouped }, async (desk, platform) => {
    colleague(platform, "more", "Theirs.");
    platform.taken();
    assert.equal((await desk.edit("Say hello.", "Say hi.")).state.kind, "synced");
    assert.equal(desk.text, FLOW.replace("Say hello.", "Say hi.").replace("Say more.", "Theirs."));
    assert.deepEqual(platform.taken(), ["GET", "POST update_node_fields"]);
  }));

for (const [where, behavior] of [
  ["", {}],
  [", also where nothing makes a version", { isStuck: true }],
] as const)
  test(`a colleague's order of one node's edges is a change, and is merged${where}`, () =>
    atDesk(behavior, async (desk, platform) => {
      const [first, ...rest] = [...platform.graph.edges.values()];
      const edges = [...rest.slice(0, 2), first as (typeof rest)[number], ...rest.slice(2)];
      platform.put({ ...platform.graph, edges: new Map(edges.map((edge) => [edge.id, edge])) });
      assert.equal((await desk.sync.look()).state.kind, "diverged");
      assert.equal((await desk.sync.pull()).state.kind, "synced");
      assert.match(desk.text, /they leave\}\n.*they want more\}\n.*they stay\} # first\n/);
    }));

for (const seed of [1, 2, 3])
  test(`a first push asks once, though edges are shuffled on every read (${seed})`, async () => {
    const random = generator(seed);
    const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW.replace("Say more.", "Theirs."))));
    platform.behavior = { shows: (graph) => shuffled(graph, random) };
    const desk = new Desk(platform, { assistant: ASSISTANT, revision: REVISION });
    try {
      assert.equal((await desk.save(FLOW)).state.kind, "synced");
      assert.deepEqual(desk.asked, ["first-push"]);
      assert.equal(platform.graph.nodes.get("more")?.instructions, "Say more.");
      assert.ok(platform.taken().length <= 8);
    } finally {
      await desk.close();
      await platform.stop();
    }
  });

test("a change between two reads of an order is seen, also where nothing makes a version", () =>
  atDesk({ isStuck: true }, async (desk, platform) => {
    const edges = [...platform.graph.edges.values()].reverse();
    platform.put({ ...platform.graph, edges: new Map(edges.map((edge) => [edge.id, edge])) });
    let reads = 0;
    const shows = () => {
      if (++reads === 2) colleague(platform, "greet", "Theirs.");
      return platform.graph;
    };
    platform.behavior = { isStuck: true, shows };
    const { state } = await desk.edit("Say hello.", "Say hi.");
    assert.equal(state.kind, "conflict", JSON.stringify(state));
    assert.equal(platform.graph.nodes.get("greet")?.instructions, "Theirs.");
  }));
