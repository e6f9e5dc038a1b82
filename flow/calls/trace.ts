/** Traces calls through a flow: infers the path of each, and says what isn't known. */
import type { FlowOf } from "../run/machine";
import type { Program } from "../run/program";
import { Worth } from "../test/generate/candidates";
import { type Alignment, align } from "./align";
import type { TracedCall } from "./call";
import { FlowEvidence } from "./evidence";
import { FlowRuns } from "./flow-runs";
import { agreeingRuns, type Place, type Runs } from "./runs";
import { type Turns, turnsOf } from "./turns";
import { rawWords } from "./words";

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

/** Which steps every run has that agrees with the hard evidence: final values, how the call ended, and spoken fixed text. */
interface Certain {
  /** The node at each index of the run; undefined where runs differ. */
  readonly nodes: readonly (string | undefined)[];
  /** The node at which all runs end. */
  readonly end: string | undefined;
}

const MAX_ANCHORS = 40;
const MAX_STEPS = 400;
/** The most pairs of a fixed text and a node that are compared. */
const MAX_COMPARED = 1_000_000;

function certainSteps(runs: Runs, turns: Turns, evidence: FlowEvidence, length: number): Certain {
  const entry = runs.places[runs.start]?.at;
  if (runs.isRelaxed) return { nodes: [entry], end: undefined };
  const anchors = anchorsIn(turns, runs, evidence);
  return levels(runs, anchors, length) ?? levels(runs, [], length) ?? { nodes: [entry], end: undefined };
}

/** Undefined if no run passes the anchors in their order. */
function levels(runs: Runs, anchors: readonly ReadonlySet<Place["node"]>[], length: number): Certain | undefined {
  const { places, start } = runs;
  const width = anchors.length + 1;
  const advance = (place: number, passed: number) =>
    anchors[passed]?.has((places[place] as Place).node) ? passed + 1 : passed;
  // States from which a run can be over with all anchors passed.
  const isAlive = new Uint8Array(places.length * width);
  const before = places.map((): number[] => []);
  for (const { index, moves } of places) for (const { to } of moves) before[to]?.push(index);
  const open: number[] = [];
  const mark = (state: number) => {
    if (isAlive[state]) return;
    isAlive[state] = 1;
    open.push(state);
  };
  for (const { index, mayStop } of places) if (mayStop) mark(index * width + anchors.length);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const place = Math.floor(state / width);
    const passed = state % width;
    const isAnchor = passed > 0 && anchors[passed - 1]?.has((places[place] as Place).node);
    for (const from of before[place] ?? []) {
      if (isAnchor) mark(from * width + passed - 1);
      if (advance(place, passed) === passed) mark(from * width + passed);
    }
  }
  let level = new Set<number>([start * width + advance(start, 0)].filter((state) => isAlive[state]));
  if (level.size === 0) return undefined;
  const nodes: (string | undefined)[] = [];
  let mayBeOver = false;
  for (let step = 0; step < Math.min(length, MAX_STEPS) && level.size > 0 && !mayBeOver; step++) {
    const names = new Set<string>();
    const following = new Set<number>();
    for (const state of level) {
      const place = places[Math.floor(state / width)] as Place;
      const passed = state % width;
      names.add(place.at);
      if (place.mayStop && passed === anchors.length) mayBeOver = true;
      for (const { to } of place.moves) {
        const next = to * width + advance(to, passed);
        if (isAlive[next]) following.add(next);
      }
    }
    nodes.push(names.size === 1 ? [...names][0] : undefined);
    level = following;
  }
  const stops = places.filter(({ mayStop }) => mayStop);
  const ends = new Set(stops.map(({ at, end }) => (end ? at : undefined)));
  return { nodes, end: ends.size === 1 ? [...ends][0] : undefined };
}

/** The nodes whose fixed text the assistant spoke, in order. */
function anchorsIn(turns: Turns, runs: Runs, evidence: FlowEvidence): ReadonlySet<Place["node"]>[] {
  const quotes = quotesOf(runs, evidence);
  const anchors: Set<Place["node"]>[] = [];
  if (quotes.length === 0) return anchors;
  turns.said.forEach((index) => {
    const turn = turns.call.turns[index];
    if (turn?.speaker !== "assistant" || anchors.length >= MAX_ANCHORS) return;
    const text = ` ${rawWords(turn.text).join(" ")} `;
    for (const quote of quotes)
      if (text.includes(quote.text) && !anchors.at(-1)?.has(quote.node)) anchors.push(new Set([quote.node]));
  });
  return anchors;
}

interface Quote {
  readonly node: Place["node"];
  readonly text: string;
}

/** Many calls have the same runs. */
const known = new WeakMap<Runs, readonly Quote[]>();

/** Fixed text that only one node has. Text that another node has too proves nothing; neither does too much text to compare. */
function quotesOf(runs: Runs, evidence: FlowEvidence): readonly Quote[] {
  const found = known.get(runs) ?? findQuotes(runs, evidence);
  known.set(runs, found);
  return found;
}

function findQuotes({ places }: Runs, evidence: FlowEvidence): Quote[] {
  const nodes = [...new Set(places.map(({ node }) => node))];
  const quotes = nodes.flatMap((node) =>
    evidence.node(node).fixed.flatMap((words): Quote[] => {
      const rare = evidence.words.terms(words.join(" ")).filter((term) => !evidence.words.isCommon(term));
      return words.length >= 4 && rare.length >= 2 ? [{ node, text: ` ${words.join(" ")} ` }] : [];
    }),
  );
  if (quotes.length * nodes.length > MAX_COMPARED) return [];
  const texts = nodes.map((node) => ({ node, text: ` ${rawWords(node.block.text).join(" ")} ` }));
  return quotes.filter(({ node, text }) => texts.every((other) => other.node === node || !other.text.includes(text)));
}
