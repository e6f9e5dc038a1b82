/** Routes between nodes: which can be reached from one, which lead to one, and the shortest path from one to another. */
import { addTo } from "../collections";
import { usesOf } from "../review/outline";
import type { Program, RunNode } from "../run/program";
import { edgesInReach } from "../test/coverage";
import { Paths } from "./paths";
import { breaking, role } from "./search";

export interface Route {
  /** IDs, from the first node to the last. */
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  /** The variables set by nodes before the last one, and where. */
  readonly sets: readonly { readonly variable: string; readonly node: string }[];
}

/** A shortest path that conditions allow, without facts at its start. */
export function routeBetween(program: Program, from: RunNode, isTarget: (node: RunNode) => boolean): Route | undefined {
  return shortest(new Paths({ ...program, entry: from }, true), isTarget);
}

/** The same regardless of conditions. */
export function routeByShape(program: Program, from: RunNode, isTarget: (node: RunNode) => boolean): Route | undefined {
  return shortest(new Paths({ ...program, entry: from }, false), isTarget);
}

/** IDs of the nodes reachable from a node regardless of conditions, nearest first; itself only over a cycle. */
export function reachedFrom({ nodes }: Program, from: RunNode): string[] {
  return spread(from.id, (id) => {
    const node = nodes.get(id);
    return node ? edgesInReach(node).flatMap(({ to }) => (nodes.has(to) ? to : [])) : [];
  });
}

/** IDs of the nodes from which edges lead to one of some nodes, nearest first. */
export function leadingTo({ nodes }: Program, targets: readonly RunNode[]): string[] {
  const previous = new Map<string, string[]>();
  for (const node of nodes.values()) for (const { to } of edgesInReach(node)) addTo(previous, to, node.id);
  return [...new Set(targets.flatMap(({ id }) => spread(id, (each) => previous.get(each) ?? [])))];
}

function spread(from: string, onwards: (id: string) => readonly string[]): string[] {
  const seen = new Set<string>(onwards(from));
  for (const id of seen) for (const next of onwards(id)) seen.add(next);
  return [...seen];
}

function shortest(paths: Paths, isTarget: (node: RunNode) => boolean): Route | undefined {
  const roles = Uint8Array.from(paths.nodes, (node) => (isTarget(node) ? role.breaks : 0));
  const found = breaking({ roles, isWaitingAtStart: true, breaksAtEnd: false }, paths);
  return (
    found && {
      nodes: found.nodes.map(({ id }) => id),
      edges: found.edges.flatMap((edge) => edge?.id ?? []),
      sets: found.nodes
        .slice(0, -1)
        .flatMap((node) => [...usesOf(node).sets].map((variable) => ({ variable, node: node.id }))),
    }
  );
}
