/**
 * Compares the built server with yaml-language-server in one run: the recorded ratio of an edit must still hold, in
 * flows with and without findings. `npm test` compares the large flows with the least and the most work, `npm run
 * test:long` all of them.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { flowOf, type Shape } from "../../bench/flows";
import { editsOf, MeasuredServer } from "../../bench/lsp";
import { cpuOf } from "../../bench/measure";
import { ourSide, peerSide, type Side } from "../../bench/sides";
import { ONE_IN } from "../support/cases";

const isLong = ONE_IN === 1;

// At 10,000 nodes one edit takes the peer seconds, so only the benchmark measures that size.
const sizes = [[2000, 100] as const, ...(isLong ? [[500, 40] as const] : [])];
for (const [nodes, least] of sizes)
  test(`at ${nodes} nodes an edit is at least ${least} times faster, and half of what docs/performance.md records`, async (t) => {
    const { ours, theirs } = await bothSides("clean", nodes, ["words"], [300, 1_000], [2, 6]);
    const column = cellsOf("| milliseconds, median").indexOf(`${nodes.toLocaleString("en-US")} nodes`);
    const recorded = numberIn(cellsOf("| edit of words: times faster")[column]);
    const { said, holds } = compare(theirs.words, ours.words, least, recorded);
    t.diagnostic(said);
    assert.ok(holds, said);
  });

const shapes = [
  ["many findings", 100, 50] as const,
  ...(isLong ? [["few findings", 200, 100] as const, ["long lines", 200, 100] as const] : []),
];
for (const [shape, words, edge] of shapes)
  test(`with ${shape} at 2,000 nodes an edit of words is at least ${words} times faster, of an edge ${edge} times, and half of what is recorded`, async (t) => {
    const { ours, theirs } = await bothSides(shape, 2000, ["words", "edge"], [200, 400], [1, 3]);
    const cells = cellsOf(`| ${shape}, 2,000 nodes`);
    const recorded = cellsOf("| milliseconds, ours").flatMap((title, column) =>
      title === "times less work" ? numberIn(cells[column]) : [],
    );
    for (const [kind, least, written] of [
      ["words", words, recorded[0]],
      ["edge", edge, recorded[1]],
    ] as const) {
      const { said, holds } = compare(theirs[kind], ours[kind], least, written);
      t.diagnostic(`${kind}: ${said}`);
      assert.ok(holds, `${kind}: ${said}`);
    }
  });

function compare(theirs: number, ours: number, least: number, recorded: number | undefined) {
  assert.ok(recorded && recorded > 0, "docs/performance.md does not say how many times faster an edit is.");
  const ratio = theirs / ours;
  const said = `${ratio.toFixed(0)} times (${ours.toFixed(2)} and ${theirs.toFixed(0)} ms), recorded ${recorded} times`;
  return { said, holds: ratio >= least && ratio >= recorded / 2 };
}

type Rounds = readonly [warm: number, measured: number];
type Kind = "words" | "edge";

/**
 * Ours is measured before and after the peer, twice each, because the effect of other programs on the processor's caches
 * changes from minute to minute.
 */
async function bothSides(
  shape: Shape,
  nodes: number,
  kinds: readonly Kind[],
  ourRounds: Rounds,
  peerRounds: Rounds,
): Promise<{ ours: Record<Kind, number>; theirs: Record<Kind, number> }> {
  const measureOurs = async () => costOfEdits(await ourSide(), shape, nodes, kinds, ...ourRounds);
  const measured = [await measureOurs(), await measureOurs()];
  const theirs = await costOfEdits(await peerSide(), shape, nodes, kinds, ...peerRounds);
  measured.push(await measureOurs(), await measureOurs());
  const least = (kind: Kind) => Math.min(...measured.map((costs) => costs[kind]));
  const ours = { words: least("words"), edge: least("edge") };
  return { ours, theirs };
}

/**
 * Milliseconds of processor time for an edit of each kind on a warm server; NaN for other kinds. Processor time isn't
 * affected by other load. If the system doesn't report it, this uses the clock.
 */
async function costOfEdits(
  side: Side,
  shape: Shape,
  nodes: number,
  kinds: readonly Kind[],
  warm: number,
  rounds: number,
): Promise<Record<Kind, number>> {
  const text = flowOf(nodes, shape);
  const server = await MeasuredServer.start(side.node, side.args, side.settings);
  const processor = () => cpuOf(server.process.pid);
  const costOf = async (edit: (round: number) => Promise<number>) => {
    let [begun, waited] = [0, 0];
    for (let round = 0; round < warm + rounds; round++) {
      if (round === warm) begun = processor() ?? 0;
      const clock = (await edit(round)) - side.debounce;
      if (round >= warm) waited += clock;
    }
    const end = processor();
    return (end === undefined ? waited : end - begun) / rounds;
  };
  try {
    await server.open(text);
    const edits = editsOf(server, text, nodes);
    const costs: Record<Kind, number> = { words: Number.NaN, edge: Number.NaN };
    for (const kind of kinds) costs[kind] = await costOf(edits[kind]);
    return costs;
  } finally {
    await server.stop();
  }
}

/** The cells of the first row of docs/performance.md that starts with the given text. */
function cellsOf(start: string): string[] {
  const row = readFileSync("docs/performance.md", "utf8")
    .split("\n")
    .find((each) => each.startsWith(start));
  return (row?.split("|") ?? []).map((cell) => cell.trim());
}

function numberIn(cell: string | undefined): number {
  return Number(cell?.replace(",", ""));
}
