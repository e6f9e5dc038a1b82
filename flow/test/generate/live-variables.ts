/**
 * Finds the variables that still matter at a node: those it uses, and those that later nodes use unless it sets them.
 */
import { addTo } from "../../collections";
import { asksOf, type Program, type RunEdge, type RunNode } from "../../run/program";

export interface LiveVariables {
  at(node: RunNode): ReadonlySet<string>;
  /** All that matter anywhere. */
  readonly all: readonly string[];
}

export function liveVariables(program: Program, usesOf: (node: RunNode) => readonly string[]): LiveVariables {
  const live = new Map<RunNode, Set<string>>();
  const before = new Map<RunNode, (readonly [RunNode, RunEdge])[]>();
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
    for (const edge of node.edges) {
      const target = program.nodes.get(edge.to);
      if (target) addTo(before, target, [node, edge] as const);
    }
  for (const node of program.nodes.values())
    for (const variable of usesOf(node)) {
      all.add(variable);
      if (!isSavedFirst(node, variable)) put(node, variable);
    }
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, variable] = next;
    // A tool or a component sets what it saves, unless it reports an event.
    for (const [each, edge] of before.get(node) ?? [])
      if (edge.isOnEvent || !each.sets.includes(variable)) put(each, variable);
  }
  return { at: (node) => live.get(node) ?? nothing, all: [...all] };
}

/** Whether a tool node uses a variable only after it saved it. A component may also pass its value. */
function isSavedFirst({ type, sets, edges }: RunNode, variable: string): boolean {
  const isSaved = type === "tool" && sets.includes(variable);
  return isSaved && !asksOf(edges.filter(({ isOnEvent }) => isOnEvent)).includes(variable);
}

const nothing: ReadonlySet<string> = new Set();
