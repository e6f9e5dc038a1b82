/** Which policies apply to a flow, by the flow's path from the policy file's folder, with slashes. */
import { pathPattern } from "../pattern";
import type { Policy } from "./policy-file";

export function policiesFor(policies: readonly Policy[], path: string): Policy[] {
  return policies.filter(({ flows }) => !flows || isAmong(flows, path));
}

export function isAmong(flows: readonly string[], path: string): boolean {
  return flows.some((each) => pathPattern(each.replace(/^\.\//, "").replace(/\/$/, "/**"))?.test(path) === true);
}
