/**
 * Compares the language server with yaml-language-server in one run, under the same Node, over stdio, and writes the
 * tables of docs/performance.md. `--quick` measures up to 2,000 nodes and writes nothing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { sizeAtStart } from "../scripts/bundle/sbom";
import { inProject } from "../scripts/project";
import { BUSIEST, benchTools, flowOf, type Shape, shapes } from "./flows";
import { measureInProcess } from "./in-process";
import { editsOf, MeasuredServer } from "./lsp";
import { cpuOf, machine, median, percentile, show } from "./measure";
import { ourSide, PEER, peerSide, type Side } from "./sides";

/** Wall times, and the processor time of one round, which is independent of other load. */
interface Figure {
  readonly median: number;
  readonly p95: number;
  readonly work: number;
}

type Figures = Record<string, Figure>;

const OPEN = "open to first diagnostics";
const WORDS = "edit of words to diagnostics";
const EDGE = "edit of an edge to diagnostics";
const MEMORY = "peak memory, MB";
const START = "start to `initialize` answered";

export async function run(folder: string): Promise<undefined> {
  const quick = process.argv.includes("--quick");
  const sizes = quick ? [50, 2000] : [50, 500, 2000, 10_000];
  const sides = [await ourSide(), await peerSide()] as const;
  const before = machine();
  const table = await cleanTable(sides, sizes);
  const found = await shapesTable(
    sides,
    sizes.filter((size) => size !== 500),
  );
  const tools = await toolsSentence(sides[0], folder);
  const where = `Before: ${before}; after: ${machine()}. The peer: ${PEER.name} ${PEER.version} with schemas/assistant-flow.schema.json.`;
  const loaded = `Code that the server loads at start: ${Math.round(sizeAtStart("dist/server.js") / 1000)} kB.`;
  // The lowest of three, so that the recorded ratio also holds on a busy machine.
  const inProcess = [measureInProcess(), measureInProcess(), measureInProcess()].reduce((lowest, each) =>
    Object.fromEntries(Object.entries(each).map(([name, ratio]) => [name, Math.min(ratio, lowest[name] ?? ratio)])),
  );
  const first = [...table, "", `${loaded} ${where}`, "", `<!-- ratios: ${JSON.stringify(inProcess)} -->`];
  writeTable("table", first, quick);
  writeTable("shapes", [...found, "", tools], quick);
}

/** A row for each measurement and side, a column for each size. */
async function cleanTable(sides: readonly [Side, Side], sizes: readonly number[]): Promise<string[]> {
  const measured = new Map<Side, Figures[]>();
  for (const side of sides) {
    measured.set(side, []);
    for (const size of sizes) measured.get(side)?.push(await measure(side, "clean", size));
  }
  const [ours = [], theirs = []] = measured.values();
  const once = [OPEN, MEMORY, START];
  const rows = Object.keys(ours[0] ?? {}).flatMap((name) =>
    [...measured].map(([{ name: side }, figures]) => {
      const cells = figures.map(({ [name]: figure }) => {
        if (!figure) return "—";
        return once.includes(name) ? show(figure.median) : pair(figure);
      });
      return `| ${[`${name}, ${side}`, ...cells].join(" | ")} |`;
    }),
  );
  const faster = sizes.map((_, at) => show((theirs[at]?.[WORDS]?.median ?? 0) / (ours[at]?.[WORDS]?.median ?? 0)));
  return [
    `| milliseconds, median / p95 | ${sizes.map((size) => `${size.toLocaleString("en-US")} nodes`).join(" | ")} |`,
    `|---|${sizes.map(() => "---").join("|")}|`,
    ...rows,
    `| edit of words: times faster | ${faster.join(" | ")} |`,
  ];
}

/** A row for each shape and size. */
async function shapesTable(sides: readonly [Side, Side], sizes: readonly number[]): Promise<string[]> {
  const rows: string[] = [];
  for (const shape of shapes.slice(1))
    for (const size of sizes) {
      const [ours, theirs] = [await measure(sides[0], shape, size), await measure(sides[1], shape, size)];
      const both = (name: string, shown: (figure: Figure) => string) =>
        `${shown(ours[name] as Figure)} · ${shown(theirs[name] as Figure)}`;
      const lessWork = (name: string) => show((theirs[name]?.work ?? 0) / (ours[name]?.work ?? 0));
      const middle = (figure: Figure) => show(figure.median);
      const cells = [`${shape}, ${size.toLocaleString("en-US")} nodes`, both(OPEN, middle)];
      for (const name of [WORDS, EDGE]) cells.push(both(name, pair), lessWork(name));
      rows.push(`| ${[...cells, both(MEMORY, middle)].join(" | ")} |`);
    }
  return [
    "| milliseconds, ours · the peer's | open | edit of words | times less work | edit of an edge | times less work | peak memory, MB |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ];
}

function pair({ median, p95 }: Figure): string {
  return `${show(median)} / ${show(p95)}`;
}

async function measure(side: Side, shape: Shape, size: number, place = {}): Promise<Figures> {
  const text = flowOf(size, shape);
  const { rounds, warm, opens } = side.counts(size);
  const figures: Figures = {};
  const note = (name: string, times: readonly number[], work = Number.NaN) => {
    figures[name] = { median: median(times), p95: percentile(times, 0.95), work };
  };
  const started = () => MeasuredServer.start(side.node, side.args, side.settings, place);
  const [starts, opened]: number[][] = [[], []];
  // A file is opened once in each server; the last one is kept.
  let server = await started();
  for (let count = 1; ; count++) {
    starts?.push(server.startMs);
    opened?.push(Math.max(0, (await server.open(text)) - side.debounce));
    if (count === opens) break;
    await server.stop();
    server = await started();
  }
  const repeat = async (name: string, act: (round: number) => Promise<number>, delay = 0) => {
    const times: number[] = [];
    const processor = () => cpuOf(server.process.pid) ?? Number.NaN;
    let begun = 0;
    for (let round = 0; round < warm + rounds; round++) {
      if (round === warm) begun = processor();
      times.push(Math.max(0, (await act(round)) - delay));
    }
    note(name, times.slice(warm), (processor() - begun) / rounds);
  };
  const edits = editsOf(server, text, size);
  try {
    note(OPEN, opened ?? []);
    await repeat(WORDS, edits.words, side.debounce);
    await repeat(EDGE, edits.edge, side.debounce);
    if (shape === "clean") {
      const askAt = (method: string, round: number) => server.ask(method, { position: edits.targetAt(round) });
      await repeat("completion after an edit", async (round) => {
        await edits.sendWords(round);
        return askAt("completion", round);
      });
      // Waits until each side has finished the work of the edits.
      await edits.words(0);
      await repeat("hover", (round) => askAt("hover", round));
      await repeat("definition", (round) => askAt("definition", round));
      await repeat("document symbols", () => server.ask("documentSymbol", {}));
      const position = server.placeOf(text.indexOf(`\n  ${BUSIEST}:`) + 4);
      // The peer doesn't rename.
      if (side.debounce === 0)
        await repeat("rename of the busiest node", () => server.ask("rename", { position, newName: "renamed" }));
      note(START, starts ?? []);
    }
    note(MEMORY, [server.peakMemory()]);
  } finally {
    await server.stop();
  }
  return figures;
}

/** How much more an edit costs with tool definitions: 500 of 2,000 nodes call tools. The limit is 1.3 times. */
async function toolsSentence(side: Side, folder: string): Promise<string> {
  const uri = pathToFileURL(folder).href;
  const measureTools = () => measure(side, "tools", 2000, { folder: uri, uri: `${uri}/large.flow.yaml` });
  const without = await measureTools();
  writeFileSync(path.join(folder, "assistant-flow.tools.json"), benchTools());
  const known = await measureTools();
  const [words, edge] = [WORDS, EDGE].map((name) => (known[name]?.work ?? 0) / (without[name]?.work ?? 0));
  return `In a flow of 2,000 nodes, 500 of which call tools, an edit of words with tool definitions takes ${words?.toFixed(2)} times the work of one without, and an edit of an edge ${edge?.toFixed(2)} times the work.`;
}

/** Prints a table, and puts it into docs/performance.md, between comments with its name. */
function writeTable(name: string, lines: readonly string[], quick: boolean): void {
  console.log(`${lines.join("\n")}\n`);
  if (quick) return;
  const file = inProject("docs/performance.md");
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  const table = `<!-- ${name} -->\n\n${lines.join("\n")}\n\n<!-- /${name} -->`;
  const page = readFileSync(file, "utf8").replace(marked, () => table);
  writeFileSync(file, page);
}
