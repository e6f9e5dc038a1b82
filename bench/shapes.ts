/**
 * Compares flows with few findings, many findings and long lines in the language server and in yaml-language-server, in
 * one run. Writes the second table of docs/performance.md. `--quick` measures up to 2,000 nodes and writes nothing; `--tools`
 * measures only what tool definitions cost.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { benchTools, flowOf, placesIn, type Shape, shapes } from "./flows";
import { bench, writeTable } from "./harness";
import { MeasuredServer } from "./lsp";
import { median, percentile, show } from "./measure";
import { cpuOf } from "./processor";
import { ourSide, PEER, peerSide, type Side } from "./sides";

const quick = process.argv.includes("--quick");
const sizes = quick ? [50, 2000] : [50, 2000, 10_000];

/** Wall time, and the processor time of an edit, which is independent of other load. */
interface Edits {
  readonly median: number;
  readonly p95: number;
  readonly work: number;
}

interface Figures {
  readonly open: number;
  readonly words: Edits;
  readonly edge: Edits;
  /** The number of broken lines that were reported. */
  readonly broken: readonly [told: number, of: number];
  readonly memory: number;
}

async function measureShape(
  side: Side,
  shape: Shape,
  size: number,
  rounds = side.rounds(size),
  folder?: string,
): Promise<Figures> {
  const text = flowOf(size, shape);
  const place = folder === undefined ? {} : { folder, uri: `${folder}/large.flow.yaml` };
  const server = await MeasuredServer.start(side.node, side.args, side.settings, place);
  const places = (round: number) => placesIn(text, 2 + ((round * 37) % (size - 4)));
  const warm = side.warm(size);
  const edits = async (edit: (round: number) => Promise<number>): Promise<Edits> => {
    const times: number[] = [];
    let begun = 0;
    for (let round = 0; round < warm + rounds; round++) {
      if (round === warm) begun = cpuOf(server.process.pid) ?? Number.NaN;
      times.push(Math.max(0, (await edit(round)) - side.debounce));
    }
    const work = ((cpuOf(server.process.pid) ?? Number.NaN) - begun) / rounds;
    const measured = times.slice(warm);
    return { median: median(measured), p95: percentile(measured, 0.95), work };
  };
  try {
    const open = Math.max(0, (await server.open(text)) - side.debounce);
    const words = await edits((n) => server.edit(server.placeOf(places(n).words), 1, "wW"[n % 2] as string));
    // A different digit each time.
    const digit = (n: number) => String((n + Math.floor((n * 37) / (size - 4))) % 10);
    const edge = await edits((n) => server.edit(server.placeOf(places(n).target), 1, digit(n)));
    const broken = side.name === "ours" ? await brokenLines(server, text, size) : ([0, 0] as const);
    return { open, words, edge, broken, memory: server.memory().peak };
  } finally {
    await server.stop();
  }
}

/** Breaks a line near the start, in the middle and near the end, and counts the reports. */
async function brokenLines(server: MeasuredServer, text: string, size: number): Promise<readonly [number, number]> {
  const nodes = [2, Math.floor(size / 4), Math.floor(size / 2), size - 3];
  let told = 0;
  for (const node of nodes) {
    const name = server.placeOf(text.indexOf("Step number", text.indexOf(`\n  node_${node}:\n`)));
    await server.edit(name, 1, '"');
    if (server.codes.includes("yaml-syntax")) told++;
    await server.edit(name, 1, "S");
    if (server.codes.includes("yaml-syntax")) told--;
  }
  return [told, nodes.length];
}

/** How much more an edit costs with tool definitions: 500 of 2,000 nodes call tools. The limit is 1.3 times. */
async function toolsSentence(side: Side, folder: string): Promise<string> {
  const uri = pathToFileURL(folder).href;
  const measured = async () => measureShape(side, "tools", 2000, side.rounds(2000), uri);
  const without = await measured();
  writeFileSync(path.join(folder, "assistant-flow.tools.json"), benchTools());
  const known = await measured();
  const part = (name: "words" | "edge") => `${(known[name].work / without[name].work).toFixed(2)} times the work`;
  return `In a flow of 2,000 nodes, 500 of which call tools, an edit of words with tool definitions takes ${part("words")} of one without, and an edit of an edge ${part("edge")}.`;
}

async function main(folder: string): Promise<void> {
  const load = loadavg()[0] as number;
  const ours = await ourSide();
  const tools = await toolsSentence(ours, folder);
  console.log(tools);
  if (process.argv.includes("--tools")) return;
  const sides = [ours, await peerSide()] as const;
  const rows: string[] = [];
  for (const shape of shapes.slice(1))
    for (const size of sizes) {
      const [ours, theirs] = [await measureShape(sides[0], shape, size), await measureShape(sides[1], shape, size)];
      const times = (name: "words" | "edge") => show(theirs[name].work / ours[name].work);
      const pair = ({ median, p95 }: Edits) => `${show(median)} / ${show(p95)}`;
      rows.push(
        `| ${shape}, ${size.toLocaleString("en-US")} nodes | ${show(ours.open)} · ${show(theirs.open)} | ${pair(ours.words)} · ${pair(theirs.words)} | ${times("words")} | ${pair(ours.edge)} · ${pair(theirs.edge)} | ${times("edge")} | ${ours.broken.join(" of ")} | ${show(ours.memory)} · ${show(theirs.memory)} |`,
      );
      console.log(rows.at(-1));
    }
  if (quick) return;
  const table = [
    "| milliseconds, ours · the peer's | open | edit of words | times less work | edit of an edge | times less work | errors reported | peak memory, MB |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `${availableParallelism()} cores; load average at the start ${load.toFixed(1)}, at the end ${(loadavg()[0] as number).toFixed(1)}. The peer: ${PEER.name} ${PEER.version}.`,
    "",
    tools,
  ].join("\n");
  writeTable("shapes", table);
}

void bench(main);
