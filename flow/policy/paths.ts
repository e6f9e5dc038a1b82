/**
 * The paths through a flow for policies: which edges may be taken out of a node given the facts there, and the facts
 * after them. By shape alone, nothing is known, and every condition may be true or false.
 *
 * Places, facts and targets are numbers: when objects were replaced by them, the processor time of 20 policies on a flow
 * of 10,000 nodes fell from 454 ms to 287 ms.
 */
import { Liveness } from "../run/live";
import { ALWAYS, type Change, isAssigned, NO_EVENT, NumberedFlow, PROSE } from "../run/numbered";
import { Numbers } from "../run/numbers";
import { anything, type Facts, type Possible } from "../run/possible";
import { type Passage, type Program, passagesOf, type RunEdge, type RunNode } from "../run/program";
import type { Spending } from "../run/work";
import { domainIn } from "./domain";
import { FactTable, IMPOSSIBLE, type Known, NOTHING } from "./facts";

/** The number of a node with the facts on entering it. */
export type Place = number;

export interface Way {
  /** Undefined if it enters a component. */
  readonly edge: RunEdge | undefined;
  readonly to: Place;
}

/**
 * Beyond this many places, no more facts are tracked, so that the search ends: it may then find paths that conditions
 * exclude.
 */
const MAX_PLACES = 200_000;

/** The work of creating a place and its passages, in search steps. */
const WORK_OF_PLACE = 10;

/** Options to track values as runs do, not only facts for policies. */
export interface Exactly {
  /** All possible values of a variable, so that each clause is true or false for each value. */
  readonly valuesOf: (variable: string) => Possible;
  /** The most places to distinguish. */
  readonly most: number;
}

/**
 * The search space of policies. Places and passages are lists of numbers, because all of them are visited for each policy; the content of a place is read once.
 */
export class Paths {
  /** By node number: the place without facts, or -1. */
  readonly #plain: Int32Array;
  /** The places with facts, by node and facts in one number. */
  readonly #places = new Map<number, Place>();
  /** By place: its node number and its facts, limited to what later conditions test. */
  readonly #at: Numbers;
  readonly #known: Numbers;
  /**
   * By place: the start of its passages in the lists below (-1 before the first request), their number, and whether the
   * run may end there.
   */
  readonly #starts: Numbers;
  readonly #counts: Numbers;
  readonly #mayEnd: Numbers;
  /** By passage: its target, the number of its edge in its node, and whether no condition can exclude it. */
  readonly #to: Numbers;
  readonly #edges: Numbers;
  readonly #isSure: Numbers;
  readonly #domains = new Map<string, Possible>();
  readonly #facts: FactTable;
  #live: Liveness | undefined;

  constructor(
    readonly program: Program,
    /** Whether conditions count, or only the shape of the graph. */
    private readonly byConditions: boolean,
    private readonly flow = new NumberedFlow(program),
    private readonly exactly?: Exactly,
    /** The budget of searches. */
    readonly work?: Spending,
  ) {
    const count = this.nodes.length;
    // Preallocated: most nodes have at least one place, and growing takes time.
    const room = 64 + count * (byConditions ? 3 : 1);
    [this.#at, this.#known] = [new Numbers(room), new Numbers(room)];
    [this.#starts, this.#counts, this.#mayEnd] = [new Numbers(room), new Numbers(room), new Numbers(room)];
    [this.#to, this.#edges, this.#isSure] = [new Numbers(2 * room), new Numbers(2 * room), new Numbers(2 * room)];
    this.#plain = new Int32Array(count).fill(-1);
    // By shape alone, there are no facts, and none are stored.
    const domain = byConditions ? (variable: string) => this.#domain(variable) : () => anything;
    this.#facts = new FactTable(domain, flow.conditions, work);
  }

  get nodes(): readonly RunNode[] {
    return this.flow.nodes;
  }

  get start(): Place | undefined {
    const number = this.program.entry && this.flow.numberOf(this.program.entry.id);
    return number === undefined ? undefined : this.#place(number, NOTHING);
  }

  /** The current number of places. */
  get size(): number {
    return this.#at.length;
  }

  /** By place: its node number. Like the lists below, replaced by another array when it grows. */
  get at(): Int32Array {
    return this.#at.values;
  }

  /** By place: its first passage, or -1 before the first request, and their number. */
  get starts(): Int32Array {
    return this.#starts.values;
  }

  get counts(): Int32Array {
    return this.#counts.values;
  }

  /** By passage: the place it leads to. */
  get to(): Int32Array {
    return this.#to.values;
  }

  /** By passage: 1 if no condition can exclude it. */
  get isSure(): Int32Array {
    return this.#isSure.values;
  }

  node(place: Place): RunNode {
    return this.nodes[this.at[place] as number] as RunNode;
  }

  /** The first passage out of a place; the others follow it. */
  firstWay(place: Place): number {
    const start = this.#starts.values[place] as number;
    return start >= 0 ? start : this.#leave(place);
  }

  /** The number of passages out of a place, after `firstWay`. */
  wayCount(place: Place): number {
    return this.#counts.values[place] as number;
  }

  /** Whether a run may end at a place, after `firstWay`: an end, a transfer, or a node where no edge is left. */
  mayEnd(place: Place): boolean {
    return this.#mayEnd.values[place] === 1;
  }

  /** The edge of a passage; undefined if it enters a component. */
  edge(place: Place, way: number): RunEdge | undefined {
    const passage = passagesOf(this.program, this.node(place))[this.#edges.values[way] as number] as Passage;
    return "id" in passage ? (passage as RunEdge) : undefined;
  }

  /** Whether a passage waits for an event. */
  isOnEvent(place: Place, way: number): boolean {
    const number = this.at[place] as number;
    const passage = (this.flow.starts[number] as number) + (this.#edges.values[way] as number);
    return (this.flow.eventOf[passage] as number) !== NO_EVENT;
  }

  ways(place: Place): Way[] {
    const first = this.firstWay(place);
    return Array.from({ length: this.wayCount(place) }, (_, index) => ({
      edge: this.edge(place, first + index),
      to: this.to[first + index] as Place,
    }));
  }

  get #liveness(): Liveness {
    this.#live ??= new Liveness(this.flow, this.exactly !== undefined);
    return this.#live;
  }

  #leave(place: Place): number {
    const number = this.at[place] as number;
    const known = this.#known.values[place] as Known;
    const start = this.#to.length;
    this.work?.spend(WORK_OF_PLACE);
    let mayEnd = this.flow.isEnd[number] === 1;
    if (!mayEnd) {
      mayEnd = this.#through(number, NO_EVENT, this.#afterChange(number, known));
      // An event doesn't change variables: values to save don't exist.
      const events = this.flow.events[number];
      if (events) for (const event of events) if (this.#through(number, event, known)) mayEnd = true;
    }
    this.#starts.values[place] = start;
    this.#counts.values[place] = this.#to.length - start;
    this.#mayEnd.values[place] = Number(mayEnd);
    return start;
  }

  /** The relevant facts on entering a place. */
  factsAt(place: Place): Facts {
    return this.#facts.factsOf(this.#known.values[place] as Known);
  }

  /** Visits the passages in order, as a run does, and returns whether the run may end there. */
  #through(number: number, event: number, before: Known): boolean {
    return this.#throughFrom(this.flow.starts[number] as number, number, event, before);
  }

  #throughFrom(from: number, number: number, event: number, before: Known): boolean {
    const facts = this.#facts;
    const { byConditions } = this;
    const { targets, conditionOf, eventOf } = this.flow;
    // The facts if all edges so far were skipped, and if they were skipped without a model, which can't skip all of
    // them.
    let passed = before;
    let unasked = before;
    let endsAtEdge = false;
    let isSure = 1;
    const first = this.flow.starts[number] as number;
    const end = first + (this.flow.counts[number] as number);
    for (let passage = from; passage < end && passed !== IMPOSSIBLE; passage++) {
      if (eventOf[passage] !== event) continue;
      const condition = conditionOf[passage] as number;
      if (this.exactly && condition > PROSE) {
        // A condition on several variables can't be represented by facts on each alone, so its cases are followed
        // separately.
        const cases = facts.casesOf(condition, passed);
        if (cases.length > 1) {
          for (const each of cases) this.#throughFrom(passage, number, event, each);
          return true;
        }
      }
      const taken = condition > PROSE && byConditions ? facts.after(condition, passed, true) : passed;
      if (condition > PROSE) isSure = 0;
      if (taken !== IMPOSSIBLE) {
        const target = targets[passage] as number;
        if (target < 0) endsAtEdge = true;
        else {
          this.#to.push(this.#place(target, taken));
          this.#edges.push(passage - first);
          this.#isSure.push(isSure);
        }
      }
      if (condition === ALWAYS) return endsAtEdge;
      const isAlike = byConditions && this.flow.conditions[condition]?.kind === "clause" && unasked === passed;
      if (byConditions) passed = facts.after(condition, passed, false);
      if (isAlike) unasked = passed;
      else if (unasked !== IMPOSSIBLE) unasked = facts.unasked(condition, unasked);
      if (!byConditions && unasked !== IMPOSSIBLE) unasked = NOTHING;
    }
    return endsAtEdge || unasked !== IMPOSSIBLE;
  }

  /** Facts after the node's assignments. */
  #afterChange(number: number, before: Known): Known {
    const change = this.flow.changes[number] as Change;
    // Only where a component starts or ends can there be more facts than before.
    if (before === NOTHING && !(this.byConditions && isAssigned(change))) return NOTHING;
    return this.#facts.changed(change, before);
  }

  /** All possible values of a variable. */
  #domain(variable: string): Possible {
    let domain = this.#domains.get(variable);
    if (!domain) {
      domain = this.exactly?.valuesOf(variable) ?? domainIn(this.program, variable);
      this.#domains.set(variable, domain);
    }
    return domain;
  }

  #place(at: number, known: Known): Place {
    const isKept = known !== NOTHING && this.size < (this.exactly?.most ?? MAX_PLACES);
    const kept = isKept ? this.#facts.worthKnowing(known, at, this.#liveness) : NOTHING;
    if (kept === NOTHING) {
      const plain = this.#plain[at] as number;
      if (plain >= 0) return plain;
      const place = this.#add(at, NOTHING);
      this.#plain[at] = place;
      return place;
    }
    const key = kept * this.nodes.length + at;
    const found = this.#places.get(key);
    if (found !== undefined) return found;
    const place = this.#add(at, kept);
    this.#places.set(key, place);
    return place;
  }

  #add(at: number, known: Known): Place {
    this.#at.push(at);
    this.#known.push(known);
    this.#starts.push(-1);
    this.#counts.push(0);
    this.#mayEnd.push(0);
    return this.size - 1;
  }
}
