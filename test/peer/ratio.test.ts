/** The built server against yaml-language-server, in one run: an edit must stay about as many times faster as recorded. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { flowOf, placesIn } from "../../bench/flows";
import { MeasuredServer } from "../../bench/lsp";
import { cpuOf } from "../../bench/processor";
import { ourSide, peerSide, type Side } from "../../bench/sides";

// At 10,000 nodes one edit takes the peer seconds, so that size is left to the benchmark.
for (const [nodes, least] of [
  [500, 40],
  [2000, 100],
] as const)
  test(`at ${nodes} nodes an edit is at least ${least} times faster, and half of what docs/performance.md records`, async (t) => {
    const ours = await costOfEdit(await ourSide(), nodes, 300, 1_000);
    const theirs = await costOfEdit(await peerSide(), nodes, 2, 6);
    const ratio = theirs / ours;
    const recorded = recordedAt(nodes);
    const said = `${ratio.toFixed(0)} times (${ours.toFixed(2)} and ${theirs.toFixed(0)} ms), recorded ${recorded} times`;
    t.diagnostic(said);
    assert.ok(ratio >= least && ratio >= recorded / 2, said);
  });

/**
 * Milliseconds of processor time for an edit of words, once the server is warm: others on the machine do not lengthen it.
 * Where the system doesn't tell it, by the clock.
 */
async function costOfEdit(side: Side, nodes: number, warm: number, rounds: number): Promise<number> {
  const text = flowOf(nodes);
  const server = await MeasuredServer.start(side.node, side.args, side.settings);
  try {
    await server.open(text);
    const processor = () => cpuOf(server.process.pid);
    let [begun, waited] = [0, 0];
    for (let round = 0; round < warm + rounds; round++) {
      if (round === warm) begun = processor() ?? 0;
      const { words } = placesIn(text, 2 + ((round * 37) % (nodes - 4)));
      const clock = (await server.edit(server.placeOf(words), 1, "wW"[round % 2] as string)) - side.debounce;
      if (round >= warm) waited += clock;
    }
    const end = processor();
    return (end === undefined ? waited : end - begun) / rounds;
  } finally {
    await server.stop();
  }
}

function recordedAt(nodes: number): number {
  const rows = readFileSync("docs/performance.md", "utf8").split("\n");
  const cells = (start: string) => rows.find((row) => row.startsWith(start))?.split("|") ?? [];
  const column = cells("| milliseconds").indexOf(` ${nodes.toLocaleString("en-US")} nodes `);
  const recorded = Number(cells("| edit of words: times faster")[column]?.replace(",", ""));
  assert.ok(recorded > 0, "docs/performance.md does not say how many times faster an edit is.");
  return recorded;
}
