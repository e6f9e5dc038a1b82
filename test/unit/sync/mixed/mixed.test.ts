/**
 * `SIM_KINDS=lag,cli SIM_SEED=4711 SIM_RUNS=1 node --import tsx --test test/unit/sync/mixed/mixed.test.ts` repeats one
 * run; without `SIM_KINDS` all kinds are mixed, and `SIM_VIOLATIONS=10` doesn't stop at the first violation.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cases } from "../../../support/cases";
import { EVENTS, type Kind, MOODS, TRAITS } from "./platform";
import { type Breaks, newTally, type Store, simulateMixed, type Tally } from "./simulation";

/** Few in the suite; `SIM_RUNS=50000` before a change of sync lands. */
const RUNS = cases(500, "SIM_RUNS");
const KINDS = (process.env.SIM_KINDS?.split(",") ?? [...MOODS, ...TRAITS, ...EVENTS]) as readonly Kind[];
const FIRST = Number(process.env.SIM_SEED ?? 0);
/** Stops after this many violations. */
const MOST = Number(process.env.SIM_VIOLATIONS ?? 1);

async function run(
  store: Store,
  kinds: readonly Kind[],
  count: number,
  breaks: Breaks = {},
): Promise<{ tally: Tally; violations: readonly string[] }> {
  const tally = newTally();
  const violations: string[] = [];
  for (let seed = FIRST; seed < FIRST + count && violations.length < MOST; seed++)
    try {
      await simulateMixed(seed, kinds, tally, breaks, store);
    } catch (error) {
      violations.push((error as Error).message);
    }
  return { tally, violations };
}

describe("a platform with its own behavior", () => {
  for (const [store, where] of [
    ["disk", "on disk"],
    ["browser", "in a browser"],
  ] as const)
    test(`${RUNS} seeded runs ${where} with ${KINDS.join(",")}`, async (t) => {
      const { tally, violations } = await run(store, KINDS, RUNS);
      assert.deepEqual(violations, []);
      t.diagnostic(JSON.stringify(tally));
      if (RUNS < 50 || process.env.SIM_KINDS) return;
      for (const kind of ["crashes", "stops", "conflicts", "merges", "batches", "synced"] as const)
        assert.ok(tally[kind] > RUNS / 20, `${kind}: the simulation is not rough enough`);
    });

  // Verifies that each law can fail: its violation is found within a few runs.
  const laws: readonly [keyof Breaks, string, RegExp][] = [
    ["losesEdit", "a merge that drops something of the user's", /out of the file, and nobody has removed it/],
    ["losesComments", "a merge that drops a comment", /lost the comment/],
    [
      "overwrites",
      "a file that another program has written, and that isn't read again",
      /is overwritten on the platform/,
    ],
    ["saysSynced", "a state that is too good", /false "synced/],
    ["asksOn", "an attempt that asks again and again", /requests for one thing that happened/],
  ];
  for (const [broken, what, law] of laws)
    test(`the laws notice ${what}`, async () => {
      if (process.env.SIM_SEED) return;
      const { violations } = await run("disk", ["cli", "editors", "stops"], 400, { [broken]: true });
      assert.match(violations[0] ?? "", law);
    });
});
