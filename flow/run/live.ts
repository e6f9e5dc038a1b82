/** Which variables still matter where (liveness): those that a node uses, and those that later nodes use unless it sets them. */
import { addTo } from "../collections";
import { asksOf, type Passage, type Program, passagesOf, type RunNode } from "./program";

export interface LiveVariables {
  /** The variables whose value on entering a node can make a difference later. */
  at(node: RunNode): ReadonlySet<string>;
  /** All that matter anywhere. */
  readonly all: readonly string[];
}

/** `readsOf` are the variables that a node reads before it sets any; `usesOf` are the others that it uses. */
export function liveVariables(
  program: Program,
  usesOf: (node: RunNode) => readonly string[],
  readsOf: (node: RunNode) => readonly string[] = () => [],
): LiveVariables {
  const live = new Map<RunNode, Set<string>>();
  const before = new Map<RunNode, (readonly [RunNode, Passage])[]>();
  const all = new Set<string>();
  const open: (readonly [RunNode, string])[] = [];
  const put = (node: RunNode, variable: string) => {
    const known = live.get(node);
    if (known?.has(variable)) return;
    if (known) known.add(variable);
    else live.set(node, new Set([variable]));
    open.push([node, variable]);
  };
  for (const node of program.nodes.values())
    for (const passage of passagesOf(program, node)) {
      const target = program.nodes.get(passage.to);
      if (target) addTo(before, target, [node, passage] as const);
    }
  for (const node of program.nodes.values()) {
    for (const variable of readsOf(node)) put(node, variable);
    for (const variable of usesOf(node)) {
      all.add(variable);
      // A collect node sets its variable before its edges are evaluated.
      if (variable !== node.variable && !isSavedFirst(node, variable)) put(node, variable);
    }
  }
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, variable] = next;
    // A tool or a component sets what it saves, unless it reports an event.
    for (const [each, { isOnEvent }] of before.get(node) ?? []) {
      const isSet = !isOnEvent && (program.ways?.get(each.id)?.assigns.has(variable) ?? each.sets.includes(variable));
      if (!isSet && variable !== each.variable) put(each, variable);
    }
  }
  return { at: (node) => live.get(node) ?? nothing, all: [...all] };
}

/** The variables that conditions depend on; with `withReads` also those of them that nodes read. */
export function liveForConditions(program: Program, withReads: boolean): LiveVariables {
  const usesOf = (node: RunNode) => {
    const way = program.ways?.get(node.id);
    if (!way) return node.asks;
    const copied = [...way.assigns.values()].flatMap((each) => (each && "copy" in each ? each.copy : []));
    return [...asksOf(way.passages), ...copied];
  };
  if (!withReads) return liveVariables(program, usesOf);
  const used = new Set([...program.nodes.values()].flatMap(usesOf));
  return liveVariables(program, usesOf, ({ reads }) =>
    reads.flatMap(({ variable }) => (used.has(variable) ? variable : [])),
  );
}

/** Whether a tool node uses a variable only after it saved it. A component may also pass its value. */
function isSavedFirst({ type, sets, edges }: RunNode, variable: string): boolean {
  const isSaved = type === "tool" && sets.includes(variable);
  return isSaved && !asksOf(edges.filter(({ isOnEvent }) => isOnEvent)).includes(variable);
}

const nothing: ReadonlySet<string> = new Set();
