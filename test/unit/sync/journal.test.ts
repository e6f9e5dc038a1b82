/** The journal as a file: what is read after it was torn, changed or written by another process. */
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
import { systemClock } from "../../../sync/system-environment";

const identity: Identity = { connection: "c", assistant: "a", revision: "r" };
const graph: Graph = { ...emptyGraph, nodes: new Map([["a", { id: "a", type: "message", text: "Grüße" }]]) };
const batch = (text: string): readonly GraphOp[] => [
  { op: "update_node_fields", node_id: "a", fields: { text } } as GraphOp,
];
const [one, two] = [batch("one"), batch("two – zwei")];

/** A base and a batch in flight. */
async function chain(
  work: (journal: Journal, file: string, open: () => ReturnType<typeof Journal.open>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-journal-"));
  try {
    const open = () => Journal.open(openState(folder), identity, systemClock);
    const { journal } = await open();
    await journal.update({ base: { graph, version: 1 }, confirmed: "a.flow.yaml" });
    await journal.update({ inFlight: { ops: one, baseVersion: 1 }, wanted: "w" });
    await journal.update({ inFlight: { ops: two, baseVersion: 2 }, lateUntil: 5 });
    await work(journal, path.join(folder, journal.name), open);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without undefined fields. */
function plain(value: JournalRecord | Graph): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Map ? [...each] : each)));
}

test("every change is read as it was written", () =>
  chain(async (journal, _, open) => {
    const { journal: read, setAside } = await open();
    assert.equal(setAside, undefined);
    assert.deepEqual(plain(read.record), {
      base: { graph: plain(graph), version: 1 },
      confirmed: "a.flow.yaml",
      wanted: "w",
      lateUntil: 5,
      inFlight: { ops: two, baseVersion: 2 },
    });
    assert.deepEqual(JSON.parse(read.text), JSON.parse(journal.text));
    await journal.update({ lateUntil: undefined, inFlight: undefined });
    assert.deepEqual(plain((await open()).journal.record), plain(journal.record));
  }));

test("a torn or changed journal is set aside", () =>
  chain(async (_, file, open) => {
    const whole = readFileSync(file, "utf8");
    const [sum, body] = whole.split("\n") as [string, string];
    const spoilt = [
      ...["Grüße", "w", "two", "baseVersion"].map((word) => whole.replace(`"${word}`, `"${word}x`)),
      `${sum}\n`,
      `${body}\n${sum}\n`,
      `${whole}\n`,
      `${whole}${sum} {}\n`,
      `${whole}nothing\n`,
    ];
    for (let end = 0; end < whole.length; end += 11) spoilt.push(whole.slice(0, end));
    for (const text of spoilt) {
      assert.notEqual(text, whole);
      writeFileSync(file, text);
      const { journal, setAside } = await open();
      assert.match(setAside ?? "", /damaged/, text);
      assert.deepEqual(journal.record, {});
      await journal.update({ wanted: "again" });
      assert.equal((await open()).journal.record.wanted, "again");
    }
  }));

test("a journal that another process truncated, extended or removed is rewritten", () =>
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

test("a journal in another format is set aside", () =>
  chain(async (_, file, open) => {
    const [, body] = readFileSync(file, "utf8").split("\n") as [string, string];
    for (const format of [1, 2, 4, null]) {
      const other = JSON.stringify({ ...JSON.parse(body), format });
      writeFileSync(file, `${digest(other)}\n${other}\n`);
      const { journal, setAside } = await open();
      assert.match(setAside ?? "", /damaged/, String(format));
      assert.deepEqual(journal.record, {});
    }
  }));
