/** Rules about the structure of the graph: entry, nodes, edges. */
import { nearest } from "../../flow";
import { valueWords } from "./spans";
import { edgeFix, opsFix } from "./suggested-fixes";
import { isTerminal, type PlatformRule } from "./view";

export const structureRules: readonly PlatformRule[] = [
  {
    id: "graph.empty",
    severity: "blocking",
    check({ graph }, report) {
      if (graph.nodes.size === 0)
        report({ message: "The flow has no nodes.", fix: "Add a first node and make it the entry." });
    },
  },
  {
    id: "entry.missing",
    severity: "blocking",
    check({ graph, into }, report) {
      if (graph.entry !== undefined || graph.nodes.size === 0) return;
      const first = [...graph.nodes.values()].find((node) => into(node.id).length === 0);
      report({
        message: "The flow has no entry node.",
        fix: first ? opsFix({ op: "set_entry_node", node_id: first.id }) : "Choose the entry node.",
      });
    },
  },
  {
    id: "entry.unknown",
    severity: "blocking",
    check({ graph }, report) {
      if (graph.entry === undefined || graph.nodes.has(graph.entry)) return;
      const close = nearest(graph.entry, graph.nodes.keys());
      report({
        message: `Entry node "${graph.entry}" doesn't exist.`,
        fix: close
          ? opsFix({ op: "set_entry_node", node_id: close })
          : "Set the entry to a node that exists, or add this node.",
      });
    },
  },
  {
    id: "edge.dangling",
    severity: "blocking",
    check({ graph }, report) {
      const remove = (id: string) => opsFix({ op: "remove_edge", edge_id: id });
      for (const { id, source, target } of graph.edges.values()) {
        if (!graph.nodes.has(source))
          report({ message: `The source "${source}" of the edge doesn't exist.`, edge: id, fix: remove(id) });
        if (graph.nodes.has(target)) continue;
        const close = nearest(target, graph.nodes.keys());
        report({
          message: `The target "${target}" of the edge doesn't exist.`,
          node: source,
          edge: id,
          words: valueWords("to", target),
          ...(close ? { replacement: close, relatedNodes: [close] } : {}),
          fix: remove(id),
        });
      }
    },
  },
  {
    id: "edge.duplicate",
    severity: "warning",
    check({ graph, out }, report) {
      for (const node of graph.nodes.values()) {
        const edges = out(node.id);
        const seen = new Map<string, string>();
        const perTarget = new Map<string, number>();
        for (const edge of edges) {
          const nth = perTarget.get(edge.target) ?? 0;
          perTarget.set(edge.target, nth + 1);
          const same = `${edge.target}\n${plain(edge.when)}\n${plain(edge.on)}`;
          const first = seen.get(same);
          if (first === undefined) seen.set(same, edge.id);
          else
            report({
              message: `The edge to "${edge.target}" duplicates an earlier edge with the same condition.`,
              node: node.id,
              edge: edge.id,
              relatedEdges: [first],
              words: valueWords("to", edge.target),
              nth,
              fix: opsFix({ op: "remove_edge", edge_id: edge.id }),
            });
        }
      }
    },
  },
  {
    id: "terminal.has-edges",
    severity: "error",
    checkNode(node, { out }) {
      const [first, ...others] = isTerminal(node) ? out(node.id).map(({ id }) => id) : [];
      if (first === undefined) return undefined;
      return {
        message: `"${node.id}" ends the conversation, so nothing can follow it.`,
        edge: first,
        relatedEdges: others,
        fix: opsFix([first, ...others].map((id) => ({ op: "remove_edge" as const, edge_id: id }))),
      };
    },
  },
  {
    id: "node.dead-end",
    severity: "warning",
    checkNode(node, { out, first }) {
      if (isTerminal(node) || out(node.id).length > 0) return undefined;
      const end = first("end");
      return {
        message: `The conversation stops at "${node.id}" without an ending.`,
        ...(end
          ? { relatedNodes: [end.id], fix: edgeFix(node, { to: end.id }) }
          : { fix: "Add an edge to an end node." }),
      };
    },
  },
];

/** A condition as a string; the file may contain any value. */
function plain(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
