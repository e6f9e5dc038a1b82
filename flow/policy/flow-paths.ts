/** Which policies apply to a flow, by the flow's path from the policy file's folder, with slashes. */
import { getOrCreate } from "../collections";
import { type Pattern, pathPattern } from "../pattern";
import type { Policy } from "./policy-file";

export function policiesFor(policies: readonly Policy[], path: string): Policy[] {
  return policies.filter(({ flows }) => !flows || isAmong(flows, path));
}

/** Cached results for each list of patterns, because this is needed after every edit of every flow. */
const among = new WeakMap<
  readonly string[],
  { readonly patterns: readonly (Pattern | undefined)[]; readonly known: Map<string, boolean> }
>();

export function isAmong(flows: readonly string[], path: string): boolean {
  let asked = among.get(flows);
  if (!asked) {
    const patterns = flows.map((each) => pathPattern(each.replace(/^\.\//, "").replace(/\/$/, "/**")));
    asked = { patterns, known: new Map() };
    among.set(flows, asked);
  }
  return getOrCreate(asked.known, path, () => asked.patterns.some((pattern) => pattern?.test(path)));
}
