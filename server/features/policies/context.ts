/** What the editor knows of a policy file: its policies, and the flows it counts for. */

import type { PolicyFlow } from "../../../files/suite";
import {
  type Demand,
  edgesNamed,
  type KeptVerdict,
  type Policy,
  type Program,
  policiesFor,
  type RunEdge,
  SharedWork,
  selectedNodes,
  withoutFlowEnding,
} from "../../../flow";

/** The edges that `by` names, each with the flow it is written in, which may be a component's. */
export function edgesNamedBy(
  { passes, by }: Demand & { kind: "passes" },
  { program, judged }: PolicyFlow,
): { readonly edge: RunEdge; readonly program: Program }[] {
  if (by === undefined) return [];
  return selectedNodes(passes, judged.whole).flatMap((node) =>
    edgesNamed(node, by).flatMap(({ model }) => {
      const home = node.home ?? program;
      const edge = home.nodes.get(node.block.id)?.edges.find((each) => each.model === model);
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
  const work = new SharedWork();
  for (const { path, judged } of flows) judged.update(policiesFor(policies, path), undefined, work.forFlow());
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
