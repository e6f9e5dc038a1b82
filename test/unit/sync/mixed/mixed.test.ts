/**
 * `SIM_KINDS=lag,cli SIM_SEED=4711 SIM_RUNS=1 node --import tsx --test test/unit/sync/mixed/mixed.test.ts` repeats one
 * run; without `SIM_KINDS` all kinds are mixed. As in the other simulation, the runs are in separate processes.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { buildSync } from "esbuild";
import { cases } from "../../../support/cases";
import { EVENTS, MOODS, TRAITS } from "./platform";
import type { Breaks, Store, Tally } from "./simulation";

/** Few in the suite; `SIM_RUNS=50000` before a change of sync lands. */
const RUNS = cases(500, "SIM_RUNS");
const KINDS = process.env.SIM_KINDS ?? [...MOODS, ...TRAITS, ...EVENTS].join(",");
const FIRST = Number(process.env.SIM_SEED ?? 0);

const folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-mixed-"));
const bundle = path.join(folder, "run.cjs");
buildSync({ entryPoints: [path.join(__dirname, "run.ts")], bundle: true, platform: "node", outfile: bundle });
after(() => rmSync(folder, { recursive: true, force: true }));

function run(
  store: Store,
  kinds: string,
  count: number,
  broken?: keyof Breaks,
): Promise<{ tally?: Tally; violation: string }> {
  const args = ["--no-warnings", bundle, store, kinds, String(FIRST), String(count), ...(broken ? [broken] : [])];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { maxBuffer: 1e7 }, (error, stdout, stderr) =>
      resolve({ ...(error ? {} : { tally: JSON.parse(stdout) }), violation: stderr }),
    ),
  );
}

describe("a platform with its own behavior", { concurrency: 2 }, () => {
  for (const [store, where] of [
    ["disk", "on disk"],
    ["browser", "in a browser"],
  ] as const)
    test(`${RUNS} seeded runs ${where} with ${KINDS}`, async (t) => {
      const { tally, violation } = await run(store, KINDS, RUNS);
      assert.ok(tally, violation);
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
    ["saysSynced", "a state that is too good", /false “synced/],
    ["asksOn", "an attempt that asks again and again", /requests for one thing that happened/],
  ];
  for (const [broken, what, law] of laws)
    test(`the laws notice ${what}`, async () => {
      if (process.env.SIM_SEED) return;
      assert.match((await run("disk", "cli,editors,stops", 400, broken)).violation, law);
    });
});
