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
export function isMatch({ keys }: Selector, node: RunNode): boolean {
  for (const [key, wanted] of keys) if (!says[key](node, wanted)) return false;
  return true;
}

const says: Record<SelectorKey, (node: RunNode, wanted: string) => boolean> = {
  node: ({ id }, wanted) => id === wanted,
  type: ({ type }, wanted) => type === wanted,
  tool: ({ type, calls }, wanted) => type === "tool" && calls?.toLowerCase() === wanted.toLowerCase(),
  reads: ({ reads }, wanted) => reads.some(({ variable }) => variable === wanted),
  sets: ({ variable, saves }, wanted) => variable === wanted || saves.some((each) => each.variable === wanted),
  name: ({ entry: { name } }, wanted) => name !== undefined && matchesPattern(name.toLowerCase(), wanted.toLowerCase()),
};

/** `*` is any number of signs, `?` is one. Goes back to the last `*` only, so no pattern takes long. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [signs, wanted] = [[...text], [...pattern]];
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
