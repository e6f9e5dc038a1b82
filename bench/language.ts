/**
 * Compares the language server with yaml-language-server in one run, under the same Node, over stdio. Writes the table
 * of docs/performance.md. `--quick` measures two small sizes and writes nothing.
 */
import { cpus, loadavg } from "node:os";
import path from "node:path";
import { sizeAtStart } from "../scripts/bundled";
import { inProject } from "../scripts/project";
import { BUSIEST, flowOf, placesIn } from "./flows";
import { bench, bundleNode, writeTable } from "./harness";
import { measureInProcess } from "./in-process";
import { MeasuredServer, type Place } from "./lsp";
import { median, percentile, show } from "./measure";
import { ourSide, PEER, peerSide, type Side } from "./sides";

const quick = process.argv.includes("--quick");
const sizes = quick ? [50, 500] : [50, 500, 2000, 10_000];

type Figures = Record<string, { median: number; p95: number }>;

async function main(folder: string): Promise<void> {
  const load = loadavg()[0] as number;
  const sides = [await ourSide(), await peerSide()];
  const results = new Map<string, Figures>();
  for (const size of sizes)
    for (const side of sides) {
      const figures = await measure(side, size);
      results.set(`${side.name} ${size}`, figures);
      console.log(
        size,
        side.name,
        Object.entries(figures)
          .map(([name, { median, p95 }]) => `${name} ${show(median)}/${show(p95)}`)
          .join(", "),
      );
    }
  const start = await startTimes(sides, folder);
  console.log("start to initialize answered", start);
  const soaked = await soak(sides[0] as Side);
  console.log("soak", soaked);
  // The lowest of three, so that the recorded ratio also holds on a busy machine.
  const inProcess = [measureInProcess(), measureInProcess(), measureInProcess()].reduce((lowest, each) =>
    Object.fromEntries(Object.entries(each).map(([name, ratio]) => [name, Math.min(ratio, lowest[name] ?? ratio)])),
  );
  console.log("in process", inProcess);
  if (!quick) writeTable("table", tableOf(results, start, soaked, inProcess, load));
}

async function measure(side: Side, size: number): Promise<Figures> {
  const text = flowOf(size);
  const server = await MeasuredServer.start(side.node, side.args, side.settings);
  const figures: Figures = {};
  const note = (name: string, times: readonly number[], off = 0) => {
    const own = times.map((time) => Math.max(0, time - off));
    figures[name] = { median: median(own), p95: percentile(own, 0.95) };
  };
  try {
    note("open", [await server.open(text), ...(await furtherOpens(side, text, side.opens(size) - 1))], side.debounce);
    const rounds = side.rounds(size);
    const places = (round: number) => placesIn(text, 2 + ((round * 37) % (size - 4)));
    const repeat = async (name: string, count: number, run: (round: number) => Promise<number>, off = 0) => {
      const times: number[] = [];
      for (let round = 0; round < count + WARM_UP; round++) {
        const time = await run(round);
        if (round >= WARM_UP || count <= WARM_UP) times.push(time);
      }
      note(name, times, off);
    };
    await repeat(
      "text edit",
      rounds,
      (n) => server.edit(server.placeOf(places(n).words), 1, "wW"[n % 2] as string),
      side.debounce,
    );
    await repeat(
      "edge edit",
      rounds,
      (n) => server.edit(server.placeOf(places(n).target), 1, String(n % 10)),
      side.debounce,
    );
    await repeat("completion after an edit", rounds, async (n) => {
      const { words, target } = places(n);
      await server.change(server.placeOf(words), 1, "wW"[n % 2] as string);
      return server.ask("completion", { position: server.placeOf(target) });
    });
    // Waits until each side has finished the work of the edits.
    await server.edit(server.placeOf(places(0).words), 1, "w");
    await repeat("hover", rounds, (n) => server.ask("hover", { position: server.placeOf(places(n).target) }));
    await repeat("definition", rounds, (n) => server.ask("definition", { position: server.placeOf(places(n).target) }));
    await repeat("symbols", Math.min(rounds, 20), () => server.ask("documentSymbol", {}));
    if (side.name === "ours") {
      const position = server.placeOf(text.indexOf(`\n  ${BUSIEST}:`) + 4);
      await repeat("rename", Math.min(rounds, 20), () => server.ask("rename", { position, newName: "renamed" }));
    }
    note("peak memory", [server.memory().peak]);
  } finally {
    await server.stop();
  }
  return figures;
}

const WARM_UP = 2;

/** The same in fresh servers, since a file is opened once. */
async function furtherOpens(side: Side, text: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const server = await MeasuredServer.start(side.node, side.args, side.settings);
    times.push(await server.open(text));
    await server.stop();
  }
  return times;
}

/** Milliseconds from the start of a process to its response to `initialize`; median of several. */
async function startTimes(sides: readonly Side[], folder: string): Promise<Record<string, number>> {
  const minimal = path.join(folder, "minimal.js");
  const code = `import { createConnection, ProposedFeatures } from "vscode-languageserver/node"; import { parseDocument } from "yaml";
    const connection = createConnection(ProposedFeatures.all);
    connection.onInitialize(() => ({ capabilities: { textDocumentSync: parseDocument("2").contents.value } }));
    connection.listen();`;
  await bundleNode({ stdin: { contents: code, resolveDir: inProject(".") }, outfile: minimal });
  const { node } = sides[0] as Side;
  const all = [...sides, { name: "minimal bundle", args: [minimal, "--stdio"], settings: {} }];
  const times = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < 7; round++)
    for (const { name, args, settings } of all) {
      const server = await MeasuredServer.start(node, args, settings);
      times.get(name)?.push(server.startMs);
      await server.stop();
    }
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)]));
}

/** Heap in use after a forced collection, and process memory, in MB. */
interface Soaked {
  readonly used: number;
  readonly held: number;
}

/** Memory after 1,000 and after 10,000 edits of a file of 2,000 nodes. */
async function soak(side: Side): Promise<readonly [early: Soaked, late: Soaked]> {
  const text = flowOf(2000);
  const server = await MeasuredServer.start(side.node, side.args, side.settings, { probe: true });
  const measure = async () => ({ held: server.memory().now, used: await server.heapInUse() });
  try {
    await server.open(text);
    const places = Array.from({ length: 100 }, (_, n) => server.placeOf(placesIn(text, 2 + n * 17).words));
    let early = await measure();
    for (let round = 1; round <= (quick ? 2000 : 10_000); round++) {
      await server.edit(places[round % 100] as Place, 1, "wW"[round % 2] as string);
      if (round === 1000) early = await measure();
    }
    return [early, await measure()];
  } finally {
    await server.stop();
  }
}

function tableOf(
  results: ReadonlyMap<string, Figures>,
  start: Record<string, number>,
  [early, late]: readonly [Soaked, Soaked],
  inProcess: Record<string, number>,
  load: number,
): string {
  const cell = (side: string, size: number, name: string) => {
    const figure = results.get(`${side} ${size}`)?.[name];
    if (!figure) return "—";
    return name === "open" || name === "peak memory"
      ? show(figure.median)
      : `${show(figure.median)} / ${show(figure.p95)}`;
  };
  const names = [
    "open",
    "text edit",
    "edge edit",
    "completion after an edit",
    "hover",
    "definition",
    "symbols",
    "rename",
    "peak memory",
  ];
  const labels: Record<string, string> = {
    open: "open to first diagnostics",
    "text edit": "edit of words to diagnostics",
    "edge edit": "edit of an edge to diagnostics",
    symbols: "document symbols",
    rename: "rename of the busiest node",
    "peak memory": "peak memory, MB",
  };
  const rows = names.flatMap((name) =>
    ["ours", "yls"].map(
      (side) =>
        `| ${labels[name] ?? name}, ${side === "ours" ? "Assistant Flow" : PEER.name} | ${sizes.map((size) => cell(side, size, name)).join(" | ")} |`,
    ),
  );
  const faster = sizes.map((size) => {
    const [our, their] = ["ours", "yls"].map(
      (side) => results.get(`${side} ${size}`)?.["text edit"]?.median ?? Number.NaN,
    );
    return show((their as number) / (our as number));
  });
  return [
    `| milliseconds, median / p95 | ${sizes.map((size) => `${size.toLocaleString("en-US")} nodes`).join(" | ")} |`,
    `|---|${sizes.map(() => "---").join("|")}|`,
    ...rows.filter((row) => !row.includes(`node, ${PEER.name}`)),
    `| edit of words: times faster | ${faster.join(" | ")} |`,
    "",
    `Start to \`initialize\` answered: Assistant Flow ${show(start.ours as number)} ms, a minimal bundle of vscode-languageserver and yaml ${show(start["minimal bundle"] as number)} ms, ${PEER.name} ${show(start.yls as number)} ms.`,
    `Memory in a soak of 10,000 edits at 2,000 nodes: in use after a forced collection ${early.used.toFixed(1)} MB after 1,000 edits, ${late.used.toFixed(1)} MB after 10,000; held by the process ${show(early.held)} and ${show(late.held)} MB.`,
    `Code that the server loads at start: ${Math.round(sizeAtStart("dist/server.js") / 1000)} kB. Node 24, ${PEER.name} ${PEER.version} with schemas/assistant-flow.schema.json. ${cpus().length} cores; load average at the start ${load.toFixed(1)}, at the end ${(loadavg()[0] as number).toFixed(1)}.`,
    "",
    `<!-- ratios: ${JSON.stringify(inProcess)} -->`,
  ].join("\n");
}

void bench(main);
