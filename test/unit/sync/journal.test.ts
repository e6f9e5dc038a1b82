/**
 * The journal as a file: what is appended, and what is read after it was torn, changed or written by another process.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openState } from "../../../files";
import { emptyGraph, type Graph, type GraphOp } from "../../../flow";
import type { Identity } from "../../../sync/environment";
import { Journal } from "../../../sync/journal/journal";
import { digest } from "../../../sync/journal/journal-text";
import type { JournalRecord } from "../../../sync/journal/record";
import type { Pairs } from "../../../sync/normal-form/normal-form";
import { systemClock } from "../../../sync/system-environment";

const identity: Identity = { connection: "c", assistant: "a", revision: "r" };
const graph: Graph = { ...emptyGraph, nodes: new Map([["a", { id: "a", type: "message", text: "Grüße" }]]) };
const batch = (text: string): readonly GraphOp[] => [
  { op: "update_node_fields", node_id: "a", fields: { text } } as GraphOp,
];
const [one, two, three] = [batch("one"), batch("two – zwei"), batch("three")];

/** A base, and a chain of three batches appended to it. */
async function chain(
  work: (journal: Journal, file: string, open: () => ReturnType<typeof Journal.open>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-journal-"));
  try {
    const open = () => Journal.open(openState(folder), identity, systemClock);
    const { journal } = await open();
    await journal.update({ base: { graph, version: 1 }, confirmed: "a.flow.yaml" });
    await journal.update({ inFlight: { ops: one, baseVersion: 1 }, wanted: "w" });
    await journal.update({ inFlight: { ops: two, baseVersion: 2, answered: [one] }, lateUntil: 5 });
    await journal.update({ inFlight: { ops: three, baseVersion: 3, answered: [one, two] }, lateUntil: undefined });
    await work(journal, path.join(folder, journal.name), open);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without undefined fields. */
function plain(value: JournalRecord | Graph): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Map ? [...each] : each)));
}

test("changes in a chain are appended, and read as if written as a whole", () =>
  chain(async (journal, file, open) => {
    const lines = readFileSync(file, "utf8").split("\n");
    assert.equal(lines.length, 2 + 3 + 1);
    assert.ok(!lines[4]?.includes("Grüße") && !lines[4]?.includes("zwei"), "each line has its own batch alone");
    const { journal: read, setAside } = await open();
    assert.equal(setAside, undefined);
    assert.deepEqual(plain(read.record), plain(journal.record));
    assert.equal(read.text, journal.text);
  }));

test("observed state and the first change after opening are written as a whole", () =>
  chain(async (journal, file, open) => {
    const { journal: read } = await open();
    await read.update({ lateUntil: 7 });
    assert.equal(readFileSync(file, "utf8").split("\n").length, 3);
    // The first one doesn't know the content now, and appends nothing.
    await journal.update({ wanted: "x" });
    assert.equal(readFileSync(file, "utf8").split("\n").length, 3);
    await journal.update({ base: { graph, version: 4 }, inFlight: undefined });
    assert.equal(readFileSync(file, "utf8").split("\n").length, 3);
    assert.deepEqual(plain((await open()).journal.record), plain(journal.record));
  }));

test("a torn line is ignored, and nothing is appended after it", () =>
  chain(async (_, file, open) => {
    const whole = readFileSync(file);
    const start = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let end = start; end < whole.length; end++) {
      writeFileSync(file, whole.subarray(0, end));
      const { journal, setAside } = await open();
      assert.equal(setAside, undefined, `torn at ${end - start}`);
      assert.deepEqual(plain(journal.record), {
        base: { graph: plain(graph), version: 1 },
        confirmed: "a.flow.yaml",
        wanted: "w",
        lateUntil: 5,
        inFlight: { ops: two, baseVersion: 2, answered: [one] },
      });
      await journal.update({ wanted: "again" });
      assert.equal((await open()).journal.record.wanted, "again");
    }
  }));

test("a journal with any other damage is set aside", () =>
  chain(async (_, file, open) => {
    const whole = readFileSync(file, "utf8");
    const lines = whole.split("\n");
    const without = (index: number) => lines.filter((_, each) => each !== index).join("\n");
    const spoilt = [
      ...["Grüße", "w", "one", "two", "three", "baseVersion"].map((word) => whole.replace(`"${word}`, `"${word}x`)),
      without(2),
      without(3),
      [...lines.slice(0, 2), lines[3], lines[2], ...lines.slice(4)].join("\n"),
      `${whole}${lines[4]}\n`,
      `${whole}\n`,
      `${whole}nothing\n`,
    ];
    for (const text of spoilt) {
      assert.notEqual(text, whole);
      writeFileSync(file, text);
      const { journal, setAside } = await open();
      assert.match(setAside ?? "", /damaged/, text);
      assert.deepEqual(journal.record, {});
    }
  }));

test("a journal that another process truncated or extended is rewritten", () =>
  chain(async (journal, file, open) => {
    truncateSync(file, readFileSync(file).length - 5);
    await journal.update({ wanted: "x" });
    assert.deepEqual(plain((await open()).journal.record), plain(journal.record));
    writeFileSync(file, `${readFileSync(file, "utf8")}something`);
    await journal.update({ wanted: "y" });
    assert.deepEqual(plain((await open()).journal.record), plain(journal.record));
    rmSync(file);
    await journal.update({ wanted: "z" });
    assert.deepEqual(plain((await open()).journal.record), plain(journal.record));
  }));

test("appended changes never exceed the size of the base", () =>
  chain(async (journal, file, open) => {
    for (let i = 0; i < 300; i++) await journal.update({ wanted: String(i).padStart(1_000, "x") });
    assert.ok(readFileSync(file).length < 70_000, `${readFileSync(file).length} bytes`);
    assert.deepEqual(plain((await open()).journal.record), plain(journal.record));
  }));

test("a journal of the previous format is read", () =>
  chain(async (_, file, open) => {
    const body = JSON.stringify({ format: 1, identity, wanted: "w", base: { version: 3, graph: { nodes: [] } } });
    writeFileSync(file, `${digest(body)}\n${body}\n`);
    const { journal, setAside } = await open();
    assert.deepEqual([setAside, journal.record.wanted, journal.record.base?.version], [undefined, "w", 3]);
  }));

test("pairs of older journals without evidence are uncertain, unless they are self-evident", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-journal-"));
  try {
    const open = () => Journal.open(openState(folder), identity, systemClock);
    const { journal } = await open();
    const plainPairs: Pairs = [
      { of: "node", id: "a", wrote: { tries: "3" }, stores: { tries: 3, timeout: 30 } },
      { of: "node", id: "b", wrote: { text: "Hello." }, stores: { body: "Hello." } },
      { of: "order", id: "a", wrote: { edges: ["2", "1"] }, stores: { edges: ["1", "2"] } },
    ];
    const ignored: Pairs = [
      { of: "node", id: "a", wrote: { text: "new" }, stores: { text: "old" } },
      { of: "node", id: "a", wrote: { note: "mine" }, stores: {} },
      { of: "node", id: "gone", stores: { id: "gone", type: "end" } },
      { of: "top", id: "persona", wrote: { value: "Kind." }, stores: { value: "Stern." } },
    ];
    const pairs = [...plainPairs, ...ignored];
    await journal.update({ base: { graph, version: 1, pairs } });
    assert.deepEqual((await open()).journal.record.base?.pairs, pairs, "what was learned with evidence stays");
    // As an earlier version wrote it.
    const file = path.join(folder, journal.name);
    const body = (readFileSync(file, "utf8").split("\n")[1] as string).replace('"proved":true,', "");
    writeFileSync(file, `${digest(body)}\n${body}\n`);
    const { record } = (await open()).journal;
    assert.deepEqual([record.base?.pairs, record.doubts], [plainPairs, ignored]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
