/** Selects the nodes that a policy is about. */
import { namePattern } from "../pattern";
import type { Program, RunNode } from "../run/program";
import type { Span } from "../text";

export const selectorKeys = ["node", "type", "tool", "reads", "sets", "name"] as const;
export type SelectorKey = (typeof selectorKeys)[number];

/** All of its keys must match. */
export interface Selector {
  /** Written as `entry`: the entry node. */
  readonly isEntry: boolean;
  readonly keys: ReadonlyMap<SelectorKey, string>;
  /** The place of each key's value in the policy file. */
  readonly places: ReadonlyMap<SelectorKey, Span>;
  readonly span: Span;
}

/** The properties of a node that selectors use. */
export interface Matchable extends Pick<RunNode, "id" | "type" | "calls" | "sets"> {
  readonly reads: readonly { readonly variable: string }[];
  readonly block: { readonly name: string | undefined };
}

export function nodesMatching(selector: Selector, { entry, nodes }: Program): ReadonlySet<RunNode> {
  const { isEntry, keys } = selector;
  if (isEntry) return new Set(entry ? [entry] : []);
  const id = keys.get("node");
  const only = id === undefined ? undefined : nodes.get(id);
  const among = id === undefined ? nodes.values() : only ? [only] : [];
  return new Set([...among].filter(matcherOf(selector)));
}

/** Whether a node matches all keys of a selector, for many nodes. */
export function matcherOf({ keys }: Selector): (node: Matchable) => boolean {
  const tests = [...keys].map(([key, wanted]) => says[key](wanted));
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (node) => tests.every((test) => test(node));
}

const says: Record<SelectorKey, (wanted: string) => (node: Matchable) => boolean> = {
  node: (wanted) => (node) => node.id === wanted,
  type: (wanted) => (node) => node.type === wanted,
  tool: (wanted) => {
    const lower = wanted.toLowerCase();
    return (node) => node.type === "tool" && node.calls?.toLowerCase() === lower;
  },
  reads: (wanted) => (node) => node.reads.some(({ variable }) => variable === wanted),
  sets: (wanted) => (node) => node.sets.includes(wanted),
  name: (wanted) => {
    const matches = patternOf(wanted.toLowerCase());
    return ({ block: { name } }) => name !== undefined && matches(name.toLowerCase());
  },
};

/** Most names are rejected by their start. A pattern that's too long matches nothing, which the policy file reports. */
function patternOf(pattern: string): (text: string) => boolean {
  const start = pattern.replace(/[*?].*$/s, "");
  if (start === pattern) return (text) => text === pattern;
  if (pattern === `${start}*`) return (text) => text.startsWith(start);
  const whole = namePattern(pattern);
  return (text) => text.startsWith(start) && whole?.test(text) === true;
}
