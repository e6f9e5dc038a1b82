/** What many calls say together. Contains IDs of the flow, end reasons, and counts; nothing of any caller. */
import type { Program } from "../run/program";
import type { CallTrace, TraceStep } from "./trace";

/** The JSON of `calls report`, which other programs read. */
export interface CallReport {
  readonly version: 1;
  readonly flow: string;
  readonly calls: number;
  readonly placed: number;
  readonly partly: number;
  readonly unplaced: number;
  /** How many of the unplaced calls were too large to trace. */
  readonly not_checked?: number;
  readonly nodes: Readonly<Record<string, NodeCalls>>;
  /** By `from:index`, where the index is that of the edge in the node's `edges`. */
  readonly edges: Readonly<Record<string, EdgeCalls>>;
  readonly ends: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, number>>;
}

export interface NodeCalls {
  readonly calls: number;
  readonly certain: number;
  /** Calls whose last known step is this node although the flow continues. */
  readonly left: number;
}

export interface EdgeCalls {
  readonly calls: number;
  readonly certain: number;
  /** Whether a test of the workspace takes the edge. */
  readonly tested: boolean;
}

interface Count {
  calls: number;
  certain: number;
  left: number;
}

/** A reason that isn't one of the platform's is counted without its text. */
const REASON = /^[A-Z][A-Z_]{1,40}$/;

export class CallTally {
  readonly #nodes = new Map<string, Count>();
  readonly #edges = new Map<string, Count>();
  readonly #ends = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  readonly #verdicts = { placed: 0, partly: 0, unplaced: 0 };
  #tooLarge = 0;

  add(trace: CallTrace): void {
    this.#verdicts[trace.verdict]++;
    if (trace.isTooLarge) this.#tooLarge++;
    const reason = trace.reason === undefined ? "UNKNOWN" : REASON.test(trace.reason) ? trace.reason : "OTHER";
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    if (trace.verdict === "unplaced") return;
    const nodes = new Map<string, boolean>();
    for (const { node, certainty } of trace.steps) nodes.set(node, nodes.get(node) || certainty === "certain");
    for (const [node, isCertain] of nodes) count(this.#nodes, node, isCertain);
    for (const [edge, isCertain] of edgesTaken(trace.steps)) count(this.#edges, edge, isCertain);
    if (trace.end) this.#ends.set(trace.end.node, (this.#ends.get(trace.end.node) ?? 0) + 1);
    const last = trace.steps.at(-1);
    if (trace.verdict === "partly" && last) (this.#nodes.get(last.node) as Count).left++;
  }

  /** `isTested` gets the ID of an edge as tests name it. */
  report(flow: string, program: Program, isTested: (edge: string) => boolean): CallReport {
    const nodes: Record<string, NodeCalls> = {};
    const edges: Record<string, EdgeCalls> = {};
    for (const node of program.nodes.values()) {
      nodes[node.id] = { calls: 0, certain: 0, left: 0 };
      for (const edge of node.edges) {
        const key = `${node.id}:${node.block.edges.indexOf(edge.model)}`;
        edges[key] = { calls: 0, certain: 0, tested: isTested(edge.id) };
      }
    }
    for (const [node, counted] of this.#nodes) nodes[node] = { ...counted };
    for (const [edge, { calls, certain }] of this.#edges)
      edges[edge] = { calls, certain, tested: edges[edge]?.tested ?? false };
    const { placed, partly, unplaced } = this.#verdicts;
    return {
      version: 1,
      flow,
      calls: placed + partly + unplaced,
      placed,
      partly,
      unplaced,
      ...(this.#tooLarge > 0 && { not_checked: this.#tooLarge }),
      nodes,
      edges,
      ends: Object.fromEntries([...this.#ends].sort()),
      reasons: Object.fromEntries([...this.#reasons].sort()),
    };
  }
}

/** The edges of a trace as `from:index`, each with whether it is certain at least once. */
export function edgesTaken(steps: readonly TraceStep[]): Map<string, boolean> {
  const taken = new Map<string, boolean>();
  steps.forEach((step, index) => {
    const before = steps[index - 1];
    if (step.edge === undefined || !before) return;
    const key = `${sourceOf(before.node, step.node)}:${step.edge}`;
    const isCertain = step.certainty === "certain" && before.certainty === "certain";
    taken.set(key, (taken.get(key) ?? false) || isCertain);
  });
  return taken;
}

/** After a component's last step, the edge is the component node's own. */
function sourceOf(before: string, after: string): string {
  return before.split("/").slice(0, after.split("/").length).join("/");
}

function count(counts: Map<string, Count>, key: string, isCertain: boolean): void {
  const counted = counts.get(key) ?? { calls: 0, certain: 0, left: 0 };
  counted.calls++;
  if (isCertain) counted.certain++;
  counts.set(key, counted);
}
