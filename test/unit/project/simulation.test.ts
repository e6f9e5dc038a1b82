/**
 * `SIM_SEED=4711 SIM_RUNS=1 npm run test:unit -- project/simulation` repeats one run. For a change of environments, run
 * `SIM_RUNS=2000` first.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases } from "../../support/cases";
import { type Bugs, type Environment, simulate, type Tally } from "./simulation";

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

const runs = cases(160, "SIM_RUNS", 8);
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

/** Overwrites matching instructions on a platform. */
const without = ({ platform }: Environment, value: RegExp) =>
  platform.put({
    ...platform.graph,
    nodes: new Map(
      [...platform.graph.nodes].map(([id, node]) => [
        id,
        value.test(String(node.instructions)) ? { ...node, instructions: "gone" } : node,
      ]),
    ),
  });
const other = (than: Environment, all: readonly Environment[]) => all.find((each) => each !== than) as Environment;

const bugs: Record<string, [Bugs, RegExp]> = {
  "an environment that isn't protected": [
    { project: (text) => text.replace("protected: true", "protected: false") },
    /a protected environment (accepted a push|changed without a promotion)/,
  ],
  "an ID of another environment": [
    { body: (body, to, all) => body.replaceAll(to.ids[2] as string, other(to, all).ids[2] as string) },
    /'s \S+ was sent to /,
  ],
  "the key of another environment": [
    { variables: (env) => ({ ...env, ASSISTANT_FLOW_API_KEY_STAGING: env.ASSISTANT_FLOW_API_KEY_DEV as string }) },
    /staging got another key/,
  ],
  "a request to another platform": [
    { project: (text) => text.replace("https://dev.example.com", "https://elsewhere.example.com") },
    /a request to https:\/\/elsewhere\.example\.com/,
  ],
  "a push that changes another environment": [
    { done: (command, to, all) => command === "push" && without(other(to, all), /^base1$/) },
    /push changed /,
  ],
  "a promotion that sends something again": [
    {
      done: (command, to) => {
        if (command === "promote") to.batches++;
      },
    },
    /the second promotion sent something/,
  ],
  "a change that is overwritten": [
    { done: (command, to) => command === "push" && to.name === "dev" && without(to, /^c\d+$/) },
    /was overwritten unseen/,
  ],
  "an edit that is lost": [{ file: (text) => text.replace(/\bu\d+\b/, "gone") }, /the file lost u\d+/],
  "a comment that is lost": [{ file: (text) => text.replace(" # note 1", "") }, /the file lost its comment/],
  "a name that is lost": [{ file: (text) => text.replace("$look_up #", "x #") }, /the file lost a name/],
  "a state that isn't true": [{ state: (state) => (state === "ahead" ? "in-step" : state) }, /shown as in-step/],
  "a changed platform that isn't noticed": [{ state: (state) => (state === "behind" ? "ahead" : state) }, /is behind/],
};

for (const [name, [planted, law]] of Object.entries(bugs))
  test(`the simulation notices ${name}`, async () => {
    for (let seed = 0; seed < 100; seed++)
      try {
        await simulate(seed, noTally(), planted);
      } catch (error) {
        return assert.match((error as Error).message.split("\n")[0] as string, law);
      }
    assert.fail("no run noticed it");
  });
