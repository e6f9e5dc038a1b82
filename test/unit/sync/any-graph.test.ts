/**
 * A flow file can represent any graph of the platform: `new` and `pull` create a file that equals it, has no error
 * except for unknown targets, and can be pushed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyEdits,
  applyOps,
  checkDocument,
  emptyGraph,
  FlowDocument,
  type Graph,
  type GraphOp,
  graphFromWire,
  graphOf,
  sameGraph,
} from "../../../flow";
import {
  localErrors,
  mergeText,
  newFlowText,
  type Storage,
  type SyncEnvironment,
  SyncSession,
  targetOf,
} from "../../../sync";
import { anyGraph } from "../../support/any-graphs";
import { cases } from "../../support/cases";

const RUNS = cases(60, "ANY_GRAPHS");
const REVISION = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002";
const ASSISTANT = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";

/** The platform's own graph has these, and reports them in its findings. */
const LEADS_NOWHERE = new Set(["unknown-target", "unknown-entry", "missing-entry"]);

function readable(seed: number): Graph {
  const graph = graphFromWire(anyGraph(seed));
  assert.ok(graph, "it can be read");
  return graph;
}

/** A platform that stores any graph, and a file. */
class Bench {
  version = 1;
  batches = 0;
  readonly sync: SyncSession;

  constructor(
    public graph: Graph,
    public text = newFlowText(REVISION, ASSISTANT, graph),
  ) {
    const files = new Map<string, string>();
    const storage: Storage = {
      read: async (name) => files.get(name),
      write: async (name, text) => void files.set(name, text),
      replace: async (name, text) => void files.set(name, text),
      flush: async () => undefined,
      rename: async (from, to) => void files.set(to, files.get(from) ?? ""),
      flushFolder: async () => undefined,
      create: async (name, text) => !files.has(name) && void files.set(name, text) === undefined,
      remove: async (name) => void files.delete(name),
    };
    const environment: SyncEnvironment = {
      remote: {
        read: async () => ({ kind: "read", version: this.version, graph: this.graph }),
        send: async (ops) => this.#apply(ops),
      },
      storage,
      clock: {
        now: () => 0,
        // Nothing here has to wait, and no heartbeat is needed.
        sleep: (_, signal) =>
          new Promise((resolve) => {
            if (signal?.aborted) resolve();
            signal?.addEventListener("abort", () => resolve());
          }),
      },
      random: () => 0.5,
      process: "p",
      isGone: () => false,
    };
    this.sync = new SyncSession(
      { connection: "c", assistant: ASSISTANT, revision: REVISION },
      environment,
      {
        files: () => ["a.flow.yaml"],
        mergeIntoFile: async (merge) => {
          const edits = mergeText(this.text, merge);
          if (!edits) return undefined;
          this.text = applyEdits(this.text, edits);
          return this.target;
        },
        confirm: async () => true,
        statusChanged: () => undefined,
      },
      "bench",
    );
    this.sync.save(this.target, "manual");
  }

  get target() {
    return targetOf(FlowDocument.read(this.text), (document) => localErrors(document, {}));
  }

  #apply(ops: readonly GraphOp[]) {
    this.batches++;
    const { graph, problem } = applyOps(this.graph, ops);
    assert.ok(graph, problem?.message);
    this.graph = graph;
    return { kind: "answered" as const, version: ++this.version, graph, updated: true, result: {} };
  }

  async push(): Promise<void> {
    const { state } = await this.sync.push();
    assert.equal(state.kind, "synced", JSON.stringify(state));
    assert.ok(sameGraph(this.target.graph, this.graph), "the file says what the platform has");
  }
}

function assertFileOf(graph: Graph, text: string): void {
  const document = FlowDocument.read(text);
  assert.deepEqual(document.problems, []);
  assert.ok(sameGraph(graphOf(document), graph), "the file says the graph");
  const errors = checkDocument(document, {}).filter(({ severity }) => severity === "error");
  assert.deepEqual(
    errors.filter(({ code }) => !LEADS_NOWHERE.has(code)).map(({ code, message }) => `${code}: ${message}`),
    [],
  );
}

async function withSeed(seed: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`anyGraph(${seed}): ${(error as Error).stack}`);
  }
}

test(`${RUNS} graphs: \`new\` makes a file that pushes, changed and unchanged`, async () => {
  for (let seed = 0; seed < RUNS; seed++)
    await withSeed(seed, async () => {
      const graph = readable(seed);
      const bench = new Bench(graph);
      assertFileOf(graph, bench.text);
      await bench.push();
      assert.equal(bench.batches, 0, "there is nothing to send");
      const edits = mergeText(bench.text, (now) => ({ ...now, persona: "Somebody else." }));
      assert.ok(edits);
      bench.text = applyEdits(bench.text, edits);
      bench.sync.save(bench.target, "manual");
      await bench.push();
      assert.equal(bench.graph.persona, "Somebody else.");
      await bench.sync.close();
    });
});

test(`${RUNS} graphs: \`pull\` makes a file that pushes, from an empty one and from another's`, async () => {
  for (let seed = 0; seed < RUNS; seed++)
    await withSeed(seed, async () => {
      const first = readable(seed);
      const bench = new Bench(first, `# mine\nassistant: ${ASSISTANT}\nrevision: ${REVISION}\n`);
      for (const graph of [first, readable(seed + 1)]) {
        if (graph !== bench.graph) bench.version++;
        bench.graph = graph;
        const { state } = await bench.sync.pull();
        assert.equal(state.kind, "synced", JSON.stringify(state));
        assertFileOf(graph, bench.text);
        await bench.push();
        assert.match(bench.text, /^# mine\n/);
      }
      assert.equal(bench.batches, 0, "there was nothing to send");
      await bench.sync.close();
    });
});

test("an error that the platform doesn't have blocks pushes but not pulls", async () => {
  const nodes = new Map([["a", { id: "a", type: "end" }]]);
  const bench = new Bench({ entry: "a", nodes, edges: new Map(), variables: new Map(), outputs: [] });
  await bench.push();
  const { version, batches } = bench;
  bench.text = bench.text.replace(/^entry: .*$/m, "entry: nobody_at_all");
  bench.sync.save(bench.target, "manual");
  const { state } = await bench.sync.push();
  assert.equal(state.kind === "blocked" && state.reason, "local-errors", JSON.stringify(state));
  assert.deepEqual([bench.version, bench.batches], [version, batches]);
  bench.graph = { ...bench.graph, persona: "A colleague's." };
  bench.version++;
  await bench.sync.pull();
  assert.equal(bench.target.graph.persona, "A colleague's.");
  await bench.sync.close();
});

const END = { id: "a", type: "end" };
const edgeTo = (target: string, id = "e") => ({ id, source: "a", target });
const broken: readonly [code: string, graph: Graph][] = [
  [
    "unknown-target",
    {
      ...emptyGraph,
      entry: "a",
      nodes: new Map([["a", { id: "a", type: "message" }]]),
      edges: new Map([["e", edgeTo("gone")]]),
    },
  ],
  ["unknown-entry", { ...emptyGraph, entry: "gone", nodes: new Map([["a", END]]) }],
  ["missing-entry", { ...emptyGraph, nodes: new Map([["a", END]]) }],
];

for (const [code, graph] of broken)
  test(`${code} in the platform's graph is an error in \`check\`, and doesn't block a push until there is one more`, async () => {
    const bench = new Bench(graph, `assistant: ${ASSISTANT}\nrevision: ${REVISION}\n`);
    assert.equal((await bench.sync.pull()).state.kind, "synced");
    const errors = () =>
      checkDocument(FlowDocument.read(bench.text), {}).filter(({ severity }) => severity === "error");
    assert.deepEqual(
      errors().map((each) => each.code),
      [code],
    );
    const change = async (next: (now: Graph) => Graph) => {
      bench.text = applyEdits(bench.text, mergeText(bench.text, next) ?? []);
      bench.sync.save(bench.target, "manual");
      return (await bench.sync.push()).state;
    };
    assert.equal((await change((now) => ({ ...now, persona: "Mine." }))).kind, "synced");
    assert.equal(bench.graph.persona, "Mine.");
    const added = await change((now) => ({ ...now, edges: new Map([...now.edges, ["n", edgeTo("nowhere", "n")]]) }));
    assert.equal(added.kind === "blocked" && added.reason, "local-errors", JSON.stringify(added));
    await bench.sync.close();
  });
