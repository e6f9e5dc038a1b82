/** Planning time: a flow of 5,000 nodes and a changed version, from graphs and from text. */
import { performance } from "node:perf_hooks";
import { applyOps, FlowDocument, graphOf, plan, sameGraph, sourceSpanOf } from "../flow";

const NODES = 5_000;
const PROMISED_MS = 50;

function text(nodes: number, change: (id: number) => boolean): string {
  const lines = ["entry: n0", "nodes:"];
  for (let i = 0; i < nodes; i++) {
    if (change(i) && i % 3 === 2) continue;
    lines.push(`  n${i}:`, "    type: message", `    name: Step ${i}`);
    lines.push(`    instructions: Say ${i}${change(i) ? ", differently" : ""} and wait for the answer.`);
    lines.push(
      "    edges:",
      `      - {to: n${(i * 7) % nodes}, when: the caller agrees}`,
      `      - to: n${(i + 1) % nodes}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;
}

function measure(what: string, act: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < 25; round++) {
    const start = performance.now();
    act();
    times.push(performance.now() - start);
  }
  const middle = median(times);
  console.log(`${what}: median ${middle.toFixed(1)} ms, best ${(times[0] as number).toFixed(1)} ms`);
  return middle;
}

function main(): void {
  const before = FlowDocument.read(text(NODES, () => false));
  const few = FlowDocument.read(text(NODES, (i) => i % 500 === 0));
  const many = FlowDocument.read(text(NODES, (i) => i % 5 === 0));
  const from = graphOf(before);
  for (const [name, document] of [
    ["10 nodes changed", few],
    ["a fifth of the nodes changed, a third of those removed", many],
  ] as const) {
    const to = graphOf(document);
    const spanOf = (id: string) => sourceSpanOf(document, id);
    const { ops, batches } = plan(from, to, { spanOf });
    console.log(`${NODES} nodes, ${name}: ${ops.length} operations in ${batches.length} batches`);
    const planning = measure("  plan", () => plan(from, to, { spanOf }));
    measure("  graph of the document and plan", () => plan(from, graphOf(document), { spanOf }));
    measure("  apply", () =>
      applyOps(
        from,
        ops.map((planned) => planned.op),
      ),
    );
    measure("  compare", () => sameGraph(from, to));
    if (planning > PROMISED_MS) {
      console.error(`  planning takes longer than the promised ${PROMISED_MS} ms`);
      process.exitCode = 1;
    }
  }
}

main();
