/** What the editor knows of a policy file: its policies, and the flows it counts for. */
import {
  type Demand,
  edgesNamed,
  type FlowPolicies,
  type KeptVerdict,
  matchedParts,
  type Policy,
  type PolicyFile,
  type PolicyPart,
  type Program,
  partsOfPolicy,
  policiesFor,
  type RunEdge,
  selectedNodes,
  unreadIn,
  withoutFlowEnding,
} from "../../../flow";

export interface PolicyFlow {
  readonly uri: string;
  /** From the folder of the policy file, with slashes. */
  readonly path: string;
  readonly program: Program;
  readonly judged: FlowPolicies;
}

export interface PolicyContext {
  readonly text: string;
  readonly file: PolicyFile;
  /** All flows that this file is the nearest one of. */
  readonly flows: readonly PolicyFlow[];
}

/** The flows that a policy speaks of. */
export function scopeOf(policy: Policy, flows: readonly PolicyFlow[]): readonly PolicyFlow[] {
  return policy.flows ? flows.filter(({ path }) => policiesFor([policy], path).length > 0) : flows;
}

/** The parts of a policy that match nothing in any flow it speaks of, nor in components. */
export function unmatched(policy: Policy, scope: readonly PolicyFlow[]): readonly PolicyPart[] {
  // It may be in what can't be read.
  if (scope.some(({ program }) => unreadIn(program.document))) return [];
  const parts = partsOfPolicy(policy);
  const found = parts.map(() => false);
  for (const { judged } of scope)
    for (const [index, isThere] of matchedParts(policy, judged.whole).entries()) if (isThere) found[index] = true;
  return parts.filter((_, index) => !found[index]);
}

/** The edges that `by` names, each with the flow it is written in, which may be a component's. */
export function edgesNamedBy(
  { passes, by }: Demand & { kind: "passes" },
  { program, judged }: PolicyFlow,
): { readonly edge: RunEdge; readonly program: Program }[] {
  if (by === undefined) return [];
  return selectedNodes(passes, judged.whole).flatMap((node) =>
    edgesNamed(node, by).flatMap(({ model }) => {
      const home = node.home ?? program;
      const edge = home.nodes.get(node.entry.id)?.edges.find((each) => each.model === model);
      return edge ? [{ edge, program: home }] : [];
    }),
  );
}

export interface TodaysVerdict {
  readonly flow: PolicyFlow;
  readonly verdict: KeptVerdict;
}

/** Judges policies on all flows they speak of; for many at once each flow is looked at once. */
export function judgeAll(policies: readonly Policy[], flows: readonly PolicyFlow[]): void {
  for (const { path, judged } of flows) judged.update(policiesFor(policies, path));
}

/** What was judged of the flows that can be read in full. */
export function verdictsOf(policy: Policy, scope: readonly PolicyFlow[]): TodaysVerdict[] {
  return scope.flatMap((flow) => {
    const verdict = flow.judged.verdict(policy);
    return verdict ? [{ flow, verdict }] : [];
  });
}

/** `billing` for `flows/billing.flow.yaml`. */
export function shortName({ path }: PolicyFlow): string {
  return withoutFlowEnding(path.slice(path.lastIndexOf("/") + 1));
}
