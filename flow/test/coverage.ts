/** Coverage: the nodes and edges of a flow that runs entered, those they missed, and those that no run can enter. */
import { nodeType } from "../fields";
import type { Program, RunEdge, RunNode } from "../run/program";

export interface Coverage {
  readonly nodes: Cover;
  readonly edges: Cover;
}

/** IDs in the order of the file. */
export interface Cover {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
  readonly unreachable: readonly string[];
}

/** `runs` are the paths and edges of results; those inside components belong to other flows and are left out. */
export function coverageOf(
  program: Program,
  runs: Iterable<{ readonly path: readonly string[]; readonly edges: readonly string[] }>,
): Coverage {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  for (const run of runs) {
    for (const node of run.path) nodes.add(node);
    for (const edge of run.edges) edges.add(edge);
  }
  const reachable = reachableFrom(program);
  return {
    nodes: coverOf([...program.nodes.keys()], nodes, (id) => reachable.nodes.has(id)),
    edges: coverOf(
      [...new Set([...program.nodes.values()].flatMap((node) => node.edges.map(({ id }) => id)))],
      edges,
      (id) => reachable.edges.has(id),
    ),
  };
}

function coverOf(all: readonly string[], entered: ReadonlySet<string>, isReachable: (id: string) => boolean): Cover {
  const covered: string[] = [];
  const missing: string[] = [];
  const unreachable: string[] = [];
  for (const id of all) (entered.has(id) ? covered : isReachable(id) ? missing : unreachable).push(id);
  return { covered, missing, unreachable };
}

/** What can be reached from the entry by edges alone, regardless of conditions. */
export function reachableFrom({ entry, nodes }: Program): {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
} {
  const seen = new Set<string>(entry ? [entry.id] : []);
  const edges = new Set<string>();
  for (const id of seen)
    for (const edge of edgesInReach(nodes.get(id) as RunNode)) {
      edges.add(edge.id);
      if (nodes.has(edge.to)) seen.add(edge.to);
    }
  return { nodes: seen, edges };
}

/** The edges of a node up to its default edge. */
export function edgesInReach(node: RunNode): readonly RunEdge[] {
  if (nodeType(node.type)?.terminal) return [];
  const end = node.edges.findIndex((edge) => !edge.isOnEvent && edge.condition === undefined);
  return end < 0 ? node.edges : node.edges.filter((edge, index) => index <= end || edge.isOnEvent);
}
