/**
 * The paths through a flow for policies: which edges may be taken out of a node, given what is known there, and what is known
 * behind them. By shape alone nothing is known, and every condition may hold or fail.
 */
import type { Condition } from "../run/conditions";
import { Liveness } from "../run/live";
import { anything, anyValue, type Facts, narrowed, type Possible } from "../run/possible";
import { awaits, type Program, type RunEdge, type RunNode } from "../run/program";
import { pairOf, textOf } from "../values";

/** A node, and what is known on entering it: there is one number for each. */
export type Place = number;

export interface Way {
  readonly edge: RunEdge;
  readonly to: Place;
}

/** Beyond this many places nothing more is learned on the way, so that the search ends: it may then find paths that conditions exclude. */
const MAX_PLACES = 200_000;

const nothing: Facts = new Map();

/**
 * What policies search. Places and the ways out of them are lists of numbers, because after an edit of a large flow all of them
 * are gone through for each policy; what a place is made of is looked at once.
 */
export class Paths {
  readonly nodes: RunNode[];
  readonly #numbers: ReadonlyMap<string, number>;
  /** By number of the node: the place where nothing is known, and the others by what is known. */
  #plain: (Place | undefined)[] = [];
  #byFacts = new Map<number, Map<string, Place>>();
  /** By place: its node's number, and what is known: only what later conditions ask about, and only where something is known. */
  readonly at: number[] = [];
  readonly #facts: Facts[] = [];
  /** By place: where its ways are in the lists below, -1 before somebody asks; how many; whether the run may end there. */
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];
  readonly #mayEnd: boolean[] = [];
  /** By way: where it leads, the number of its edge in its node, and whether no condition can ever keep a run from it. */
  readonly to: Place[] = [];
  readonly #edges: number[] = [];
  readonly isSure: boolean[] = [];
  readonly #domains = new Map<string, Possible>();
  #live: Liveness | undefined;
  /** Counts how often more was forgotten than the ways out of edited nodes. */
  age = 0;

  constructor(
    readonly program: Program,
    /** Whether conditions count, or the shape of the graph alone. */
    private readonly byConditions: boolean,
  ) {
    this.nodes = [...program.nodes.values()];
    this.#numbers = new Map(this.nodes.map(({ id }, number) => [id, number]));
  }

  get start(): Place | undefined {
    const number = this.program.entry && this.#numbers.get(this.program.entry.id);
    return number === undefined ? undefined : this.#place(number, nothing);
  }

  /** How many places there are by now. */
  get size(): number {
    return this.at.length;
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The places at a node. */
  placesOf(number: number): Place[] {
    const plain = this.#plain[number];
    return [...(plain === undefined ? [] : [plain]), ...(this.#byFacts.get(number)?.values() ?? [])];
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

  /** The edge of a way out of a place. */
  edge(place: Place, way: number): RunEdge {
    return this.node(place).edges[this.#edges[way] as number] as RunEdge;
  }

  ways(place: Place): Way[] {
    const first = this.firstWay(place);
    return Array.from({ length: this.wayCount(place) }, (_, index) => ({
      edge: this.edge(place, first + index),
      to: this.to[first + index] as Place,
    }));
  }

  /** Takes over nodes that were edited, under the ids they had; what was learned of all others stays. */
  replace(edited: readonly RunNode[]): void {
    const numbers = new Map(edited.map((node) => [this.#numbers.get(node.id) as number, node]));
    for (const [number, node] of numbers) this.nodes[number] = node;
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
    this.#byFacts = new Map();
    for (const list of [this.at, this.#facts, this.#starts, this.#counts, this.#mayEnd]) list.length = 0;
    for (const list of [this.to, this.#edges, this.isSure]) list.length = 0;
  }

  get #liveness(): Liveness {
    this.#live ??= new Liveness(this.nodes, (id) => this.#numbers.get(id));
    return this.#live;
  }

  #leave(place: Place): number {
    const node = this.node(place);
    const facts = this.#facts[place] as Facts;
    const start = this.to.length;
    let mayEnd = node.type === "end" || node.type === "transfer";
    if (!mayEnd) {
      mayEnd = this.#through(node, undefined, this.#known(node, facts, true));
      // An event changes no variable: what would be saved isn't there.
      for (const event of eventsOf(node))
        if (this.#through(node, event, this.#known(node, facts, false))) mayEnd = true;
    }
    this.#starts[place] = start;
    this.#counts[place] = this.to.length - start;
    this.#mayEnd[place] = mayEnd;
    return start;
  }

  /** Goes through the edges in order, as a run does, and says whether the run may end there. */
  #through(node: RunNode, event: string | undefined, before: Facts): boolean {
    // What is known where all edges so far were passed over, and where they were passed over without asking a model: it
    // can't pass over all of them.
    let passed: Facts | undefined = before;
    let unasked: Facts | undefined = before;
    let endsAtEdge = false;
    let isSure = true;
    for (let number = 0; number < node.edges.length && passed; number++) {
      const edge = node.edges[number] as RunEdge;
      if (!awaits(edge, event)) continue;
      const { condition } = edge;
      const taken = condition && this.byConditions ? narrowed(condition, passed, true) : passed;
      const target = this.#numbers.get(edge.to);
      isSure &&= !condition || condition.kind === "prose";
      if (taken && target !== undefined) {
        this.to.push(this.#place(target, taken));
        this.#edges.push(number);
        this.isSure.push(isSure);
      }
      if (taken && target === undefined) endsAtEdge = true;
      const isAlike: boolean = this.byConditions && condition?.kind === "clause" && unasked === passed;
      passed = condition && (this.byConditions ? narrowed(condition, passed, false) : passed);
      const left: Facts | undefined = isAlike ? passed : unasked && condition && this.#unasked(condition, unasked);
      unasked = left && (this.byConditions ? left : nothing);
    }
    return endsAtEdge || unasked !== undefined;
  }

  /** What is known where a condition fails without a model being asked; prose never does. */
  #unasked(condition: Condition, facts: Facts): Facts | undefined {
    return condition.kind === "prose" ? undefined : narrowed(atBest(condition), facts, false);
  }

  /** What is known of the variables that a node's conditions ask about, once those it changes may be anything. */
  #known(node: RunNode, facts: Facts, isChanged: boolean): Facts {
    if (!this.byConditions || (node.asks.length === 0 && facts.size === 0)) return nothing;
    const known = new Map(facts);
    if (isChanged && facts.size > 0) for (const variable of changedBy(node)) known.delete(variable);
    for (const variable of node.asks) if (!known.has(variable)) known.set(variable, this.#domain(variable));
    return known;
  }

  /** All a variable may be. */
  #domain(variable: string): Possible {
    let domain = this.#domains.get(variable);
    if (!domain) {
      domain = domainOf(this.program, variable);
      this.#domains.set(variable, domain);
    }
    return domain;
  }

  #place(at: number, facts: Facts): Place {
    const kept = facts.size > 0 && this.size < MAX_PLACES ? this.#worthKnowing(at, facts) : nothing;
    if (kept.size === 0) {
      this.#plain[at] ??= this.#add(at, nothing);
      return this.#plain[at] as Place;
    }
    const key = this.#keyOf(kept);
    let places = this.#byFacts.get(at);
    if (!places) {
      places = new Map();
      this.#byFacts.set(at, places);
    }
    let place = places.get(key);
    if (place === undefined) {
      place = this.#add(at, kept);
      places.set(key, place);
    }
    return place;
  }

  /** The same for the same facts: of each variable, a bit for each value it may have. */
  #keyOf(facts: Facts): string {
    const words: string[] = [];
    for (const [variable, values] of facts) {
      const domain = this.#domain(variable);
      let bits = 0;
      for (const value of values) bits += 2 ** domain.indexOf(value);
      words.push(`${variable}=${domain.length > 50 ? values.map(wordFor).sort().join() : bits}`);
    }
    return words.length === 1 ? (words[0] as string) : words.sort().join(";");
  }

  /** What something is known of, and later conditions ask about. */
  #worthKnowing(at: number, facts: Facts): Facts {
    let kept: Map<string, Possible> | undefined;
    for (const [variable, values] of facts)
      if (values.length !== this.#domain(variable).length && this.#liveness.isAt(at, variable)) {
        kept ??= new Map();
        kept.set(variable, values);
      }
    return kept ?? nothing;
  }

  #add(at: number, facts: Facts): Place {
    this.at.push(at);
    this.#facts.push(facts);
    this.#starts.push(-1);
    this.#counts.push(0);
    this.#mayEnd.push(false);
    return this.size - 1;
  }
}

/** What a node sets when it succeeds. */
function changedBy({ variable, saves }: RunNode): string[] {
  return [...(variable === undefined ? [] : [variable]), ...saves.map((each) => each.variable)];
}

/** The events that a node may be left by: a call fails only where an edge says so. */
function eventsOf({ type, edges }: RunNode): Iterable<string> {
  return type === "tool" || type === "component" ? new Set(edges.flatMap(({ on }) => on ?? [])) : [];
}

function domainOf({ document, valuesOf }: Program, variable: string): Possible {
  const values = valuesOf(variable);
  if (!values) return anything;
  const type = textOf(pairOf(document.variables.find(({ name }) => name === variable)?.value, "type")?.value);
  const isNumber = type === "number" || type === "integer";
  const each = values.map((value) => (isNumber && Number.isFinite(Number(value)) ? Number(value) : value));
  return [undefined, ...new Set(each)];
}

function wordFor(value: unknown): string {
  return value === anyValue ? "any" : value === undefined ? "none" : JSON.stringify(value);
}

const yes: Condition = { kind: "and", parts: [], span: { start: 0, end: 0 } };
const no: Condition = { kind: "or", parts: [], span: { start: 0, end: 0 } };

/** The condition if a model says what makes it true: where it fails all the same, no model is asked. */
function atBest(condition: Condition, wanted = true): Condition {
  switch (condition.kind) {
    case "clause":
      return condition;
    case "prose":
      return wanted ? yes : no;
    case "not":
      return { ...condition, part: atBest(condition.part, !wanted) };
    default:
      return { ...condition, parts: condition.parts.map((part) => atBest(part, wanted)) };
  }
}
