/**
 * All runs of a flow that agree with the hard evidence of a call, as a graph of machine states. A place is a node that a run
 * entered together with the values that still matter there; a move is what leads to the next one. Places from which no
 * run agrees with the evidence are left out.
 */

import { type Answer, isEntry, next, type State, start, variablesOf } from "../run/machine";
import { eventsAt, type RunEdge, type RunNode } from "../run/program";
import { answerWith } from "../test/generate/answers";
import type { TracedCall } from "./call";
import type { FlowRuns } from "./flow-runs";

export interface Place {
  readonly index: number;
  /** The node as reports name it: `part/node` inside a component. */
  readonly at: string;
  readonly node: RunNode;
  readonly moves: readonly Move[];
  /** Set where the run ends here. */
  readonly end: "end" | "transfer" | undefined;
  /** Whether a run that agrees with the evidence may be over here. */
  readonly mayStop: boolean;
}

export interface Move {
  readonly to: number;
  /** The edge in the flow file; undefined on the way into a component. */
  readonly edge: RunEdge | undefined;
  /** The index of the edge in the `edges` of its node. */
  readonly edgeIndex: number | undefined;
  /** Between how many edges a model decided; 1 if the edge was the only one. */
  readonly options: number;
  /** How the node was answered. */
  readonly answer: "given" | "gave-up" | "event" | "none";
}

export interface Runs {
  readonly places: readonly Place[];
  readonly start: number;
  /** Whether some runs may be missing, so nothing but the entry is certain. */
  readonly isRelaxed: boolean;
}

/** The most places that are distinguished by the values of variables. */
const MAX_PLACES = 2_500;
/** The most steps that are tried for them. */
const MAX_STEPS = 200_000;
const MAX_ANSWERS = 24;
const MAX_STARTS = 32;
const MAX_KEPT = 500;

/** By flow and key: calls whose values differ only where no condition can tell have the same runs. */
const kept = new WeakMap<FlowRuns, Map<string, Runs | undefined>>();

interface Draft {
  readonly state: State;
  readonly moves: Move[];
  mayCut: boolean;
  isStuck: boolean;
}

/** Undefined if no run agrees with the call. */
export function agreeingRuns(flow: FlowRuns, call: Pick<TracedCall, "variables" | "ending">): Runs | undefined {
  const key = flow.keyOf(call);
  const known = kept.get(flow) ?? new Map<string, Runs | undefined>();
  kept.set(flow, known);
  if (known.has(key)) return known.get(key);
  const runs = new Exploration(flow, call).runs();
  if (known.size >= MAX_KEPT) known.clear();
  known.set(key, runs);
  return runs;
}

class Exploration {
  readonly #drafts: Draft[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #ids = new Map<unknown, number>();
  #steps = 0;

  constructor(
    private readonly flow: FlowRuns,
    private readonly call: Pick<TracedCall, "variables" | "ending">,
  ) {}

  runs(): Runs | undefined {
    const starts = this.#starts();
    for (const state of starts) this.#place(state);
    for (let index = 0; index < this.#drafts.length; index++) {
      if (this.#drafts.length > MAX_PLACES || this.#steps > MAX_STEPS) return relaxedRuns(this.flow, this.call);
      this.#expand(index, this.#drafts[index] as Draft);
    }
    const strict = this.#stopping(false);
    return this.#pruned(strict, starts.length) ?? this.#pruned(this.#stopping(true), starts.length);
  }

  #starts(): State[] {
    const { program, flowOf, given } = this.flow;
    const { variables } = this.call;
    if (variables) {
      const own = given.flatMap((name) => (variables.has(name) ? [[name, variables.get(name)] as const] : []));
      const state = start(program, own, flowOf);
      return state ? [state] : [];
    }
    // Nothing is known: one start for each kind of values that conditions distinguish.
    const candidates = this.flow.worth.in(program);
    let combinations: (readonly (readonly [string, unknown])[])[] = [[]];
    for (const name of given.filter((each) => candidates.asked.includes(each))) {
      const more = combinations.flatMap((known) =>
        candidates.of(name).map((value) => [...known, [name, value] as const]),
      );
      if (more.length > MAX_STARTS) break;
      combinations = more;
    }
    return combinations.flatMap((own) => start(program, own, flowOf) ?? []);
  }

  /** The place of a state that entered a node; undefined if no run through it can agree with the final values. */
  #place(state: State): number | undefined {
    const key = this.#keyOf(state);
    if (key === undefined) return undefined;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.#drafts.length;
    this.#indexes.set(key, index);
    this.#drafts.push({ state, moves: [], mayCut: this.#matches(variablesOf(state)), isStuck: false });
    return index;
  }

  #keyOf(state: State): string | undefined {
    const parts = [state.at];
    let { node } = state;
    for (let frame: State["frame"] | undefined = state.frame; frame; frame = frame.caller?.frame) {
      const reach = this.flow.reach(frame.program);
      const live = this.flow.worth.in(frame.program).liveAt(node);
      const isOutermost = !frame.caller;
      for (const { name } of frame.program.document.variables) {
        const value = frame.variables.get(name);
        const isWrong = isOutermost && this.#isWrong(name, value);
        if (live.has(name) || reach.isHandedOver(name)) parts.push(`${name}=${this.#idOf(value)}`);
        // A value that no later condition reads matters only if it's the final one.
        else if (isWrong) parts.push(name);
        if (isWrong && !reach.isSetFrom(name, node)) {
          // Inside a component, its node may still save the value.
          if (state.frame === frame || !node.sets.includes(name)) return undefined;
        }
      }
      if (frame.caller) node = frame.caller.node;
    }
    return parts.join("\u0000");
  }

  #idOf(value: unknown): number {
    const key = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(key, id);
    }
    return id;
  }

  /** Whether a variable differs from its final value. */
  #isWrong(name: string, value: unknown): boolean {
    const { variables } = this.call;
    if (!variables || !this.flow.settable.has(name)) return false;
    return !isSame(value, variables.get(name));
  }

  #matches(values: ReadonlyMap<string, unknown>): boolean {
    for (const name of this.flow.settable) if (this.#isWrong(name, values.get(name))) return false;
    return true;
  }

  #expand(index: number, draft: Draft): void {
    const { state } = draft;
    if (state.ended) return;
    for (const answer of this.#answersAt(state)) {
      const how =
        answer && "give" in answer
          ? answer.give === undefined || answer.give === null
            ? "gave-up"
            : "given"
          : answer && "event" in answer
            ? "event"
            : "none";
      const after = next(state, answer);
      if (!isNewPlace(state, after) && !after.ended && this.#matches(variablesOf(after))) draft.mayCut = true;
      this.#leave(index, draft, state, after, how, 1);
    }
  }

  #leave(index: number, draft: Draft, from: State, after: State, answer: Move["answer"], options: number): void {
    this.#steps++;
    if (isNewPlace(from, after)) {
      if (after.ended && after.ended.kind !== "end" && after.ended.kind !== "transfer") return;
      if (this.#matches(variablesOf(after))) draft.mayCut = true;
      const to = this.#place(after);
      if (to === undefined) return;
      const { taken } = after;
      const edgeIndex = taken ? indexOf(taken, after) : undefined;
      const isKnown = draft.moves.some((move) => move.to === to && move.edge === taken && move.answer === answer);
      if (!isKnown) draft.moves.push({ to, edge: taken, edgeIndex, options, answer });
      return;
    }
    if (after.ended) {
      if (after.ended.kind === "stuck" && this.#matches(variablesOf(after))) draft.isStuck = true;
      return;
    }
    if (after.question?.kind !== "choice") return;
    const { open } = after.question.ways;
    for (const edge of open) this.#leave(index, draft, from, next(after, { take: edge }), answer, open.length);
  }

  #answersAt(state: State): readonly (Answer | undefined)[] {
    const { question, node, frame } = state;
    if (!question || question.kind === "choice") return [undefined];
    const options = (variable: string): readonly unknown[] => {
      const { variables } = this.call;
      const candidates = this.flow.worth.in(frame.program).of(variable);
      if (!variables) return candidates;
      if (frame.caller) {
        // A component may return a value that the call ends with.
        if (!this.flow.reach(frame.program).isHandedOver(variable)) return candidates;
        const returned = this.flow.returned.flatMap((name) => variables.get(name) ?? []);
        return [...new Set([...returned, ...candidates])];
      }
      const final = variables.get(variable);
      // A value that is set again matters only if a condition reads it before.
      if (!this.flow.isReadAfter(variable, node) || !this.flow.reach(frame.program).isSetAfter(variable, node))
        return [final];
      return [final, ...candidates.filter((each) => !isSame(each, final))];
    };
    if (question.kind === "value") return options(question.variable).map((give) => ({ give }));
    const { flow } = question;
    const returned: readonly Answer[] = flow ? [{ enter: flow }] : returnsOf(node, options);
    return [...returned, ...eventsAt(node).map((event) => ({ event }))];
  }

  /** Whether a run may be over at each place. A run that gets stuck counts only if no other agrees. */
  #stopping(withStuck: boolean): boolean[] {
    const { ending } = this.call;
    return this.#drafts.map(({ state, mayCut, isStuck }) => {
      const kind = state.ended?.kind;
      if (kind === "transfer") return (ending === "transfer" || ending === "open") && this.#matches(variablesOf(state));
      if (ending === "transfer") return false;
      if (kind === "end") return this.#matches(variablesOf(state));
      if (withStuck && isStuck) return true;
      return ending !== "end" && mayCut;
    });
  }

  #pruned(mayStop: readonly boolean[], starts: number): Runs | undefined {
    const drafts = this.#drafts;
    const before = drafts.map((): number[] => []);
    drafts.forEach(({ moves }, index) => {
      for (const { to } of moves) before[to]?.push(index);
    });
    const isKept = mayStop.map((each) => each);
    const open = isKept.flatMap((each, index) => (each ? [index] : []));
    for (let each = open.pop(); each !== undefined; each = open.pop())
      for (const index of before[each] ?? [])
        if (!isKept[index]) {
          isKept[index] = true;
          open.push(index);
        }
    // Starts differ only in the values of given variables, so the first that agrees is used.
    const first = Array.from({ length: starts }, (_, index) => index).find((index) => isKept[index]);
    if (first === undefined) return undefined;
    const numbers = new Map<number, number>();
    drafts.forEach((_, index) => {
      if (isKept[index]) numbers.set(index, numbers.size);
    });
    const places = drafts.flatMap(({ state, moves }, index): Place[] => {
      const own = numbers.get(index);
      if (own === undefined) return [];
      const kind = state.ended?.kind;
      return [
        {
          index: own,
          at: state.at,
          node: state.node,
          moves: moves.flatMap((move) => {
            const to = numbers.get(move.to);
            return to === undefined ? [] : [{ ...move, to }];
          }),
          end: kind === "end" || kind === "transfer" ? kind : undefined,
          mayStop: mayStop[index] ?? false,
        },
      ];
    });
    return merged({ places, start: numbers.get(first) as number, isRelaxed: starts > 1 });
  }
}

/** The same runs with fewer places: those from which the same moves lead on become one. */
function merged({ places, start, isRelaxed }: Runs): Runs {
  let classes: number[] = [];
  const moveKey = ({ to, edge, answer }: Move) => `${edge?.id ?? ""}\u0001${answer}\u0001${classes[to]}`;
  for (let count = 0; ; ) {
    const known = new Map<string, number>();
    const refined = places.map((place) => {
      const moves = classes.length === 0 ? [] : [...new Set(place.moves.map(moveKey))].sort();
      const key = [classes[place.index] ?? "", place.at, place.end, place.mayStop, ...moves].join("\u0000");
      const own = known.get(key) ?? known.size;
      known.set(key, own);
      return own;
    });
    classes = refined;
    if (known.size === count) break;
    count = known.size;
  }
  const kept: Place[] = [];
  for (const place of places) {
    const own = classes[place.index] as number;
    if (kept[own]) continue;
    const moves = new Map(place.moves.map((move) => [moveKey(move), { ...move, to: classes[move.to] as number }]));
    kept[own] = { ...place, index: own, moves: [...moves.values()] };
  }
  return { places: kept, start: classes[start] as number, isRelaxed };
}

/** Too many combinations of values: places are nodes, and every edge counts that isn't false with any of the values. */
function relaxedRuns(
  flow: FlowRuns,
  { variables, ending }: Pick<TracedCall, "variables" | "ending">,
): Runs | undefined {
  const { program } = flow;
  const nodes = [...program.nodes.values()];
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const entry = program.entry && numbers.get(program.entry.id);
  if (entry === undefined) return undefined;
  const hasTransfer = nodes.some(({ type }) => type === "transfer");
  if (ending === "transfer" && !hasTransfer) return undefined;
  const places = nodes.map((node, index): Place => {
    const end = node.type === "end" || node.type === "transfer" ? node.type : undefined;
    const isOver = end ? (end === "transfer") === (ending === "transfer") || ending === "open" : false;
    const final = node.variable === undefined ? undefined : variables?.get(node.variable);
    return {
      index,
      at: node.id,
      node,
      moves: node.edges.flatMap((edge) => {
        const to = numbers.get(edge.to);
        const edgeIndex = node.block.edges.indexOf(edge.model);
        const answer = edge.isOnEvent
          ? "event"
          : node.variable === undefined
            ? "none"
            : final === undefined
              ? "gave-up"
              : "given";
        return to === undefined ? [] : [{ to, edge, edgeIndex, options: node.edges.length, answer }];
      }),
      end,
      mayStop: end ? isOver : ending === "cut" || ending === "open",
    };
  });
  return { places, start: entry, isRelaxed: true };
}

function isNewPlace(from: State, after: State): boolean {
  return isEntry(after) && after !== from;
}

function indexOf(edge: RunEdge, { before, frame }: State): number {
  // After a component, the edge belongs to the component's node.
  const node = frame.program.nodes.get(edge.from) ?? before?.node;
  return node?.block.edges.indexOf(edge.model) ?? -1;
}

function returnsOf(node: RunNode, options: (variable: string) => readonly unknown[]): Answer[] {
  const saves = node.saves.filter(({ path }) => path !== undefined);
  let picks: (readonly unknown[])[] = [[]];
  for (const { variable } of saves) {
    const values = options(variable);
    const more = picks.flatMap((pick) => values.map((value) => [...pick, value]));
    picks = more.length > MAX_ANSWERS ? picks.map((pick) => [...pick, values[0]]) : more;
  }
  return picks.map((values) => ({ return: answerWith(saves, (_, index) => values[index]) }));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
