/** Misbehaving platforms: lagging replicas, empty answers, batches that are applied later. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { startSandbox } from "../../../sandbox";
import { type SyncState, targetOf } from "../../../sync";
import { REQUESTS_BEYOND_PLAN } from "../../../sync/limits";
import { Desk } from "./desk";

const NODES = `entry: a
nodes:
  # The first.
  a:
    type: message
    instructions: Say a.
    edges: [{to: b}]
  b: {type: end}
`;

const atDesk = (work: (desk: Desk) => Promise<void>) =>
  beforeFirstPush(async (desk) => {
    assert.equal((await desk.save()).state.kind, "synced");
    desk.speed = 50;
    await work(desk);
  });

async function beforeFirstPush(work: (desk: Desk) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ demo: true, clockSpeed: 200 });
  const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const desk = new Desk(sandbox, { assistant, revision });
  desk.text = `assistant: ${assistant}\nrevision: ${revision}\n${NODES}`;
  try {
    await work(desk);
  } finally {
    await desk.close();
    await sandbox.stop();
  }
}

type Response = Awaited<ReturnType<Desk["travel"]>>;

const json = (status: number, body: unknown): Response => ({ status, headers: {}, body: JSON.stringify(body) });

const says = (state: SyncState) => ("message" in state ? state.message : state.kind);

/** Edits; then a replica returns the previous graph for this many reads. */
async function editWhileLagging(desk: Desk, reads: number): Promise<string> {
  const old = json(200, await desk.colleague.getWorkflowRevision(desk.identity.revision));
  assert.equal((await desk.edit("  b: {type: end}\n", ADDED)).state.kind, "synced");
  let left = reads;
  desk.travel = async (send) => (desk.isRead && left-- > 0 ? old : send());
  return desk.text;
}

const ADDED = `  b:
    type: message
    # A comment of mine.
    instructions: Say b.
    edges: [{to: c}]
  # Another.
  c: {type: end}
`;

for (const act of ["look", "push", "pull"] as const)
  test(`a copy that lags behind is read again, and never merged: ${act}`, () =>
    atDesk(async (desk) => {
      const text = await editWhileLagging(desk, 3);
      assert.equal((await desk.sync[act]()).state.kind, "synced");
      assert.equal(desk.text, text);
    }));

test("a replica that doesn't catch up is reported; a pull probes with a batch, and nothing is removed", () =>
  atDesk(async (desk) => {
    const text = await editWhileLagging(desk, 1_000);
    const { state } = await desk.sync.look();
    assert.equal(state.kind, "unknown");
    assert.match(says(state), /shows version \d+, which is older than version \d+/);
    assert.equal((await desk.sync.push()).state.kind, "unknown");
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.equal((await desk.edit("Say b.", "Say bee.")).state.kind, "synced");
    assert.equal(desk.text, text.replace("Say b.", "Say bee."));
    assert.equal((await desk.remote()).nodes.get("b")?.instructions, "Say bee.");
  }));

test("merged changes of a colleague aren't removed by a stale replica", () =>
  atDesk(async (desk) => {
    const old = json(200, await desk.colleague.getWorkflowRevision(desk.identity.revision));
    await desk.remotely({ op: "update_node_fields", node_id: "a", fields: { instructions: "A colleague's a." } });
    await desk.sync.pull();
    let left = 2;
    desk.travel = async (send) => (desk.isRead && left-- > 0 ? old : send());
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.match(desk.text, /A colleague's a\./);
  }));

test("the next process knows the last version", () =>
  atDesk(async (desk) => {
    const text = await editWhileLagging(desk, 3);
    await desk.sync.close();
    desk.sync = desk.open("the command line");
    desk.sync.save(targetOf(FlowDocument.read(text)), "manual");
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.equal(desk.text, text);
  }));

test("versions that really went back are accepted from the response to a batch", () =>
  atDesk(async (desk) => {
    const shift = (answer: Response): Response => ({
      ...answer,
      body: answer.body.replace(/("graph_version":\s*)(\d+)/g, (_, name, version) => `${name}${Number(version) + 40}`),
    });
    const plain: Desk["travel"] = (send) => send();
    desk.travel = async (send, isBatch) => {
      const answer = await send();
      return isBatch || desk.isRead ? shift(answer) : answer;
    };
    await desk.sync.pull();
    const { state } = desk.sync.status;
    assert.ok(state.kind === "synced" && state.version > 40);
    desk.travel = plain;
    assert.equal((await desk.edit("Say a.", "Say it.")).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("a")?.instructions, "Say it.");
  }));

test("an empty response ends the attempt after one read, and a later push sends again", () =>
  atDesk(async (desk) => {
    let requests = 0;
    desk.travel = async (send, isBatch) => {
      requests++;
      return isBatch ? json(200, { ok: true }) : send();
    };
    const { state } = await desk.edit("Say a.", "Say it.");
    assert.equal(state.kind === "blocked" && state.reason, "unreadable");
    assert.match(says(state), /no `graph_version`\. The flow there hasn't changed, and nothing more is pushed/);
    assert.ok(requests <= 3, String(requests));
    assert.equal((await desk.sync.look()).state.kind, "blocked");
    assert.ok(requests <= 4, String(requests));
    desk.travel = (send) => send();
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("a")?.instructions, "Say it.");
  }));

test("registering and pushing a file at once is one attempt", () =>
  atDesk(async (desk) => {
    const requests: boolean[] = [];
    desk.travel = async (send, isBatch) => {
      requests.push(isBatch);
      return isBatch ? json(200, { ok: true }) : send();
    };
    desk.sync.save(targetOf(FlowDocument.read(desk.text.replace("Say a.", "Say it."))), "manual");
    assert.equal((await desk.sync.push()).state.kind, "blocked");
    assert.deepEqual(requests, [false, true, false], "a look, the batch and a reading");
  }));

test("an applied batch with an empty response is detected by reading", () =>
  atDesk(async (desk) => {
    for (const [body, value] of [
      [{ ok: true }, "one"],
      ["", "two"],
      [{ graph_version: "7" }, "three"],
    ] as const) {
      desk.travel = async (send, isBatch) => {
        const answer = await send();
        return isBatch ? { ...answer, body: body === "" ? "" : JSON.stringify(body) } : answer;
      };
      const { batches } = desk;
      assert.equal((await desk.edit(/Say .*/, `Say ${value}.`)).state.kind, "synced", value);
      assert.equal(desk.batches, batches + 1);
    }
  }));

test("a batch that is applied later is waited for, and isn't another user's change", () =>
  atDesk(async (desk) => {
    let apply: (() => Promise<unknown>) | undefined;
    let requests = 0;
    desk.travel = async (send, isBatch) => {
      requests++;
      if (!isBatch) return send();
      apply = send;
      return json(202, { status: "accepted" });
    };
    const { state } = await desk.edit("Say a.", "Say one.");
    assert.equal(state.kind === "pending" && state.reason, "busy");
    assert.match(says(state), /accepted the push but doesn't show it yet/);
    assert.ok(requests <= 3, String(requests));
    // A second save before the first has arrived.
    await desk.edit("Say one.", "Say two.");
    assert.equal(desk.batches, 2, "nothing is sent twice");
    await apply?.();
    desk.travel = (send) => send();
    while (desk.sync.status.state.kind !== "synced") await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(desk.batches, 3);
    assert.equal((await desk.remote()).nodes.get("a")?.instructions, "Say two.");
    assert.deepEqual(
      desk.states.filter((text) => text === "conflict"),
      [],
    );
  }));

test("an invalid version is reported as such", () =>
  atDesk(async (desk) => {
    desk.travel = async (send, isBatch) => (isBatch ? json(200, { graph_version: "7" }) : send());
    const { state } = await desk.edit("Say a.", "Say it.");
    assert.match(says(state), /its `graph_version` isn't a number/);
  }));

test("a save makes a bounded number of requests, whatever the responses", () =>
  atDesk(async (desk) => {
    desk.speed = 1_000;
    let requests = 0;
    desk.travel = async (send, isBatch) => {
      requests++;
      return isBatch ? json(500, { error: "broken", message: "Broken." }) : send();
    };
    await desk.edit("Say a.", "Say it.");
    const isOver = () => {
      const { state } = desk.sync.status;
      return state.kind === "pending" && state.retryAt === undefined;
    };
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.match(says(desk.sync.status.state), /Push to try again/);
    assert.ok(requests <= REQUESTS_BEYOND_PLAN + 2, String(requests));
    const made = requests;
    await desk.sync.look();
    assert.ok(requests - made <= 2, "a look is still possible");
    desk.travel = (send) => send();
    desk.speed = 1;
    assert.equal((await desk.sync.push()).state.kind, "synced");
  }));

test("autosaves before the first push don't use up the requests of one save", () =>
  beforeFirstPush(async (desk) => {
    desk.speed = 50;
    for (let i = 0; i < REQUESTS_BEYOND_PLAN + 5; i++) {
      desk.sync.save(targetOf(FlowDocument.read(desk.text.replace("Say a.", `Say ${i}.`))), "autosave");
      const { state } = await desk.sync.settled();
      assert.equal(state.kind === "pending" && state.reason, "autosaved", says(state));
    }
  }));
