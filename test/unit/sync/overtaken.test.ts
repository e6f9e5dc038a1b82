/** Another process syncs the flow while this one waits or is suspended: its changes are never reverted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { TransportError } from "../../../platform";
import { startSandbox } from "../../../sandbox";
import { targetOf } from "../../../sync";
import { STALE_AFTER_MS } from "../../../sync/journal/lock";
import { Desk } from "./desk";

const link = (assistant: string, revision: string) => `assistant: ${assistant}\nrevision: ${revision}\n`;
const NODES = `entry: a
nodes:
  a:
    type: message
    instructions: Say a.
    edges: [{to: b}]
  b:
    type: message
    instructions: Say b.
    edges: [{to: c}]
  c: {type: end}
`;

/** On a platform that accepts every version, so it prevents nothing. */
async function atDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ demo: true, clockSpeed: 200, onVersionMismatch: "apply" });
  const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const desk = new Desk(sandbox, { assistant, revision });
  try {
    assert.equal((await desk.save(link(assistant, revision) + NODES)).state.kind, "synced");
    await work(desk);
  } finally {
    await desk.close();
    await sandbox.stop();
  }
}

const offline: Desk["travel"] = async () => {
  throw new TransportError("network", "There is no network.");
};

/** Simulates the command line: it pushes, another user edits, it pulls. It has its own connection. */
async function meanwhile(desk: Desk, text = desk.text): Promise<string> {
  const cli = new Desk(desk.sandbox, desk.identity, desk.folder);
  cli.files = desk.files;
  cli.text = text;
  cli.pass(desk.passed);
  cli.sync.save(targetOf(FlowDocument.read(cli.text)), "manual");
  assert.equal((await cli.sync.push()).state.kind, "synced");
  await cli.remotely({ op: "update_node_fields", node_id: "b", fields: { instructions: "A colleague's b." } });
  assert.equal((await cli.sync.pull()).state.kind, "synced");
  assert.match(cli.text, /A colleague's b\./);
  await cli.sync.close();
  return cli.text;
}

/** Waits until the session has retried. */
async function rests(desk: Desk): Promise<string> {
  while (desk.sync.status.state.kind === "pending" || desk.sync.status.state.kind === "syncing")
    await new Promise((resolve) => setTimeout(resolve, 20));
  return desk.sync.status.state.kind;
}

async function instructionsOf(desk: Desk, node: string): Promise<unknown> {
  return (await desk.remote()).nodes.get(node)?.instructions;
}

test("a retry uses the file on disk, even if the editor hasn't reloaded it", () =>
  atDesk(async (desk) => {
    desk.travel = offline;
    await desk.edit("Say a.", "My a.");
    desk.disk = await meanwhile(desk);
    desk.travel = (send) => send();
    const { batches } = desk;
    assert.equal(await rests(desk), "synced");
    assert.equal(desk.batches, batches, "nothing is sent");
    assert.equal(await instructionsOf(desk, "b"), "A colleague's b.");
    assert.equal(await instructionsOf(desk, "a"), "My a.");
  }));

test("a retry of an unchanged file merges what another process synced", () =>
  atDesk(async (desk) => {
    desk.travel = offline;
    await desk.edit("Say a.", "My a.");
    // The same revision from another folder, such as a worktree: one state folder, two files.
    await meanwhile(desk, desk.text.replace("My a.", "Say a."));
    desk.travel = (send) => send();
    assert.equal(await rests(desk), "synced");
    assert.match(desk.text, /My a\.[\s\S]*A colleague's b\./);
    assert.equal(await instructionsOf(desk, "b"), "A colleague's b.");
    assert.equal(await instructionsOf(desk, "a"), "My a.");
  }));

test("a buffer older than the disk is merged with what was pulled meanwhile", () =>
  atDesk(async (desk) => {
    const stale = desk.text;
    desk.disk = await meanwhile(desk);
    await desk.sync.look();
    assert.equal(desk.sync.status.state.kind, "synced");
    // The editor overwrites the file with its old text and one change.
    desk.disk = undefined;
    desk.text = stale.replace("Say a.", "My a.");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "save", true);
    assert.equal((await desk.sync.settled()).state.kind, "synced");
    assert.match(desk.text, /My a\.[\s\S]*A colleague's b\./);
    assert.equal(await instructionsOf(desk, "b"), "A colleague's b.");
  }));

test("a buffer older than the disk that changes a colleague's field is a conflict", () =>
  atDesk(async (desk) => {
    const stale = desk.text;
    desk.disk = await meanwhile(desk);
    await desk.sync.look();
    desk.disk = undefined;
    desk.text = stale.replace("Say b.", "My b.");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "save", true);
    assert.equal((await desk.sync.settled()).state.kind, "conflict");
    assert.equal(await instructionsOf(desk, "b"), "A colleague's b.");
  }));

test("a process suspended between plan and batch sends nothing when it resumes", () =>
  atDesk(async (desk) => {
    let wake = () => {};
    const stopped = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let isStopped = false;
    desk.travel = async (send, isBatch) => {
      if (isStopped || isBatch) return send();
      // Suspended right after a read: nothing runs, there is no heartbeat, and its lock becomes stale.
      isStopped = true;
      const answer = await send();
      desk.stop();
      await stopped;
      return answer;
    };
    const saved = desk.text.replace("Say a.", "My a.");
    const saving = desk.save(saved);
    while (!isStopped) await new Promise((resolve) => setTimeout(resolve, 5));
    desk.pass(STALE_AFTER_MS + 1);
    desk.disk = await meanwhile(desk);
    const { batches } = desk;
    desk.goOn();
    wake();
    await saving;
    assert.equal(await rests(desk), "synced");
    assert.equal(desk.batches, batches, "nothing is sent");
    assert.equal(await instructionsOf(desk, "b"), "A colleague's b.");
    assert.equal(await instructionsOf(desk, "a"), "My a.");
  }));
