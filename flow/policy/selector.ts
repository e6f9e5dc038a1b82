/** Which nodes of a flow a policy speaks of. */
import type { Program, RunNode } from "../run/program";
import type { Span } from "../text";

export const selectorKeys = ["node", "type", "tool", "reads", "sets", "name"] as const;
export type SelectorKey = (typeof selectorKeys)[number];

/** All of its keys must hold. */
export interface Selector {
  /** Written as `entry`: the entry node. */
  readonly isEntry: boolean;
  readonly keys: ReadonlyMap<SelectorKey, string>;
  /** Where the value of each key stands in the policy file. */
  readonly places: ReadonlyMap<SelectorKey, Span>;
  readonly span: Span;
}

export function nodesMatching(selector: Selector, { entry, nodes }: Program): ReadonlySet<RunNode> {
  const { isEntry, keys } = selector;
  if (isEntry) return new Set(entry ? [entry] : []);
  const id = keys.get("node");
  const only = id === undefined ? undefined : nodes.get(id);
  const among = id === undefined ? nodes.values() : only ? [only] : [];
  const found = new Set<RunNode>();
  for (const node of among) if (isMatch(selector, node)) found.add(node);
  return found;
}

/** Whether a node is as the keys of a selector say. */
export function isMatch(selector: Selector, node: RunNode): boolean {
  return matcherOf(selector)(node);
}

/** The same for many nodes: what a selector asks for is looked at once. */
export function matcherOf({ keys }: Selector): (node: RunNode) => boolean {
  const tests = [...keys].map(([key, wanted]) => says[key](wanted));
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (node) => tests.every((test) => test(node));
}

const says: Record<SelectorKey, (wanted: string) => (node: RunNode) => boolean> = {
  node: (wanted) => (node) => node.id === wanted,
  type: (wanted) => (node) => node.type === wanted,
  tool: (wanted) => {
    const lower = wanted.toLowerCase();
    return (node) => node.type === "tool" && node.calls?.toLowerCase() === lower;
  },
  reads: (wanted) => (node) => node.reads.some(({ variable }) => variable === wanted),
  sets: (wanted) => (node) => node.variable === wanted || node.saves.some((each) => each.variable === wanted),
  name: (wanted) => {
    const matches = patternOf(wanted.toLowerCase());
    return ({ entry: { name } }) => name !== undefined && matches(name.toLowerCase());
  },
};

export function matchesPattern(text: string, pattern: string): boolean {
  return patternOf(pattern)(text);
}

/** `*` is any number of signs, `?` is one. Goes back to the last `*` only, so no pattern takes long. */
function patternOf(pattern: string): (text: string) => boolean {
  const wanted = [...pattern];
  const wild = pattern.search(/[*?]/);
  const start = wild < 0 ? pattern : pattern.slice(0, wild);
  return (text) => {
    // Most names are told apart by how they start.
    if (!text.startsWith(start)) return false;
    return wild < 0 ? text.length === start.length : matchesSigns([...text], wanted);
  };
}

function matchesSigns(signs: readonly string[], wanted: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let star: { readonly next: number; at: number } | undefined;
  while (at < signs.length) {
    if (wanted[next] === "*") {
      next++;
      star = { next, at };
    } else if (next < wanted.length && (wanted[next] === "?" || wanted[next] === signs[at])) {
      at++;
      next++;
    } else if (star) {
      star.at++;
      at = star.at;
      next = star.next;
    } else return false;
  }
  while (wanted[next] === "*") next++;
  return next === wanted.length;
}
