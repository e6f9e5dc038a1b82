/** A policy file and the flows it applies to. */

import { unreadIn } from "../../flow";
import {
  type FlowPolicies,
  matchedParts,
  type Policy,
  type PolicyFile,
  type PolicyPart,
  partsOfPolicy,
  policiesFor,
} from "../../flow/policy";
import type { Program } from "../../flow/run";

export interface PolicyFlow {
  readonly uri: string;
  /** Relative to the folder of the policy file, with forward slashes. */
  readonly path: string;
  readonly program: Program;
  readonly judged: FlowPolicies;
}

export interface PolicyContext {
  readonly text: string;
  readonly file: PolicyFile;
  /** All flows whose nearest policy file this is. */
  readonly flows: readonly PolicyFlow[];
}

/** Today's local date, as YYYY-MM-DD. */
export function today(now = new Date()): string {
  const digits = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`;
}

/** The flows that a policy applies to. */
export function scopeOf(policy: Policy, flows: readonly PolicyFlow[]): readonly PolicyFlow[] {
  return policy.flows ? flows.filter(({ path }) => policiesFor([policy], path).length > 0) : flows;
}

/** The parts of a policy that match nothing in its flows or their components. */
export function unmatched(policy: Policy, scope: readonly PolicyFlow[]): readonly PolicyPart[] {
  // A match may be in a part that can't be read or is too large to analyze.
  if (scope.some(({ program, judged }) => unreadIn(program.document) || judged.isTooLarge)) return [];
  const parts = partsOfPolicy(policy);
  const found = parts.map(() => false);
  for (const { judged } of scope)
    for (const [index, isThere] of matchedParts(policy, judged.whole).entries()) if (isThere) found[index] = true;
  return parts.filter((_, index) => !found[index]);
}
