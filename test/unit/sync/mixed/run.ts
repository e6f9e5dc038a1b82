/** Runs seeds and prints what happened, or each violation: `STORE KINDS FIRST RUNS [BREAK]`. */
import type { Kind } from "./platform";
import { type Breaks, newTally, type Store, simulateMixed } from "./simulation";

const [store, kinds, first, runs, broken] = process.argv.slice(2) as [
  Store,
  string,
  string,
  string,
  keyof Breaks | undefined,
];
const tally = newTally();
/** Stops after this many violations. */
const MOST = Number(process.env.SIM_VIOLATIONS ?? 1);

async function main(): Promise<void> {
  let violations = 0;
  for (let seed = Number(first); seed < Number(first) + Number(runs) && violations < MOST; seed++)
    try {
      const names = kinds.split(",").filter((name) => name !== "") as Kind[];
      await simulateMixed(seed, names, tally, broken ? { [broken]: true } : {}, store);
    } catch (error) {
      violations++;
      process.exitCode = 1;
      console.error(MOST === 1 ? (error as Error).message : (error as Error).message.split("\n")[0]);
    }
  console.log(JSON.stringify({ ...tally, cpuMs: Math.round(process.cpuUsage().user / 1000) }));
}

void main();
