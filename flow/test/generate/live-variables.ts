/**
 * Finds the variables that still matter at a node: those it uses, and those that later nodes use unless it sets them.
 */
import type { Program, RunNode } from "../../run/program";

export interface LiveVariables {
  at(node: RunNode): ReadonlySet<string>;
  /** All that matter anywhere. */
  readonly all: readonly string[];
}

export function liveVariables(program: Program, usesOf: (node: RunNode) => readonly string[]): LiveVariables {
  const live = new Map<RunNode, Set<string>>();
  const before = new Map<RunNode, RunNode[]>();
  const all = new Set<string>();
  const open: (readonly [RunNode, string])[] = [];
  const put = (node: RunNode, variable: string) => {
    const known = live.get(node);
    // A collect node sets its variable before its edges are evaluated.
    if (variable === node.variable || known?.has(variable)) return;
    if (known) known.add(variable);
    else live.set(node, new Set([variable]));
    open.push([node, variable]);
  };
  for (const node of program.nodes.values())
    for (const { to } of node.edges) {
      const target = program.nodes.get(to);
      if (!target) continue;
      const known = before.get(target);
      if (known) known.push(node);
      else before.set(target, [node]);
    }
  for (const node of program.nodes.values())
    for (const variable of usesOf(node)) {
      all.add(variable);
      put(node, variable);
    }
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, variable] = next;
    for (const each of before.get(node) ?? []) put(each, variable);
  }
  return { at: (node) => live.get(node) ?? nothing, all: [...all] };
}

const nothing: ReadonlySet<string> = new Set();
