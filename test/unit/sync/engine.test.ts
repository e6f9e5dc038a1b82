/** Waiting, asking, stopping and continuing, over HTTP with the real sandbox. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { FlowDocument, opAtLoc, placeOfOp, sameGraph } from "../../../flow";
import { TransportError } from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { RevisionOwners, type SyncSession, type SyncState, stateText, targetOf } from "../../../sync";
import { localErrors } from "../../../sync/flow-text";
import { RENEW_EVERY_MS } from "../../../sync/journal/lock";
import { NO_ANSWER_MS } from "../../../sync/limits";
import { Desk } from "./desk";

/** A setup with a synced file of ten nodes. */
async function atDesk(work: (desk: Desk, sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ demo: true, clockSpeed: 200 });
  const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const desk = new Desk(sandbox, { assistant, revision });
  try {
    assert.equal(stateText((await desk.save(tenNodes(assistant, revision))).state).slice(0, 6), "synced");
    await work(desk, sandbox);
  } finally {
    await desk.close();
    await sandbox.stop();
  }
}

function tenNodes(assistant: string, revision: string): string {
  const node = (i: number) =>
    `  n${i}:\n    type: message\n    instructions: Say ${i}.\n    edges: [{to: n${i + 1}}]\n`;
  const nodes = Array.from({ length: 9 }, (_, i) => node(i)).join("");
  return `assistant: ${assistant}\nrevision: ${revision}\nentry: n0\nnodes:\n${nodes}  n9:\n    type: end\n`;
}

const offline: Desk["travel"] = async () => {
  throw new TransportError("network", "There is no network.");
};

function reason(state: SyncState): string {
  return state.kind === "pending" || state.kind === "blocked" ? `${state.kind} ${state.reason}` : state.kind;
}

test("offline: the newest save is kept, is sent when the network is back, and survives a restart", () =>
  atDesk(async (desk) => {
    desk.travel = offline;
    assert.equal(reason((await desk.edit("Say 1.", "Say one.")).state), "pending offline");
    assert.equal(reason((await desk.edit("Say one.", "Say ONE.")).state), "pending offline");
    await desk.sync.close();
    desk.travel = (send) => send();
    const { batches } = desk;
    desk.sync = desk.open("after a restart");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "open");
    assert.equal((await desk.sync.settled()).state.kind, "synced");
    assert.equal(desk.batches, batches + 1);
    assert.equal((await desk.remote()).nodes.get("n1")?.instructions, "Say ONE.");
  }));

test("a platform that doesn't accept requests from the browser's site isn't asked again before a save or push", () =>
  atDesk(async (desk) => {
    let requests = 0;
    desk.travel = async () => {
      requests++;
      throw new TransportError("site", "The platform doesn't accept requests from this site.");
    };
    const { state } = await desk.edit("Say 1.", "Say one.");
    assert.equal(reason(state), "pending site");
    assert.equal("message" in state && state.message, "The platform doesn't accept requests from this site.");
    assert.equal("retryAt" in state, false);
    assert.equal(requests, 1);
    desk.travel = (send) => send();
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("n1")?.instructions, "Say one.");
  }));

test("a temporary disk failure is reported, and the save is sent when it's over", () =>
  atDesk(async (desk) => {
    renameSync(desk.folder, `${desk.folder}.away`);
    writeFileSync(desk.folder, "");
    const { state } = await desk.edit("Say 1.", "Say one.");
    assert.equal(reason(state), "pending disk");
    assert.match(
      state.kind === "pending" ? state.message : "",
      /^Sync stopped because its state can't be written: .*not a folder/,
    );
    rmSync(desk.folder);
    renameSync(`${desk.folder}.away`, desk.folder);
    while (desk.sync.status.state.kind !== "synced") await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await desk.remote()).nodes.get("n1")?.instructions, "Say one.");
  }));

test("opening a file sends no requests and shows no questions", () =>
  atDesk(async (desk) => {
    await desk.sync.close();
    const [{ batches }, asked] = [desk, desk.asked.length];
    desk.sync = desk.open("later");
    desk.sync.save(targetOf(FlowDocument.read(desk.text.replace("Say 1.", "Say it."))), "open");
    assert.equal(reason((await desk.sync.settled()).state), "pending manual");
    assert.deepEqual([desk.batches, desk.asked.length], [batches, asked]);
  }));

test("a rejected key stops sync, keeps the journal, and sync resumes after sign-in", () =>
  atDesk(async (desk) => {
    for (const status of [401, 403]) {
      let requests = 0;
      desk.travel = async (send, isBatch) => {
        requests++;
        return isBatch || status === 401 ? { status, headers: {}, body: "{}" } : send();
      };
      const { state } = await desk.edit(/Say 2.*/, `Say 2, ${status}.`);
      assert.equal(state.kind, "unauthorized");
      const made = requests;
      await desk.save();
      assert.ok(requests - made <= 2, "no more than a look");
      desk.travel = (send) => send();
      desk.sync.retryNow();
      assert.equal((await desk.sync.settled()).state.kind, "synced");
      assert.ok(sameGraph(desk.graph, await desk.remote()));
    }
  }));

test("a request to wait is honored", () =>
  atDesk(async (desk) => {
    desk.travel = async (send, isBatch) =>
      isBatch
        ? { status: 429, headers: {}, body: '{"error": "slow_down", "message": "Slow down.", "retry_after": 30}' }
        : send();
    const { state } = await desk.edit("Say 2.", "Say two.");
    assert.equal(reason(state), "pending busy");
    const wait = (state.kind === "pending" ? (state.retryAt ?? 0) : 0) - Date.now();
    assert.ok(wait > 28_000 && wait <= 60_000, String(wait));
  }));

test("a 422 blocks at the line of the operation, and the next edit tries again", () =>
  atDesk(async (desk) => {
    const detail = [{ loc: ["body", "ops", 0, "update_node_fields", "fields", "instructions"], msg: "no", type: "x" }];
    desk.travel = async (send, isBatch) =>
      isBatch ? { status: 422, headers: {}, body: JSON.stringify({ detail }) } : send();
    const { state } = await desk.edit("Say 3.", "Say nothing.");
    assert.equal(reason(state), "blocked refused");
    const refusal = state.kind === "blocked" ? state.refusal : undefined;
    const found = refusal && opAtLoc(refusal.detail[0]?.loc ?? [], refusal.batch);
    const document = FlowDocument.read(desk.text);
    const place = found && placeOfOp(document, found.at);
    assert.equal(place && document.slice(place.name), "Say nothing.");
    const { batches } = desk;
    await desk.save();
    assert.equal(desk.batches, batches, "the same file is not tried again");
    desk.travel = (send) => send();
    assert.equal((await desk.edit("Say nothing.", "Say 3!")).state.kind, "synced");
  }));

test("a 422 that lists the known operations is recognized in any form, and nothing more is sent", () =>
  atDesk(async (desk) => {
    const loc = ["body", "ops", 0];
    const tags = "'patch_node', 'put_edge'";
    const msg = `Input tag 'update_node_fields' found using 'op' does not match any of the expected tags: ${tags}`;
    const forms: [detail: object, knows: RegExp][] = [
      [
        { loc, msg, type: "union_tag_invalid", ctx: { tag: "update_node_fields", expected_tags: tags } },
        /It knows 'patch_node', 'put_edge'\./,
      ],
      [{ loc, msg, type: "value_error" }, /It knows 'patch_node', 'put_edge'\./],
      [
        { loc, msg: "Bad tag.", type: "union_tag_invalid", input: { op: "update_node_fields" } },
        /"update_node_fields"\. See/,
      ],
      [
        { loc, msg: `No match for discriminator 'op' and tag 'update_node_fields'`, type: "discriminator.unknown" },
        /"update_node_fields"\. See/,
      ],
    ];
    let text = "Say 3.";
    for (const [index, [detail, knows]] of forms.entries()) {
      desk.travel = async (send, isBatch) =>
        isBatch ? { status: 422, headers: {}, body: JSON.stringify({ detail: [detail] }) } : send();
      const { batches } = desk;
      const { state } = await desk.edit(text, `Say so ${index}.`);
      text = `Say so ${index}.`;
      assert.equal(reason(state), "blocked refused");
      const said = state.kind === "blocked" ? (state.refusal?.message ?? "") : "";
      assert.match(said, /^The platform doesn't know the operation "update_node_fields"\./);
      assert.match(said, knows);
      assert.match(said, /"The op values beside upsert_node" in docs\/assumptions\.md\.$/);
      assert.equal(desk.batches, batches + 1);
    }
    // A message without a list is unchanged.
    desk.travel = async (send, isBatch) =>
      isBatch
        ? { status: 422, headers: {}, body: JSON.stringify({ detail: [{ loc, msg: "no", type: "x" }] }) }
        : send();
    const { state } = await desk.edit(text, "Say nothing.");
    assert.doesNotMatch((state.kind === "blocked" && state.refusal?.message) || "", /operation/);
  }));

test("a decision to remove a node applies to the edges shown with it; a new edge asks again", () =>
  atDesk(async (desk) => {
    await desk.remotely({ op: "update_node_fields", node_id: "n5", fields: { instructions: "Theirs." } });
    const without = desk.text.replace(/ {2}n5:[\s\S]*? {2}n6:/, "  n6:").replace("to: n5}", "to: n6}");
    assert.equal((await desk.save(without)).state.kind, "conflict");
    const edge = { id: "n8--n5", source: "n8", target: "n5", when: "the colleague says so" };
    await desk.remotely({ op: "add_edge", edge });
    const { state } = await desk.resolve("ours");
    assert.equal(state.kind, "conflict", "nobody has seen the new edge");
    const uses = state.kind === "conflict" ? state.conflicts.flatMap((conflict) => conflict.uses ?? []) : [];
    assert.ok(
      uses.some(({ when }) => when === edge.when),
      "now it is shown",
    );
    assert.ok((await desk.remote()).edges.has("n8--n5"));
    assert.equal((await desk.resolve("ours")).state.kind, "synced");
    assert.ok(!(await desk.remote()).nodes.has("n5"));
  }));

test("a decision applies to the conflict that was shown, even if the session has moved on", () =>
  atDesk(async (desk) => {
    await desk.remotely({ op: "update_node_fields", node_id: "n1", fields: { instructions: "Theirs." } });
    const { state } = await desk.edit("Say 1.", "Mine.");
    assert.ok(state.kind === "conflict");
    desk.travel = offline;
    assert.equal(reason((await desk.sync.push()).state), "pending offline");
    await desk.sync.resolve(new Map(state.conflicts.map(({ key }) => [key, "ours"])));
    desk.travel = (send) => send();
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("n1")?.instructions, "Mine.");
  }));

test("a decision can be changed until all conflicts are decided", () =>
  atDesk(async (desk) => {
    for (const id of ["n1", "n2"])
      await desk.remotely({ op: "update_node_fields", node_id: id, fields: { instructions: "Theirs." } });
    const { state } = await desk.edit(/Say [12]\./g, "Mine.");
    assert.ok(state.kind === "conflict");
    const [first, second] = state.conflicts.map(({ key }) => key) as [string, string];
    for (const side of ["ours", "theirs"] as const) {
      const { state: between } = await desk.sync.resolve(new Map([[first, side]]));
      assert.deepEqual(between.kind === "conflict" && between.conflicts.map(({ key }) => key), [second]);
    }
    assert.equal((await desk.sync.resolve(new Map([[second, "ours"]]))).state.kind, "synced");
    const { nodes } = await desk.remote();
    assert.deepEqual([nodes.get("n1")?.instructions, nodes.get("n2")?.instructions], ["Theirs.", "Mine."]);
    assert.match(desk.text, /n1:\n.*\n {4}instructions: Theirs\./);
  }));

test("a late decision doesn't resolve a later conflict with the same values", () =>
  atDesk(async (desk) => {
    const remotely = (instructions: string) =>
      desk.remotely({ op: "update_node_fields", node_id: "n1", fields: { instructions } });
    await remotely("Theirs.");
    const { state } = await desk.edit("Say 1.", "Mine.");
    assert.ok(state.kind === "conflict");
    await remotely("Say 1.");
    assert.equal((await desk.sync.push()).state.kind, "synced");
    await desk.sync.resolve(new Map(state.conflicts.map(({ key }) => [key, "theirs"])));
    assert.equal((await desk.edit("Mine.", "Between.")).state.kind, "synced");
    await remotely("Theirs.");
    assert.equal((await desk.edit("Between.", "Mine.")).state.kind, "conflict");
  }));

test("local errors block, and nothing is sent", () =>
  atDesk(async (desk) => {
    const { batches } = desk;
    assert.equal(reason((await desk.save(`${desk.text}  n10: [\n`)).state), "blocked local-errors");
    assert.equal(desk.batches, batches);
  }));

test("what is one error in the editor is one error for sync", () => {
  const text = "entry: a\nnodes:\n  a:\n    type: message\n      name: A\n    edges: [{to: b}]\n  b: {type: end}\n";
  const document = FlowDocument.read(text);
  assert.ok(document.problems.length > 1);
  assert.equal(targetOf(document, (each) => localErrors(each, {})).errors, 1);
  // Rules that are turned off don't make a broken text complete.
  assert.ok((targetOf(document).errors ?? 0) > 0);
});

test("a plan that removes more than 20% of the nodes asks once; No is remembered; a push asks again", () =>
  atDesk(async (desk) => {
    const cut = desk.text.replace(/ {2}n1:[\s\S]*? {2}n5:/, "  n5:").replace("to: n1}", "to: n5}");
    desk.agrees = false;
    desk.asked.length = 0;
    const { state } = await desk.save(cut);
    assert.equal(reason(state), "pending declined");
    assert.match(
      ("message" in state && state.message) || "",
      /^Unpushed changes: /,
      "nothing waits for an answer any more",
    );
    assert.equal(reason((await desk.save(`${cut}# same plan\n`)).state), "pending declined");
    assert.deepEqual(desk.asked, ["removes-many"]);
    assert.equal((await desk.remote()).nodes.size, 10);
    desk.agrees = true;
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.deepEqual(desk.asked, ["removes-many", "removes-many"]);
    assert.equal((await desk.remote()).nodes.size, 6);
  }));

test("a branch switch pauses sync and shows the plan; a push sends it, switching back ends the pause", () =>
  atDesk(async (desk) => {
    const before = desk.text;
    const outside = async (text: string) => {
      desk.text = text;
      desk.sync.save(targetOf(FlowDocument.read(text)), "outside");
      return (await desk.sync.settled()).state;
    };
    const paused = await outside(before.replace(/Say (\d)\./g, "Tell $1."));
    assert.equal(reason(paused), "pending paused");
    assert.equal(paused.kind === "pending" && paused.plan?.ops.length, 9);
    assert.equal(reason((await desk.edit("Tell 1.", "Tell one.")).state), "pending paused");
    assert.equal((await outside(before)).kind, "synced");
    assert.equal(reason(await outside(before.replace("Say 1.", "Say it."))), "pending paused", "one node is enough");
    await outside(before.replace(/Say (\d)\./g, "Tell $1."));
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("n4")?.instructions, "Tell 4.");
  }));

test("a merge into unsaved text isn't overwritten, and isn't sent before a save", () =>
  atDesk(async (desk) => {
    await desk.remotely({ op: "update_node_fields", node_id: "n7", fields: { name: "Seven" } });
    desk.canSave = false;
    const { batches } = desk;
    assert.equal((await desk.edit("Say 2.", "Say two.")).state.kind, "diverged");
    assert.equal(desk.batches, batches);
    desk.text = desk.text.replace("Say 5.", "Say five, unsaved till now.");
    desk.canSave = true;
    assert.equal((await desk.save()).state.kind, "synced");
    const remote = await desk.remote();
    assert.deepEqual(
      ["n2", "n5", "n7"].map((id) => remote.nodes.get(id)?.name ?? remote.nodes.get(id)?.instructions),
      ["Say two.", "Say five, unsaved till now.", "Seven"],
    );
  }));

test("checking reports platform changes without touching the file; pull merges them", () =>
  atDesk(async (desk) => {
    await desk.remotely({ op: "update_node_fields", node_id: "n7", fields: { name: "Seven" } });
    const { text } = desk;
    const { state } = await desk.sync.look();
    assert.equal(state.kind === "diverged" && state.incoming?.summary.text, "1 node changed");
    assert.equal(desk.text, text);
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.equal(desk.graph.nodes.get("n7")?.name, "Seven");
  }));

test("two windows: one syncs, the other names it; when the first closes, the second continues", () =>
  atDesk(async (desk) => {
    const second = desk.open("window two");
    second.save(targetOf(FlowDocument.read(desk.text)));
    const { state } = await second.settled();
    assert.equal(reason(state), "pending held");
    assert.match(state.kind === "pending" ? state.message : "", /synced by this window/);
    await desk.edit("Say 1.", "Say one.");
    await desk.sync.close();
    second.save(targetOf(FlowDocument.read(desk.text)));
    assert.equal((await second.settled()).state.kind, "synced");
    await second.close();
  }));

test("two windows: a push in the second takes over the flow, and the first names the owner", () =>
  atDesk(async (desk) => {
    const second = desk.open("window two");
    await desk.edit("Say 1.", "Say one.");
    desk.text = desk.text.replace("Say 2.", "Say two.");
    second.save(targetOf(FlowDocument.read(desk.text)), "manual");
    assert.equal(reason((await second.settled()).state), "pending held");
    assert.equal((await second.push()).state.kind, "synced");
    const { state } = await desk.sync.look();
    assert.equal(reason(state), "pending held");
    assert.match(state.kind === "pending" ? state.message : "", /synced by window two/);
    await second.close();
    assert.equal((await desk.save()).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("n2")?.instructions, "Say two.");
  }));

test("two windows: a push in the second waits for the first, and names the owner if it takes long", () =>
  atDesk(async (desk) => {
    const second = desk.open("window two");
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    desk.travel = async (send, isBatch) => {
      const response = await send();
      if (isBatch) await answered;
      return response;
    };
    const edited = desk.edit("Say 1.", "Say one.");
    second.save(targetOf(FlowDocument.read(desk.text)), "manual");
    await second.settled();
    assert.equal(reason((await second.push()).state), "pending held");
    answer();
    assert.equal((await edited).state.kind, "synced");
    assert.equal((await desk.sync.look()).state.kind, "synced", "it was not taken away");
    await second.close();
  }));

test("a closed file is free for others, unless a save is still waiting to be sent", () =>
  atDesk(async (desk) => {
    const second = desk.open("window two");
    const lookFromSecond = async () => {
      second.save(targetOf(FlowDocument.read(desk.text)), "open");
      return reason(await second.settled().then(({ state }) => state));
    };
    desk.travel = () => Promise.reject(new TransportError("network", "The platform cannot be reached."));
    assert.equal(reason((await desk.edit("Say 1.", "Say one.")).state), "pending offline");
    desk.sync.attend(false);
    await desk.sync.settled();
    assert.equal(await lookFromSecond(), "pending held");
    desk.travel = (send) => send();
    desk.sync.retryNow();
    assert.equal((await desk.sync.settled()).state.kind, "synced");
    assert.equal(await lookFromSecond(), "synced");
    await second.close();
    // Changes of the journal by another process are noticed with the next work.
    assert.equal((await desk.edit("Say 2.", "Say two.")).state.kind, "synced");
    assert.ok(!readdirSync(desk.folder).some((name) => name.endsWith(".lock")));
    desk.sync.attend(true);
    await desk.edit("Say 3.", "Say three.");
    assert.ok(readdirSync(desk.folder).some((name) => name.endsWith(".lock")));
  }));

test("a chain can be stopped between two batches and resumed later", () =>
  atDesk(async (desk) => {
    const many = Array.from({ length: 300 }, (_, i) => `  m${i}:\n    type: end\n`).join("");
    let sent = 0;
    desk.travel = async (send, isBatch) => {
      const response = await send();
      if (isBatch && ++sent === 1) desk.sync.cancel();
      return response;
    };
    assert.equal(reason((await desk.save(`${desk.text}${many}`)).state), "pending cancelled");
    assert.equal(sent, 1);
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.equal(sent, 2);
    assert.ok(desk.states.includes("syncing 1/2"), desk.states.join(", "));
  }));

test("if the platform changes during the question of a first push, the question is asked again with the new plan", () =>
  atDesk(async (desk) => {
    await desk.sync.close();
    for (const name of readdirSync(desk.folder)) rmSync(path.join(desk.folder, name));
    desk.sync = desk.open("another machine");
    desk.asked.length = 0;
    const seen: number[] = [];
    desk.whileAsked = async () => {
      seen.push(desk.batches);
      if (desk.asked.length === 1)
        await desk.remotely({ op: "update_node_fields", node_id: "n2", fields: { instructions: "Theirs." } });
      else desk.agrees = false;
    };
    const { batches } = desk;
    assert.equal(reason((await desk.edit("Say 1.", "Say one.")).state), "pending declined");
    assert.deepEqual(desk.asked, ["first-push", "first-push"]);
    assert.deepEqual([seen, desk.batches], [[batches, batches], batches], "nothing was sent");
    assert.equal((await desk.remote()).nodes.get("n2")?.instructions, "Theirs.");
  }));

test("no question counts as silence of the platform, however long it is open", () =>
  atDesk(async (desk) => {
    desk.states.length = 0;
    desk.asked.length = 0;
    const think = () => desk.pass(2 * NO_ANSWER_MS);
    // A first push, asked again because the platform changed while it was open.
    await desk.sync.close();
    for (const name of readdirSync(desk.folder)) rmSync(path.join(desk.folder, name));
    desk.sync = desk.open("another machine");
    desk.whileAsked = async () => {
      think();
      if (desk.asked.length === 1)
        await desk.remotely({ op: "update_node_fields", node_id: "n2", fields: { instructions: "Theirs." } });
    };
    assert.equal((await desk.edit("Say 1.", "Say one.")).state.kind, "synced");
    // Removing many nodes.
    const cut = desk.text.replace(/ {2}n1:[\s\S]*? {2}n5:/, "  n5:").replace("to: n1}", "to: n5}");
    assert.equal((await desk.save(cut)).state.kind, "synced");
    assert.deepEqual(desk.asked, ["first-push", "first-push", "removes-many"]);
    // A conflict.
    await desk.remotely({ op: "update_node_fields", node_id: "n6", fields: { instructions: "Theirs." } });
    assert.equal((await desk.edit("Say 6.", "Mine.")).state.kind, "conflict");
    think();
    assert.equal((await desk.resolve("ours")).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("n6")?.instructions, "Mine.");
    assert.deepEqual(
      desk.states.filter((state) => /offline|waiting/.test(state)),
      [],
    );
  }));

test("a damaged journal is set aside and reported; the next push asks for confirmation", () =>
  atDesk(async (desk) => {
    await desk.sync.close();
    const name = readdirSync(desk.folder).find((file) => file.endsWith(".journal")) as string;
    const file = path.join(desk.folder, name);
    writeFileSync(file, readFileSync(file, "utf8").replace("Say 4", "Say 5"));
    desk.asked.length = 0;
    desk.sync = desk.open("again");
    const status = await desk.edit("Say 1.", "Say one.");
    assert.equal(status.state.kind, "synced");
    assert.match(status.setAside ?? "", /\.damaged-\d+$/);
    assert.deepEqual(desk.asked, ["first-push"]);
    assert.ok(readdirSync(desk.folder).some((each) => each === status.setAside));
  }));

test("a session that is closed just before it asks doesn't ask", () =>
  atDesk(async (desk, sandbox) => {
    const other = new Desk(sandbox, desk.identity);
    let closed: Promise<void> | undefined;
    other.travel = async (send) => {
      const answer = await send();
      // After the answer is read.
      setImmediate(() => {
        closed ??= other.close();
      });
      return answer;
    };
    await other.save(desk.text.replace("Say 1.", "Say one."));
    await closed;
    assert.deepEqual(other.asked, []);
  }));

test("consent belongs to a file: another file with the same IDs asks again, an observed move keeps it", () =>
  atDesk(async (desk) => {
    const begin = async (...files: string[]) => {
      await desk.sync.close();
      desk.files = files;
      desk.asked.length = 0;
      desk.sync = desk.open("again");
    };
    await begin("/flows/a.flow.yaml");
    assert.equal((await desk.edit("Say 1.", "Say one.")).state.kind, "synced");
    assert.deepEqual(desk.asked, [], "the same file");
    await begin("/other/a.flow.yaml");
    desk.agrees = false;
    assert.equal(reason((await desk.edit("Say 2.", "Say two, altered.")).state), "pending declined");
    assert.deepEqual(desk.asked, ["first-push"], "the same ids in another folder");
    assert.equal((await desk.remote()).nodes.get("n2")?.instructions, "Say 2.");
    await begin("/flows/b.flow.yaml", "/flows/a.flow.yaml");
    assert.equal((await desk.edit("Say two, altered.", "Say two.")).state.kind, "synced");
    assert.deepEqual(desk.asked, [], "moved, and the move was seen");
    await begin("/flows/b.flow.yaml");
    assert.equal((await desk.edit("Say 3.", "Say three.")).state.kind, "synced");
    assert.deepEqual(desk.asked, [], "the new name is remembered");
    await begin("/flows/a.flow.yaml");
    await desk.edit("Say 4.", "Say four.");
    assert.deepEqual(desk.asked, ["first-push"], "the old name has gone with it");
  }));

test("two files with one revision are both rejected; a rename keeps the sync, a deletion changes nothing on the platform", () =>
  atDesk(async (desk) => {
    await desk.sync.close();
    const before = await desk.remote();
    const shown = new Map<string, string>();
    const opened: string[] = [];
    const claims = new RevisionOwners({
      open: (file): SyncSession => {
        opened.push(file);
        const sync = desk.open(file);
        sync.save(targetOf(FlowDocument.read(desk.text)), "open");
        return sync;
      },
      showState: (file, state) => shown.set(file, `${reason(state)}: ${"message" in state ? state.message : ""}`),
    });
    await claims.claim("a.flow.yaml", desk.identity);
    assert.equal((await claims.syncOf("a.flow.yaml")?.settled())?.state.kind, "synced");
    await claims.claim("b.flow.yaml", { ...desk.identity, revision: desk.identity.revision.toUpperCase() });
    assert.match(shown.get("a.flow.yaml") ?? "", /^blocked claimed-twice: .*b\.flow\.yaml/);
    assert.match(shown.get("b.flow.yaml") ?? "", /^blocked claimed-twice: .*a\.flow\.yaml/);
    assert.equal(claims.syncOf("a.flow.yaml"), undefined);
    await claims.remove("b.flow.yaml");
    await claims.claim("a.flow.yaml", undefined);
    await claims.claim("c.flow.yaml", desk.identity);
    assert.equal((await claims.syncOf("c.flow.yaml")?.settled())?.state.kind, "synced");
    assert.deepEqual(opened, ["a.flow.yaml", "a.flow.yaml", "c.flow.yaml"]);
    await claims.remove("c.flow.yaml");
    assert.ok(sameGraph(before, await desk.remote()));
    await claims.close();
  }));

test("a batch that was certainly never sent isn't in flight, and is sent when there is a connection", () =>
  atDesk(async (desk) => {
    desk.travel = async (send, isBatch) => {
      if (isBatch) throw new TransportError("no-connection", "The connection is no longer in use. Nothing was sent.");
      return send();
    };
    assert.equal(reason((await desk.edit("Say 1.", "Say one.")).state), "pending offline");
    const journal = JSON.parse(desk.sync.journalText ?? "{}");
    assert.deepEqual([journal.inFlight, journal.lateUntil], [undefined, undefined]);
    assert.ok(journal.wanted, "the save is kept");
    desk.travel = (send) => send();
    desk.sync.retryNow();
    assert.equal((await desk.sync.settled()).state.kind, "synced");
    assert.equal((await desk.remote()).nodes.get("n1")?.instructions, "Say one.");
  }));

test("if reading returns no graph, opening and checking show the last known state and send nothing; a pull sends one probe", () =>
  atDesk(async (desk) => {
    let posts = 0;
    let shown: "nothing" | "the version" = "nothing";
    desk.travel = async (send) => {
      const response = await send();
      const { compiled_graph: _, ...body } = JSON.parse(response.body);
      // The answer to a batch has the graph in its validation; a read has it compiled.
      const isRead = body.validation === undefined;
      if (!isRead) posts++;
      if (!isRead) return response;
      return { ...response, status: shown === "nothing" ? 404 : 200, body: JSON.stringify(body) };
    };
    const reopened = async () => {
      await desk.sync.close();
      desk.sync = desk.open("later");
      desk.sync.save(targetOf(FlowDocument.read(desk.text)), "open");
      return (await desk.sync.look()).state;
    };
    assert.equal((await reopened()).kind, "unknown");
    await desk.remotely({ op: "update_node_fields", node_id: "n7", fields: { name: "Seven" } });
    const unknown = await desk.sync.push();
    assert.match(
      unknown.state.kind === "unknown" ? unknown.state.message : unknown.state.kind,
      /^The file matches version \d+, the last one seen\. The platform doesn't show whether it has changed since\./,
    );
    shown = "the version";
    const moved = await reopened();
    assert.match(moved.kind === "diverged" ? moved.message : moved.kind, /hasn't published it yet/);
    assert.equal((await desk.sync.look()).state.kind, "diverged");
    assert.equal(posts, 0);
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.equal(desk.graph.nodes.get("n7")?.name, "Seven");
    assert.equal(posts, 1);
  }));

test("a platform that was never seen and can't be read is unknown until a pull", () =>
  atDesk(async (desk) => {
    await desk.sync.close();
    for (const name of readdirSync(desk.folder)) rmSync(path.join(desk.folder, name));
    let posts = 0;
    desk.travel = async (send) => {
      const response = await send();
      if (JSON.parse(response.body).validation === undefined) return { ...response, status: 403, body: "{}" };
      posts++;
      return response;
    };
    desk.sync = desk.open("a new machine");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "open");
    const { state } = await desk.sync.look();
    assert.equal(stateText(state), "platform version unknown");
    assert.match(state.kind === "unknown" ? state.message : "", /Pull to compare/);
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "autosave");
    assert.equal((await desk.sync.settled()).state.kind, "unknown");
    assert.equal(posts, 0);
    assert.equal((await desk.sync.pull()).state.kind, "synced");
    assert.equal(posts, 1);
  }));

test("a check and a push without local changes never write the file: pull is suggested", () =>
  atDesk(async (desk) => {
    await desk.remotely({ op: "update_node_fields", node_id: "n7", fields: { name: "Seven" } });
    const { text } = desk;
    for (const status of [await desk.sync.look(), await desk.sync.push()])
      assert.match(
        status.state.kind === "diverged" ? status.state.message : status.state.kind,
        /^The platform has newer changes \(1 node changed\)\. Pull to merge them\.$/,
      );
    desk.text = text.replace("Say 1.", "Say one.");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "manual");
    assert.equal((await desk.sync.look()).state.kind, "diverged");
    assert.equal(desk.text, text.replace("Say 1.", "Say one."));
    assert.equal(desk.sync.plan?.summary.text, "1 node changed", "what a push would send, after the merge");
    assert.equal((await desk.sync.push()).state.kind, "synced");
    assert.match(desk.text, /name: Seven/);
  }));

test("an autosave stays pending; a push sends it", () =>
  atDesk(async (desk) => {
    const { batches } = desk;
    desk.text = desk.text.replace("Say 1.", "TODO");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "autosave");
    assert.equal(reason((await desk.sync.settled()).state), "pending autosaved");
    assert.equal(desk.batches, batches);
    assert.equal((await desk.sync.push()).state.kind, "synced");
  }));

for (const [cause, expected] of [
  ["autosave", "pending autosaved"],
  ["outside", "pending paused"],
  ["manual", "pending manual"],
] as const)
  test(`a pull keeps the reason why changes aren't pushed: ${cause}`, () =>
    atDesk(async (desk) => {
      await desk.remotely({ op: "update_node_fields", node_id: "n7", fields: { name: "Seven" } });
      desk.text = desk.text.replace("Say 1.", "Mine.");
      desk.sync.save(targetOf(FlowDocument.read(desk.text)), cause);
      assert.equal(reason((await desk.sync.pull()).state), expected);
      assert.match(desk.text, /Mine\.(.|\n)*name: Seven/);
    }));

test("a rejected key is retried only a few times, however often the connection recovers", () =>
  atDesk(async (desk) => {
    let requests = 0;
    desk.travel = async (send, isBatch) => {
      requests++;
      const response = isBatch ? { status: 401, headers: {}, body: "{}" } : await send();
      // Like the extension: each successful response reports that the connection works.
      desk.sync.retryNow();
      return response;
    };
    await desk.edit("Say 2.", "Say two.");
    for (let told = 0; told < 50; told++) {
      desk.sync.retryNow();
      await desk.sync.settled();
    }
    assert.equal((await desk.sync.settled()).state.kind, "unauthorized");
    assert.ok(requests <= 12, `${requests} requests`);
  }));

test("an unreadable graph stops at the first response, with the assumption", () =>
  atDesk(async (desk) => {
    let requests = 0;
    desk.travel = async (send) => {
      requests++;
      const response = await send();
      return { ...response, body: response.body.replaceAll('"nodes":', '"steps":') };
    };
    const many = Array.from({ length: 300 }, (_, i) => `  m${i}:\n    type: end\n`).join("");
    const { state } = await desk.save(`${desk.text}${many}`);
    assert.equal(reason(state), "blocked unreadable");
    assert.match(state.kind === "blocked" ? state.message : "", /no `nodes` .*`steps`.*docs\/assumptions\.md/);
    assert.ok(requests <= 4, `${requests} requests`);
    // At the moment of a heartbeat.
    while (desk.sleeping.length === 0) await new Promise(setImmediate);
    assert.deepEqual(desk.sleeping, [RENEW_EVERY_MS], "nothing more follows by itself: only the lock is renewed");
  }));

test("an interrupted first push resumes when the file is opened, shows progress and finishes", () =>
  atDesk(async (desk) => {
    await desk.sync.close();
    for (const name of readdirSync(desk.folder)) rmSync(path.join(desk.folder, name));
    const many = Array.from({ length: 900 }, (_, i) => `  m${i}:\n    type: end\n`).join("");
    desk.text = `${desk.text}${many}`;
    let sent = 0;
    desk.travel = async (send, isBatch) => {
      const response = await send();
      if (isBatch && ++sent >= 2) throw new TransportError("reset", "The process was killed.");
      return response;
    };
    desk.sync = desk.open("killed");
    assert.equal(reason((await desk.save()).state), "pending offline");
    await desk.sync.close();
    desk.travel = (send) => send();
    desk.states.length = 0;
    desk.sync = desk.open("after a restart");
    desk.sync.save(targetOf(FlowDocument.read(desk.text)), "open");
    const { state } = await desk.sync.look();
    assert.equal(state.kind, "synced", JSON.stringify(state));
    assert.ok(
      desk.states.some((text) => /^syncing 1\/3$/.test(text)),
      desk.states.join(", "),
    );
    assert.equal((await desk.remote()).nodes.size, 910);
  }));
