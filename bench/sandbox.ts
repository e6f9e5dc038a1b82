/**
 * Times of the sandbox over HTTP, in a separate process: a batch of 200 operations on a graph of 2,000 nodes, with
 * validation, in under 50 ms (median); and 1,000 requests per second of GET /workflows on one core.
 */
import { spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { applyOps, emptyGraph, type GraphOp } from "../flow";
import { validate } from "../sandbox/validator/validator";
import { bundleCli, type RunningSandbox, startProcess } from "../test/support/sandbox-process";
import { cpuOf } from "./processor";

const ASSISTANT = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";
const NODES = 2000;

async function main(): Promise<void> {
  const cli = await bundleCli();
  const oneCore = spawnSync("taskset", ["-c", "0", "true"]).status === 0 ? ["taskset", "-c", "0"] : [];
  const sandbox = await startProcess(cli.path, ["--demo"], oneCore);
  try {
    inProcess();
    await batches(sandbox);
    await pages(sandbox, oneCore.length > 0);
  } finally {
    await sandbox.end("SIGTERM");
    cli.remove();
  }
}

function inProcess(): void {
  const { graph } = applyOps(emptyGraph, wholeGraph());
  if (!graph) throw new Error("The graph of the benchmark does not apply.");
  const times = repeat(40, (round) => {
    const next = applyOps(graph, edits(round)).graph;
    if (next) validate(next);
  });
  report("apply and validate, in process", times);
}

async function batches(sandbox: RunningSandbox): Promise<void> {
  const url = `${sandbox.baseUrl}/v1/assistants/${ASSISTANT}/revisions/${REVISION}/graph/ops`;
  const ops = wholeGraph();
  for (let at = 0; at < ops.length; at += 200) await post(url, sandbox.apiKey, { ops: ops.slice(at, at + 200) });
  const times: number[] = [];
  const cpu = cpuOf(sandbox.process.pid);
  let bytes = 0;
  for (let round = 0; round < 40; round++) {
    const body = JSON.stringify({ ops: edits(round) });
    const start = performance.now();
    bytes = await post(url, sandbox.apiKey, body);
    times.push(performance.now() - start);
  }
  report(`200 operations on ${NODES} nodes over HTTP (answer ${(bytes / 1e6).toFixed(1)} MB)`, times);
  if (cpu !== undefined)
    console.log(
      `  of which the sandbox computed ${(((cpuOf(sandbox.process.pid) ?? 0) - cpu) / times.length).toFixed(1)} ms each`,
    );
}

async function pages(sandbox: RunningSandbox, pinned: boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const { hostname, port } = new URL(sandbox.workflowBaseUrl);
  const get = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { "x-api-key": sandbox.apiKey };
      request({ hostname, port, path: "/workflows", agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`GET /workflows answered ${response.statusCode}`));
        response.resume().on("end", resolve);
      })
        .on("error", reject)
        .end();
    });
  const cpu = cpuOf(sandbox.process.pid);
  const until = performance.now() + 5000;
  let count = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < until) {
        await get();
        count++;
      }
    }),
  );
  agent.destroy();
  const rate = count / ((performance.now() - start) / 1000);
  console.log(`GET /workflows: ${rate.toFixed(0)} requests per second${pinned ? ", the sandbox on one core" : ""}`);
  if (cpu !== undefined)
    console.log(
      `  with the processor to itself: ${(count / (((cpuOf(sandbox.process.pid) ?? 0) - cpu) / 1000)).toFixed(0)} per second`,
    );
}

/** A chain of collect, tool and message nodes with branches, each node with a location in a file. */
function wholeGraph(): GraphOp[] {
  const id = (i: number) => `node_${i}`;
  const nodes = Array.from({ length: NODES }, (_, i): GraphOp => ({ op: "upsert_node", node: nodeAt(i, "") }));
  const edges = Array.from({ length: NODES - 1 }, (_, i): GraphOp[] => [
    {
      op: "add_edge",
      edge: { id: `${id(i)}--next`, source: id(i), target: id(i + 1), when: "{{account_id}} is known" },
    },
    { op: "add_edge", edge: { id: `${id(i)}--end`, source: id(i), target: id(NODES - 1) } },
  ]).flat();
  return [
    { op: "upsert_context_variable", variable: { name: "account_id", type: "string" } },
    ...nodes,
    ...edges,
    { op: "set_entry_node", node_id: id(0) },
  ];
}

function edits(round: number): GraphOp[] {
  return Array.from(
    { length: 200 },
    (_, i): GraphOp => ({ op: "upsert_node", node: nodeAt(i * 9, ` round ${round}`) }),
  );
}

function nodeAt(i: number, note: string) {
  const last = i === NODES - 1;
  const text = `node_${i}:\n    type: message\n    instructions: Tell the caller about {{account_id}}, step ${i}.${note}`;
  return {
    id: `node_${i}`,
    type: last ? "end" : i % 3 === 0 ? "collect" : i % 3 === 1 ? "tool" : "message",
    ...(i % 3 === 0 && !last ? { variable: "account_id" } : {}),
    ...(i % 3 === 1 && !last ? { tool: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0103", inputs: { id: "{{account_id}}" } } : {}),
    name: `Step ${i}`,
    instructions: `Tell the caller about {{account_id}}, step ${i}.${note}`,
    source_span: { start_line: i * 3 + 1, start_col: 3, end_line: i * 3 + 3, end_col: 60, raw_text_excerpt: text },
  };
}

function post(url: string, key: string, body: unknown): Promise<number> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    request(url, { method: "POST", headers }, (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve(size) : reject(new Error(`The batch answered ${response.statusCode}`)),
      );
    })
      .on("error", reject)
      .end(text);
  });
}

function repeat(times: number, run: (round: number) => void): number[] {
  return Array.from({ length: times }, (_, round) => {
    const start = performance.now();
    run(round);
    return performance.now() - start;
  });
}

function report(what: string, times: number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}

void main();
