/**
 * The paths through a flow for policies: which edges may be taken out of a node, given what is known there, and what is known
 * behind them. By shape alone nothing is known, and every condition may hold or fail.
 */
import { type Condition, partsOf } from "../run/conditions";
import { anything, anyValue, type Facts, narrowed, type Possible } from "../run/possible";
import { awaits, type Program, type RunEdge, type RunNode } from "../run/program";
import { candidatesFor } from "../test/candidates";
import { pairOf, textOf } from "../values";

/** A node, and what is known on entering it. There is one object for each. */
export interface Place {
  readonly node: RunNode;
  /** Only what later conditions ask about, and only where something is known. */
  readonly facts: Facts;
}

export interface Exits {
  readonly ways: readonly { readonly edge: RunEdge; readonly to: Place }[];
  /** The run ends here: an end, a transfer, or a node where no edge is left. */
  readonly mayEnd: boolean;
}

/** Beyond this many places nothing more is learned on the way, so that the search ends: it may then find paths that conditions exclude. */
const MAX_PLACES = 200_000;

const nothing: Facts = new Map();

export class Paths {
  readonly #places = new Map<RunNode, Map<string, Place>>();
  readonly #exits = new Map<Place, Exits>();
  readonly #domains = new Map<string, Possible>();
  readonly #liveAt: (node: RunNode) => ReadonlySet<string>;
  #count = 0;

  constructor(
    readonly program: Program,
    /** Whether conditions count, or the shape of the graph alone. */
    private readonly byConditions: boolean,
  ) {
    this.#liveAt = byConditions ? candidatesFor(program).liveAt : () => new Set();
  }

  get start(): Place | undefined {
    return this.program.entry && this.#place(this.program.entry, nothing);
  }

  exits(place: Place): Exits {
    let exits = this.#exits.get(place);
    if (!exits) {
      exits = this.#leave(place);
      this.#exits.set(place, exits);
    }
    return exits;
  }

  #leave({ node, facts }: Place): Exits {
    if (node.type === "end" || node.type === "transfer") return { ways: [], mayEnd: true };
    const ways: { edge: RunEdge; to: Place }[] = [];
    let mayEnd = this.#through(node, undefined, this.#known(node, facts, changedBy(node)), ways);
    // An event changes no variable: what would be saved isn't there.
    for (const event of eventsOf(node))
      if (this.#through(node, event, this.#known(node, facts, []), ways)) mayEnd = true;
    return { ways, mayEnd };
  }

  /** Goes through the edges in order, as a run does, and says whether the run may end there. */
  #through(node: RunNode, event: string | undefined, before: Facts, ways: { edge: RunEdge; to: Place }[]): boolean {
    // What is known where all edges so far were passed over, and where they were passed over without asking a model: it
    // can't pass over all of them.
    let passed: Facts | undefined = before;
    let unasked: Facts | undefined = before;
    let endsAtEdge = false;
    for (const edge of node.edges) {
      if (!passed) break;
      if (!awaits(edge, event)) continue;
      const { condition } = edge;
      const taken = condition && this.byConditions ? narrowed(condition, passed, true) : passed;
      const target = this.program.nodes.get(edge.to);
      if (taken && target) ways.push({ edge, to: this.#place(target, taken) });
      if (taken && !target) endsAtEdge = true;
      passed = condition && (this.byConditions ? narrowed(condition, passed, false) : passed);
      const left: Facts | undefined = condition && unasked && narrowed(atBest(condition), unasked, false);
      unasked = left && (this.byConditions ? left : nothing);
    }
    return endsAtEdge || unasked !== undefined;
  }

  /** What is known of the variables that a node's conditions ask about, once those it changes may be anything. */
  #known(node: RunNode, facts: Facts, changed: readonly string[]): Facts {
    if (!this.byConditions) return nothing;
    const known = new Map(facts);
    for (const variable of changed) known.delete(variable);
    for (const { condition } of node.edges)
      for (const part of condition ? partsOf(condition) : [])
        if (part.kind === "clause" && !known.has(part.variable)) known.set(part.variable, this.#domain(part.variable));
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

  #place(node: RunNode, facts: Facts): Place {
    const kept = new Map<string, Possible>();
    let key = "";
    if (this.#count < MAX_PLACES)
      for (const [variable, values] of facts) {
        if (values.length === this.#domain(variable).length || !this.#liveAt(node).has(variable)) continue;
        kept.set(variable, values);
      }
    for (const variable of [...kept.keys()].sort())
      key += `${variable}=${(kept.get(variable) as Possible).map(wordFor).sort().join()};`;
    const places = this.#places.get(node) ?? new Map<string, Place>();
    this.#places.set(node, places);
    let place = places.get(key);
    if (!place) {
      place = { node, facts: kept };
      places.set(key, place);
      this.#count++;
    }
    return place;
  }
}

/** What a node sets when it succeeds. */
function changedBy({ variable, saves }: RunNode): string[] {
  return [...(variable === undefined ? [] : [variable]), ...saves.map((each) => each.variable)];
}

/** The events that a node may be left by: a call fails only where an edge says so. */
function eventsOf({ type, edges }: RunNode): Set<string> {
  return new Set(type === "tool" || type === "component" ? edges.flatMap(({ on }) => on ?? []) : []);
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
