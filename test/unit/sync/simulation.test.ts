/** `SIM_MODE=409 SIM_SEED=4711 SIM_RUNS=1 node --import tsx --test test/unit/sync/simulation.test.ts` repeats one run. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cases } from "../../support/cases";
import { type Breaks, MODES, NORMALIZING, type PlatformName, type Store, simulate, type Tally } from "./simulation";

/** For a change of sync, run `SIM_RUNS=20000` before it lands. */
const runs = cases(2_000, "SIM_RUNS", 100);
const normalizingRuns = cases(500, "SIM_RUNS", 25);
/** A transaction takes longer than a call of the simulated disk. */
const browserRuns = cases(200, "SIM_RUNS");

/** What happened in the runs. Throws the first violation. */
async function run(
  mode: PlatformName,
  first: number,
  count: number,
  { breaks = {} as Breaks, store = "disk" as Store } = {},
): Promise<Tally> {
  const tally: Tally = {
    crashes: 0,
    lostAnswers: 0,
    duplicates: 0,
    conflicts: 0,
    merges: 0,
    batches: 0,
    risks: 0,
    shownOverwrites: 0,
    reformed: 0,
  };
  for (let seed = first; seed < first + count; seed++) await simulate(seed, mode, tally, breaks, store);
  return tally;
}

describe("simulation", () => {
  for (const [number, mode] of MODES.entries()) {
    if (process.env.SIM_MODE && process.env.SIM_MODE !== mode) continue;
    test(`${runs} seeded runs on a platform whose answer to another version is "${mode}"`, async (t) => {
      // The modes that reject look alike to the client, so each has other seeds.
      const first = Number(process.env.SIM_SEED ?? number * 1_000_000);
      const tally = await run(mode, first, runs);
      t.diagnostic(JSON.stringify(tally));
      if (runs < 100) return;
      for (const kind of ["crashes", "lostAnswers", "duplicates", "conflicts", "merges", "batches"] as const)
        assert.ok(tally[kind] > runs / 20, `${kind}: the simulation is not rough enough`);
      if (mode === "apply" && runs >= 400)
        assert.ok(tally.shownOverwrites > 0, "the risks that must be shown do occur");
    });
  }

  for (const [number, mode] of MODES.entries()) {
    if (process.env.SIM_MODE && process.env.SIM_MODE !== mode) continue;
    test(`${browserRuns} seeded runs with the state in a browser's database: ${mode}`, async (t) => {
      const first = Number(process.env.SIM_SEED ?? (number + 30) * 1_000_000);
      const tally = await run(mode, first, browserRuns, { store: "browser" });
      t.diagnostic(JSON.stringify(tally));
      assert.ok(tally.crashes > 0, "tabs end in the middle");
    });
  }

  for (const [number, form] of NORMALIZING.entries()) {
    const mode: PlatformName = `${MODES[number % MODES.length] ?? "409"}+${form}`;
    if (process.env.SIM_MODE && process.env.SIM_MODE !== mode) continue;
    test(`${normalizingRuns} seeded runs on a platform that normalizes: ${mode}`, async (t) => {
      const first = Number(process.env.SIM_SEED ?? (number + 10) * 1_000_000);
      const tally = await run(mode, first, normalizingRuns);
      t.diagnostic(JSON.stringify(tally));
      assert.ok(
        tally.reformed <= normalizingRuns / 5,
        "conflicts about another form are rare, and only where others write",
      );
    });
  }

  test("the simulation detects a journal that skips flushes and a wrong diff", async () => {
    if (process.env.SIM_SEED) return;
    const skipped = run("409", 0, 3_000, { breaks: { skipFlush: true } });
    await assert.rejects(skipped, /the outcome of the previous one is unknown/);
    for (const store of ["disk", "browser"] as const) {
      const wrong = run("409", 0, 3_000, { breaks: { wrongDiff: true }, store });
      await assert.rejects(wrong, /false "synced|differ in the end/);
    }
  });
});
