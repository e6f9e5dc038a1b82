/**
 * Aligns the turns of a call with the runs that agree with it: the best run (Viterbi), and how probable each of its
 * prefixes is among all runs (a backward sum). Both take time linear in turns × moves: a call of 20 turns on a flow of 30
 * nodes is traced in about 3 ms.
 */
import { ANSWERED, type CompiledRuns, compile, ENTERED, PHASES, SPOKE } from "./compiled-runs";
import type { FlowEvidence } from "./evidence";
import { Fits } from "./fits";
import type { Move, Place, Runs } from "./runs";
import type { Turns } from "./turns";

/** Penalties for unusual turns, as logarithms. */
const COST = {
  /** The assistant speaks twice at one node. */
  repeated: 1.3,
  /** A turn of the assistant that no node explains. */
  strayAssistant: 2.2,
  strayCaller: 0.9,
  /** The caller speaks at a node that asks nothing. */
  chatter: 0.5,
  /** The caller adds something to an answer. */
  addition: 0.4,
} as const;

/** Earlier answers count less for the edge that is taken. */
const EARLIER_ANSWER = 0.6;

const NEVER = Number.NEGATIVE_INFINITY;

export interface AlignedStep {
  readonly place: Place;
  readonly move: Move | undefined;
  /** The turns of this step. */
  readonly turns: number[];
  /** How probable it is that the run begins with the steps up to this one. */
  probability: number;
}

export interface Alignment {
  readonly steps: readonly AlignedStep[];
  /** The logarithm of how much more likely the call is as a run of this flow than as anything. */
  readonly score: number;
  /** By end node: how probable it is that the run ended there, from the best run to each. The empty ID: it was cut off. */
  readonly ends: ReadonlyMap<string, number>;
}

export function align(runs: Runs, turns: Turns, evidence: FlowEvidence): Alignment | undefined {
  return new Aligner(runs, turns, evidence).result();
}

class Aligner {
  readonly #runs: CompiledRuns;
  readonly #start: number;
  readonly #length: number;
  /** Cells of one time: a place in a phase each. */
  readonly #size: number;
  readonly #fits: Fits;

  constructor(
    runs: Runs,
    private readonly turns: Turns,
    evidence: FlowEvidence,
  ) {
    this.#runs = compile(runs, evidence);
    this.#start = runs.start * PHASES + ENTERED;
    this.#length = turns.said.length;
    this.#size = runs.places.length * PHASES;
    this.#fits = new Fits(this.#runs, turns, evidence);
  }

  result(): Alignment | undefined {
    const sums = this.#backward();
    const score = sums[this.#start] as number;
    if (!(score > NEVER)) return undefined;
    const { steps, ends } = this.#best();
    this.#prefixProbabilities(steps, sums, score);
    return { steps, score, ends };
  }

  #moveScore(move: number, cell: number, time: number): number {
    const { moveBase, moveEdge, leaveCost } = this.#runs;
    const score = (moveBase[move] as number) - (leaveCost[cell] as number);
    const edge = moveEdge[move] as number;
    if (edge < 0) return score;
    const fit = this.#fits.ofEdge(edge, time);
    return score + (cell % PHASES === ANSWERED ? fit : fit * EARLIER_ANSWER);
  }

  /** The phase of a place after a turn. */
  #phaseAfter(cell: number, turn: number): number {
    const phase = cell % PHASES;
    if (this.turns.isAssistant[turn]) return phase === ENTERED ? SPOKE : phase;
    return phase !== ENTERED && this.#runs.isQuestion[(cell - phase) / PHASES] ? ANSWERED : phase;
  }

  #sayScore(cell: number, turn: number): number {
    const phase = cell % PHASES;
    const place = (cell - phase) / PHASES;
    const fit = this.#fits.ofNode(this.#runs.nodeOf[place] as number, turn);
    if (this.turns.isAssistant[turn]) return phase === ENTERED ? fit : fit - COST.repeated;
    if (phase === ENTERED) return Math.max(0, fit) - COST.strayCaller;
    if (!this.#runs.isQuestion[place]) return -COST.chatter;
    return phase === SPOKE ? fit : Math.max(0, fit) - COST.addition;
  }

  #stray(turn: number): number {
    return this.turns.isAssistant[turn] ? -COST.strayAssistant : -COST.strayCaller;
  }

  /** For each time, place and phase: the sum of the probabilities of all ways to the end, as a logarithm. */
  #backward(): Float64Array {
    const { order, moveStart, moveTo, stopScore, hasCycle } = this.#runs;
    const size = this.#size;
    const sums = new Float64Array((this.#length + 1) * size).fill(NEVER);
    const said = new Float64Array(size);
    for (let time = this.#length; time >= 0; time--) {
      const at = time * size;
      for (let cell = 0; cell < size; cell++) {
        if (time === this.#length) said[cell] = stopScore[cell] as number;
        else {
          const next = at + size + cell;
          const after = next - (cell % PHASES) + this.#phaseAfter(cell, time);
          said[cell] = plus(
            this.#sayScore(cell, time) + (sums[after] as number),
            this.#stray(time) + (sums[next] as number),
          );
        }
        sums[at + cell] = said[cell] as number;
      }
      for (let round = 0; round < (hasCycle ? 3 : 1); round++)
        for (const place of order) {
          const [from, to] = [moveStart[place] as number, moveStart[place + 1] as number];
          for (let cell = place * PHASES; from < to && cell < (place + 1) * PHASES; cell++) {
            let sum = said[cell] as number;
            for (let move = from; move < to; move++) {
              const rest = sums[at + (moveTo[move] as number) * PHASES] as number;
              if (rest > NEVER) sum = plus(sum, this.#moveScore(move, cell, time) + rest);
            }
            sums[at + cell] = sum;
          }
        }
    }
    return sums;
  }

  /** The best run, forward in time with a pointer back for each time, place and phase. */
  #best(): { steps: AlignedStep[]; ends: Map<string, number> } {
    const { places, order, moveStart, moveTo, stopScore, hasCycle } = this.#runs;
    const size = this.#size;
    const scores = new Float64Array((this.#length + 1) * size).fill(NEVER);
    /** The cell before; and the move from it, or -1 for a turn, -2 where it is stray. */
    const from = new Int32Array((this.#length + 1) * size).fill(-1);
    const by = new Int32Array((this.#length + 1) * size);
    const put = (cell: number, score: number, before: number, how: number): boolean => {
      if (score <= (scores[cell] as number) + 1e-12) return false;
      scores[cell] = score;
      from[cell] = before;
      by[cell] = how;
      return true;
    };
    scores[this.#start] = 0;
    for (let time = 0; time <= this.#length; time++) {
      const at = time * size;
      for (let changed = true, round = 0; changed && round < 8; round++) {
        changed = false;
        for (let index = order.length - 1; index >= 0; index--) {
          const place = order[index] as number;
          for (let cell = place * PHASES; cell < (place + 1) * PHASES; cell++) {
            const own = scores[at + cell] as number;
            if (own === NEVER) continue;
            for (let move = moveStart[place] as number; move < (moveStart[place + 1] as number); move++) {
              const target = at + (moveTo[move] as number) * PHASES;
              if (put(target, own + this.#moveScore(move, cell, time), at + cell, move)) changed = true;
            }
          }
        }
        if (!hasCycle) break;
      }
      for (let cell = 0; time < this.#length && cell < size; cell++) {
        const own = scores[at + cell] as number;
        if (own === NEVER) continue;
        const next = at + size + cell;
        put(next - (cell % PHASES) + this.#phaseAfter(cell, time), own + this.#sayScore(cell, time), at + cell, -1);
        put(next, own + this.#stray(time), at + cell, -2);
      }
    }
    const stops = new Map<string, number>();
    let best = -1;
    let most = NEVER;
    const last = this.#length * size;
    for (let cell = 0; cell < size; cell++) {
      const score = (scores[last + cell] as number) + (stopScore[cell] as number);
      if (score > most) [best, most] = [last + cell, score];
      const place = places[Math.floor(cell / PHASES)] as Place;
      const stop = place.end ? place.at : "";
      if (score > (stops.get(stop) ?? NEVER)) stops.set(stop, score);
    }
    const sum = [...stops.values()].reduce(plus, NEVER);
    return {
      steps: this.#walkBack(best, from, by),
      ends: new Map([...stops].map(([at, score]) => [at, Math.exp(score - sum)])),
    };
  }

  #walkBack(best: number, from: Int32Array, by: Int32Array): AlignedStep[] {
    const { places, moveStart } = this.#runs;
    const steps: AlignedStep[] = [];
    let turns: number[] = [];
    for (let cell = best; cell >= 0; cell = from[cell] as number) {
      const before = from[cell] as number;
      const how = before < 0 ? 0 : (by[cell] as number);
      if (how >= 0) {
        const place = places[Math.floor((cell % this.#size) / PHASES)] as Place;
        const source = Math.floor((before % this.#size) / PHASES);
        const move = before < 0 ? undefined : places[source]?.moves[how - (moveStart[source] as number)];
        steps.push({ place, move, turns: turns.reverse(), probability: 0 });
        turns = [];
      } else if (how === -1) turns.push(this.turns.said[Math.floor(before / this.#size)] as number);
    }
    return steps.reverse();
  }

  /** Sums over all runs that enter the same nodes as the best run up to each of its steps, and over all their alignments. */
  #prefixProbabilities(steps: readonly AlignedStep[], sums: Float64Array, total: number): void {
    const { places } = this.#runs;
    const first = this.#never();
    first[0] = 0;
    let reached = new Map<number, Float64Array>([[this.#start / PHASES, first]]);
    for (const [number, step] of steps.entries()) {
      let probability = NEVER;
      for (const [index, times] of reached)
        for (let time = 0; time <= this.#length; time++)
          probability = plus(
            probability,
            (times[time] as number) + (sums[time * this.#size + index * PHASES] as number),
          );
      step.probability = Math.min(1, Math.exp(probability - total));
      const following = steps[number + 1];
      if (!following || step.probability < 1e-3) return;
      const left = new Map<number, Float64Array>();
      for (const [index, times] of reached)
        this.#passOn(index, times, (to) => places[to]?.at === following.place.at, left);
      reached = left;
    }
  }

  /** Adds to `left`, by target and time, the probability to have left a place that was reached at these times. */
  #passOn(
    index: number,
    times: Float64Array,
    isTarget: (to: number) => boolean,
    left: Map<number, Float64Array>,
  ): void {
    const { moveStart, moveTo } = this.#runs;
    const moves: number[] = [];
    for (let move = moveStart[index] as number; move < (moveStart[index + 1] as number); move++)
      if (isTarget(moveTo[move] as number)) moves.push(move);
    if (moves.length === 0) return;
    let phases = new Float64Array(PHASES).fill(NEVER);
    for (let time = 0; time <= this.#length; time++) {
      phases[ENTERED] = plus(phases[ENTERED] as number, times[time] as number);
      const after = new Float64Array(PHASES).fill(NEVER);
      for (let phase = 0; phase < PHASES; phase++) {
        const own = phases[phase] as number;
        if (own === NEVER) continue;
        const cell = index * PHASES + phase;
        for (const move of moves) {
          const to = moveTo[move] as number;
          const into = left.get(to) ?? this.#never();
          left.set(to, into);
          into[time] = plus(into[time] as number, own + this.#moveScore(move, cell, time));
        }
        if (time === this.#length) continue;
        const next = this.#phaseAfter(cell, time);
        after[next] = plus(after[next] as number, own + this.#sayScore(cell, time));
        after[phase] = plus(after[phase] as number, own + this.#stray(time));
      }
      phases = after;
    }
  }

  #never(): Float64Array {
    return new Float64Array(this.#length + 1).fill(NEVER);
  }
}

/** The logarithm of the sum of two probabilities given as logarithms. */
function plus(a: number, b: number): number {
  if (a === NEVER) return b;
  if (b === NEVER) return a;
  const [more, less] = a > b ? [a, b] : [b, a];
  return less - more < -30 ? more : more + Math.log1p(Math.exp(less - more));
}
