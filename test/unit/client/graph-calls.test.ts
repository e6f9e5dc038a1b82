/** Calls for the graph: loaded and traced in portions, so that no request waits for thousands of them. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Uri } from "vscode";
import type { Session } from "../../../client/connections";
import { GraphCalls } from "../../../client/pages/graph-calls";
import type { Server } from "../../../client/server";
import type { FlowTests } from "../../../client/testing";
import { ListedIdsRequest } from "../../../server/environment-messages";
import type { CallsView, TraceCallsParams } from "../../../server/test-messages";
import { vscodeStub } from "../../support/vscode";

const ASSISTANT = "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101";
const flow = Uri.parse("file:///a.flow.yaml");
vscodeStub.documents = [{ uri: flow, isDirty: false, getText: () => `assistant: ${ASSISTANT}\nrevision: r\n` }];

/** The IDs that the project file has for the flow. */
let listedIds: readonly string[] = [];

interface Shown {
  readonly calls?: CallsView;
  readonly reason?: string;
  readonly isLoading?: boolean;
}

/** Shows the graph of a flow with that many calls. `trace` is the language server. */
async function shown(count: number, trace: (params: TraceCallsParams) => Promise<object | null>): Promise<Shown[]> {
  async function* workflows() {
    yield { id: "w", promptId: ASSISTANT };
  }
  async function* calls() {
    for (let number = 0; number < count; number++)
      yield { id: `c${number}`, workflowId: "w", callEndedReason: "ENDED", firstName: "Zebulon", transcript: [] };
  }
  const messages: Shown[] = [];
  const pages = new GraphCalls(
    { client: { workflows, calls } } as unknown as Session,
    {
      sendRequest: (method: string, params: TraceCallsParams) =>
        method === ListedIdsRequest.method ? Promise.resolve([listedIds]) : trace(params),
    } as unknown as Server,
    { of: async () => undefined } as unknown as FlowTests,
    () => flow,
    (message) => messages.push(message),
  );
  await pages.show(true);
  return messages;
}

const counted = (calls: number, ids: readonly string[] = []) => ({ calls, left: 0, ids, leftIds: [] });

test("10,000 calls are traced in 20 portions, one after the other, and the editor gets its turn in between", async () => {
  let running = 0;
  let turns = 0;
  const sizes: number[] = [];
  const messages = await shown(12_000, async ({ calls }) => {
    assert.equal(++running, 1, "one portion at a time");
    sizes.push(calls.length);
    assert.ok(!JSON.stringify(calls).includes("Zebulon"), "only what tracing uses");
    // Other pending work runs before the next portion.
    await new Promise<void>((resolve) => setImmediate(() => resolve(void turns++)));
    running--;
    const totals = { calls: calls.length, placed: calls.length, partly: 0, unplaced: 0 };
    return { ...totals, nodes: [{ id: "greet", ...counted(calls.length) }], edges: [] };
  });
  assert.deepEqual(sizes, Array(20).fill(500), "the newest 10,000");
  assert.equal(turns, 20);
  assert.deepEqual(
    messages.map(({ calls }) => calls?.calls),
    [...sizes.map((_, index) => (index + 1) * 500), 10_000],
  );
  assert.deepEqual(
    messages.map(({ isLoading }) => isLoading ?? false),
    [...Array(20).fill(true), false],
  );
});

test("an edit between two portions doesn't mix up nodes", async () => {
  let portion = 0;
  const messages = await shown(1_000, async ({ calls }) => {
    const totals = { calls: calls.length, placed: calls.length, partly: 0, unplaced: 0 };
    const greet = { id: "greet", ...counted(500) };
    const edge = { source: "greet", id: "e1", ...counted(300) };
    return ++portion === 1
      ? { ...totals, nodes: [{ id: "old", ...counted(7) }, greet], edges: [edge] }
      : { ...totals, nodes: [greet, { id: "new", ...counted(9) }], edges: [{ ...edge, id: "e0" }, edge] };
  });
  const last = messages.at(-1)?.calls;
  assert.ok(last);
  assert.deepEqual(
    last.nodes.map(({ id, calls }) => [id, calls]),
    [
      ["greet", 1_000],
      ["new", 9],
    ],
  );
  assert.deepEqual(
    last.edges.map(({ id, calls }) => [id, calls]),
    [
      ["e0", 300],
      ["e1", 600],
    ],
  );
});

test("a flow with errors, and a flow without calls, have a reason", async () => {
  assert.deepEqual(
    (await shown(3, async () => null)).map(({ reason }) => reason),
    ["The flow has errors, so calls can't be traced."],
  );
  assert.deepEqual(
    (await shown(0, async () => null)).map(({ reason }) => reason),
    ["No calls belong to this flow."],
  );
});

test("a flow without IDs has the calls of the IDs that the project file has for it", async () => {
  const [linked] = vscodeStub.documents;
  vscodeStub.documents = [{ uri: flow, isDirty: false, getText: () => "entry: a\n" }];
  const trace = async () => ({ ...counted(1), placed: 1, partly: 0, unplaced: 0, nodes: [], edges: [] });
  assert.equal((await shown(1, trace)).at(-1)?.reason, "No calls belong to this flow.");
  listedIds = [ASSISTANT.toLowerCase()];
  assert.equal((await shown(1, trace)).at(-1)?.calls?.calls, 1);
  listedIds = [];
  vscodeStub.documents = linked ? [linked] : [];
});
