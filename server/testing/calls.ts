/** Traces calls through a flow for the graph page. Returns IDs and counts; transcripts stay in this thread. */
import { type CallTrace, CallTracer, edgesTaken, readCall } from "../../flow/calls";
import type { FlowOf, Program } from "../../flow/run";
import type { CallPathView, CallsView } from "../test-messages";

/** The most calls that are listed for one node or edge. */
const MAX_LISTED = 200;

export interface CallsToTrace {
  readonly calls: readonly unknown[];
}

/** Keeps a tracer for further calls of the same flow: what it knows of the flow's runs takes time to find out. */
export class Tracers {
  #kept: { readonly flows: readonly Program[]; readonly tracer: CallTracer } | undefined;

  /** `flows` are those that may be components. */
  of(program: Program, flows: readonly Program[], flowOf: FlowOf): CallTracer {
    const all = [program, ...flows];
    const kept = this.#kept?.flows;
    if (!this.#kept || kept?.length !== all.length || kept.some((each, index) => each !== all[index]))
      this.#kept = { flows: all, tracer: new CallTracer(program, flowOf) };
    return this.#kept.tracer;
  }
}

export async function traceCalls(
  { calls }: CallsToTrace,
  program: Program,
  tracer: CallTracer,
  pause: () => Promise<void>,
): Promise<CallsView> {
  const totals = { calls: 0, placed: 0, partly: 0, unplaced: 0 };
  const nodes = new Map<string, Counted>();
  const edges = new Map<string, Counted>();
  for (const call of calls) {
    const read = readCall(call);
    if (!read) continue;
    const trace = tracer.trace(read);
    totals.calls++;
    totals[trace.verdict]++;
    add(trace, nodes, edges);
    await pause();
  }
  const edgeViews = [...program.nodes.values()].flatMap((node) =>
    node.edges.map((edge) => ({
      source: node.id,
      id: edge.id,
      ...(edges.get(`${node.id}:${node.block.edges.indexOf(edge.model)}`) ?? none()),
    })),
  );
  const nodeViews = [...program.nodes.keys()].map((id) => ({ id, ...(nodes.get(id) ?? none()) }));
  return { ...totals, nodes: nodeViews, edges: edgeViews };
}

/** Undefined if the data isn't a call. */
export function traceCall(data: unknown, tracer: CallTracer): CallPathView | undefined {
  const call = readCall(data);
  if (!call) return undefined;
  const { verdict, steps, end } = tracer.trace(call);
  return {
    verdict,
    steps: steps.map(({ node, certainty, turns }) => ({ node, certainty, turns })),
    ...(end ? { end: end.node } : {}),
  };
}

interface Counted {
  calls: number;
  left: number;
  readonly ids: string[];
  readonly leftIds: string[];
}

const none = (): Counted => ({ calls: 0, left: 0, ids: [], leftIds: [] });

function add({ call, verdict, steps }: CallTrace, nodes: Map<string, Counted>, edges: Map<string, Counted>): void {
  for (const node of new Set(steps.map((step) => step.node))) count(nodes, node, call);
  for (const edge of edgesTaken(steps).keys()) count(edges, edge, call);
  const last = steps.at(-1);
  const left = verdict === "partly" && last ? nodes.get(last.node) : undefined;
  if (!left) return;
  left.left++;
  if (left.leftIds.length < MAX_LISTED) left.leftIds.push(call);
}

function count(counts: Map<string, Counted>, key: string, call: string): void {
  const counted = counts.get(key) ?? none();
  counts.set(key, counted);
  counted.calls++;
  if (counted.ids.length < MAX_LISTED) counted.ids.push(call);
}
