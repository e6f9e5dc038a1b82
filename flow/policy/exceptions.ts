/** Exceptions to policies. Each names its last day and its reason, so that none is forgotten. */
import { isAmong, policiesFor } from "./flow-paths";
import type { Policy, PolicyException } from "./policy-file";

export function isExpired({ until }: PolicyException, today: string): boolean {
  return until.text < today;
}

/** Whether an exception is about a flow, by its path from the policy file's folder. */
export function isAbout({ flow }: PolicyException, path: string): boolean {
  return !flow || isAmong([flow.text], path);
}

/** The exceptions that count for a flow on a day. */
export function exceptionsFor(policy: Policy, path: string, today: string): readonly PolicyException[] {
  return policy.exceptions.filter((each) => !isExpired(each, today) && isAbout(each, path));
}

/** What a policy demands of a flow on a day; undefined where the whole flow is excepted. */
export function demanded(policy: Policy, path: string, today: string): Policy | undefined {
  if (policy.exceptions.length === 0) return policy;
  const found = exceptionsFor(policy, path, today);
  if (found.length === 0) return policy;
  if (found.some(({ node }) => !node)) return undefined;
  const except = found.flatMap(({ node }) => node?.text ?? []);
  return { ...policy, demand: { ...policy.demand, except } };
}

/** Why a policy isn't judged on a flow: the exception for the whole of it. */
export function exceptedWords(policy: Policy, path: string, today: string): string {
  const whole = exceptionsFor(policy, path, today).find(({ node }) => !node);
  return whole ? `Excepted until ${whole.until.text}: ${whole.because}` : "";
}

/** What must hold in a flow on a day, written as YYYY-MM-DD: the policies for it with their exceptions applied. */
export function inForce(policies: readonly Policy[], path: string, today: string): Policy[] {
  return policiesFor(policies, path).flatMap((policy) => demanded(policy, path, today) ?? []);
}
