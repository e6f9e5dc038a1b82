/**
 * `SIM_MODE=409 SIM_SEED=4711 SIM_RUNS=1 node --import tsx --test test/unit/sync/simulation.test.ts` repeats one run.
 * The runs are bundled and in separate processes, because the test runner's tracking of promises takes longer than the
 * runs themselves.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { buildSync } from "esbuild";
import { cases } from "../../support/cases";
import { MODES, NORMALIZING, type PlatformName, type Store, type Tally } from "./simulation";

/** For a change of sync, run `SIM_RUNS=20000` before it lands. */
const runs = cases(2_000, "SIM_RUNS");
const normalizingRuns = cases(500, "SIM_RUNS");
/** A transaction takes longer than a call of the simulated disk. */
const browserRuns = cases(200, "SIM_RUNS");
const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-simulation-"));
const bundle = path.join(folder, "run.cjs");
buildSync({
  entryPoints: [path.join(__dirname, "simulation-run.ts")],
  bundle: true,
  platform: "node",
  outfile: bundle,
});
after(() => rmSync(folder, { recursive: true, force: true }));

function run(
  mode: PlatformName,
  first: number,
  count: number,
  { broken = "", store = "disk" as Store } = {},
): Promise<{ tally?: Tally; violation: string }> {
  const args = [bundle, mode, String(first), String(count), store, ...(broken ? [broken] : [])];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { maxBuffer: 1e7 }, (error, stdout, stderr) =>
      resolve({ ...(error ? {} : { tally: JSON.parse(stdout) }), violation: stderr }),
    ),
  );
}

describe("simulation", { concurrency: 2 }, () => {
  for (const [number, mode] of MODES.entries()) {
    if (process.env.SIM_MODE && process.env.SIM_MODE !== mode) continue;
    test(`${runs} seeded runs on a platform whose answer to another version is “${mode}”`, async (t) => {
      // The modes that reject look alike to the client, so each has other seeds.
      const first = Number(process.env.SIM_SEED ?? number * 1_000_000);
      const { tally, violation } = await run(mode, first, runs);
      assert.ok(tally, violation);
      t.diagnostic(JSON.stringify(tally));
      if (runs < 200) return;
      for (const kind of ["crashes", "lostAnswers", "duplicates", "conflicts", "merges", "batches", "unread"] as const)
        assert.ok(tally[kind] > runs / 20, `${kind}: the simulation is not rough enough`);
      if (mode === "apply" && runs >= 400)
        assert.ok(tally.shownOverwrites > 0, "the risks that must be shown do occur");
    });
  }

  for (const [number, mode] of MODES.entries()) {
    if (process.env.SIM_MODE && process.env.SIM_MODE !== mode) continue;
    test(`${browserRuns} seeded runs with the state in a browser's database: ${mode}`, async (t) => {
      const first = Number(process.env.SIM_SEED ?? (number + 30) * 1_000_000);
      const { tally, violation } = await run(mode, first, browserRuns, { store: "browser" });
      assert.ok(tally, violation);
      t.diagnostic(JSON.stringify(tally));
      assert.ok(tally.crashes > 0, "tabs end in the middle");
    });
  }

  for (const [number, form] of NORMALIZING.entries()) {
    const mode: PlatformName = `${MODES[number % MODES.length] ?? "409"}+${form}`;
    if (process.env.SIM_MODE && process.env.SIM_MODE !== mode) continue;
    test(`${normalizingRuns} seeded runs on a platform that normalizes: ${mode}`, async (t) => {
      const first = Number(process.env.SIM_SEED ?? (number + 10) * 1_000_000);
      const { tally, violation } = await run(mode, first, normalizingRuns);
      assert.ok(tally, violation);
      t.diagnostic(JSON.stringify(tally));
      assert.ok(
        tally.reformed <= normalizingRuns / 5,
        "conflicts about another form are rare, and only where others write",
      );
    });
  }

  test("the simulation detects a journal that skips flushes and a wrong diff", async () => {
    if (process.env.SIM_SEED) return;
    const flush = await run("409", 0, 3_000, { broken: "skipFlush" });
    assert.match(flush.violation, /nobody knows what became of the one before/);
    const wrong = await run("409", 0, 3_000, { broken: "wrongDiff" });
    assert.match(wrong.violation, /false “synced|differ in the end/);
    const inBrowser = await run("409", 0, 3_000, { broken: "wrongDiff", store: "browser" });
    assert.match(inBrowser.violation, /false “synced|differ in the end/);
  });
});
