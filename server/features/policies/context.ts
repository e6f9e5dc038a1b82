/** What the editor knows of a policy file: its policies, and the flows it counts for. */
import {
  type FlowPolicies,
  type KeptVerdict,
  matchedParts,
  type Policy,
  type PolicyFile,
  type PolicyPart,
  type Program,
  partsOfPolicy,
  policiesFor,
  unreadIn,
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

/** The parts of a policy that match nothing in any flow it speaks of. */
export function unmatched(policy: Policy, scope: readonly PolicyFlow[]): readonly PolicyPart[] {
  // It may be in what can't be read.
  if (scope.some(({ program }) => unreadIn(program.document))) return [];
  const parts = partsOfPolicy(policy);
  const found = parts.map(() => false);
  for (const { program } of scope)
    for (const [index, isThere] of matchedParts(policy, program).entries()) if (isThere) found[index] = true;
  return parts.filter((_, index) => !found[index]);
}

export interface TodaysVerdict {
  readonly flow: PolicyFlow;
  readonly verdict: KeptVerdict;
}

/** Of the flows that can be read in full. */
export function verdictsOf(policy: Policy, scope: readonly PolicyFlow[]): TodaysVerdict[] {
  return scope.flatMap((flow) => {
    flow.judged.update([policy]);
    const verdict = flow.judged.verdict(policy);
    return verdict ? [{ flow, verdict }] : [];
  });
}

/** `billing` for `flows/billing.flow.yaml`. */
export function shortName({ path }: PolicyFlow): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.flow\.ya?ml$/, "");
}
