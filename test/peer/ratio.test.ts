/**
 * Compares the work of edits in the built server and in yaml-language-server. `npm test` checks fixed limits in the flow
 * with the most work, `npm run test:long` checks more flows, and that at least half of each ratio in
 * docs/performance.md is reached.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { flowOf, type Shape } from "../../bench/flows";
import { editsOf, MeasuredServer } from "../../bench/lsp";
import { cpuOf } from "../../bench/measure";
import { ourSide, peerSide, type Side } from "../../bench/sides";
import { ONE_IN } from "../support/cases";

type Kind = "words" | "edge";

/** A flow, and how many times less work an edit of each kind is at least. */
interface Compared {
  readonly shape: Shape;
  readonly nodes: number;
  readonly least: Partial<Record<Kind, number>>;
}

const isLong = ONE_IN === 1;

// At 10,000 nodes one edit takes the peer seconds, so only the benchmark measures that size.
const flows: readonly Compared[] = [
  { shape: "many findings", nodes: 2000, least: { words: 100, edge: 50 } },
  ...(isLong
    ? [
        { shape: "few findings", nodes: 2000, least: { words: 200, edge: 100 } } as const,
        { shape: "long lines", nodes: 2000, least: { words: 200, edge: 100 } } as const,
        { shape: "clean", nodes: 2000, least: { words: 100 } } as const,
        { shape: "clean", nodes: 500, least: { words: 40 } } as const,
      ]
    : []),
];

for (const { shape, nodes, least } of flows) {
  const kinds = (["words", "edge"] as const).filter((kind) => least[kind] !== undefined);
  const limits = kinds.map((kind) => `of ${kind} ${least[kind]} times less`).join(" and ");
  test(`in a flow with the shape "${shape}" and ${nodes} nodes, an edit ${limits} work than in the peer`, async (t) => {
    const known = (kind: Kind) => recorded(shape, nodes, kind);
    const isEnough = (kind: Kind, ours: number, theirs: number) =>
      theirs / ours >= Math.max(least[kind] as number, isLong ? known(kind) / 2 : 0);
    const costs = await costsOf(shape, nodes, kinds, isEnough);
    for (const kind of kinds) {
      const [ours, theirs] = costs.map((cost) => cost[kind] as number) as [number, number];
      const said = `${kind}: ${(theirs / ours).toFixed(0)} times (${ours.toFixed(2)} and ${theirs.toFixed(0)} ms), recorded ${known(kind)}`;
      t.diagnostic(said);
      assert.ok(isEnough(kind, ours, theirs), said);
    }
  });
}

/** Both servers are warm after this number of turns. */
const MIN_TURNS = 6;
const MAX_TURNS = 30;
/** How many edits of ours are measured together: processor time is reported in steps of 10 ms. */
const EDITS = 25;

/**
 * Milliseconds of processor time for an edit of each kind, in our server and in the peer. They take turns, so that both
 * are measured under the same load. Load, compilation and garbage collection only add to the time, so the least counts,
 * and on a busy machine it takes more turns to find it.
 */
async function costsOf(
  shape: Shape,
  nodes: number,
  kinds: readonly Kind[],
  isEnough: (kind: Kind, ours: number, theirs: number) => boolean,
): Promise<Record<string, number>[]> {
  const text = flowOf(nodes, shape);
  const started: { side: Side; server: MeasuredServer; edits: number; costs: Record<string, number> }[] = [];
  try {
    for (const [side, edits] of [[await ourSide(), EDITS] as const, [await peerSide(), 1] as const]) {
      const server = await MeasuredServer.start(side.node, side.args, side.settings);
      started.push({ side, server, edits, costs: {} });
      await server.open(text);
    }
    const isDone = () =>
      kinds.every((kind) => isEnough(kind, ...(started.map(({ costs }) => costs[kind]) as [number, number])));
    for (let turn = 0; turn < MIN_TURNS || (turn < MAX_TURNS && !isDone()); turn++)
      for (const { side, server, edits, costs } of started)
        for (const kind of kinds) {
          const edit = editsOf(server, text, nodes)[kind];
          const begun = cpuOf(server.process.pid);
          let waited = 0;
          for (let round = turn * edits; round < (turn + 1) * edits; round++)
            waited += (await edit(round)) - side.debounce;
          const end = cpuOf(server.process.pid);
          // If the system doesn't report processor time, the clock is used.
          const cost = (begun === undefined || end === undefined ? waited : end - begun) / edits;
          costs[kind] = Math.min(cost, costs[kind] ?? cost);
        }
  } finally {
    for (const { server } of started) await server.stop();
  }
  return started.map(({ costs }) => costs);
}

/** The ratio in docs/performance.md. */
function recorded(shape: Shape, nodes: number, kind: Kind): number {
  const size = `${nodes.toLocaleString("en-US")} nodes`;
  const columns = cellsOf(shape === "clean" ? "| milliseconds, median" : "| milliseconds, ours");
  const row = cellsOf(shape === "clean" ? "| edit of words: times faster" : `| ${shape}, ${size}`);
  const column = shape === "clean" ? columns.indexOf(size) : columns.findIndex((title) => title.endsWith(kind)) + 1;
  const ratio = Number(row[column]?.replace(",", ""));
  assert.ok(ratio > 0, "docs/performance.md doesn't say how many times less work an edit is.");
  return ratio;
}

/** The cells of the first row of docs/performance.md that starts with the given text. */
function cellsOf(start: string): string[] {
  const lines = readFileSync("docs/performance.md", "utf8").split("\n");
  const row = lines.find((each) => each.startsWith(start)) ?? "";
  return row.split("|").map((cell) => cell.trim());
}
