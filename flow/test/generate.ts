/**
 * A small set of tests that takes every edge that a run can take on its way to an end. The flow is searched with the
 * machine itself: a state is a node with the values that still matter, and every answer worth giving leads on. The
 * shortest way to each edge and on to an end makes a test; of those, as few as cover all are kept.
 */
import { type Answer, next, type State, start } from "../run/machine";
import type { Program, RunEdge, RunNode } from "../run/program";
import { type Candidates, candidatesFor } from "./candidates";
import { edgesInReach, reachableFrom } from "./coverage";

export interface GeneratedTest {
  /** The edge that tells it apart from the other tests. */
  readonly edge: RunEdge | undefined;
  readonly given: readonly (readonly [string, unknown])[];
  readonly answers: readonly { readonly at: State; readonly answer: Answer }[];
  readonly last: State;
}

export interface Generated {
  readonly tests: readonly GeneratedTest[];
  /** The edges no test can take, each with its reason. */
  readonly unreachable: readonly { readonly id: string; readonly reason: string }[];
}

export function generateTests(program: Program): Generated {
  const candidates = candidatesFor(program);
  const search = new Search(program, candidates);
  search.from([]);
  const edges = [...program.nodes.values()].flatMap((node) => node.edges);
  if (edges.some((edge) => !search.reaches(edge))) search.fromGiven();
  const wanted = edges.filter((edge) => search.reaches(edge));
  return {
    tests: fewest(wanted, search, edges.length),
    unreachable: edges
      .filter((edge) => !search.reaches(edge))
      .map((edge) => ({ id: edge.id, reason: reasonFor(edge, program, search) })),
  };
}

/** A state by what matters of it: states with the same key behave alike. */
interface Place {
  readonly state: State;
  readonly given: readonly (readonly [string, unknown])[];
  /** How it was reached first, which is by a shortest way. */
  readonly from: { readonly place: Place; readonly answer: Answer | undefined } | undefined;
  /** Nodes entered up to here. */
  readonly length: number;
  readonly ways: Way[];
  /** Nodes still to be entered up to the nearest end, and the way there. */
  toEnd: { readonly length: number; readonly way: Way | undefined } | undefined;
}

interface Way {
  readonly from: Place;
  readonly answer: Answer | undefined;
  readonly to: Place;
  readonly edge: RunEdge | undefined;
}

/** A flow with more states than this is searched in part. */
const MAX_PLACES = 40_000;

/** Answers of one call to a tool, and sets of given values, that are tried at most. */
const MAX_ANSWERS = 48;
const MAX_GIVEN = 2_000;

class Search {
  readonly #places = new Map<string, Place>();
  readonly #best = new Map<RunEdge, Way>();
  readonly #taken = new Set<RunEdge>();

  constructor(
    readonly program: Program,
    readonly candidates: Candidates,
  ) {}

  /** Whether a way to an end takes the edge. */
  reaches(edge: RunEdge): boolean {
    return this.#best.has(edge);
  }

  /** Whether a run can take it at all. */
  takes(edge: RunEdge): boolean {
    return this.#taken.has(edge);
  }

  enters(node: RunNode): boolean {
    for (const { state } of this.#places.values()) if (state.node === node) return true;
    return false;
  }

  /** Searches from the entry with some variables given; nearer places are looked at first. */
  from(...givens: readonly (readonly (readonly [string, unknown])[])[]): void {
    const near: Place[] = [];
    for (const given of givens) {
      const state = start(this.program, given);
      const place = state && this.#arrive(state, given, undefined);
      if (place?.isNew) near.push(place.place);
    }
    // Choices cost no node: they are followed before anything farther away.
    let far: Place[] = [];
    for (let layer = near; layer.length > 0; layer = far, far = []) {
      const open = [...layer].reverse();
      far = [];
      for (let place = open.pop(); place; place = open.pop()) {
        if (place.state.ended) continue;
        for (const answer of this.#answers(place.state)) {
          const reached = this.#arrive(next(place.state, answer), place.given, { place, answer });
          if (!reached) continue;
          const { taken } = reached.state;
          const way: Way = { from: place, answer, to: reached.place, edge: taken };
          place.ways.push(way);
          if (taken) this.#taken.add(taken);
          if (reached.isNew) (reached.state.phase === "leaving" ? open : far).push(reached.place);
        }
      }
    }
    this.#measure();
  }

  /** The same with values that nothing in the flow sets, for edges that nothing else reaches. */
  fromGiven(): void {
    let givens: (readonly [string, unknown])[][] = [[]];
    for (const variable of this.candidates.asked) {
      const values = this.candidates.of(variable).filter((value) => value !== undefined);
      const more = givens.flatMap((given) => values.map((value) => [...given, [variable, value] as const]));
      if (givens.length + more.length > MAX_GIVEN) break;
      givens = [...givens, ...more];
    }
    givens.sort((a, b) => a.length - b.length);
    this.from(...givens.slice(1));
  }

  /** The way that takes an edge with the fewest nodes from the entry to an end. */
  best(edge: RunEdge): Way {
    return this.#best.get(edge) as Way;
  }

  #arrive(
    state: State,
    given: Place["given"],
    from: Place["from"],
  ): { readonly place: Place; readonly isNew: boolean; readonly state: State } | undefined {
    const key = this.#keyOf(state);
    const known = this.#places.get(key);
    if (known) return { place: known, isNew: false, state };
    if (this.#places.size >= MAX_PLACES) return undefined;
    const entered = state.phase === "leaving" || state.ended?.kind === "stuck" ? 0 : 1;
    // The machine's own memory of the way isn't needed here, and keeps every state alive.
    const place: Place = {
      state: { ...state, before: undefined, steps: 1 },
      given,
      from,
      length: (from?.place.length ?? 0) + entered,
      ways: [],
      toEnd: undefined,
    };
    this.#places.set(key, place);
    return { place, isNew: true, state };
  }

  #keyOf(state: State): string {
    const { phase, at, question, ended, frame, node } = state;
    const isLeaving = question?.kind === "choice";
    const live = isLeaving ? this.candidates.asked : this.candidates.liveAt(node);
    const values = live.map((variable) => frame.variables.get(variable));
    const open = isLeaving ? question.ways.open.map(({ id }) => id) : [];
    return JSON.stringify([phase, at, ended?.kind ?? "", open, values.map((value) => value ?? null)]);
  }

  #answers(state: State): readonly (Answer | undefined)[] {
    const { question, node } = state;
    if (!question) return [undefined];
    if (question.kind === "choice") return question.ways.open.map((edge) => ({ take: edge }));
    if (question.kind === "value") return this.candidates.of(question.variable).map((value) => ({ give: value }));
    const events = [...new Set(node.edges.flatMap(({ isOnEvent, on }) => (isOnEvent && on !== undefined ? on : [])))];
    return [...this.#returns(node), ...events.map((event) => ({ event }))];
  }

  /** Answers of a tool for all combinations of what it saves, or for one variable at a time where those are many. */
  #returns(node: RunNode): Answer[] {
    const saves = node.saves.filter(({ path }) => path !== undefined);
    const choices = saves.map(({ variable }) => this.candidates.of(variable));
    const combinations = choices.reduce((product, values) => product * values.length, 1);
    const picks: (readonly unknown[])[] = [];
    if (combinations <= MAX_ANSWERS)
      for (let number = 0; number < combinations; number++) {
        let rest = number;
        picks.push(
          choices.map((values) => {
            const value = values[rest % values.length];
            rest = Math.floor(rest / values.length);
            return value;
          }),
        );
      }
    else
      choices.forEach((values, index) => {
        for (const value of values) picks.push(choices.map((each, other) => (other === index ? value : each[0])));
      });
    return picks.map((values) => ({ return: answerWith(saves, values) }));
  }

  /** From the ends backwards: how far each place is from one. Then the best way for each edge. */
  #measure(): void {
    const into = new Map<Place, Way[]>();
    for (const place of this.#places.values())
      for (const way of place.ways) {
        const known = into.get(way.to);
        if (known) known.push(way);
        else into.set(way.to, [way]);
      }
    let layer: Place[] = [];
    for (const place of this.#places.values()) {
      const { ended } = place.state;
      place.toEnd = ended?.kind === "end" || ended?.kind === "transfer" ? { length: 0, way: undefined } : undefined;
      if (place.toEnd) layer.push(place);
    }
    while (layer.length > 0) {
      const farther: Place[] = [];
      const open = [...layer];
      for (let place = open.shift(); place; place = open.shift())
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
        if (!way.edge || !way.to.toEnd) continue;
        const known = this.#best.get(way.edge);
        if (!known || costOf(way) < costOf(known)) this.#best.set(way.edge, way);
      }
  }
}

/** Given variables are a last resort, so they cost more than any way. */
function costOf({ from, to }: Way): number {
  return from.length + (to.toEnd?.length ?? 0) + 100_000 * from.given.length;
}

function answerWith(saves: RunNode["saves"], values: readonly unknown[]): unknown {
  let answer: unknown = {};
  saves.forEach(({ path }, index) => {
    const value = values[index];
    if (value !== undefined && path) answer = put(answer, path, value);
  });
  return answer;
}

function put(into: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  const inside =
    typeof into === "object" && into !== null ? (into as Record<string | number, unknown>)[first] : undefined;
  const filled = put(inside, rest, value);
  if (typeof first === "number") {
    const list = Array.isArray(into) ? [...into] : [];
    while (list.length < first) list.push(null);
    list[first] = filled;
    return list;
  }
  return { ...(typeof into === "object" && into !== null && !Array.isArray(into) ? into : {}), [first]: filled };
}

/** A flow's tests should be few: at most one for so many edges, where that can be had by going on to further edges. */
const EDGES_PER_TEST = 3;

/** How often a test may go on to another edge that no test takes yet, before it goes to an end. */
const MAX_DETOURS = 3;

function fewest(wanted: readonly RunEdge[], search: Search, edges: number): GeneratedTest[] {
  if (edges === 0) {
    const only = start(search.program);
    return only?.ended ? [{ edge: undefined, given: [], answers: [], last: only }] : [];
  }
  let best: GeneratedTest[] | undefined;
  for (let detours = 0; detours <= MAX_DETOURS; detours++) {
    const tests = covering(wanted, search, detours);
    if (!best || tests.length < best.length) best = tests;
    if (best.length * EDGES_PER_TEST <= edges) break;
  }
  return best ?? [];
}

/** Greedy: the shortest way that takes most edges not taken yet, then on to the nearest such edges, then to an end. */
function covering(wanted: readonly RunEdge[], search: Search, detours: number): GeneratedTest[] {
  const direct = wanted.map((edge) => {
    const way = search.best(edge);
    const taken = new Set(waysOf(way).flatMap((each) => each.edge ?? []));
    return { way, taken, length: way.from.length + (way.to.toEnd?.length ?? 0) };
  });
  const left = new Set<RunEdge>(wanted);
  const tests: GeneratedTest[] = [];
  while (left.size > 0) {
    let best: (typeof direct)[number] | undefined;
    let most = 0;
    for (const each of direct) {
      let count = 0;
      for (const edge of each.taken) if (left.has(edge)) count++;
      if (count > most || (best && count === most && each.length < best.length)) [best, most] = [each, count];
    }
    if (!best) break;
    const ways = waysOf(best.way, false);
    const news = ways.flatMap(({ edge }) => (edge && left.delete(edge) ? edge : []));
    for (let detour = 0; detour < detours; detour++) {
      const further = nearest((ways.at(-1) as Way).to, left);
      if (!further) break;
      ways.push(...further);
      news.push(...further.flatMap(({ edge }) => (edge && left.delete(edge) ? edge : [])));
    }
    const toEnd = onwards((ways.at(-1) as Way).to);
    news.push(...toEnd.flatMap(({ edge }) => (edge && left.delete(edge) ? edge : [])));
    tests.push(runAlong([...ways, ...toEnd], news, search.program));
  }
  return tests;
}

/** The ways from the entry to a way, over it, and on to the nearest end. */
function waysOf(way: Way, isWhole = true): Way[] {
  const ways = [way];
  for (let at = way.from; at.from; at = at.from.place)
    ways.unshift(at.from.place.ways.find((each) => each.to === at) as Way);
  return isWhole ? [...ways, ...onwards(way.to)] : ways;
}

function onwards(place: Place): Way[] {
  const ways: Way[] = [];
  for (let way = place.toEnd?.way; way; way = way.to.toEnd?.way) ways.push(way);
  return ways;
}

/** The shortest ways from a place over an edge that is wanted, from which an end can be reached. */
function nearest(place: Place, wanted: ReadonlySet<RunEdge>): Way[] | undefined {
  const before = new Map<Place, Way>();
  const queue = [place];
  for (const at of queue)
    for (const way of at.ways) {
      if (way.edge && wanted.has(way.edge) && way.to.toEnd) {
        const ways = [way];
        for (let back = before.get(at); back; back = before.get(back.from)) ways.unshift(back);
        return ways;
      }
      if (way.to === place || before.has(way.to)) continue;
      before.set(way.to, way);
      queue.push(way.to);
    }
  return undefined;
}

function runAlong(ways: readonly Way[], news: readonly RunEdge[], program: Program): GeneratedTest {
  const given = ways[0]?.from.given ?? [];
  const answers: { at: State; answer: Answer }[] = [];
  let state = start(program, given) as State;
  for (const { answer } of ways) {
    if (answer) answers.push({ at: state, answer });
    state = next(state, answer);
  }
  // What tells the test apart: the last edge only it takes that wasn't the only way on.
  const telling = news.filter((edge) => (program.nodes.get(edge.from)?.edges.length ?? 0) > 1);
  return { edge: telling.at(-1) ?? news.at(-1), given, answers, last: state };
}

function reasonFor(edge: RunEdge, program: Program, search: Search): string {
  const node = program.nodes.get(edge.from) as RunNode;
  if (!program.entry) return "the flow has no entry node";
  if (!reachableFrom(program).nodes.has(edge.from)) return `no path from the entry leads to "${edge.from}"`;
  if (!edgesInReach(node).includes(edge))
    return node.edges.some((other) => other.condition === undefined && !other.isOnEvent) &&
      node.type !== "end" &&
      node.type !== "transfer"
      ? "it stands behind the default edge"
      : `"${edge.from}" ends the conversation`;
  if (!program.nodes.has(edge.to)) return `it leads to "${edge.to}", which doesn't exist`;
  if (!search.enters(node)) return `no run reaches "${edge.from}"`;
  if (search.takes(edge)) return "every run that takes it gets stuck or is endless";
  if (edge.isOnEvent && node.type !== "tool" && node.type !== "component")
    return `"${edge.from}" never gets the event "${edge.on ?? ""}"`;
  if (edge.condition === undefined) return "the edges before it are always taken";
  return "its condition is never true here, or the edges before it are taken first";
}
