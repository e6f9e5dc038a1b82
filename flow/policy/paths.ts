/**
 * The paths through a flow for policies: which edges may be taken out of a node given the facts there, and the facts
 * after them. By shape alone, nothing is known, and every condition may be true or false.
 */
import { getOrCreate } from "../collections";
import { type LiveVariables, liveForConditions } from "../run/live";
import { anything, type Facts, type Possible } from "../run/possible";
import { awaits, type Passage, type Program, passagesOf, type RunEdge, type RunNode } from "../run/program";
import type { Spending } from "../run/work";
import { domainIn } from "./domain";
import { FactTable, NOTHING } from "./facts";

/** A node with the facts on entering it that later conditions test. */
export class Place {
  /** Computed on request by `Paths.exits`. */
  exits: Exits | undefined;

  constructor(
    /** In the order in which places are found. */
    readonly index: number,
    readonly node: RunNode,
    readonly facts: Facts,
  ) {}
}

export interface Exits {
  readonly ways: readonly Way[];
  /** Whether a run may end at the place: an end, a transfer, or a node where no edge is left. */
  readonly mayEnd: boolean;
}

export interface Way {
  readonly from: Place;
  readonly passage: Passage;
  readonly to: Place;
  /** Whether no condition can exclude it. */
  readonly isSure: boolean;
}

/** The edge that a way takes; undefined if it enters a component. */
export function edgeOf({ passage }: Way): RunEdge | undefined {
  return "id" in passage ? (passage as RunEdge) : undefined;
}

/**
 * Beyond this many places, no more facts are tracked, so that the search ends: it may then find paths that conditions
 * exclude.
 */
const MAX_PLACES = 200_000;

/** The work of creating a place and its ways, in search steps. */
const WORK_OF_PLACE = 10;

/** Options to track values as runs do, not only facts for policies. */
export interface Exactly {
  /** All possible values of a variable, so that each clause is true or false for each value. */
  readonly valuesOf: (variable: string) => Possible;
  /** The most places to distinguish. */
  readonly most: number;
}

/** The search space of policies. All of it is visited for each policy; the content of a place is read once. */
export class Paths {
  readonly places: Place[] = [];
  readonly #known = new Map<Facts, Map<RunNode, Place>>();
  readonly #domains = new Map<string, Possible>();
  readonly #facts: FactTable;
  #live: LiveVariables | undefined;

  constructor(
    readonly program: Program,
    /** Whether conditions count, or only the shape of the graph. */
    private readonly byConditions: boolean,
    /** The budget of searches. */
    readonly work?: Spending,
    private readonly exactly?: Exactly,
  ) {
    // By shape alone, there are no facts, and none are stored.
    this.#facts = new FactTable(byConditions ? (variable) => this.#domain(variable) : () => anything, work);
  }

  get start(): Place | undefined {
    const { entry } = this.program;
    return entry && this.#place(entry, NOTHING);
  }

  exits(place: Place): Exits {
    place.exits ??= this.#leave(place);
    return place.exits;
  }

  #leave(place: Place): Exits {
    const { node, facts } = place;
    this.work?.spend(WORK_OF_PLACE);
    const ways: Way[] = [];
    if (node.type === "end" || node.type === "transfer") return { ways, mayEnd: true };
    let mayEnd = this.#through(place, undefined, this.#afterChange(node, facts), ways);
    // An event doesn't change variables: values to save don't exist.
    for (const event of this.#eventsAt(node)) if (this.#through(place, event, facts, ways)) mayEnd = true;
    return { ways, mayEnd };
  }

  /** The events that a node may be left by. A call only fails if an edge handles it. */
  #eventsAt(node: RunNode): Iterable<string> {
    if (node.type !== "tool" && node.type !== "component") return [];
    return new Set(passagesOf(this.program, node).flatMap(({ on }) => on ?? []));
  }

  /** Adds the ways out in order, as a run takes them, and returns whether the run may end there. */
  #through(place: Place, event: string | undefined, before: Facts, ways: Way[], from = 0): boolean {
    const facts = this.#facts;
    const { byConditions } = this;
    // The facts if all edges so far were skipped, and if they were skipped without a model, which can't skip all of
    // them.
    let passed: Facts | undefined = before;
    let unasked: Facts | undefined = before;
    let endsAtEdge = false;
    let isSure = true;
    const passages = passagesOf(this.program, place.node);
    for (let index = from; index < passages.length && passed; index++) {
      const passage = passages[index] as Passage;
      if (!awaits(passage, event)) continue;
      const { condition } = passage;
      if (this.exactly && condition) {
        // A condition on several variables can't be represented by facts on each alone, so its cases are followed
        // separately.
        const cases = facts.casesOf(condition, passed);
        if (cases.length > 1) {
          for (const each of cases) this.#through(place, event, each, ways, index);
          return true;
        }
      }
      if (condition && condition.kind !== "prose") isSure = false;
      const taken: Facts | undefined = condition && byConditions ? facts.after(condition, passed, true) : passed;
      if (taken) {
        const target = this.program.nodes.get(passage.to);
        if (target) ways.push({ from: place, passage, to: this.#place(target, taken), isSure });
        else endsAtEdge = true;
      }
      if (!condition) return endsAtEdge;
      if (unasked) unasked = facts.unasked(condition, unasked);
      if (byConditions) passed = facts.after(condition, passed, false);
      else if (unasked) unasked = NOTHING;
    }
    return endsAtEdge || unasked !== undefined;
  }

  /** Facts after the node's assignments: the variables it sets may be anything, or have new values. */
  #afterChange(node: RunNode, before: Facts): Facts {
    const way = this.byConditions ? this.program.ways?.get(node.id) : undefined;
    if (way) return this.#facts.assigned(way.assigns, before);
    return before === NOTHING ? NOTHING : this.#facts.without(node.sets, before);
  }

  /** All possible values of a variable. */
  #domain(variable: string): Possible {
    return getOrCreate(
      this.#domains,
      variable,
      () => this.exactly?.valuesOf(variable) ?? domainIn(this.program, variable),
    );
  }

  #place(node: RunNode, facts: Facts): Place {
    const isKept = facts !== NOTHING && this.places.length < (this.exactly?.most ?? MAX_PLACES);
    const kept = isKept ? this.#facts.about(this.#liveAt(node), facts) : NOTHING;
    const known = getOrCreate(this.#known, kept, () => new Map<RunNode, Place>());
    return getOrCreate(known, node, () => {
      const place = new Place(this.places.length, node, kept);
      this.places.push(place);
      return place;
    });
  }

  #liveAt(node: RunNode): ReadonlySet<string> {
    this.#live ??= liveForConditions(this.program, this.exactly !== undefined);
    return this.#live.at(node);
  }
}
