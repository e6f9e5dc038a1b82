/** A policy file and the flows that it speaks of. */

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

/** The current day of this machine, as YYYY-MM-DD. */
export function today(now = new Date()): string {
  const digits = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`;
}

/** The flows that a policy speaks of. */
export function scopeOf(policy: Policy, flows: readonly PolicyFlow[]): readonly PolicyFlow[] {
  return policy.flows ? flows.filter(({ path }) => policiesFor([policy], path).length > 0) : flows;
}

/** The parts of a policy that match nothing in any flow it speaks of, nor in components. */
export function unmatched(policy: Policy, scope: readonly PolicyFlow[]): readonly PolicyPart[] {
  // It may be in what can't be read, or isn't looked into.
  if (scope.some(({ program, judged }) => unreadIn(program.document) || judged.isTooLarge)) return [];
  const parts = partsOfPolicy(policy);
  const found = parts.map(() => false);
  for (const { judged } of scope)
    for (const [index, isThere] of matchedParts(policy, judged.whole).entries()) if (isThere) found[index] = true;
  return parts.filter((_, index) => !found[index]);
}
