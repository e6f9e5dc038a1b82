/** A platform that assigns edge IDs: nothing is added twice, and the file keeps its own IDs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type Graph, type GraphEdge, graphOf } from "../../../flow";
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
      - {to: bye, when: they leave}
      - {to: ask, when: they stay}
      - {to: ask, on: error, label: failed} # kept
      - {id: own, to: bye}
  ask:
    type: message
    instructions: Ask.
    edges:
      - {to: bye}
      - {to: bye}
  bye: {type: end}
`;

/** The edges numbered by position: every removal renames those after it. */
function numbered(graph: Graph): Graph {
  const edges = [...graph.edges.values()].map((edge, index) => ({ ...edge, id: `edge_${index}` }));
  return { ...graph, edges: new Map(edges.map((edge) => [edge.id, edge])) };
}

const platforms: readonly [name: string, behavior: Behavior][] = [
  ["numbers", { nameOfEdge: (_, number) => `e_${number}` }],
  ["names by its ends", { nameOfEdge: ({ source, target }, number) => `${source}-${target}-${number}` }],
  ["upper case", { nameOfEdge: ({ id }) => id.toUpperCase() }],
  [
    "the file's IDs of other edges",
    { nameOfEdge: (_, number) => ["ask--bye", "own", "greet--bye"][number - 1] ?? `e_${number}` },
  ],
  ["a new name with every batch, for all edges", { afterBatch: numbered }],
  [
    "another form of conditions as well",
    {
      nameOfEdge: (_, number) => `e_${number}`,
      formOfEdge: (edge) => (typeof edge.when === "string" ? { ...edge, when: [edge.when] } : edge),
    },
  ],
];

async function atDesk(
  behavior: Behavior,
  work: (desk: Desk, platform: HostilePlatform) => Promise<void>,
): Promise<void> {
  const platform = await HostilePlatform.start({
    nodes: new Map(),
    edges: new Map(),
    variables: new Map(),
    outputs: [],
  });
  platform.behavior = behavior;
  const desk = new Desk(platform, { assistant: ASSISTANT, revision: REVISION });
  try {
    await work(desk, platform);
  } finally {
    await desk.close();
    await platform.stop();
  }
}

/** The content of a graph's edges, regardless of their IDs and the order of sources. */
const edgesIn = (graph: Graph) =>
  [...graph.edges.values()]
    .map(({ source, target, on, when, label }) => JSON.stringify([source, target, on, [when].flat()[0], label]))
    .sort();

for (const [name, behavior] of platforms)
  test(`saves come to rest on a platform that gives edges ${name}`, () =>
    atDesk(behavior, async (desk, platform) => {
      const save = async (text: string, posts: number) => {
        platform.taken();
        const { state } = await desk.save(text);
        assert.equal(state.kind, "synced", JSON.stringify(state));
        assert.equal(desk.text, text, "the file stays as it is written");
        assert.deepEqual(edgesIn(platform.graph), edgesIn(graphOf(FlowDocument.read(text))));
        const sent = platform.taken().filter((request) => request.startsWith("POST"));
        assert.equal(sent.length, posts, sent.join("\n"));
      };
      await save(FLOW, 1);
      await save(FLOW, 0);
      const steps: readonly [from: string | RegExp, to: string][] = [
        ["Say hello.", "Say hi."],
        ["when: they stay", "when: they want to stay"],
        ["      - {to: bye, when: they leave}\n", ""],
        ["      - {to: bye}\n      - {to: bye}\n", "      - {to: bye}\n"],
        ["      - {to: bye}\n  bye", "      - {to: bye}\n      - {to: greet, when: again}\n  bye"],
        [/( {6}- .*stay\}\n)( {6}- .*kept\n)/, "$2$1"],
        ["      - {id: own, to: bye}\n", ""],
      ];
      let text = FLOW;
      for (const [from, to] of steps) {
        const next = text.replace(from, to);
        assert.notEqual(next, text, String(from));
        text = next;
        await save(text, 1);
      }
      // After a restart, and without the journal, nothing is added again.
      await desk.sync.close();
      desk.sync = desk.open("later");
      await save(text, 0);
      assert.equal((await desk.sync.pull()).state.kind, "synced");
      assert.equal(desk.text, text);
    }));

test("a colleague's edit of an edge with a platform ID is merged, and so is a new edge", () =>
  atDesk({ nameOfEdge: (_, number) => `e_${number}` }, async (desk, platform) => {
    assert.equal((await desk.save(FLOW)).state.kind, "synced");
    const edges = new Map(platform.graph.edges);
    const theirs = [...edges.values()].find(({ when }) => when === "they stay") as GraphEdge;
    edges.set(theirs.id, { ...theirs, when: "they like it" });
    edges.set("e_99", { id: "e_99", source: "ask", target: "greet", when: "again" });
    platform.put({ ...platform.graph, edges });
    const { state } = await desk.edit("Say hello.", "Say hi.");
    assert.equal(state.kind, "synced", JSON.stringify(state));
    assert.match(desk.text, /- \{to: ask, when: they like it\}/);
    assert.equal(desk.text.match(/- /g)?.length, 7);
    assert.equal(platform.graph.edges.size, 7);
    assert.deepEqual(edgesIn(platform.graph), edgesIn(desk.graph));
  }));

test("a first push leaves edges with platform IDs unchanged", () =>
  atDesk({ nameOfEdge: (_, number) => `e_${number}` }, async (desk, platform) => {
    assert.equal((await desk.save(FLOW)).state.kind, "synced");
    const before = [...platform.graph.edges.keys()];
    const clone = new Desk(platform, { assistant: ASSISTANT, revision: REVISION });
    try {
      assert.equal((await clone.save(FLOW.replace("Say hello.", "Say hi."))).state.kind, "synced");
      assert.deepEqual([...platform.graph.edges.keys()], before);
      assert.equal(platform.graph.nodes.get("greet")?.instructions, "Say hi.");
    } finally {
      await clone.close();
    }
  }));

test("on a platform that keeps IDs, an edge that a lost batch was to replace is still that edge", () =>
  atDesk({}, async (desk, platform) => {
    await desk.save(FLOW);
    // The edge to bye gets a condition, and a new edge has its old content: the same content under another ID.
    platform.behavior = { ignores: () => true, updated: true };
    await desk.edit("- {id: own, to: bye}", "- {id: own, to: bye, when: they ask}\n      - {id: other, to: bye}");
    assert.notEqual(desk.sync.status.state.kind, "synced");
    platform.behavior = {};
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.deepEqual(platform.graph.edges.get("own")?.when, "they ask");
    assert.equal(platform.graph.edges.get("other")?.when, undefined);
    assert.ok(platform.graph.edges.has("other"));
  }));

for (const [form, one, other, nameOfEdge] of [
  ["lower-cases", "own2", "Own2", ({ id }) => id.toLowerCase()],
  ["upper-cases", "own2", "Own2", ({ id }) => id.toUpperCase()],
  ["trims", "own2", " own2", ({ id }) => id.trim()],
  ["composes", "caf\u00e9", "cafe\u0301", ({ id }) => id.normalize()],
  ["replaces", "own2", "Own2", (_, number) => `e_${number}`],
  ["keeps", "own2", "Own2", ({ id }) => id],
] as readonly [string, string, string, NonNullable<Behavior["nameOfEdge"]>][])
  for (const isFirst of [true, false])
    test(`no edge replaces another on a platform that ${form} IDs, ${isFirst ? "in a first push" : "later"}`, () =>
      atDesk({ nameOfEdge }, async (desk, platform) => {
        const save = async (text: string) => {
          const { state } = await desk.save(text);
          assert.equal(state.kind, "synced", JSON.stringify(state));
          assert.equal(desk.text, text);
          assert.deepEqual(edgesIn(platform.graph), edgesIn(desk.graph));
        };
        const edge = `      - {id: "${one}", to: bye}\n`;
        const with1 = FLOW.replace("  ask:\n", `${edge}  ask:\n`);
        const with2 = with1.replace(edge, `${edge}      - {id: "${other}", to: ask, when: later}\n`);
        if (!isFirst) await save(with1);
        await save(with2);
        await save(with2.replace("when: later", "when: now"));
        await save(with2.replace("when: later", "when: now").replace(edge, ""));
        await save(with1.replace(`"${one}"`, `"${other}"`));
        await save(with1);
        platform.taken();
        await save(with1);
        assert.ok(!platform.taken().some((request) => request.startsWith("POST")));
      }));

const lowerIds = (graph: Graph): Graph => {
  const edges = [...graph.edges.values()].map((edge) => ({ ...edge, id: edge.id.toLowerCase() }));
  return { ...graph, edges: new Map(edges.map((edge) => [edge.id, edge])) };
};

for (const [when, behavior] of [
  ["each edge", { nameOfEdge: ({ id }) => id.toLowerCase() }],
  ["the graph after a batch", { afterBatch: lowerIds }],
] as readonly [string, Behavior][])
  test(`an ID in another case is the platform's ID where it lower-cases ${when}`, () =>
    atDesk(behavior, async (desk, platform) => {
      assert.equal((await desk.save(FLOW)).state.kind, "synced");
      for (const [from, to] of [
        ["id: own", "id: Own"],
        ["- {id: Own, to: bye}", "- {id: own, to: bye}\n      - {id: Own, to: bye}"],
        ["- {id: own, to: bye}\n      - {id: Own, to: bye}", "- {id: oWn, to: bye}"],
      ] as const) {
        platform.taken();
        const text = desk.text.replace(from, to);
        const { state } = await desk.save(text);
        assert.equal(state.kind, "synced", JSON.stringify(state));
        assert.equal(desk.text, text);
        assert.deepEqual(edgesIn(platform.graph), edgesIn(desk.graph));
        assert.ok(platform.taken().filter((request) => request.startsWith("POST")).length <= 1);
      }
    }));

test("a platform that keeps IDs gets those of the file, also if they or those of nodes differ in case only", () =>
  atDesk({}, async (desk, platform) => {
    await desk.save(FLOW);
    const text = FLOW.replace("id: own", "id: Own").replace(
      "  bye:",
      "  Ask: {type: message, edges: [{to: bye}]}\n  bye:",
    );
    assert.equal((await desk.save(text)).state.kind, "synced");
    assert.deepEqual([...platform.graph.edges.keys()].sort(), [...desk.graph.edges.keys()].sort());
    assert.ok(["Own", "Ask--bye", "ask--bye"].every((id) => platform.graph.edges.has(id)));
  }));

test("an ID that a rejected push was to change is still the platform's own", () =>
  atDesk({}, async (desk, platform) => {
    await desk.save(FLOW);
    platform.behavior = { ignores: () => true, updated: true };
    await desk.edit("- {to: bye, when: they leave}", "- {id: greet--bye--7, to: bye, when: they leave}");
    assert.notEqual(desk.sync.status.state.kind, "synced");
    platform.behavior = {};
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.ok(platform.graph.edges.has("greet--bye--7"));
  }));
