/** Runs seeds and prints what happened, or the first violation: `MODE FIRST RUNS [STORE] [BREAK]`. */
import { type Breaks, type PlatformName, type Store, simulate, type Tally } from "./simulation";

const [mode, first, runs, store, broken] = process.argv.slice(2) as [
  PlatformName,
  string,
  string,
  Store,
  keyof Breaks | undefined,
];
const tally: Tally = {
  crashes: 0,
  lostAnswers: 0,
  duplicates: 0,
  conflicts: 0,
  merges: 0,
  batches: 0,
  unread: 0,
  risks: 0,
  shownOverwrites: 0,
  reformed: 0,
};

async function main(): Promise<void> {
  for (let seed = Number(first); seed < Number(first) + Number(runs); seed++)
    await simulate(seed, mode, tally, broken ? { [broken]: true } : {}, store);
  console.log(JSON.stringify({ ...tally, cpuMs: Math.round(process.cpuUsage().user / 1000) }));
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
