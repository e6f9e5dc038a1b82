/**
 * The effect of a change on calls of the old flow. Each traced run is repeated on the new flow with the same answers, up to
 * the first difference. Choices that a model would have to make again are unknown.
 */

import type { FlowOf } from "../run/machine";
import { type Answer, isEntry, next, type State, start } from "../run/machine";
import type { Program, RunEdge } from "../run/program";
import { answerWith } from "../test/generate/answers";
import type { TracedCall } from "./call";
import type { CallTrace, TraceStep } from "./trace";

export type Replayed =
  | { readonly kind: "same"; readonly path: readonly string[] }
  | {
      readonly kind: "changed";
      /** What changed, for grouping: names of the flow only. */
      readonly change: string;
      readonly path: readonly string[];
      /** Where the run ends after the change, if no model has to decide anything before. */
      readonly end: string | undefined;
      readonly endsElsewhere: boolean;
    }
  | { readonly kind: "unknown" };

export function replay(trace: CallTrace, call: TracedCall, before: Program, after: Program, flowOf: FlowOf): Replayed {
  const [first] = trace.steps;
  if (trace.verdict === "unplaced" || !first) return { kind: "unknown" };
  const settable = new Set([...after.nodes.values()].flatMap(({ sets }) => sets));
  const given = [...(call.variables ?? [])].filter(([name]) => after.document.variable(name) && !settable.has(name));
  let state = start(after, given, flowOf);
  const path: string[] = [];
  if (!state) return changed("the entry node is missing", path, undefined, trace);
  if (state.at !== first.node) return changed(`the entry is "${state.at}"`, [state.at], state, trace, call);
  for (const [index, step] of trace.steps.entries()) {
    path.push(step.node);
    const following = trace.steps[index + 1];
    if (!following) break;
    const then = follow(state, following, before, call);
    if (then === "unknown") return { kind: "unknown" };
    if (typeof then === "string") return changed(then, path, undefined, trace);
    if (then.at !== following.node)
      return changed(whyElsewhere(step.node, then), [...path, then.at], then, trace, call);
    state = then;
  }
  // The old run is over; a new one that continues ends elsewhere.
  const isSameEnd = trace.verdict !== "placed" || state.ended !== undefined;
  if (!isSameEnd) return changed(`"${state.at}" no longer ends the call`, path, state, trace, call);
  return { kind: "same", path };
}

/** The state after the same answers as in the call; a sentence where the edge is gone, "unknown" where a model decides. */
function follow(state: State, following: TraceStep, before: Program, call: TracedCall): State | string {
  const node = before.nodes.get(state.node.id);
  const taken =
    following.edge === undefined
      ? undefined
      : node?.edges.find(({ model }) => node.block.edges[following.edge as number] === model);
  let at: State = next(state, answerTo(state, taken, call));
  for (; !isEntry(at) || at === state; ) {
    if (at.ended) return `"${state.at}" has no edge to take`;
    if (at.question?.kind !== "choice") return "unknown";
    const { open } = at.question.ways;
    const same = taken && open.find((edge) => edge.to === taken.to && hasSameText(edge, taken));
    const moved = taken && open.find((edge) => hasSameText(edge, taken));
    if (same && !hasNewRival(open, same, node?.edges ?? [])) at = next(at, { take: same });
    else if (same) return "unknown";
    else if (moved) at = next(at, { take: moved });
    else if (taken && !state.node.edges.some((edge) => edge.to === taken.to))
      return `the edge "${taken.id}" was removed`;
    else return "unknown";
  }
  return at;
}

function answerTo({ question, node, frame }: State, taken: RunEdge | undefined, call: TracedCall): Answer | undefined {
  if (!question || question.kind === "choice") return undefined;
  const value = (name: string) => (frame.caller ? undefined : call.variables?.get(name));
  if (question.kind === "value") return { give: value(question.variable) };
  if (taken?.on !== undefined) return { event: taken.on };
  if (question.flow) return { enter: question.flow };
  return { return: answerWith(node.saves, value) };
}

function hasSameText(a: RunEdge, b: RunEdge): boolean {
  return a.when === b.when && a.on === b.on && (a.when !== undefined || a.label === b.label);
}

/** Whether an edge that the old node didn't have could have been chosen instead. */
function hasNewRival(open: readonly RunEdge[], chosen: RunEdge, old: readonly RunEdge[]): boolean {
  return open.some((edge) => edge !== chosen && edge.condition && !old.some((each) => hasSameText(each, edge)));
}

function whyElsewhere(from: string, { at, ended }: State): string {
  return ended?.kind === "stuck" ? `"${from}" has no edge to take` : `"${from}" leads to "${at}"`;
}

function changed(
  change: string,
  path: readonly string[],
  from: State | undefined,
  trace: CallTrace,
  call?: TracedCall,
): Replayed {
  const onward = from && call ? goOn(from, call) : undefined;
  const end = onward?.end;
  return {
    kind: "changed",
    change,
    path: [...path, ...(onward?.path ?? [])],
    end,
    endsElsewhere: end !== undefined && trace.end !== undefined && end !== trace.end.node,
  };
}

/** Continues until something has to be decided. */
function goOn(from: State, call: TracedCall): { path: string[]; end: string | undefined } {
  const path: string[] = [];
  let state = from;
  for (let steps = 0; steps < 1_000; steps++) {
    if (state.ended) return { path, end: state.ended.node };
    if (state.question?.kind === "choice") break;
    if (state.question?.kind === "value" && !call.variables?.has(state.question.variable)) break;
    if (state.question?.kind === "call" && state.node.saves.some(({ variable }) => !call.variables?.has(variable)))
      break;
    const after = next(state, answerTo(state, undefined, call));
    if (isEntry(after)) path.push(after.at);
    state = after;
  }
  return { path, end: undefined };
}
