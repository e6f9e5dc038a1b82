/**
 * The paths through a flow for policies: which edges may be taken out of a node, given what is known there, and what is known
 * behind them. By shape alone nothing is known, and every condition may hold or fail.
 */
import { Liveness } from "../run/live";
import { NumberedNodes } from "../run/numbered";
import { anything, type Possible } from "../run/possible";
import { awaits, type Passage, type Program, passagesOf, type RunEdge, type RunNode } from "../run/program";
import { domainIn } from "./domain";
import { FactTable, IMPOSSIBLE, type Known, NOTHING } from "./facts";

/** A node, and what is known on entering it: there is one number for each. */
export type Place = number;

export interface Way {
  /** Undefined where it goes into a component. */
  readonly edge: RunEdge | undefined;
  readonly to: Place;
}

/** Beyond this many places nothing more is learned on the way, so that the search ends: it may then find paths that conditions exclude. */
const MAX_PLACES = 200_000;

/**
 * What policies search. Places and the ways out of them are lists of numbers, because after an edit of a large flow all of them
 * are gone through for each policy; what a place is made of is looked at once.
 */
export class Paths {
  /** By number of the node: the place where nothing is known, and the others by what is known. */
  #plain: (Place | undefined)[] = [];
  #byFacts: (Map<Known, Place> | undefined)[] = [];
  /** By place: its node's number, and what is known: only what later conditions ask about, and only where something is known. */
  readonly at: number[] = [];
  readonly #known: Known[] = [];
  /** By place: where its ways are in the lists below, -1 before somebody asks; how many; whether the run may end there. */
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];
  readonly #mayEnd: boolean[] = [];
  /** By way: where it leads, the number of its edge in its node, and whether no condition can ever keep a run from it. */
  readonly to: Place[] = [];
  readonly #edges: number[] = [];
  readonly isSure: boolean[] = [];
  readonly #domains = new Map<string, Possible>();
  #facts: FactTable;
  #live: Liveness | undefined;
  /** Counts how often more was forgotten than the ways out of edited nodes. */
  age = 0;

  constructor(
    readonly program: Program,
    /** Whether conditions count, or the shape of the graph alone. */
    private readonly byConditions: boolean,
    private readonly numbered = new NumberedNodes(program),
  ) {
    this.#facts = this.#newFacts();
  }

  get nodes(): readonly RunNode[] {
    return this.numbered.nodes;
  }

  get start(): Place | undefined {
    const number = this.program.entry && this.numbered.numberOf(this.program.entry.id);
    return number === undefined ? undefined : this.#place(number, NOTHING);
  }

  /** How many places there are by now. */
  get size(): number {
    return this.at.length;
  }

  numberOf(id: string): number | undefined {
    return this.numbered.numberOf(id);
  }

  /** The places at a node. */
  placesOf(number: number): Place[] {
    const plain = this.#plain[number];
    return [...(plain === undefined ? [] : [plain]), ...(this.#byFacts[number]?.values() ?? [])];
  }

  node(place: Place): RunNode {
    return this.nodes[this.at[place] as number] as RunNode;
  }

  /** The first way out of a place; the others follow it. */
  firstWay(place: Place): number {
    const start = this.#starts[place] as number;
    return start >= 0 ? start : this.#leave(place);
  }

  /** How many ways lead out of a place whose first way was asked for. */
  wayCount(place: Place): number {
    return this.#counts[place] as number;
  }

  /** Whether a run may end at a place whose first way was asked for: an end, a transfer, or a node where no edge is left. */
  mayEnd(place: Place): boolean {
    return this.#mayEnd[place] as boolean;
  }

  /** The edge of a way out of a place; undefined where it goes into a component. */
  edge(place: Place, way: number): RunEdge | undefined {
    const passage = passagesOf(this.node(place))[this.#edges[way] as number] as Passage;
    return "id" in passage ? (passage as RunEdge) : undefined;
  }

  ways(place: Place): Way[] {
    const first = this.firstWay(place);
    return Array.from({ length: this.wayCount(place) }, (_, index) => ({
      edge: this.edge(place, first + index),
      to: this.to[first + index] as Place,
    }));
  }

  /** Learns which of the numbered nodes were edited; what was learned of all others stays. */
  replaced(numbers: ReadonlyMap<number, RunNode>): void {
    const moved = this.#live ? this.#live.replace(numbers) : new Set<number>();
    // Ways of edited places are written behind the others, until that is more than there was.
    if (!moved || this.size > MAX_PLACES / 2 || this.to.length > 8 * this.size + 1000) {
      this.#forget();
      return;
    }
    for (const number of numbers.keys()) for (const place of this.placesOf(number)) this.#starts[place] = -1;
    if (moved.size === 0) return;
    this.age++;
    // A place knows only what matters there, so where that is other now, what leads there leads to another place.
    for (let place = 0; place < this.size; place++) {
      const start = this.#starts[place] as number;
      for (let way = start; start >= 0 && way < start + (this.#counts[place] as number); way++)
        if (moved.has(this.at[this.to[way] as Place] as number)) this.#starts[place] = -1;
    }
  }

  #forget(): void {
    this.age++;
    this.#live = undefined;
    this.#plain = [];
    this.#byFacts = [];
    this.#facts = this.#newFacts();
    for (const list of [this.at, this.#known, this.#starts, this.#counts, this.#mayEnd]) list.length = 0;
    for (const list of [this.to, this.#edges, this.isSure]) list.length = 0;
  }

  get #liveness(): Liveness {
    this.#live ??= new Liveness(this.numbered);
    return this.#live;
  }

  /** By shape alone nothing is known of any variable, and what is learned isn't kept. */
  #newFacts(): FactTable {
    return new FactTable(this.byConditions ? (variable) => this.#domain(variable) : () => anything);
  }

  #leave(place: Place): number {
    const number = this.at[place] as number;
    const node = this.nodes[number] as RunNode;
    const known = this.#known[place] as Known;
    const start = this.to.length;
    let mayEnd = node.type === "end" || node.type === "transfer";
    if (!mayEnd) {
      mayEnd = this.#through(number, node, undefined, this.#afterChange(node, known));
      // An event changes no variable: what would be saved isn't there.
      for (const event of eventsOf(node)) if (this.#through(number, node, event, known)) mayEnd = true;
    }
    this.#starts[place] = start;
    this.#counts[place] = this.to.length - start;
    this.#mayEnd[place] = mayEnd;
    return start;
  }

  /** Goes through the edges in order, as a run does, and says whether the run may end there. */
  #through(number: number, node: RunNode, event: string | undefined, before: Known): boolean {
    const facts = this.#facts;
    const targets = this.numbered.targetsOf(number);
    // What is known where all edges so far were passed over, and where they were passed over without asking a model: it
    // can't pass over all of them.
    let passed = before;
    let unasked = before;
    let endsAtEdge = false;
    let isSure = true;
    const passages = passagesOf(node);
    for (let index = 0; index < passages.length && passed !== IMPOSSIBLE; index++) {
      const edge = passages[index] as Passage;
      if (!awaits(edge, event)) continue;
      const { condition } = edge;
      const taken = condition && this.byConditions ? facts.after(condition, passed, true) : passed;
      isSure &&= !condition || condition.kind === "prose";
      if (taken !== IMPOSSIBLE) {
        const target = targets[index] as number;
        if (target < 0) endsAtEdge = true;
        else {
          this.to.push(this.#place(target, taken));
          this.#edges.push(index);
          this.isSure.push(isSure);
        }
      }
      if (!condition) return endsAtEdge;
      const isAlike = this.byConditions && condition.kind === "clause" && unasked === passed;
      if (this.byConditions) passed = facts.after(condition, passed, false);
      if (isAlike) unasked = passed;
      else if (unasked !== IMPOSSIBLE) unasked = facts.unasked(condition, unasked);
      if (!this.byConditions && unasked !== IMPOSSIBLE) unasked = NOTHING;
    }
    return endsAtEdge || unasked !== IMPOSSIBLE;
  }

  /** What is known once the variables that a node sets may be anything. */
  #afterChange(node: RunNode, before: Known): Known {
    const { variable, saves, way } = node;
    if (way) return this.byConditions ? this.#facts.assigned(way.assigns, before) : before;
    if (before === NOTHING) return NOTHING;
    let known = variable === undefined ? before : this.#facts.without(variable, before);
    for (const saved of saves) known = this.#facts.without(saved.variable, known);
    return known;
  }

  /** All a variable may be. */
  #domain(variable: string): Possible {
    let domain = this.#domains.get(variable);
    if (!domain) {
      domain = domainIn(this.program, variable);
      this.#domains.set(variable, domain);
    }
    return domain;
  }

  #place(at: number, known: Known): Place {
    const isKept = known !== NOTHING && this.size < MAX_PLACES;
    const kept = isKept ? this.#facts.worthKnowing(known, at, this.#liveness) : NOTHING;
    if (kept === NOTHING) {
      this.#plain[at] ??= this.#add(at, NOTHING);
      return this.#plain[at] as Place;
    }
    let places = this.#byFacts[at];
    if (!places) {
      places = new Map();
      this.#byFacts[at] = places;
    }
    let place = places.get(kept);
    if (place === undefined) {
      place = this.#add(at, kept);
      places.set(kept, place);
    }
    return place;
  }

  #add(at: number, known: Known): Place {
    this.at.push(at);
    this.#known.push(known);
    this.#starts.push(-1);
    this.#counts.push(0);
    this.#mayEnd.push(false);
    return this.size - 1;
  }
}

/** The events that a node may be left by: a call fails only where an edge says so. */
function eventsOf({ type, edges }: RunNode): Iterable<string> {
  return type === "tool" || type === "component" ? new Set(edges.flatMap(({ on }) => on ?? [])) : [];
}
