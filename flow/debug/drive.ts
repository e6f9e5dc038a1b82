/** Continues a run until it has a reason to stop. */
import { isEntry, type State } from "../run/machine";
import type { Program } from "../run/program";
import type { Failure } from "../test/failure";
import type { Breakpoint } from "./breakpoints";
import { endWords } from "./conversation";
import type { Forward, Run } from "./run";

export type How = "continue" | "over" | "into" | "out";

/** Conditions checked after every step, like exceptions in a program. */
export type Trouble = "unset" | "stuck" | "endless";

export type Stop =
  | { readonly kind: "step" | "start" | "ended" }
  /** A breakpoint on the taken edge comes before those on its target node, which are in `behind`. */
  | {
      readonly kind: "breakpoint";
      readonly hit: readonly Breakpoint[];
      readonly onEdge: boolean;
      readonly behind: readonly Breakpoint[];
    }
  | { readonly kind: "trouble"; readonly trouble: Trouble; readonly text: string }
  | { readonly kind: "asks"; readonly why: Failure };

export interface Watch {
  readonly breakpoints: readonly { readonly breakpoint: Breakpoint; readonly program: Program }[];
  readonly troubles: ReadonlySet<Trouble>;
  readonly log: (breakpoint: Breakpoint, state: State) => void;
}

/** Runs forward; `first` is the first move if it isn't a step, such as an answer. */
export function drive(run: Run, how: How, watch: Watch, first: () => Forward = () => run.forward()): Stop {
  const { depth } = run.state.frame;
  for (let move = first; ; move = () => run.forward()) {
    const moved = move();
    if (moved.kind === "asks") return moved;
    if (moved.kind === "ended") return moved;
    const { state } = run;
    const stop = stopAt(state, watch);
    if (stop) return stop;
    if (state.ended) return { kind: "ended" };
    if (
      how === "into" ||
      (how === "over" && state.frame.depth <= depth) ||
      (how === "out" && state.frame.depth < depth)
    )
      return { kind: "step" };
  }
}

/** Runs back to a breakpoint, or to the start; with `isStep`, at most one step, over components. */
export function driveBack(run: Run, watch: Watch, isStep: boolean): Stop {
  const { depth } = run.state.frame;
  while (run.back()) {
    const { state } = run;
    const hit = hits(state, watch).filter((each) => !each.isLogpoint);
    if (hit.length > 0 && !(isStep && state.frame.depth <= depth)) return { ...atBreakpoints(hit), behind: [] };
    if (isStep && state.frame.depth <= depth) return { kind: "step" };
  }
  return { kind: "start" };
}

/** Why a run stops at a state. */
export function stopAt(state: State, watch: Watch): Stop | undefined {
  const hit = hits(state, watch);
  for (const each of hit) if (each.isLogpoint) watch.log(each, state);
  const stopping = hit.filter((each) => !each.isLogpoint);
  const { ended } = state;
  if (ended && (ended.kind === "stuck" || ended.kind === "endless") && watch.troubles.has(ended.kind))
    return { kind: "trouble", trouble: ended.kind, text: endWords(state) };
  if (stopping.length > 0) return atBreakpoints(stopping);
  if (isEntry(state) && state.unset.length > 0 && watch.troubles.has("unset"))
    return { kind: "trouble", trouble: "unset", text: unsetWords(state) };
  return undefined;
}

function atBreakpoints(hit: readonly Breakpoint[]): Stop & { kind: "breakpoint" } {
  const onEdge = hit.filter(({ element }) => element.edge !== undefined);
  if (onEdge.length === 0) return { kind: "breakpoint", hit, onEdge: false, behind: [] };
  return { kind: "breakpoint", hit: onEdge, onEdge: true, behind: hit.filter((each) => !onEdge.includes(each)) };
}

function hits(state: State, { breakpoints }: Watch): Breakpoint[] {
  return breakpoints.flatMap(({ breakpoint, program }) => (breakpoint.isHit(state, program) ? breakpoint : []));
}

function unsetWords({ unset, at }: State): string {
  const names = [...new Set(unset.map(({ variable }) => `"${variable}"`))].join(", ");
  return `"${at}" reads ${names}, which has no value here.`;
}
