/** Every state in the table of docs/sync.md, in a situation that leads to it: the texts are what the user sees. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument, type Graph, type GraphOp, graphOf } from "../../../flow";
import { TransportError } from "../../../platform";
import { inProject } from "../../../scripts/project";
import { Converter } from "../../../server/protocol/to-protocol";
import { notKeptProblems, refusalProblems } from "../../../server/sync/push-problems";
import { stateView } from "../../../server/sync/state-view";
import { isProbe, stateText, targetOf } from "../../../sync";
import { blockedBy, waitsFor } from "../../../sync/sentences";
import { ASSISTANT, HostilePlatform, REVISION } from "../../support/hostile-platform";
import { Desk } from "./desk";

const FLOW = `assistant: ${ASSISTANT}
revision: ${REVISION}
entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges: [{to: bye}]
  bye: {type: end}
`;

const LINK = { assistant: ASSISTANT, revision: REVISION };
const EDITED = FLOW.replace("hello", "hi");
const MANY = `${FLOW}${Array.from({ length: 250 }, (_, number) => `  n${number}: {type: end}\n`).join("")}`;

type Situation = (desk: Desk, platform: HostilePlatform) => Promise<unknown>;

const withInstructions = ({ nodes, ...rest }: Graph, instructions: string): Graph => ({
  ...rest,
  nodes: new Map([...nodes, ["greet", { id: "greet", type: "message", instructions }]]),
});

/** Answers all batches, or all reads, with this status instead of passing them on. */
const answers =
  (status: number, body: object, method: "batches" | "reads" = "batches"): Situation =>
  async (desk) => {
    desk.travel = async (send, isBatch) =>
      (method === "reads" ? desk.isRead : isBatch) ? { status, headers: {}, body: JSON.stringify(body) } : send();
    await (method === "reads" ? desk.sync.look() : desk.save(EDITED));
  };

const fails =
  (kind: "network" | "site"): Situation =>
  async (desk) => {
    desk.travel = async () => {
      throw new TransportError(kind, "The request failed.");
    };
    await desk.save(EDITED);
  };

const saved =
  (cause: "autosave" | "outside" | "manual"): Situation =>
  async ({ sync }) => {
    sync.save(targetOf(FlowDocument.read(EDITED)), cause);
    await sync.settled();
  };

const situations: readonly [text: string, situation: string, Situation][] = [
  ["synced v1", "the file equals the platform's graph", (desk) => desk.save(FLOW)],
  ["syncing 1/2", "a plan of two batches", (desk) => desk.save(MANY)],
  [
    "waiting for the platform",
    "an answer is overdue",
    async (desk) => {
      desk.speed = 1_000;
      desk.travel = async (send) => {
        while (!desk.states.includes("waiting for the platform")) await new Promise((resolve) => setImmediate(resolve));
        return send();
      };
      await desk.save(EDITED);
    },
  ],
  ["pending (offline)", "no connection", fails("network")],
  ["pending (this site isn't accepted)", "a browser on another site", fails("site")],
  ["pending (platform busy)", "503", answers(503, { error: "busy", message: "Busy.", retry_after: 60 })],
  ["pending (platform busy)", "202, and nothing is shown", answers(202, { status: "accepted" })],
  [
    "pending (platform keeps changing)",
    "another version with every try",
    async (desk, platform) => {
      let number = 0;
      desk.travel = async (send, isBatch) => {
        if (!isBatch) return send();
        platform.put({ ...platform.graph, persona: `Persona ${number++}.` });
        return { status: 409, headers: {}, body: '{"error": "conflict", "message": "Another version."}' };
      };
      await desk.save(EDITED);
    },
  ],
  [
    "pending (another window)",
    "a second window",
    async (desk, platform) => {
      const other = new Desk(platform, LINK, desk.folder);
      await other.save(EDITED);
      desk.states.push(...other.states);
      await other.sync.close();
    },
  ],
  ["pending (your answer)", "the first push", (desk) => desk.save(EDITED)],
  [
    "pending (stopped)",
    "cancelled between two batches",
    async (desk) => {
      desk.travel = (send, isBatch) => {
        if (isBatch) desk.sync.cancel();
        return send();
      };
      await desk.save(MANY);
    },
  ],
  ["pending (unpushed changes)", "autosave", saved("autosave")],
  ["pending (unpushed changes)", "a change from outside", saved("outside")],
  ["pending (unpushed changes)", "sync on save is off", saved("manual")],
  [
    "pending (unpushed changes)",
    "the user declines",
    async (desk) => {
      desk.agrees = false;
      await desk.save(EDITED);
    },
  ],
  [
    "pending (ignored by the platform)",
    "200, and nothing changes",
    async (desk, platform) => {
      platform.behavior = { ignores: () => true };
      await desk.save(EDITED);
    },
  ],
  ["platform version unknown", "reading is rejected", answers(404, { error: "not_found" }, "reads")],
  ["blocked by a local error", "a key twice", (desk) => desk.save(`${FLOW}entry: bye\n`)],
  ["blocked by local errors", "a key three times", (desk) => desk.save(`${FLOW}entry: bye\nentry: bye\n`)],
  [
    "blocked by the platform",
    "422",
    answers(422, { detail: [{ loc: ["body", "ops", 0], msg: "No.", type: "value_error" }] }),
  ],
  ["blocked by the platform's answer", "200 without a version", answers(200, { ok: true })],
  [
    "conflict",
    "the same field",
    async (desk, platform) => {
      platform.put(withInstructions(platform.graph, "Say hey."));
      await desk.save(EDITED);
    },
  ],
  [
    "platform has newer changes",
    "another user's change",
    async (desk, platform) => {
      platform.put(withInstructions(platform.graph, "Say hey."));
      await desk.sync.look();
    },
  ],
  [
    "merged, not saved",
    "another user's change, and unsaved text",
    async (desk, platform) => {
      platform.put({ ...platform.graph, persona: "Kind." });
      desk.canSave = false;
      await desk.save(EDITED);
    },
  ],
  ["unauthorized", "the key is rejected", answers(401, { error: "unauthorized" })],
];

for (const [text, situation, lead] of situations)
  test(`${text}: ${situation}`, async () => {
    const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
    const desk = new Desk(platform, LINK);
    try {
      assert.equal((await desk.save(FLOW)).state.kind, "synced");
      desk.states.length = 0;
      await lead(desk, platform);
      const shown = [...desk.states, stateText(desk.sync.status.state)];
      assert.ok(shown.includes(text), shown.join(", "));
    } finally {
      await desk.close();
      await platform.stop();
    }
  });

/** The effect of a platform's own form on a graph, and what the editor then shows on which line. */
const shownOnLines: readonly [
  what: string,
  edited: string,
  stored: (graph: Graph) => Graph,
  shown: readonly string[],
][] = [
  [
    "a field isn't stored",
    EDITED.replace("greet:\n", "greet:\n    note: Mine.\n"),
    (graph) => withInstructions(graph, "Say hi."),
    ["note: The platform doesn't store `note`."],
  ],
  [
    "edges are sorted",
    FLOW.replace("[{to: bye}]", "[{to: more}, {to: bye}]").concat("  more: {type: end}\n"),
    (graph) => ({ ...graph, edges: new Map([...graph.edges].sort(([a], [b]) => (a < b ? -1 : 1))) }),
    ["edges: The platform doesn't keep the order of edges."],
  ],
  [
    "a node isn't stored",
    `${EDITED}  more: {type: end}\n`,
    (graph) => ({ ...graph, nodes: new Map([...graph.nodes].filter(([id]) => id !== "more")) }),
    ["more: The platform accepted this but didn't store it."],
  ],
  [
    "a change is ignored",
    EDITED,
    (graph) => withInstructions(graph, "Say hello."),
    ["instructions: The platform ignored this change."],
  ],
];

for (const [what, edited, stored, shown] of shownOnLines)
  test(`on its line: ${what}`, async () => {
    const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
    const desk = new Desk(platform, LINK);
    try {
      await desk.save(FLOW);
      platform.behavior = { afterBatch: stored };
      await desk.save(edited);
      const document = FlowDocument.read(desk.text);
      const problems = [
        ...notKeptProblems(desk.sync.notKept, document),
        ...refusalProblems(desk.sync.status.state, document),
      ];
      const lineAt = (offset: number) => desk.text.slice(0, offset).split("\n").length;
      const keyAt = (offset: number) => desk.text.split("\n")[lineAt(offset) - 1]?.trim().split(":")[0];
      const words = problems.map(({ span, message }) => `${keyAt(span.start)}: ${message}`);
      assert.deepEqual(words, shown);
    } finally {
      await desk.close();
      await platform.stop();
    }
  });

test("not compared yet: nothing was read from the platform", async () => {
  const platform = await HostilePlatform.start(graphOf(FlowDocument.read(FLOW)));
  const desk = new Desk(platform, LINK);
  try {
    assert.equal(stateText(desk.sync.status.state), "not compared yet");
  } finally {
    await desk.close();
    await platform.stop();
  }
});

/** States that no situation here causes, with the tests that cover them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "blocked by a second file": "test/unit/sync/engine.test.ts",
  "blocked by a protected environment": "test/unit/language/environments.test.ts",
  "pending (sync state can't be written)": "test/unit/sync/engine.test.ts",
  unlinked: "test/unit/client/state-words.test.ts",
  "not compared yet": "test/unit/sync/states.test.ts",
  "not synced (project file)": "test/unit/language/environments.test.ts",
  "not connected": "test/unit/client/state-words.test.ts",
  "not trusted, signed out": "test/unit/client/state-words.test.ts",
};

test("every state and every reason has a situation, and the table of docs/sync.md has a row for it", () => {
  const shown = [...situations.map(([text]) => text), ...Object.keys(ELSEWHERE)];
  const all = [
    ...Object.values(waitsFor).map((reason) => `pending (${reason()})`),
    ...Object.values(blockedBy).map((reason) => `blocked by ${reason()}`),
  ];
  assert.deepEqual(
    all.filter((text) => !shown.includes(text)),
    [],
  );
  const docs = readFileSync(inProject("docs/sync.md"), "utf8");
  const rows = Array.from(docs.slice(0, docs.indexOf("\n## ")).matchAll(/^\| (.+?) \|/gm), ([, state = ""]) =>
    state.replace("vN", "v").replace("k/n", "").replace(" (…)", "").trim(),
  ).slice(1);
  for (const reason of Object.values(waitsFor))
    assert.ok(docs.includes(`*${reason()}*`) || rows.includes(`pending (${reason()})`));
  const isIn = (row: string, text: string) => text.startsWith(row);
  assert.deepEqual(
    rows.filter((row) => !shown.some((text) => isIn(row, text))),
    [],
    "a row without a situation",
  );
  assert.deepEqual(
    shown.filter((text) => !rows.some((row) => isIn(row, text))),
    [],
    "a state without a row",
  );
});

test("a batch that removes a variable isn't a probe, so a protected environment rejects it", () => {
  const batch = (name: string, removed = name): GraphOp[] => [
    { op: "upsert_context_variable", variable: { name } },
    { op: "remove_context_variable", name: removed },
  ];
  assert.equal(isProbe(batch("assistant_flow_look_1")), true);
  assert.equal(isProbe(batch("plan")), false);
  assert.equal(isProbe(batch("assistant_flow_look_1", "plan")), false);
  assert.equal(isProbe([...batch("assistant_flow_look_1"), { op: "remove_node", node_id: "a" }]), false);
});

test("the value of a node in a conflict doesn't contain the place that it was pushed from", () => {
  const at = { kind: "node", id: "bye" } as const;
  const span = { start_line: 7, start_col: 3, end_line: 7, end_col: 9 };
  const theirs = { id: "bye", type: "end", source_span: span, name: "The end" };
  const conflict = { key: "node bye", at, message: "Changed.", base: undefined, ours: undefined, theirs };
  const state = { kind: "conflict", version: 2, conflicts: [conflict] } as const;
  const converter = new Converter("file:///a.flow.yaml", FlowDocument.read(FLOW), "utf-16");
  const view = stateView({ state, risks: [] }, converter, [], { environments: [] });
  assert.equal(view.conflicts[0]?.theirs, "id: bye\ntype: end\nname: The end");
});
