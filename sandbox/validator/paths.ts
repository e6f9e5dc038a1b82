/** Rules about paths through the graph. */
import type { GraphEdge } from "../../flow";
import { keyWords, valueWords } from "./spans";
import { edgeFix } from "./suggested-fixes";
import { isDefault, isTerminal, type PlatformRule, type View } from "./view";

export const pathRules: readonly PlatformRule[] = [
  {
    id: "node.unreachable",
    severity: "warning",
    checkNode({ id }, { reached }) {
      if (reached.size === 0 || reached.has(id)) return undefined;
      return {
        message: `"${id}" isn't reachable from the entry.`,
        words: keyWords,
        fix: "Add an edge that leads here, or remove the node.",
      };
    },
  },
  {
    id: "loop.no-exit",
    severity: "blocking",
    check(view, report) {
      for (const loop of closedLoops(view)) {
        const [first, ...others] = loop;
        if (first !== undefined)
          report({
            message:
              others.length === 0
                ? `"${first}" only leads back to itself, so the conversation can never end.`
                : `The conversation can never leave the loop ${loop.map((id) => `"${id}"`).join(" → ")}.`,
            node: first,
            relatedNodes: others,
            words: keyWords,
            fix: "Add an edge from one of these nodes to a node outside the loop.",
          });
      }
    },
  },
  {
    id: "edge.self-unconditional",
    severity: "warning",
    check({ graph }, report) {
      for (const edge of graph.edges.values())
        if (edge.source === edge.target && isDefault(edge))
          report({
            message: `"${edge.source}" leads back to itself without a condition.`,
            node: edge.source,
            edge: edge.id,
            words: valueWords("to", edge.target),
            fix: "Add `when` to say when the step is repeated.",
          });
    },
  },
  {
    id: "edge.shadowed",
    severity: "warning",
    check({ graph, out }, report) {
      for (const node of graph.nodes.values()) {
        let fallback: GraphEdge | undefined;
        const perTarget = new Map<string, number>();
        for (const edge of out(node.id)) {
          const nth = perTarget.get(edge.target) ?? 0;
          perTarget.set(edge.target, nth + 1);
          // An edge that repeats the default is reported as a duplicate.
          if (fallback && !hasEvent(edge) && !(isDefault(edge) && edge.target === fallback.target))
            report({
              message: `The edge to "${edge.target}" is never taken: the one to "${fallback.target}" before it has no condition.`,
              node: node.id,
              edge: edge.id,
              relatedEdges: [fallback.id],
              words: valueWords("to", edge.target),
              nth,
              fix: "Move the edge without a condition to the end of the list.",
            });
          if (isDefault(edge)) fallback ??= edge;
        }
      }
    },
  },
  {
    id: "node.no-default",
    severity: "suggestion",
    checkNode(node, { out, first }) {
      const edges = out(node.id);
      if (isTerminal(node) || edges.some(isDefault) || edges.every(hasEvent)) return undefined;
      const fallback = first("transfer");
      return {
        message: `When no condition of "${node.id}" holds, the conversation has nowhere to go.`,
        ...(fallback
          ? { fix: edgeFix(node, { to: fallback.id }) }
          : { words: keyWords, fix: "Add a last edge without a condition." }),
      };
    },
  },
  {
    id: "decision.single-way",
    severity: "suggestion",
    checkNode({ id, type }, { out }) {
      if (type !== "decision" || out(id).length !== 1) return undefined;
      return {
        message: `"${id}" has only one outgoing edge, so there is nothing to decide.`,
        words: keyWords,
        fix: "Add more edges, or connect directly to the next node.",
      };
    },
  },
];

function hasEvent(edge: GraphEdge): boolean {
  return edge.on !== undefined && edge.on !== null;
}

/** Strongly connected nodes without an edge to the outside, in the order of the graph (Tarjan, without recursion). */
function closedLoops({ graph, out }: View): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const loops: string[][] = [];
  for (const root of graph.nodes.keys()) {
    if (order.has(root)) continue;
    const work: { readonly id: string; readonly edges: readonly GraphEdge[]; next: number }[] = [];
    const enter = (id: string) => {
      order.set(id, order.size);
      low.set(id, order.size - 1);
      stack.push(id);
      onStack.add(id);
      work.push({ id, edges: out(id), next: 0 });
    };
    enter(root);
    for (let frame = work.at(-1); frame; frame = work.at(-1)) {
      const edge = frame.edges[frame.next++];
      if (edge) {
        if (!graph.nodes.has(edge.target)) continue;
        if (!order.has(edge.target)) enter(edge.target);
        else if (onStack.has(edge.target)) lower(low, frame.id, order.get(edge.target) ?? 0);
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent) lower(low, parent.id, low.get(frame.id) ?? 0);
      if (low.get(frame.id) !== order.get(frame.id)) continue;
      const group = stack.splice(stack.lastIndexOf(frame.id));
      for (const id of group) onStack.delete(id);
      const alone = frame.id;
      if (group.length === 1 && !out(alone).some((each) => each.target === alone)) continue;
      const inside = new Set(group);
      const leaves = group.some((id) => out(id).some((each) => !inside.has(each.target)));
      if (!leaves) loops.push(group);
    }
  }
  return loops;
}

function lower(low: Map<string, number>, id: string, value: number): void {
  low.set(id, Math.min(low.get(id) ?? value, value));
}
