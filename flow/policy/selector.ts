/** Which nodes of a flow a policy speaks of. */
import { namePattern } from "../pattern";
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

/** What selectors look at in a node. */
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
  const found = new Set<RunNode>();
  for (const node of among) if (isMatch(selector, node)) found.add(node);
  return found;
}

/** Whether a node is as the keys of a selector say. */
export function isMatch(selector: Selector, node: RunNode): boolean {
  return matcherOf(selector)(node);
}

/** The same for many nodes: what a selector asks for is looked at once. */
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
    const lower = wanted.toLowerCase();
    const matches = patternOf(lower);
    const start = plainStart(lower);
    return ({ block: { name } }) => name !== undefined && mayStart(name, start) && matches(name.toLowerCase());
  },
};

/** False where a name doesn't start so in small letters: most names are told apart without making a text of them. */
function mayStart(name: string, start: string): boolean {
  for (let at = 0; at < start.length; at++) {
    const code = name.charCodeAt(at);
    // What other letters are in small ones, only the whole name can tell.
    if (code > 127) return true;
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== start.charCodeAt(at)) return false;
  }
  return true;
}

/** What a pattern wants before its first `*` or `?`. */
function plainStart(pattern: string): string {
  return pattern.replace(/[*?].*$/s, "");
}

/** Most names are told apart by how they start. A pattern that is too long matches nothing; the policy file says so. */
function patternOf(pattern: string): (text: string) => boolean {
  const start = plainStart(pattern);
  if (start === pattern) return (text) => text === pattern;
  if (pattern === `${start}*`) return (text) => text.startsWith(start);
  const whole = namePattern(pattern);
  return (text) => text.startsWith(start) && whole?.test(text) === true;
}
