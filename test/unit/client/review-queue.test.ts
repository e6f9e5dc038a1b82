import "../../support/vscode";

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { type Batch, type Rejection, type Report, ReviewQueue } from "../../../client/views/reviews/queue";
import { RejectionFiles } from "../../../client/views/reviews/rejection-files";

const root = mkdtempSync(path.join(tmpdir(), "rejections-"));
after(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => path.join(root, String(folders++));

/** A window: a queue with a clock that the test moves. */
function openWindow(
  folder: string,
  platform: { send(rejection: Rejection): Promise<void> },
  store = new RejectionFiles(folder),
) {
  const timers: { at: number; run: () => Promise<void> }[] = [];
  const reports: Report[] = [];
  const progress: number[] = [];
  let now = 1000;
  let usable = true;
  const queue: ReviewQueue = new ReviewQueue(store, {
    now: () => now,
    after: (ms, run) => timers.push({ at: now + ms, run }),
    canSend: () => usable,
    send: (rejection) => platform.send(rejection),
    reasonOf: (error) => (error as Error).message,
    changed: () => undefined,
    progress: (done) => progress.push(done),
    done: (report) => reports.push(report),
  });
  return {
    queue,
    reports,
    progress,
    set usable(value: boolean) {
      usable = value;
    },
    /** Moves the clock and waits until every due batch is done. */
    async advance(ms: number): Promise<void> {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      for (const timer of due) timers.splice(timers.indexOf(timer), 1);
      await Promise.all(due.map((timer) => timer.run()));
    },
  };
}

function platform(fails: (id: string) => string | undefined = () => undefined) {
  const sent: string[] = [];
  return {
    sent,
    async send({ id }: Rejection) {
      sent.push(id);
      const reason = fails(id);
      if (reason) throw new Error(reason);
    },
  };
}

const reviews = (...ids: string[]) => ids.map((id) => ({ id, label: `Review ${id}` }));
const options = { connection: "c", note: "", undoMs: 6000 };

test("a rejection hides its row at once, and is sent once after the time to undo", async () => {
  const world = platform();
  const window = openWindow(newFolder(), world);
  await window.queue.reject(reviews("a"), options);
  assert.ok(window.queue.isHidden("c", "a"));
  assert.ok(!window.queue.isHidden("another connection", "a"));
  await window.queue.reject(reviews("a"), options);
  await window.advance(5999);
  assert.deepEqual(world.sent, []);
  await window.advance(1);
  assert.deepEqual(world.sent, ["a"]);
  assert.ok(window.queue.isHidden("c", "a"), "until a list that was asked for later shows it");
  window.queue.observed(7001);
  assert.ok(!window.queue.isHidden("c", "a"));
  await window.advance(60_000);
  assert.deepEqual(world.sent, ["a"]);
});

test("no time to undo sends at once", async () => {
  const world = platform();
  const window = openWindow(newFolder(), world);
  await window.queue.reject(reviews("a"), { ...options, undoMs: 0 });
  await window.advance(0);
  assert.deepEqual(world.sent, ["a"]);
});

test("undo restores the row and sends nothing; after sending it has no effect", async () => {
  const world = platform();
  const window = openWindow(newFolder(), world);
  const batch = (await window.queue.reject(reviews("a", "b"), options)) as Batch;
  assert.equal((await window.queue.undo(batch)).length, 2);
  await window.advance(10_000);
  assert.deepEqual([world.sent, window.queue.isHidden("c", "a")], [[], false]);
  const late = (await window.queue.reject(reviews("a"), options)) as Batch;
  await window.advance(6000);
  assert.equal((await window.queue.undo(late)).length, 0);
  assert.deepEqual(world.sent, ["a"]);
});

test("a failure restores that row with the reason, and the others continue", async () => {
  const world = platform((id) => (id === "b" ? "Already decided." : undefined));
  const window = openWindow(newFolder(), world);
  await window.queue.reject(reviews("a", "b", "c"), options);
  await window.advance(6000);
  assert.deepEqual(world.sent, ["a", "b", "c"]);
  assert.deepEqual(
    ["a", "b", "c"].map((id) => window.queue.isHidden("c", id)),
    [true, false, true],
  );
  assert.equal(window.queue.problem("c", "b"), "Already decided.");
  assert.deepEqual(window.progress, [0, 1, 2]);
  assert.equal(window.reports[0]?.failed[0]?.rejection.id, "b");
  // A second try clears the old reason.
  await window.queue.reject(reviews("b"), options);
  assert.equal(window.queue.problem("c", "b"), undefined);
});

test("a window that closes leaves its rejections to the next one, which offers to undo them again", async () => {
  const world = platform();
  const folder = newFolder();
  await openWindow(folder, world).queue.reject(reviews("a", "b"), options);
  const next = openWindow(folder, world);
  const [{ waiting }, again] = await Promise.all([next.queue.resume(6000), next.queue.resume(6000)]);
  assert.equal(waiting?.rejections.length, 2);
  assert.equal(again.waiting, undefined, "also when both were asked for at once");
  assert.ok(next.queue.isHidden("c", "a"));
  assert.equal((await next.queue.resume(6000)).waiting, undefined, "they are taken up once");
  await next.queue.undo({ rejections: waiting.rejections.filter(({ id }) => id === "a"), due: 0 });
  await next.advance(20_000);
  assert.deepEqual(world.sent, ["b"]);
});

test("two windows that both know of a rejection send it once", async () => {
  const world = platform();
  const folder = newFolder();
  const first = openWindow(folder, world);
  await first.queue.reject(reviews("a"), options);
  const second = openWindow(folder, world);
  await second.queue.resume(6000);
  await Promise.all([first.advance(10_000), second.advance(10_000)]);
  assert.deepEqual(world.sent, ["a"]);
});

test("a rejection undone in one window is restored in the other", async () => {
  for (const second of ["waits", "undoes too"]) {
    const world = platform();
    const folder = newFolder();
    const [one, two] = [openWindow(folder, world), openWindow(folder, world)];
    const batch = (await one.queue.reject(reviews("a"), options)) as Batch;
    const { waiting } = await two.queue.resume(6000);
    await one.queue.undo(batch);
    if (second === "waits") await two.advance(6000);
    else assert.deepEqual(await two.queue.undo(waiting as Batch), []);
    assert.ok(two.queue.isHidden("c", "a"), "what became of it only a list can say");
    two.queue.observed(100_000);
    assert.ok(!two.queue.isHidden("c", "a"));
    assert.deepEqual(world.sent, []);
  }
});

test("a note survives an undone or failed rejection", async () => {
  let refuses = true;
  const window = openWindow(
    newFolder(),
    platform(() => (refuses ? "Not now." : undefined)),
  );
  const withNote = { ...options, note: "Not the same person." };
  await window.queue.undo((await window.queue.reject(reviews("a"), withNote)) as Batch);
  assert.equal(window.queue.note("c", "a"), "Not the same person.");
  await window.queue.reject(reviews("a", "b"), { ...withNote, note: "Another." });
  await window.advance(6000);
  assert.deepEqual([window.queue.note("c", "a"), window.queue.note("c", "b")], ["Another.", "Another."]);
  await window.queue.undo((await window.queue.reject(reviews("b"), options)) as Batch);
  assert.equal(window.queue.note("c", "b"), "Another.", "one click without a note says nothing against it");
  refuses = false;
  await window.queue.reject(reviews("a"), options);
  await window.advance(6000);
  assert.equal(window.queue.note("c", "a"), undefined);
});

test("a connection that cannot be used keeps its rejections until it can", async () => {
  const world = platform();
  const window = openWindow(newFolder(), world);
  await window.queue.reject(reviews("a"), options);
  window.usable = false;
  await window.advance(6000);
  assert.deepEqual([world.sent.length, window.reports[0]?.kept.length], [0, 1]);
  assert.equal((await window.queue.resume(3000)).waiting, undefined);
  window.usable = true;
  assert.equal((await window.queue.resume(3000)).waiting?.rejections.length, 1);
  await window.advance(3000);
  assert.deepEqual(world.sent, ["a"]);
});

test("a rejection that can't be stored isn't hidden or sent", async () => {
  const world = platform();
  const files = new RejectionFiles(newFolder());
  files.put = () => Promise.reject(new Error("The disk is full."));
  const queue = new ReviewQueue(files, {
    now: () => 0,
    after: () => assert.fail("nothing is planned"),
    canSend: () => true,
    send: world.send,
    reasonOf: String,
    changed: () => undefined,
    progress: () => undefined,
    done: () => undefined,
  });
  await assert.rejects(queue.reject(reviews("a"), options), /disk is full/);
  assert.ok(!queue.isHidden("c", "a"));
});

test("whatever windows do, a review is rejected at most once, and every row is back or was sent", async () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant("reject" as const), id: fc.constantFrom("a", "b", "c") }),
    fc.record({ do: fc.constant("undo" as const) }),
    fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1000, 7000) }),
    fc.record({ do: fc.constant("reload" as const) }),
    fc.record({ do: fc.constant("second window" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
      const world = platform();
      const folder = newFolder();
      let windows = [openWindow(folder, world)];
      for (const step of actions) {
        const window = windows[windows.length - 1] as ReturnType<typeof openWindow>;
        if (step.do === "reject" && !world.sent.includes(step.id)) await window.queue.reject(reviews(step.id), options);
        if (step.do === "undo" && window.queue.undoable) await window.queue.undo(window.queue.undoable);
        if (step.do === "wait") for (const each of windows) await each.advance(step.ms);
        if (step.do === "reload") windows = [openWindow(folder, world)];
        if (step.do === "second window") windows.push(openWindow(folder, world));
        if (step.do === "reload" || step.do === "second window") await windows.at(-1)?.queue.resume(6000);
      }
      for (const each of windows) await each.advance(20_000);
      assert.equal(new Set(world.sent).size, world.sent.length, `sent twice: ${world.sent}`);
      const left = await new RejectionFiles(folder).waiting();
      assert.deepEqual(left, [], "a window that is open leaves nothing waiting");
      for (const { queue } of windows) {
        queue.observed(1_000_000);
        for (const id of ["a", "b", "c"]) assert.ok(!queue.isHidden("c", id), "a list shows what is left");
      }
    }),
    { numRuns: 60 },
  );
});

test("a rejection undone during resumption isn't sent", async () => {
  const folder = newFolder();
  const files = new RejectionFiles(folder);
  const window = openWindow(folder, platform(), files);
  const batch = (await window.queue.reject(reviews("a"), options)) as Batch;
  const waiting = files.waiting.bind(files);
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let resumed: Promise<unknown> = Promise.resolve();
  await new Promise<void>((hasRead) => {
    files.waiting = async () => {
      const read = await waiting();
      hasRead();
      await mayGoOn;
      return read;
    };
    resumed = window.queue.resume(6000);
  });
  // An undo that isn't queued reverts the rejection before the resumption continues.
  const taken: Promise<boolean>[] = [];
  const take = files.take.bind(files);
  files.take = (rejection) => {
    taken.push(take(rejection));
    return taken.at(-1) as Promise<boolean>;
  };
  const undone = window.queue.undo(batch);
  await new Promise(setImmediate);
  await Promise.all(taken);
  goOn();
  assert.equal((await undone).length, 1);
  await resumed;
  assert.ok(!window.queue.isHidden("c", "a"));
});
