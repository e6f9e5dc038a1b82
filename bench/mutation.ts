/**
 * Measures how many behavior changes the generated tests detect: random flows with components, each mutated in every
 * way that mutants.ts knows. `npx tsx bench/mutation.ts [flows] [scripts for each undetected change]`.
 */
import { mutationScore } from "../test/unit/run/mutants";

const [flows = 100, runs = 1_000] = process.argv.slice(2).map(Number);
const score = mutationScore(
  Array.from({ length: flows }, (_, index) => index + 1),
  runs,
);
const share = (caught: number, changing: number) => `${((100 * caught) / Math.max(1, changing)).toFixed(1)} %`;
console.log(`${flows} flows, ${score.tests} generated tests, ${score.mutants} mutants`);
for (const [kind, { changing, caught }] of [...score.kinds].sort())
  console.log(
    `${kind.padEnd(22)} ${String(caught).padStart(6)} of ${String(changing).padStart(6)}  ${share(caught, changing)}`,
  );
console.log(
  `${"all".padEnd(22)} ${String(score.caught).padStart(6)} of ${String(score.changing).padStart(6)}  ${share(score.caught, score.changing)}`,
);
for (const survivor of score.survivors.slice(0, Number(process.env.SURVIVORS ?? 0))) console.log(survivor);
