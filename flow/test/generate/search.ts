/**
 * Searches paths through a flow with the machine itself. A place is a node with the values that still matter there;
 * every useful answer is a step to another. The search is breadth-first, so each path is a shortest one.
 */
import { addTo } from "../../collections";
import { type Answer, type FlowOf, type Frame, next, type State, start } from "../../run/machine";
import type { Program, RunEdge, RunNode } from "../../run/program";
import { type Spending, WorkSpent } from "../../run/work";
import { answersTo } from "./answers";
import { Worth } from "./candidates";
import { isNoticed, type Variant, variantsOf } from "./variants";

/** A state reduced to what matters: states with the same key behave alike. */
export interface Place {
  readonly state: State;
  readonly given: readonly (readonly [string, unknown])[];
  /** The first step that reached it, on a shortest path. */
  by: Way | undefined;
  /** Nodes entered up to here. */
  readonly length: number;
  readonly ways: Way[];
  /** The number of nodes to the nearest end, and the step there. */
  toEnd: { readonly length: number; readonly way: Way | undefined } | undefined;
}

export interface Way {
  readonly from: Place;
  readonly answer: Answer | undefined;
  readonly to: Place;
  readonly edge: RunEdge | undefined;
  /** The goals that a test with this step covers: the edge, and mistakes that it would detect. */
  readonly goals: readonly Goal[];
}

export type Goal = RunEdge | Variant;

/** A flow with more states than this is searched in part: states without a new value of a variable are left out. */
const MAX_PLACES = 40_000;

/** The cost of a state, in steps of a run. */
const WORK_OF_PLACE = 10;

/** The maximum number of sets of given values to try. */
const MAX_GIVEN = 2_000;

const MAX_ROUNDS = 50;

export interface SearchOptions {
  readonly isThinned: boolean;
  /** The flows of components, which are run if available. */
  readonly flowOf?: FlowOf;
  /** Whether to search for mistakes in conditions, too. */
  readonly variants?: boolean;
  /** Limits the work of the search. Beyond it, the flow is searched in part. */
  readonly work: Spending;
}

export class Search {
  readonly #places = new Map<string, Place>();
  readonly #best = new Map<Goal, Way>();
  /** The places whose answers were all tried. */
  readonly #expanded = new Set<Place>();
  readonly #taken = new Set<RunEdge>();
  readonly #entered = new Set<RunNode>();
  readonly #variants = new Map<RunNode, readonly Variant[]>();
  #isCut = false;
  #isSpent = false;
  /** In a partial search: the values seen at each node, by variable or by condition. */
  readonly #seen = new Set<string>();
  readonly worth: Worth;

  constructor(
    readonly program: Program,
    readonly options: SearchOptions,
  ) {
    this.worth = new Worth(program, options.flowOf ?? (() => undefined));
  }

  /** The goals that paths to an end cover. */
  get goals(): Iterable<Goal> {
    return this.#best.keys();
  }

  /** Whether a path to an end takes the edge. */
  reaches(edge: RunEdge): boolean {
    return this.#best.has(edge);
  }

  /** Whether there were more states than the limit. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether all the allowed work was used. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Whether a run can take it at all. */
  takes(edge: RunEdge): boolean {
    return this.#taken.has(edge);
  }

  enters(node: RunNode): boolean {
    return this.#entered.has(node);
  }

  /** The shortest path into a node: the first place found there is the nearest. */
  wayTo(
    node: RunNode,
  ): { readonly given: Place["given"]; readonly answers: readonly (Answer | undefined)[] } | undefined {
    for (const place of this.#places.values()) {
      if (place.state.node !== node || place.state.phase === "leaving" || place.state.ended?.kind === "stuck") continue;
      const answers: (Answer | undefined)[] = [];
      for (let way = place.by; way; way = way.from.by) answers.push(way.answer);
      return { given: place.given, answers: answers.reverse() };
    }
    return undefined;
  }

  /** Searches from the entry with some variables given; nearer places first. */
  from(...givens: readonly (readonly (readonly [string, unknown])[])[]): void {
    try {
      if (this.options.isThinned) for (let round = 0; round < this.#rounds; round++) this.#explore(givens, round);
      this.#explore(givens);
    } catch (error) {
      if (!(error instanceof WorkSpent)) throw error;
      this.#isCut = true;
      this.#isSpent = true;
    }
    this.#measure();
  }

  /** As many as there are values of a variable. */
  get #rounds(): number {
    const candidates = this.worth.in(this.program);
    const most = candidates.asked.reduce((size, variable) => Math.max(size, candidates.of(variable).length), 1);
    return Math.min(MAX_ROUNDS, most);
  }

  /**
   * A round enters each node once, with one value for every question. The rounds take all values of a variable to the
   * end of a flow that has too many combinations of them.
   */
  #explore(givens: readonly (readonly (readonly [string, unknown])[])[], round?: number): void {
    const near: Place[] = [];
    const expanded = round === undefined ? this.#expanded : new Set<Place>();
    const isOpen = (place: Place) => !expanded.has(place) && expanded.add(place);
    for (const given of givens) {
      const state = start(this.program, given, this.options.flowOf, this.options.work);
      const place = state && this.#arrive(state, given, 0, round);
      if (place && isOpen(place.place)) near.push(place.place);
    }
    // Choices add no node, so they are followed before anything farther away.
    let far: Place[] = [];
    for (let layer = near; layer.length > 0; layer = far, far = []) {
      const open = layer.reverse();
      far = [];
      for (let place = open.pop(); place; place = open.pop()) {
        if (place.state.ended) continue;
        for (const answer of answersTo(place.state, this.worth.in(place.state.frame.program), round)) {
          const state = next(place.state, answer);
          const reached = this.#arrive(state, place.given, place.length, round);
          if (!reached) continue;
          const { taken } = state;
          const goals = taken ? this.#shows(place.state, answer, state, taken) : [];
          const way: Way = { from: place, answer, to: reached.place, edge: taken, goals };
          place.ways.push(way);
          if (taken) this.#taken.add(taken);
          if (reached.isNew) reached.place.by = way;
          if (isOpen(reached.place)) (state.phase === "leaving" ? open : far).push(reached.place);
        }
      }
    }
  }

  /** The same with values that nothing in the flow sets, for edges that can't be reached otherwise. */
  fromGiven(variables: readonly string[]): void {
    const candidates = this.worth.in(this.program);
    const choices = variables.map((variable) =>
      candidates
        .of(variable, "given")
        .filter((value) => value !== undefined)
        .map((value) => [variable, value] as const),
    );
    let count = 1;
    for (const { length } of choices) count *= 1 + length;
    const most = Math.floor(MAX_PLACES / Math.max(1, this.program.nodes.size));
    if (count > most) {
      // Too many combinations for a flow of this size: each value with one of every other variable, then each by itself.
      const values = choices.reduce((size, { length }) => Math.min(MAX_ROUNDS, Math.max(size, length)), 0);
      const rounds = Array.from({ length: values }, (_, round) =>
        choices.flatMap((each) => each.slice(round % Math.max(1, each.length)).slice(0, 1)),
      );
      const alone = choices.flatMap((each) => each.map((pair) => [pair]));
      this.from(...rounds, ...alone.slice(0, Math.max(0, most - 1 - rounds.length)));
      const isWhole = edgesOf(this.program).every((edge) => this.reaches(edge));
      if (count > MAX_GIVEN && !isWhole) this.from(...alone.slice(0, MAX_GIVEN));
      if (count > MAX_GIVEN) this.#isCut = true;
      if (count > MAX_GIVEN || isWhole) return;
    }
    let givens: (readonly [string, unknown])[][] = [[]];
    for (const pairs of choices)
      givens = [...givens, ...givens.flatMap((given) => pairs.map((pair) => [...given, pair]))];
    givens.sort((a, b) => a.length - b.length);
    this.from(...givens.slice(1));
  }

  /** The step that covers a goal on the shortest path from the entry to an end. */
  best(goal: Goal): Way {
    return this.#best.get(goal) as Way;
  }

  #shows(from: State, answer: Answer | undefined, to: State, edge: RunEdge): readonly Goal[] {
    const node = to.frame.program.nodes.get(edge.from);
    if (!this.options.variants || !node) return [edge];
    let variants = this.#variants.get(node);
    if (!variants) {
      this.options.work.spend(node.edges.length ** 2);
      variants = variantsOf(node);
      this.#variants.set(node, variants);
    }
    this.options.work.spend(variants.length * node.edges.length);
    const { question } = from;
    const left = {
      edge,
      isChosen: answer !== undefined && "take" in answer,
      event: answer && "event" in answer ? answer.event : question?.kind === "choice" ? question.event : undefined,
      variables: to.frame.variables,
    };
    return [edge, ...variants.filter((variant) => isNoticed(variant, left))];
  }

  #arrive(
    state: State,
    given: Place["given"],
    before: number,
    round: number | undefined,
  ): { readonly place: Place; readonly isNew: boolean } | undefined {
    const key = this.#keyOf(state);
    const known = this.#places.get(key);
    if (known) return { place: known, isNew: false };
    if (this.#places.size >= MAX_PLACES || (this.options.isThinned && !this.#isTelling(state, round))) {
      this.#isCut = true;
      return undefined;
    }
    const entered = state.phase === "leaving" || state.ended?.kind === "stuck" ? 0 : 1;
    // Drops the machine's history, which would keep every state alive.
    const place: Place = {
      state: { ...state, before: undefined, steps: 1 },
      given,
      by: undefined,
      length: before + entered,
      ways: [],
      toEnd: undefined,
    };
    this.#places.set(key, place);
    this.#entered.add(state.node);
    return { place, isNew: true };
  }

  /** Whether a state has a new value at its node, or is the first after an edge. */
  #isTelling(state: State, round: number | undefined): boolean {
    const { phase, at, ended, taken, frame } = state;
    if (ended || (taken && !this.#taken.has(taken))) return true;
    if (round !== undefined) return this.#isUnseen([round, phase, at]);
    const live = this.#liveIn(state);
    const { together } = this.worth.in(frame.program);
    const groups = [...[...live].map((variable) => [variable]), ...together];
    let isNew = live.size === 0;
    for (const group of groups) {
      if (group.some((variable) => !live.has(variable))) continue;
      const values = group.map((variable) => frame.variables.get(variable) ?? null);
      if (this.#isUnseen([phase, at, group, values])) isNew = true;
    }
    return isNew;
  }

  #isUnseen(what: readonly unknown[]): boolean {
    const shown = JSON.stringify(what);
    this.options.work.spend(1);
    if (this.#seen.has(shown)) return false;
    this.#seen.add(shown);
    return true;
  }

  #keyOf(state: State): string {
    const { phase, at, question, ended, frame } = state;
    const values = [...this.#liveIn(state)].map((variable) => frame.variables.get(variable) ?? null);
    const open = question?.kind === "choice" ? question.ways.open.map(({ id }) => id) : [];
    this.options.work.spend(WORK_OF_PLACE + values.length + open.length + at.length);
    return JSON.stringify([phase, at, ended?.kind ?? "", open, values, ...this.#around(frame)]);
  }

  /** What matters of the flows around a component. */
  #around({ caller }: Frame): unknown[] {
    if (!caller) return [];
    const live = this.worth.in(caller.frame.program).liveAt(caller.node);
    const values = [...live].map((variable) => caller.frame.variables.get(variable) ?? null);
    return [values, ...this.#around(caller.frame)];
  }

  /** The variables whose values can still make a difference; at a choice, after its edges. */
  #liveIn({ node, question, frame }: State): ReadonlySet<string> {
    const { program } = frame;
    const candidates = this.worth.in(program);
    if (question?.kind !== "choice") return candidates.liveAt(node);
    const live = new Set<string>();
    for (const { to } of question.ways.open) {
      const target = program.nodes.get(to);
      for (const variable of target ? candidates.liveAt(target) : []) live.add(variable);
    }
    return live;
  }

  /** Computes the distance of each place to an end, backwards, then the best step for each goal. */
  #measure(): void {
    const into = new Map<Place, Way[]>();
    for (const place of this.#places.values()) for (const way of place.ways) addTo(into, way.to, way);
    let layer: Place[] = [];
    for (const place of this.#places.values()) {
      const { ended } = place.state;
      place.toEnd = ended?.kind === "end" || ended?.kind === "transfer" ? { length: 0, way: undefined } : undefined;
      if (place.toEnd) layer.push(place);
    }
    while (layer.length > 0) {
      const farther: Place[] = [];
      // Choices are appended to the layer, because they are nearer than the next one.
      const open = [...layer];
      for (const place of open)
        for (const way of into.get(place) ?? []) {
          if (way.from.toEnd) continue;
          const isChoice = place.state.phase === "leaving";
          way.from.toEnd = { length: (place.toEnd?.length ?? 0) + (isChoice ? 0 : 1), way };
          (isChoice ? open : farther).push(way.from);
        }
      layer = farther;
    }
    this.#best.clear();
    for (const place of this.#places.values())
      for (const way of place.ways) {
        if (!way.to.toEnd) continue;
        for (const goal of way.goals) {
          const known = this.#best.get(goal);
          if (!known || costOf(way) < costOf(known)) this.#best.set(goal, way);
        }
      }
  }
}

/** Given variables are a last resort, so they cost more than any path. */
export function costOf({ from, to }: Way): number {
  return from.length + (to.toEnd?.length ?? 0) + 100_000 * from.given.length;
}

function edgesOf({ nodes }: Program): RunEdge[] {
  return [...nodes.values()].flatMap(({ edges }) => edges);
}
