/** Runs as flat arrays, so that aligning thousands of calls allocates little. Made once for all calls with the same runs. */
import { getOrCreate } from "../collections";
import type { RunEdge, RunNode } from "../run/program";
import type { FlowEvidence } from "./evidence";
import type { Place, Runs } from "./runs";

/** The speakers since a place was entered: none, the assistant, then also the caller. */
export const PHASES = 3;
export const [ENTERED, SPOKE, ANSWERED] = [0, 1, 2] as const;

/** Logarithms of how unusual each of these is. */
const COST = {
  /** A node that should speak doesn't. */
  unspoken: 2.6,
  unspokenPossible: 0.5,
  /** A question that the caller doesn't answer there. */
  unanswered: 1.2,
  /** A tool or component fails. */
  event: 1.6,
  gaveUp: 0.9,
  move: 0.15,
  /** The call is over before the run is. */
  cutOff: 1.2,
  endUnspoken: 0.8,
} as const;

export interface CompiledRuns {
  readonly places: readonly Place[];
  /** Successors before their predecessors, except in cycles. */
  readonly order: Int32Array;
  readonly hasCycle: boolean;
  readonly nodes: readonly RunNode[];
  /** The index of each place's node in `nodes`. */
  readonly nodeOf: Int32Array;
  readonly isQuestion: Uint8Array;
  /** The moves of place `p` are those from `moveStart[p]` up to `moveStart[p + 1]`. */
  readonly moveStart: Int32Array;
  readonly moveTo: Int32Array;
  readonly moveBase: Float64Array;
  /** The index in `edges` of the edge that what the caller said speaks for, or -1. */
  readonly moveEdge: Int32Array;
  readonly edges: readonly RunEdge[];
  /** By place and phase. */
  readonly leaveCost: Float64Array;
  readonly stopScore: Float64Array;
}

const compiled = new WeakMap<Runs, CompiledRuns>();

export function compile(runs: Runs, evidence: FlowEvidence): CompiledRuns {
  return getOrCreate(compiled, runs, () => compileAnew(runs, evidence));
}

function compileAnew(runs: Runs, evidence: FlowEvidence): CompiledRuns {
  const { places } = runs;
  const nodes = new Map<RunNode, number>();
  const edges = new Map<RunEdge, number>();
  const count = places.reduce((sum, { moves }) => sum + moves.length, 0);
  const result = {
    nodeOf: new Int32Array(places.length),
    isQuestion: new Uint8Array(places.length),
    moveStart: new Int32Array(places.length + 1),
    moveTo: new Int32Array(count),
    moveBase: new Float64Array(count),
    moveEdge: new Int32Array(count).fill(-1),
    leaveCost: new Float64Array(places.length * PHASES),
    stopScore: new Float64Array(places.length * PHASES),
  };
  let at = 0;
  for (const place of places) {
    const { index, node, moves } = place;
    if (!nodes.has(node)) nodes.set(node, nodes.size);
    result.nodeOf[index] = nodes.get(node) as number;
    const { speech, isQuestion } = evidence.node(node);
    result.isQuestion[index] = Number(isQuestion);
    const unspoken = { expected: COST.unspoken, possible: COST.unspokenPossible, none: 0 }[speech];
    result.leaveCost.set([unspoken, isQuestion ? COST.unanswered : 0, 0], index * PHASES);
    for (let phase = 0; phase < PHASES; phase++)
      result.stopScore[index * PHASES + phase] = stopScore(place, phase === ENTERED && speech === "expected");
    result.moveStart[index] = at;
    for (const { to, edge, options, answer } of moves) {
      result.moveTo[at] = to;
      const failed = answer === "event" ? COST.event : answer === "gave-up" ? COST.gaveUp : 0;
      result.moveBase[at] = -COST.move - Math.log(Math.max(1, options)) - failed;
      if (edge && options > 1) {
        if (!edges.has(edge)) edges.set(edge, edges.size);
        result.moveEdge[at] = edges.get(edge) as number;
      }
      at++;
    }
  }
  result.moveStart[places.length] = at;
  return { places, ...result, ...postorder(runs), nodes: [...nodes.keys()], edges: [...edges.keys()] };
}

function stopScore({ mayStop, end }: Place, isUnspoken: boolean): number {
  if (!mayStop) return Number.NEGATIVE_INFINITY;
  if (end) return isUnspoken ? -COST.endUnspoken : 0;
  return -COST.cutOff;
}

function postorder({ places, start }: Runs): { order: Int32Array; hasCycle: boolean } {
  const order: number[] = [];
  const state = new Int8Array(places.length);
  let hasCycle = false;
  const stack: { index: number; next: number }[] = [{ index: start, next: 0 }];
  state[start] = 1;
  while (stack.length > 0) {
    const top = stack[stack.length - 1] as { index: number; next: number };
    const move = places[top.index]?.moves[top.next++];
    if (!move) {
      state[top.index] = 2;
      order.push(top.index);
      stack.pop();
    } else if (state[move.to] === 0) {
      state[move.to] = 1;
      stack.push({ index: move.to, next: 0 });
    } else if (state[move.to] === 1) hasCycle = true;
  }
  return { order: Int32Array.from(order), hasCycle };
}
