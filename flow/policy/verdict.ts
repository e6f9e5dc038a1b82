/** Whether a flow satisfies a policy: proved by its shape, proved given its conditions, or broken by a shortest path. */
import type { FlowOf } from "../run/machine";
import { NumberedFlow } from "../run/numbered";
import type { Program, RunEdge, RunNode } from "../run/program";
import { type Spending, WorkSpent } from "../run/work";
import { edgesNamed } from "../test/takes";
import type { Span } from "../text";
import { isNearAnyway, Reach, type TooLong, tooLong, tooLongFromEntry } from "./distance";
import { type Inlined, type Unseen, withComponents } from "./inlined";
import { Matches } from "./matches";
import { Paths, type Place } from "./paths";
import type { Demand, Policy } from "./policy-file";
import { proofOf, Reached } from "./proof";
import { type BreakingPath, breaking, isAllowed, type Stands, watchFor } from "./search";
import { nodesMatching, type Selector } from "./selector";

export type Verdict =
  | { readonly verdict: "proved-by-shape" | "proved-given-conditions" }
  /** It needs more work than its budget. */
  | { readonly verdict: "not-checked" }
  | { readonly verdict: "broken"; readonly path: BreakingPath };

const MAX_STANDING = 200;

/** Judges any number of policies for one flow; results about its paths are shared, and kept when nodes are edited. */
export class Judge {
  readonly #flow: NumberedFlow;
  readonly #shape: Paths;
  readonly #conditions: Paths;
  readonly #matches: Matches;
  #shapeReach: Reach | undefined;
  readonly #reached: Reached;
  #reach: Reach | undefined;
  /** Whether a distance depends on conditions: then all are computed with them. */
  #needsConditions = false;
  /** The verdicts that still hold, each with its reason. */
  readonly #standing = new Map<Demand, Stands>();

  /** The flow with its components inlined, and the number of its own nodes. */
  readonly program: Program;
  readonly ownNodes: number;
  /** The flows found for component IDs, and the component nodes whose flow isn't known. */
  readonly parts: Inlined["parts"];
  readonly inside: Inlined["inside"];
  readonly unseen: readonly Unseen[];

  /** Throws `WorkSpent` if its components need more work than the budget. */
  constructor(flow: Program, flowOf: FlowOf = () => undefined, work?: Spending) {
    const { program, parts, unseen, inside } = withComponents(flow, flowOf, work);
    work?.spend(10 * flow.nodes.size);
    this.program = program;
    this.ownNodes = flow.nodes.size;
    this.parts = parts;
    this.inside = inside;
    this.unseen = unseen;
    this.#flow = new NumberedFlow(program);
    this.#shape = new Paths(program, false, this.#flow, undefined, work);
    this.#conditions = new Paths(program, true, this.#flow, undefined, work);
    this.#matches = new Matches(program, this.#flow);
    this.#reached = new Reached(this.#shape);
  }

  /** Updates edited nodes by ID. */
  replace(edited: readonly RunNode[]): void {
    const { numbers, isRenumbered } = this.#flow.replace(edited);
    this.#shape.replaced(numbers, isRenumbered);
    this.#conditions.replaced(numbers, isRenumbered);
    this.#shapeReach = undefined;
    this.#reach = undefined;
    this.#reached.extend();
    if (this.#matches.replace(edited)) this.#standing.clear();
    for (const [demand, stands] of this.#standing) if (!stands(numbers)) this.#standing.delete(demand);
  }

  /** Whether the verdict on a demand still holds after all edits. */
  stands(demand: Demand): boolean {
    return this.#standing.has(demand);
  }

  judge(demand: Demand): Verdict {
    try {
      return this.#judge(demand);
    } catch (error) {
      if (error instanceof WorkSpent) return { verdict: "not-checked" };
      throw error;
    }
  }

  #judge(demand: Demand): Verdict {
    const { stands, ...verdict } = demand.kind === "at-most" ? this.#distance(demand) : this.#search(demand);
    this.#standing.set(demand, stands);
    // Reasons are as large as the flow. A verdict without one is judged again after the next edit.
    const [oldest] = this.#standing.keys();
    if (oldest && this.#standing.size > MAX_STANDING) this.#standing.delete(oldest);
    return verdict;
  }

  #search(demand: Exclude<Demand, { kind: "at-most" }>): Verdict & { readonly stands: Stands } {
    const watch = watchFor(demand, this.#matches);
    const { start } = this.#shape;
    const proof = start === undefined ? undefined : proofOf(watch, this.#reachByShape(start), this.#reached);
    if (proof) return { verdict: "proved-by-shape", stands: proof };
    const shape = breaking(watch, this.#shape);
    if (!shape.path) return { verdict: "proved-by-shape", stands: shape.stands };
    // Conditions only exclude paths: if a shortest path is allowed, it's also a shortest one among the allowed.
    const isShortest = isAllowed(shape.path, this.#conditions, watch.breaksAtEnd);
    const { path, stands, repeats } = isShortest ? shape : breaking(watch, this.#conditions);
    // The path is shown, so it has to be the one that a check from scratch finds.
    if (path)
      return {
        verdict: "broken",
        path,
        stands: isShortest ? repeats : (edited) => shape.repeats(edited) && repeats(edited),
      };
    const excluded = new Set(shape.path.nodes.map(({ id }) => this.#shape.numberOf(id)));
    return {
      verdict: "proved-given-conditions",
      stands: (edited) => !edited.some((number) => excluded.has(number)) && stands(edited),
    };
  }

  #reachByShape(start: Place): Reach {
    if (!this.#shapeReach) {
      this.#shapeReach = new Reach(this.#shape, start);
      this.#reached.take(this.#shapeReach);
    }
    return this.#shapeReach;
  }

  #distance(demand: Demand & { kind: "at-most" }): Verdict & { readonly stands: Stands } {
    const { path, stands, isByShape } = this.#tooLong(demand);
    if (path) return { verdict: "broken", path, stands };
    const { start } = this.#shape;
    if (isByShape || start === undefined) return { verdict: "proved-by-shape", stands };
    // If the distance is only too long from nodes that conditions exclude, these are part of the proof.
    const shape = tooLong(demand, this.#matches, this.#reachByShape(start));
    const both: Stands = (edited) => shape.stands(edited) && stands(edited);
    return { verdict: shape.path ? "proved-given-conditions" : "proved-by-shape", stands: both };
  }

  /** `isByShape`: no condition was needed to see that it's short enough. */
  #tooLong(demand: Demand & { kind: "at-most" }): TooLong & { readonly isByShape?: boolean } {
    const [shape, known] = [this.#shape, this.#conditions];
    if (demand.from.isEntry || shape.start === undefined || known.start === undefined)
      return { ...tooLongFromEntry(demand, this.#matches, shape, known), isByShape: true };
    if (!this.#needsConditions) {
      const stands = isNearAnyway(demand, this.#matches, this.#reachByShape(shape.start));
      if (stands) return { path: undefined, stands, isByShape: true };
      this.#needsConditions = true;
    }
    this.#reach ??= new Reach(known, known.start);
    return tooLong(demand, this.#matches, this.#reach);
  }
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
  const matches = (selector: Selector) => nodesMatching(selector, program).size > 0;
  const parts = selectorsOf(demand).map(matches);
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
  const selectors = selectorsOf(demand);
  return partNames(policy).map((name, index) => {
    const selector = selectors[index];
    if (selector) return { name, span: selector.span, selector };
    return { name, span: (demand.kind === "passes" ? demand.bySpan : undefined) ?? policy.span };
  });
}

/** The nodes that a selector matches. */
export function selectedNodes(selector: Selector, program: Program): readonly RunNode[] {
  return [...nodesMatching(selector, program)];
}

/** The names of a policy's parts, in the order of `matchedParts`. */
function partNames({ demand }: Policy): readonly string[] {
  switch (demand.kind) {
    case "passes":
      return ["every_path_to", "passes", ...(demand.by === undefined ? [] : ["by"])];
    case "never":
      return ["from", "to", ...(demand.without ? ["without"] : [])];
    case "always":
      return ["after", "always"];
    case "at-most":
      return ["from", "to"];
  }
}

function selectorsOf(demand: Demand): Selector[] {
  switch (demand.kind) {
    case "passes":
      return [demand.to, demand.passes];
    case "never":
      return [demand.from, demand.to, ...(demand.without ? [demand.without] : [])];
    case "always":
      return [demand.after, demand.always];
    case "at-most":
      return [demand.from, demand.to];
  }
}

/** The edges that `by` names. */
function edgesBy(demand: Demand & { kind: "passes" }, program: Program): ReadonlySet<RunEdge> {
  const { by } = demand;
  if (by === undefined) return new Set();
  return new Set([...nodesMatching(demand.passes, program)].flatMap((node) => edgesNamed(node, by)));
}
