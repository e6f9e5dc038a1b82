import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openState } from "../../../files";
import { emptyGraph, type Graph, sameGraph } from "../../../flow";
import { History } from "../../../sync";
import { fileNameOf } from "../../../sync/journal/journal";
import { cases } from "../../support/cases";

const identity = { connection: "https://a.example", assistant: "a", revision: "r" };
const graph = (text: string): Graph => ({ ...emptyGraph, persona: text });
const seen = (version: number, text: string) => ({ graph: graph(text), version, by: "push", operations: 1 }) as const;

async function inFolder(work: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-history-"));
  try {
    await work(folder, path.join(folder, `${fileNameOf(identity)}.history`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const open = (folder: string, limits?: { most: number; kept: number }) =>
  new History(openState(folder), identity, { now: () => 0 }, limits);

test("versions are recorded once, each graph once, and survive a restart and a cut-off line", () =>
  inFolder(async (folder, file) => {
    const history = open(folder);
    for (const [version, text] of [
      [1, "a"],
      [1, "a"],
      [2, "b"],
      [3, "a"],
    ] as const)
      await history.record(seen(version, text), "staging", "x.flow.yaml");
    const entries = await open(folder).entries();
    assert.deepEqual(
      entries.map(({ version, before }) => [before, version]),
      [
        [null, 1],
        [1, 2],
        [2, 3],
      ],
    );
    assert.equal(entries[0]?.graph, entries[2]?.graph);
    for (const [index, text] of ["a", "b", "a"].entries()) {
      const found = await open(folder).graphOf(entries[index] as (typeof entries)[0]);
      assert.ok(found && sameGraph(found, graph(text)));
    }
    writeFileSync(file, '{"hash":"cut', { flag: "a" });
    const after = open(folder);
    await after.record(seen(4, "c"), undefined, "x.flow.yaml");
    assert.deepEqual(
      (await after.entries()).map(({ version }) => version),
      [1, 2, 3, 4],
    );
  }));

test("two processes don't lose each other's versions", () =>
  inFolder(async (folder) => {
    const [one, other] = [open(folder), open(folder)];
    for (let version = 1; version <= 20; version++)
      await (version % 3 === 0 ? other : one).record(seen(version, String(version)), undefined, "x");
    assert.deepEqual(
      (await one.entries()).map(({ version }) => version),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  }));

test("the file stays small with many versions, and the newest ones can be restored", () =>
  inFolder(async (folder, file) => {
    const limits = { most: 200_000, kept: 100_000 };
    const history = open(folder, limits);
    const all = cases(10_000);
    for (let version = 1; version <= all; version++) {
      await history.record(seen(version, `${version}`.padEnd(200, "x")), undefined, "x");
      if (version % 500 === 0) assert.ok(statSync(file).size <= limits.most);
    }
    const entries = await history.entries();
    assert.ok(entries.length >= 100 && entries.length < all);
    assert.equal(entries.at(-1)?.version, all);
    for (const entry of [entries[0], entries.at(-1)])
      assert.match(
        (await history.graphOf(entry as (typeof entries)[0]))?.persona ?? "",
        new RegExp(`^${entry?.version}x`),
      );
  }));
