/**
 * How many behavior changes the generated tests detect: random flows with components, each mutated in every way that
 * mutants.ts knows. Arguments: the number of flows, and of scripts for each undetected change.
 */
import { mutationScore } from "../test/unit/run/mutants";

export async function run(): Promise<undefined> {
  const [flows = 100, runs = 1_000] = process.argv.slice(3).map(Number);
  const seeds = Array.from({ length: flows }, (_, index) => index + 1);
  const score = mutationScore(seeds, runs);
  console.log(`${flows} flows, ${score.tests} generated tests, ${score.mutants} mutants`);
  for (const [kind, { changing, caught }] of [...[...score.kinds].sort(), ["all", score] as const])
    console.log(`${kind}: ${caught} of ${changing} (${((100 * caught) / Math.max(1, changing)).toFixed(1)} %)`);
}
