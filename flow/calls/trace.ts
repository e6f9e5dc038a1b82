/** Traces calls through a flow: infers the path of each, and says what isn't known. */

import type { FlowOf } from "../run/machine";
import type { Program } from "../run/program";
import { Worth } from "../test/generate/candidates";
import { type Alignment, align } from "./align";
import type { TracedCall } from "./call";
import { certainSteps } from "./certain";
import { FlowEvidence } from "./evidence";
import { FlowRuns } from "./flow-runs";
import { agreeingRuns } from "./runs";
import { type Turns, turnsOf } from "./turns";

export interface CallTrace {
  readonly call: string;
  readonly verdict: "placed" | "partly" | "unplaced";
  readonly steps: readonly TraceStep[];
  /** Indexes into the transcript. */
  readonly unexplainedTurns: readonly number[];
  readonly end: { readonly node: string; readonly certainty: Certainty } | undefined;
  readonly reason: string | undefined;
  /** Set if tracing the call would take too long; the verdict is "unplaced" then. */
  readonly isTooLarge?: true;
}

export type Certainty = "certain" | "likely";

export interface TraceStep {
  readonly node: string;
  readonly certainty: Certainty;
  readonly turns: readonly number[];
  /** The index of the edge into this step, in the `edges` of the step before. */
  readonly edge?: number;
}

/** A likely step needs this probability, together with all steps before it. */
const LIKELY = 0.42;
const LIKELY_END = 0.5;
/** The least evidence for a turn of the assistant, in units of the score, with which a call counts as one of the flow. */
const BELONGS = 0.78;

/** The most turns × moves, about two seconds of work. Both come from others. */
const MAX_WORK = 2_000_000;

export class CallTracer {
  readonly #runs: FlowRuns;
  readonly #evidence: FlowEvidence;

  constructor(program: Program, flowOf: FlowOf = () => undefined) {
    this.#runs = new FlowRuns(program, flowOf);
    this.#evidence = new FlowEvidence([...new Worth(program, flowOf).parts]);
  }

  trace(call: TracedCall): CallTrace {
    const nothing: CallTrace = {
      call: call.id,
      verdict: "unplaced",
      steps: [],
      unexplainedTurns: call.turns.flatMap(({ speaker }, index) => (speaker === "system" ? [] : [index])),
      end: undefined,
      reason: call.reason,
    };
    const runs = agreeingRuns(this.#runs, call);
    if (!runs) return nothing;
    const turns = turnsOf(call, this.#evidence);
    if (!this.#hasEvidence(turns)) return nothing;
    const size = runs.places.reduce((sum, { moves }) => sum + 1 + moves.length, 0);
    if (size * (turns.said.length + 1) > MAX_WORK) return { ...nothing, isTooLarge: true };
    const alignment = align(runs, turns, this.#evidence);
    if (!alignment || !this.#belongs(turns, alignment)) return nothing;
    const certain = certainSteps(runs, turns, this.#evidence, alignment.steps.length);
    const steps: TraceStep[] = [];
    for (const [index, { place, move, turns: own, probability }] of alignment.steps.entries()) {
      const isCertain = certain.nodes[index] === place.at;
      if (!isCertain && probability < LIKELY) break;
      steps.push({
        node: place.at,
        certainty: isCertain ? "certain" : "likely",
        turns: own,
        ...(move?.edgeIndex === undefined ? {} : { edge: move.edgeIndex }),
      });
    }
    const isWhole = steps.length === alignment.steps.length;
    const last = alignment.steps.at(-1);
    const isPlaced = isWhole && last?.place.end !== undefined;
    return {
      call: call.id,
      verdict: isPlaced ? "placed" : "partly",
      steps,
      unexplainedTurns: unexplained(call, steps),
      end: endOf(certain.end, alignment, isPlaced ? last.place.at : undefined),
      reason: call.reason,
    };
  }

  /** If nothing is spoken, only values that nodes set are evidence. */
  #hasEvidence({ said, call }: Turns): boolean {
    if (said.some((index) => call.turns[index]?.speaker === "assistant")) return true;
    return [...this.#runs.settable].some((name) => call.variables?.has(name));
  }

  /**
   * Whether the call is one of this flow at all. A call of another flow agrees with it by chance and in common words only,
   * so its turns are hardly more likely here than anywhere, and few of its rare terms occur in the flow.
   */
  #belongs({ call, said, terms, isAssistant }: Turns, { score }: Alignment): boolean {
    let own = 0;
    let all = 0;
    let turns = 0;
    said.forEach((_, number) => {
      if (!isAssistant[number]) return;
      const share = this.#evidence.shareOf(terms[number] as readonly string[]);
      own += share.own;
      all += share.all;
      turns++;
    });
    const values = [...this.#runs.settable].filter((name) => call.variables?.has(name)).length;
    if (turns === 0) return values > 0;
    return score / turns + own / Math.max(1, all) + 0.2 * Math.min(values, 3) >= BELONGS;
  }
}

function endOf(certain: string | undefined, { ends }: Alignment, placedAt: string | undefined): CallTrace["end"] {
  if (certain !== undefined && (placedAt === undefined || placedAt === certain))
    return { node: certain, certainty: "certain" };
  if (placedAt !== undefined) return { node: placedAt, certainty: "likely" };
  for (const [node, probability] of ends)
    if (node !== "" && probability >= LIKELY_END) return { node, certainty: "likely" };
  return undefined;
}

function unexplained(call: TracedCall, steps: readonly TraceStep[]): number[] {
  const explained = new Set(steps.flatMap(({ turns }) => turns));
  return call.turns.flatMap(({ speaker }, index) => (speaker === "system" || explained.has(index) ? [] : [index]));
}
