/** Whether a flow satisfies a policy: proved by its shape, proved given its conditions, or broken by a shortest path. */
import type { FlowOf } from "../run/machine";
import { NumberedFlow } from "../run/numbered";
import type { Program, RunEdge, RunNode } from "../run/program";
import { type Spending, WorkSpent } from "../run/work";
import { edgesNamed } from "../test/takes";
import type { Span } from "../text";
import { isNearAnyway, Reach, tooLong, tooLongFromEntry } from "./distance";
import { type Inlined, type Unseen, withComponents } from "./inlined";
import { Matches } from "./matches";
import { Paths } from "./paths";
import type { Demand, Policy } from "./policy-file";
import { type BreakingPath, breaking, isAllowed, watchFor } from "./search";
import { nodesMatching, type Selector } from "./selector";

export type Verdict =
  | { readonly verdict: "proved-by-shape" | "proved-given-conditions" }
  /** It needs more work than its budget. */
  | { readonly verdict: "not-checked" }
  | { readonly verdict: "broken"; readonly path: BreakingPath };

/** Judges any number of policies for one flow; results about its paths are shared. */
export class Judge {
  readonly #shape: Paths;
  readonly #conditions: Paths;
  readonly #matches: Matches;
  #shapeReach: Reach | undefined;
  #reach: Reach | undefined;
  /** Whether a distance depends on conditions: then all are computed with them. */
  #needsConditions = false;

  /** The flow with its components inlined. */
  readonly program: Program;
  /** The flows found for component IDs, and the component nodes whose flow isn't known. */
  readonly parts: Inlined["parts"];
  readonly unseen: readonly Unseen[];

  /** Throws `WorkSpent` if its components need more work than the budget. */
  constructor(flow: Program, flowOf: FlowOf = () => undefined, work?: Spending) {
    const { program, parts, unseen } = withComponents(flow, flowOf, work);
    work?.spend(10 * flow.nodes.size);
    this.program = program;
    this.parts = parts;
    this.unseen = unseen;
    const numbered = new NumberedFlow(program);
    this.#shape = new Paths(program, false, numbered, undefined, work);
    this.#conditions = new Paths(program, true, numbered, undefined, work);
    this.#matches = new Matches(program, numbered);
  }

  judge(demand: Demand): Verdict {
    try {
      return demand.kind === "at-most" ? this.#distance(demand) : this.#search(demand);
    } catch (error) {
      if (error instanceof WorkSpent) return { verdict: "not-checked" };
      throw error;
    }
  }

  #search(demand: Exclude<Demand, { kind: "at-most" }>): Verdict {
    const watch = watchFor(demand, this.#matches);
    const shape = breaking(watch, this.#shape);
    if (!shape) return { verdict: "proved-by-shape" };
    // Conditions only exclude paths: if a shortest path is allowed, it's also a shortest one among the allowed.
    const isShortest = isAllowed(shape, this.#conditions, watch.breaksAtEnd);
    const path = isShortest ? shape : breaking(watch, this.#conditions);
    return path ? { verdict: "broken", path } : { verdict: "proved-given-conditions" };
  }

  #distance(demand: Demand & { kind: "at-most" }): Verdict {
    const [shape, known] = [this.#shape, this.#conditions];
    if (demand.from.isEntry || shape.start === undefined || known.start === undefined)
      return brokenBy(tooLongFromEntry(demand, this.#matches, shape, known));
    this.#shapeReach ??= new Reach(shape, shape.start);
    if (!this.#needsConditions && isNearAnyway(demand, this.#matches, this.#shapeReach)) return brokenBy(undefined);
    this.#needsConditions = true;
    this.#reach ??= new Reach(known, known.start);
    const path = tooLong(demand, this.#matches, this.#reach);
    // If the distance is only too long from nodes that conditions exclude, these are part of the proof.
    if (!path && tooLong(demand, this.#matches, this.#shapeReach)) return { verdict: "proved-given-conditions" };
    return brokenBy(path);
  }
}

function brokenBy(path: BreakingPath | undefined): Verdict {
  return path ? { verdict: "broken", path } : { verdict: "proved-by-shape" };
}

/** A judge of a flow; undefined if the flow is too large with its components for the budget. */
export function judgeOf(flow: Program, flowOf: FlowOf, work: Spending): Judge | undefined {
  try {
    return new Judge(flow, flowOf, work);
  } catch (error) {
    if (error instanceof WorkSpent) return undefined;
    throw error;
  }
}

/** The selectors and edges of a policy that match something in this flow. */
export function matchedParts({ demand }: Policy, program: Program): readonly boolean[] {
  const parts = selectorsOf(demand).map(([, selector]) => nodesMatching(selector, program).size > 0);
  if (demand.kind === "passes" && demand.by !== undefined) parts.push(edgesBy(demand, program).size > 0);
  return parts;
}

/** A part of a policy: a selector or an edge, and its place. */
export interface PolicyPart {
  readonly name: string;
  readonly span: Span;
  /** Absent for `by`. */
  readonly selector?: Selector;
}

/** The parts of a policy in the order of `matchedParts`. */
export function partsOfPolicy(policy: Policy): readonly PolicyPart[] {
  const { demand } = policy;
  const parts = selectorsOf(demand).map(([name, selector]): PolicyPart => ({ name, span: selector.span, selector }));
  if (demand.kind === "passes" && demand.by !== undefined)
    parts.push({ name: "by", span: demand.bySpan ?? policy.span });
  return parts;
}

/** The nodes that a selector matches. */
export function selectedNodes(selector: Selector, program: Program): readonly RunNode[] {
  return [...nodesMatching(selector, program)];
}

/** The selectors of a policy by their keys. */
export function selectorsOf(demand: Demand): readonly (readonly [name: string, selector: Selector])[] {
  switch (demand.kind) {
    case "passes":
      return Object.entries({ every_path_to: demand.to, passes: demand.passes });
    case "never": {
      const { from, to, without } = demand;
      return Object.entries({ from, to, ...(without ? { without } : {}) });
    }
    case "always":
      return Object.entries({ after: demand.after, always: demand.always });
    case "at-most":
      return Object.entries({ from: demand.from, to: demand.to });
  }
}

/** The edges that `by` names. */
function edgesBy(demand: Demand & { kind: "passes" }, program: Program): ReadonlySet<RunEdge> {
  const { by } = demand;
  if (by === undefined) return new Set();
  return new Set([...nodesMatching(demand.passes, program)].flatMap((node) => edgesNamed(node, by)));
}
