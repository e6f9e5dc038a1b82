/**
 * Finds the runs of a flow that match the certain facts of a call: the values of its variables at the end, how it
 * ended, and the nodes whose exact text the assistant spoke. A call names no nodes, so the flow is searched with the
 * machine itself, shortest runs first.
 */
import { type Answer, next, type State, start, variablesOf } from "../../run/machine";
import { eventsAt, type Program, type RunEdge, type RunNode } from "../../run/program";
import { answerWith } from "../generate/answers";

/** The certain facts of a call. */
export interface CallFacts {
  /** Values at the end. A variable that isn't listed has none. */
  readonly variables: ReadonlyMap<string, unknown>;
  /** Whether the call was transferred; undefined if unknown. */
  readonly ended: "end" | "transfer" | undefined;
  /** Nodes that were certainly entered, in order. */
  readonly entered: readonly string[];
  /** The inferred path from the entry, as far as it is known. If runs along it match, no others are tried. */
  readonly path?: readonly PathStep[];
}

export interface PathStep {
  readonly node: string;
  /** The index of the edge into this step, in the `edges` of the step before. */
  readonly edge?: number;
}

export interface AgreeingRun {
  readonly given: readonly (readonly [string, unknown])[];
  readonly answers: readonly { readonly at: State; readonly answer: Answer }[];
  readonly last: State;
}

export interface Agreeing {
  readonly runs: readonly AgreeingRun[];
  /** There may be more: not every run was tried. */
  readonly isCut: boolean;
}

const MAX_RUNS = 20;
const MAX_STATES = 30_000;

/** Runs that enter no node twice; if none matches, those that enter a node up to three times. */
export function runsLike(program: Program, facts: CallFacts): Agreeing {
  const { path, ...rest } = facts;
  if (path) {
    const along = search(program, facts, 1);
    return along.runs.length > 0 ? along : runsLike(program, rest);
  }
  const found = search(program, facts, 1);
  return found.runs.length > 0 ? found : search(program, facts, 3);
}

/** More variables than this aren't tried one by one. */
const MAX_TRIED = 12;

/** Why no run matches: the one fact without which some would, or that there is more than one. */
export function whyNoneAgrees(program: Program, facts: CallFacts): string {
  const agreesWithout = (change: Partial<CallFacts>) => runsLike(program, { ...facts, ...change }).runs.length > 0;
  if (facts.ended !== undefined && agreesWithout({ ended: undefined }))
    return facts.ended === "transfer"
      ? "The call was transferred, but no run with its values is."
      : "The call ended without a transfer, but every run with its values is transferred.";
  const names = [...known(program, facts.variables).keys()];
  for (const name of names.slice(0, MAX_TRIED)) {
    const variables = new Map([...facts.variables].filter(([each]) => each !== name));
    if (agreesWithout({ variables })) return `No other matching run ends with the call's value of "${name}".`;
  }
  const certain = [...new Set(facts.entered)].map((id) => `"${id}"`).join(", ");
  if (facts.entered.length > 0 && agreesWithout({ entered: [] }))
    return `No run with the call's values enters the nodes whose text the assistant spoke: ${certain}.`;
  const parts = [
    ...names.map((name) => `the value of "${name}"`),
    ...(facts.entered.length > 0 ? [`the nodes whose text the assistant spoke (${certain})`] : []),
  ];
  if (parts.length === 0) return "No run of the flow ends.";
  if (facts.ended !== undefined) parts.push("how it ended");
  return `More than one of these doesn't fit: ${parts.join(", ")}.`;
}

interface Branch {
  readonly state: State;
  readonly answers: AgreeingRun["answers"];
  /** How many of the certain nodes have been entered. */
  readonly entered: number;
}

function search(program: Program, facts: CallFacts, visits: number): Agreeing {
  const wanted = known(program, facts.variables);
  const given = [...wanted].filter(([name]) => !isSet(program, name));
  const first = start(program, given);
  if (!first) return { runs: [], isCut: false };
  const canReach = reachability(program, facts, wanted);
  const runs = new Map<string, AgreeingRun>();
  let isCut = false;
  let queue: Branch[] = [{ state: first, answers: [], entered: count(first, 0, facts) }];
  for (let states = 0; queue.length > 0; ) {
    const further: Branch[] = [];
    for (const { state, answers, entered } of queue) {
      if (state.ended) {
        if (!agrees(state, facts, wanted, entered)) continue;
        const key = answers.map(
          ({ at, answer }) => `${at.at} ${"take" in answer ? answer.take.id : JSON.stringify(answer)}`,
        );
        if (runs.size < MAX_RUNS) runs.set(key.join("\n"), { given, answers, last: state });
        else isCut = true;
        continue;
      }
      if (!canReach(state.node, variablesOf(state), entered)) continue;
      for (const answer of answersAt(state, wanted)) {
        if (++states > MAX_STATES) return { runs: [...runs.values()], isCut: true };
        const after = next(state, answer);
        if (after.steps > state.steps) {
          const expected = facts.path?.[after.steps - first.steps];
          if (expected ? !isAlong(expected, state, after) : timesAt(after) > visits) continue;
        }
        further.push({
          state: after,
          answers: answer ? [...answers, { at: state, answer }] : answers,
          entered: after.steps > state.steps ? count(after, entered, facts) : entered,
        });
      }
    }
    queue = further;
  }
  return { runs: [...runs.values()], isCut };
}

function isAlong({ node, edge }: PathStep, { node: from }: State, { node: to, taken }: State): boolean {
  if (to.id !== node) return false;
  const own = from.edges.find(({ id }) => id === taken?.id);
  return edge === undefined || own === undefined || from.block.edges.indexOf(own.model) === edge;
}

/** The variables of the call that the flow has. */
function known(program: Program, variables: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const own = [...variables].filter(([name, value]) => {
    if (value === undefined || value === null) return false;
    return program.document.variable(name) !== undefined || isSet(program, name);
  });
  return new Map(own);
}

/** Whether a node of the flow sets the variable. */
function isSet(program: Program, variable: string): boolean {
  for (const node of program.nodes.values()) if (sets(node, variable)) return true;
  return false;
}

function sets(node: RunNode, variable: string): boolean {
  return node.variable === variable || node.saves.some((save) => save.variable === variable);
}

function count({ node }: State, entered: number, { entered: certain }: CallFacts): number {
  return certain[entered] === node.id ? entered + 1 : entered;
}

function timesAt(last: State): number {
  let times = 0;
  for (let state: State | undefined = last; state; state = state.before)
    if (state.node === last.node && state.steps > (state.before?.steps ?? 0)) times++;
  return times;
}

/** The possible answers: the caller and the tools give the final values of the call, or nothing. */
function answersAt({ question, node }: State, wanted: ReadonlyMap<string, unknown>): readonly (Answer | undefined)[] {
  if (!question) return [undefined];
  if (question.kind === "choice") return question.ways.open.map((edge) => ({ take: edge }));
  if (question.kind === "value") return [{ give: wanted.get(question.variable) }];
  const returned = { return: answerWith(node.saves, (variable) => wanted.get(variable)) };
  return [returned, ...eventsAt(node).map((event) => ({ event }))];
}

function agrees(state: State, facts: CallFacts, wanted: ReadonlyMap<string, unknown>, entered: number): boolean {
  const kind = state.ended?.kind;
  if (kind !== "end" && kind !== "transfer") return false;
  if ((facts.ended !== undefined && kind !== facts.ended) || entered < facts.entered.length) return false;
  const values = variablesOf(state);
  for (const [name, value] of wanted) if (!isSame(values.get(name), value)) return false;
  return true;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Whether the missing facts can be reached from a node, by edges alone. Most branches end here. */
function reachability(program: Program, facts: CallFacts, wanted: ReadonlyMap<string, unknown>) {
  const into = new Map<string, RunEdge[]>();
  for (const node of program.nodes.values())
    for (const edge of node.edges) into.set(edge.to, [...(into.get(edge.to) ?? []), edge]);
  const leadingTo = (goal: (node: RunNode) => boolean): ReadonlySet<string> => {
    const ids = new Set([...program.nodes.values()].filter(goal).map(({ id }) => id));
    for (const id of ids) for (const { from } of into.get(id) ?? []) ids.add(from);
    return ids;
  };
  const toEnd = leadingTo(({ type }) => (facts.ended ? type === facts.ended : type === "end" || type === "transfer"));
  const setting = new Map([...wanted.keys()].map((name) => [name, leadingTo((node) => sets(node, name))]));
  const certain = facts.entered.map((id) => leadingTo((node) => node.id === id));
  return ({ id }: RunNode, values: ReadonlyMap<string, unknown>, entered: number): boolean => {
    if (!toEnd.has(id)) return false;
    for (const [name, value] of wanted)
      if (!isSame(values.get(name), value) && !setting.get(name)?.has(id)) return false;
    return certain[entered]?.has(id) ?? true;
  };
}
