/** The context of a policy file: its policies, and the flows it applies to. */

import { type PolicyFlow, today } from "../../../files/suite";
import { withoutFlowEnding } from "../../../flow";
import { type Demand, demanded, inForce, type KeptVerdict, type Policy, selectedNodes } from "../../../flow/policy";
import { type Program, type RunEdge, SharedWork } from "../../../flow/run";
import { edgesNamed } from "../../../flow/test";

/** The edges that `by` names, each with its flow, which may be a component's. */
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
  /** The policy with the flow's exceptions. */
  readonly policy: Policy;
  readonly verdict: KeptVerdict;
}

/** Checks policies on all their flows; with many policies each flow is analyzed once. */
export function judgeAll(policies: readonly Policy[], flows: readonly PolicyFlow[]): void {
  const work = new SharedWork();
  for (const { path, judged } of flows) judged.update(inForce(policies, path, today()), undefined, work.forFlow());
}

/** The verdicts for flows without syntax errors that aren't excepted. */
export function verdictsOf(policy: Policy, scope: readonly PolicyFlow[]): TodaysVerdict[] {
  return scope.flatMap((flow) => {
    const there = demanded(policy, flow.path, today());
    const verdict = there && flow.judged.verdict(there);
    return there && verdict ? [{ flow, policy: there, verdict }] : [];
  });
}

/** `billing` for `flows/billing.flow.yaml`. */
export function shortName({ path }: PolicyFlow): string {
  return withoutFlowEnding(path.slice(path.lastIndexOf("/") + 1));
}
