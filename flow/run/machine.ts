/**
 * The machine that runs a flow without the platform and without a model. A state is an immutable value that knows the one
 * before it, so a run is a list of states, every step can be undone, and a run can go on from any of its states twice.
 * What a model, a caller or a tool would answer is a question; the caller of the machine answers it with `next`.
 */

import type { NodeBlock } from "../document";
import type { Span } from "../text";
import { follow, type Program, type RunEdge, type RunNode, truthFor, type Ways, waysOut } from "./program";
import { Filling, isTooLarge } from "./templates";
import { withValues } from "./variables";
import type { Spending } from "./work";

/** Entering a node is a step; a run with more of them is endless. */
export const MAX_STEPS = 10_000;

/** Components deeper inside each other than this are endless too: they call themselves. */
export const MAX_COMPONENT_DEPTH = 100;

export interface State {
  /** The state before this one, to step back and to tell the whole run. */
  readonly before: State | undefined;
  /** `entered`: at a node, before it does anything. `leaving`: it is done, and its edges are a choice. `ended`: nothing follows. */
  readonly phase: "entered" | "leaving" | "ended";
  readonly frame: Frame;
  readonly node: RunNode;
  /** The node's id; inside a component with the component node's id and a slash before it. */
  readonly at: string;
  /** How many nodes were entered up to here. */
  readonly steps: number;
  /** The edge that led here, in the flow of this frame; `takenId` formats its ID like `at`. */
  readonly taken: RunEdge | undefined;
  /** The question that must be answered to continue. */
  readonly question: Question | undefined;
  readonly ended: Ended | undefined;
  /** The variables that the node read without a value on entering. */
  readonly unset: readonly UnsetRead[];
}

/** A running flow: the outermost one, or a component of another frame. */
export interface Frame {
  readonly program: Program;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly prefix: string;
  readonly depth: number;
  readonly caller: { readonly frame: Frame; readonly node: RunNode } | undefined;
  readonly flowOf: FlowOf;
  /** What the run may still take; where it is more, `next` throws `WorkSpent`. */
  readonly work: Spending | undefined;
}

/** The flow of a component node, by ID, if it's available. */
export type FlowOf = (id: string) => Program | undefined;

export type Question =
  /** Only a model can decide which of these edges is taken. */
  | { readonly kind: "choice"; readonly ways: Ways; readonly event: string | undefined }
  | { readonly kind: "value"; readonly variable: string }
  | {
      readonly kind: "call";
      readonly what: "tool" | "component";
      readonly id: string | undefined;
      /** The component's flow, if it's available. */
      readonly flow: Program | undefined;
    };

export type Answer =
  | { readonly take: RunEdge }
  /** Undefined or null: the caller gave up. */
  | { readonly give: unknown }
  | { readonly return: unknown }
  | { readonly event: string }
  /** Runs the component's flow. */
  | { readonly enter: Program };

export interface Ended {
  readonly kind: "end" | "transfer" | "stuck" | "endless";
  readonly node: string;
}

export interface UnsetRead {
  readonly variable: string;
  readonly at: string;
  readonly program: Program;
  readonly block: NodeBlock;
  /** Relative to the block. */
  readonly span: Span;
}

/** The first state of a run; undefined if the flow has no entry node. */
export function start(
  program: Program,
  given: Iterable<readonly [string, unknown]> = [],
  flowOf: FlowOf = () => undefined,
  work?: Spending,
): State | undefined {
  const variables = new Map([...given].filter(([, value]) => value !== null && value !== undefined));
  const frame: Frame = { program, variables, prefix: "", depth: 0, caller: undefined, flowOf, work };
  return program.entry && enter(undefined, frame, program.entry, undefined);
}

/** The next state. A state with a question needs an answer; one that has ended stays the same. */
export function next(state: State, answer?: Answer): State {
  const { question, frame, node } = state;
  if (state.ended) return state;
  if (!question) return frame.caller && node.type === "end" ? comeBack(state, frame.caller) : leave(state, frame);
  // A manually changed variable may have decided the choice.
  if (!answer && question.kind === "choice" && !question.ways.isChoice) {
    const [only] = question.ways.open;
    return only ? take(state, frame, only) : stuck(state, frame, undefined);
  }
  if (!answer) throw new Error(`The run waits for an answer at "${state.at}".`);
  if (question.kind === "choice" && "take" in answer) return take(state, frame, answer.take);
  if (question.kind === "value" && "give" in answer)
    return leave(state, withVariables(frame, [[question.variable, answer.give]]));
  if (question.kind === "call") {
    if ("event" in answer) return leave(state, frame, answer.event);
    if ("return" in answer) return leave(state, saved(frame, node, answer.return));
    if ("enter" in answer) return enterComponent(state, answer.enter);
  }
  throw new Error(`This is no answer to what the run asks at "${state.at}".`);
}

function enter(before: State | undefined, frame: Frame, node: RunNode, taken: State["taken"]): State {
  const at = frame.prefix + node.id;
  const steps = (before?.steps ?? 0) + 1;
  frame.work?.spend(1 + node.edges.length + node.reads.length + frame.depth);
  if (steps > MAX_STEPS || frame.depth > MAX_COMPONENT_DEPTH)
    return ended({ before, frame, node, at, taken, steps: steps - 1, unset: none }, "endless");
  const unset = node.reads.length === 0 ? none : unsetReads(frame, node, at);
  const { type } = node;
  if (type === "transfer" || (type === "end" && !frame.caller))
    return ended({ before, frame, node, at, taken, steps, unset }, type);
  // Written out for speed, because this is created for every node of every run.
  return {
    before,
    phase: "entered",
    frame,
    node,
    at,
    steps,
    taken,
    question: questionOf(frame, node),
    ended: undefined,
    unset,
  };
}

const none: readonly never[] = [];

function ended(state: Omit<State, "phase" | "question" | "ended">, kind: Ended["kind"]): State {
  return { ...state, phase: "ended", question: undefined, ended: { kind, node: state.at } };
}

function questionOf(frame: Frame, node: RunNode): Question | undefined {
  if (node.type === "collect") {
    const { variable } = node;
    return variable === undefined ? undefined : { kind: "value", variable };
  }
  if (node.type !== "tool" && node.type !== "component") return undefined;
  const id = node.calls;
  const flow = node.type === "component" && id !== undefined ? frame.flowOf(id) : undefined;
  return { kind: "call", what: node.type, id, flow: flow?.entry ? flow : undefined };
}

function unsetReads(frame: Frame, node: RunNode, at: string): readonly UnsetRead[] {
  const { variables } = frame;
  if (node.reads.every(({ variable }) => variables.has(variable))) return none;
  const unset = node.reads.filter(({ variable }) => !variables.has(variable));
  return unset.map(({ variable, span }) => ({ variable, span, at, program: frame.program, block: node.block }));
}

/** Leaves the node of a state, whose frame may have changed; after an event, only edges for that event count. */
function leave(state: State, frame: Frame, event?: string): State {
  const ways = waysOut(state.node, event, truthFor(frame.variables));
  const [first] = ways.open;
  if (!first) return stuck(state, frame, undefined);
  if (!ways.isChoice) return take(state, frame, first);
  const question: Question = { kind: "choice", ways, event };
  return { ...state, before: state, phase: "leaving", frame, taken: undefined, question, unset: none };
}

function take(state: State, frame: Frame, edge: RunEdge): State {
  const target = frame.program.nodes.get(edge.to);
  return target ? enter(state, frame, target, edge) : stuck(state, frame, edge);
}

function stuck(state: State, frame: Frame, taken: State["taken"]): State {
  return ended({ ...state, before: state, frame, taken, unset: none }, "stuck");
}

function enterComponent(state: State, program: Program): State {
  const { frame, node } = state;
  if (!program.entry) return stuck(state, frame, undefined);
  const inputs = fillIn(node.inputs, frame);
  if (isTooLarge(inputs)) return ended({ ...state, before: state, unset: none }, "endless");
  const given = typeof inputs === "object" && inputs !== null && !Array.isArray(inputs) ? Object.entries(inputs) : [];
  const inside: Frame = {
    program,
    variables: new Map(given.filter(([, value]) => value !== null)),
    prefix: `${state.at}/`,
    depth: frame.depth + 1,
    caller: { frame, node },
    flowOf: frame.flowOf,
    work: frame.work,
  };
  return enter(state, inside, program.entry, undefined);
}

/** A component has ended: its outputs are the result of the node that called it. */
function comeBack(state: State, { frame, node }: NonNullable<Frame["caller"]>): State {
  const { program, prefix } = state.frame;
  const outputs = program.outputs.map(({ name, value }) => [name, fillIn(value, state.frame)] as const);
  if (outputs.some(([, value]) => isTooLarge(value))) return ended({ ...state, before: state, unset: none }, "endless");
  const answer = Object.fromEntries(outputs.filter(([, value]) => value !== undefined));
  const back: State = { ...state, node, at: prefix.slice(0, -1) };
  return { ...leave(back, saved(frame, node, answer)), before: state };
}

function saved(frame: Frame, node: RunNode, answer: unknown): Frame {
  return withVariables(
    frame,
    node.saves.map(({ variable, path }) => [variable, follow(path, answer)]),
  );
}

/** The same state with another value of a variable, in its own frame or a calling one. An open choice is evaluated again. */
export function withVariable(state: State, { depth }: Frame, name: string, value: unknown): State {
  const changed = (frame: Frame): Frame => {
    if (frame.depth === depth) return withVariables(frame, [[name, value]]);
    return frame.caller ? { ...frame, caller: { ...frame.caller, frame: changed(frame.caller.frame) } } : frame;
  };
  const frame = changed(state.frame);
  const { question } = state;
  if (question?.kind !== "choice") return { ...state, frame };
  const ways = waysOut(state.node, question.event, truthFor(frame.variables));
  return { ...state, frame, question: { ...question, ways } };
}

function withVariables(frame: Frame, changes: readonly (readonly [string, unknown])[]): Frame {
  if (changes.length === 0) return frame;
  return { ...frame, variables: withValues(frame.variables, changes, frame.work) };
}

function fillIn(data: unknown, { variables, work }: Frame): unknown {
  return new Filling(variables, work).of(data);
}

/** The states of a run, from its first to the given one. */
export function statesOf(last: State): State[] {
  const states: State[] = [];
  for (let state: State | undefined = last; state; state = state.before) states.push(state);
  return states.reverse();
}

/** The nodes that were entered, in order. */
export function pathOf(last: State): string[] {
  const path: string[] = [];
  for (let state: State | undefined = last; state; state = state.before) if (isEntry(state)) path.push(state.at);
  return path.reverse();
}

/** The edges that were taken, in order. */
export function edgesOf(last: State): string[] {
  const edges: string[] = [];
  for (let state: State | undefined = last; state; state = state.before)
    if (state.taken) edges.push(takenId(state, state.taken));
  return edges.reverse();
}

/** The ID of an edge that led to a state; inside a component, prefixed with the component node's ID and a slash. */
export function takenId({ frame }: State, taken: RunEdge): string {
  return frame.prefix + taken.id;
}

/** Whether this state entered a node. */
export function isEntry(state: State): boolean {
  return state.steps > (state.before?.steps ?? 0);
}

/** The variables of the outermost flow. */
export function variablesOf({ frame }: State): ReadonlyMap<string, unknown> {
  let outermost = frame;
  while (outermost.caller) outermost = outermost.caller.frame;
  return outermost.variables;
}
