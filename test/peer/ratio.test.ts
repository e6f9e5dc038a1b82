/** The built server against yaml-language-server, in one run: an edit must stay about as many times faster as recorded. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { flowOf, placesIn } from "../../bench/flows";
import { MeasuredServer } from "../../bench/lsp";
import { ourSide, peerSide, type Side } from "../../bench/sides";

// At 10,000 nodes one edit takes the peer seconds, so that size is left to the benchmark.
for (const [nodes, least] of [
  [500, 40],
  [2000, 100],
] as const)
  test(`at ${nodes} nodes an edit is at least ${least} times faster, and a quarter of what docs/performance.md records`, async () => {
    const ours = await quietEdit(await ourSide(), nodes, 200);
    const theirs = await quietEdit(await peerSide(), nodes, 8);
    const ratio = theirs / ours;
    const recorded = recordedAt(nodes);
    const said = `${ratio.toFixed(0)} times (${ours.toFixed(2)} and ${theirs.toFixed(0)} ms), recorded ${recorded} times`;
    assert.ok(ratio >= least && ratio >= recorded / 4, said);
  });

/** Milliseconds from an edit of words to its diagnostics that others on the machine did not lengthen much. */
async function quietEdit(side: Side, nodes: number, rounds: number): Promise<number> {
  const text = flowOf(nodes);
  const server = await MeasuredServer.start(side.node, side.args, side.settings);
  try {
    await server.open(text);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { words } = placesIn(text, 2 + ((round * 37) % (nodes - 4)));
      times.push((await server.edit(server.placeOf(words), 1, "wW"[round % 2] as string)) - side.debounce);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 10)] as number;
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
