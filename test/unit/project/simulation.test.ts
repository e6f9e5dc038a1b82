/**
 * `SIM_SEED=4711 SIM_RUNS=1 npm run test:unit -- project/simulation` repeats one run. For a change of environments, run
 * `SIM_RUNS=2000` first.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases } from "../../support/cases";
import { simulate, type Tally } from "./simulation";

const noTally = (): Tally => ({
  commands: 0,
  pushes: 0,
  pulls: 0,
  promotions: 0,
  refused: 0,
  conflicts: 0,
  crashes: 0,
  states: {},
});

const runs = cases(160, "SIM_RUNS");
const first = Number(process.env.SIM_SEED ?? 0);

test(`${runs} random runs of edits, pushes, pulls, promotions and crashes in three environments`, async (t) => {
  const tally = noTally();
  for (let seed = first; seed < first + runs; seed++) await simulate(seed, tally);
  t.diagnostic(JSON.stringify(tally));
  if (runs < 50) return;
  for (const kind of ["pushes", "pulls", "promotions", "refused", "conflicts", "crashes"] as const)
    assert.ok(tally[kind] > runs / 20, `${kind}: the simulation isn't rough enough`);
  for (const state of ["in-step", "ahead", "behind", "diverged"])
    assert.ok((tally.states[state] ?? 0) > runs / 50, `${state} hardly occurs`);
});

test("the simulation notices an unprotected environment and IDs that are sent elsewhere", async () => {
  const broken = async (breaks: Parameters<typeof simulate>[2]) => {
    for (let seed = 0; seed < 100; seed++)
      try {
        await simulate(seed, noTally(), breaks);
      } catch (error) {
        return (error as Error).message;
      }
    return "";
  };
  assert.match(await broken({ unprotected: true }), /protected environment/);
  assert.match(await broken({ leaks: true }), /was sent to/);
});
