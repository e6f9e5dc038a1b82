/** Traces calls through a flow for the graph page. Returns IDs and counts; transcripts stay in this thread. */
import { topText } from "../../flow";
import { type CallTrace, CallTracer, edgesTaken, readCall } from "../../flow/calls";
import type { FlowOf, Program } from "../../flow/run";
import type { CallsView, TracedCallView } from "../test-messages";

/** The most calls that are listed for one node or edge. */
const MAX_LISTED = 200;

export interface CallsToTrace {
  readonly calls: readonly TracedCallView[];
}

export async function traceCalls(
  { calls }: CallsToTrace,
  program: Program,
  flowOf: FlowOf,
  pause: () => Promise<void>,
): Promise<CallsView> {
  const ids = new Set(["assistant", "revision"].flatMap((key) => topText(program.document, key)?.toLowerCase() ?? []));
  const tracer = new CallTracer(program, flowOf);
  const totals = { calls: 0, placed: 0, partly: 0, unplaced: 0 };
  const nodes = new Map<string, Counted>();
  const edges = new Map<string, Counted>();
  for (const { call, promptId, isOwn } of calls) {
    if (!isOwn && !(promptId !== undefined && ids.has(promptId.toLowerCase()))) continue;
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

interface Counted {
  calls: number;
  left: number;
  readonly ids: string[];
}

const none = (): Counted => ({ calls: 0, left: 0, ids: [] });

function add({ call, verdict, steps }: CallTrace, nodes: Map<string, Counted>, edges: Map<string, Counted>): void {
  for (const node of new Set(steps.map((step) => step.node))) count(nodes, node, call);
  for (const edge of edgesTaken(steps).keys()) count(edges, edge, call);
  const last = steps.at(-1);
  const left = verdict === "partly" && last ? nodes.get(last.node) : undefined;
  if (left) left.left++;
}

function count(counts: Map<string, Counted>, key: string, call: string): void {
  const counted = counts.get(key) ?? none();
  counts.set(key, counted);
  counted.calls++;
  if (counted.ids.length < MAX_LISTED) counted.ids.push(call);
}
