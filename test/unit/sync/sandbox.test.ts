/** The engine against the real sandbox over HTTP, with each response to batches made for another version. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyGraph, sameGraph } from "../../../flow";
import { TransportError } from "../../../platform";
import { MISMATCH_BEHAVIORS, startSandbox } from "../../../sandbox";
import { newFlowText } from "../../../sync";
import { Desk } from "./desk";

for (const onVersionMismatch of MISMATCH_BEHAVIORS)
  for (const without of [[], ["revision-read"]] as const)
    test(`a day of work: ${onVersionMismatch}${without.length > 0 ? " without revision-read" : ""}`, async () => {
      const sandbox = await startSandbox({ demo: true, onVersionMismatch, without, clockSpeed: 200 });
      const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
      const desk = new Desk(sandbox, { assistant, revision });
      try {
        await story(desk);
      } finally {
        await desk.close();
        await sandbox.stop();
      }
    });

async function story(desk: Desk): Promise<void> {
  const same = async () => assert.ok(sameGraph(desk.graph, await desk.remote()), "file and platform are the same");
  const { assistant, revision } = desk.identity;

  // A new file from a revision: pull writes everything, without confirmation or a push.
  desk.text = newFlowText(revision, assistant, emptyGraph);
  desk.sync.save({ graph: emptyGraph }, "manual");
  assert.equal((await desk.sync.pull()).state.kind, "synced");
  assert.deepEqual(desk.asked, []);
  await same();
  const [first, second] = [...desk.graph.nodes.keys()] as [string, string];

  // The first push asks, later ones don't.
  desk.text = `# my flow\n${desk.text}`;
  const saved = await desk.edit(new RegExp(`^  ${first}:\n`, "m"), `  ${first}: # the start\n    note: mine\n`);
  assert.equal(saved.state.kind, "synced");
  assert.deepEqual(desk.asked, ["first-push"]);
  await same();

  // Another user edits another field: it is merged into the file, with every comment in its place.
  await desk.remotely({ op: "update_node_fields", node_id: second, fields: { note: "theirs" } });
  const merged = await desk.edit("note: mine", "note: mine again");
  assert.equal(merged.state.kind, "synced");
  assert.match(desk.text, /^# my flow\n/);
  assert.match(desk.text, /# the start\n {4}note: mine again\n/);
  assert.equal(desk.graph.nodes.get(second)?.note, "theirs");
  await same();

  // The same field: a conflict; nothing is sent until the user decides.
  await desk.remotely({ op: "update_node_fields", node_id: first, fields: { note: "theirs" } });
  const conflict = await desk.edit("note: mine again", "note: mine at last");
  if (conflict.state.kind === "conflict") {
    assert.deepEqual(
      conflict.state.conflicts.map(({ key, ours, theirs }) => [key, ours, theirs]),
      [[`node ${first}.note`, "mine at last", "theirs"]],
    );
    assert.equal((await desk.resolve("ours")).state.kind, "synced");
  } else {
    // If a platform accepts every version and can't be read, nothing prevents an overwrite, so a warning is shown.
    assert.equal(conflict.state.kind, "synced");
    assert.equal(conflict.risks.length > 0, true);
    // It can be acknowledged after the file is closed and its lock is free, too.
    desk.sync.attend(false);
    await desk.sync.settled();
    await desk.sync.acknowledgeRisks();
    assert.deepEqual(desk.sync.status.risks, []);
    desk.sync.attend(true);
  }
  assert.equal((await desk.remote()).nodes.get(first)?.note, "mine at last");
  await same();

  // The answer is lost: the batch is looked for, not sent again.
  await desk.sync.pull();
  let lost = false;
  desk.travel = async (send, isBatch) => {
    const response = await send();
    if (!isBatch || lost) return response;
    lost = true;
    throw new TransportError("reset", "The connection was reset.");
  };
  const { batches } = desk;
  assert.equal((await desk.edit("mine at last", "sent once")).state.kind, "pending");
  desk.sync.retryNow();
  assert.equal((await desk.sync.settled()).state.kind, "synced");
  assert.equal(desk.batches, batches + 1);
  await same();
}

for (const [without, own, merging] of [
  [[], 2, 2],
  [["revision-read"], 1, 3],
] as const)
  test(`requests per save${without.length > 0 ? " without revision-read" : ""}: ${own}, ${merging} with a colleague's change`, async () => {
    // A graph is compiled at once, so no read is repeated.
    const sandbox = await startSandbox({ demo: true, without, clockSpeed: 1e6 });
    const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
    const desk = new Desk(sandbox, { assistant, revision });
    try {
      desk.text = newFlowText(revision, assistant, emptyGraph);
      desk.sync.save({ graph: emptyGraph }, "manual");
      assert.equal((await desk.sync.pull()).state.kind, "synced");
      const [first, second] = [...desk.graph.nodes.keys()] as [string, string];
      assert.equal((await desk.edit(`  ${first}:\n`, `  ${first}:\n    note: mine 0\n`)).state.kind, "synced");
      let requests = 0;
      desk.travel = (send) => {
        requests++;
        return send();
      };
      for (let number = 1; number <= 9; number++) {
        const isMerge = number % 3 === 0;
        if (isMerge)
          await desk.remotely({ op: "update_node_fields", node_id: second, fields: { note: `theirs ${number}` } });
        requests = 0;
        const { state } = await desk.edit(`note: mine ${number - 1}`, `note: mine ${number}`);
        assert.equal(state.kind, "synced");
        assert.equal(requests, isMerge ? merging : own);
      }
    } finally {
      await desk.close();
      await sandbox.stop();
    }
  });
