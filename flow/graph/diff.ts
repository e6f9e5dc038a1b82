/**
 * The smallest ordered list of operations that turns one graph into another.
 *
 * Every prefix leaves a valid graph: variables and nodes come first, then edges, then the entry, then removals in
 * reverse. `add_edge` appends an edge to its source's list, so a list keeps its longest prefix that's already in order;
 * every edge after it is removed and added again at once, so that no prefix lacks more than the edge being moved. An edge
 * whose ID only changes its form, such as its case, is also removed right before it is added: the platform may store both
 * IDs as one.
 */

import type { ElementRef, Graph, GraphEdge, GraphNode } from "./graph";
import { changedFields, edgesBySource, formOf, sameElement, sameOutputs } from "./graph";
import type { GraphOp, SourceSpan } from "./ops";

/** An operation and the element it changes. A removed element is no longer in the file. */
export interface PlannedOp {
  readonly op: GraphOp;
  readonly at: ElementRef;
}

export interface DiffOptions {
  /** The place of a node in the file; it's sent with the node, so that the platform's findings can refer to it. */
  readonly spanOf?: (nodeId: string) => SourceSpan | undefined;
}

export function diff(from: Graph, to: Graph, options: DiffOptions = {}): PlannedOp[] {
  const ops: PlannedOp[] = [];
  const add = (op: GraphOp, at: ElementRef) => ops.push({ op, at });

  if (from.variables !== to.variables)
    for (const [name, variable] of to.variables) {
      const before = from.variables.get(name);
      if (!before || !sameElement(before, variable))
        add({ op: "upsert_context_variable", variable }, { kind: "variable", name });
    }
  if (from.persona !== to.persona)
    add({ op: "set_persona", persona: to.persona ?? null }, { kind: "top", key: "persona" });
  if (from.nodes !== to.nodes)
    for (const [id, node] of to.nodes) {
      const planned = nodeOp(from.nodes.get(id), node, options);
      if (planned) ops.push(planned);
    }
  if (!sameOutputs(from.outputs, to.outputs))
    add({ op: "set_component_outputs", outputs: to.outputs }, { kind: "top", key: "component_outputs" });
  const gone = new Map([...from.edges].filter(([id]) => !to.edges.has(id)));
  const goneByForm = new Map([...gone.values()].map((edge) => [formOf(edge.id), edge.id]));
  const remove = (id: string, node: string) => {
    gone.delete(id);
    add({ op: "remove_edge", edge_id: id }, { kind: "edge", node, id });
  };
  if (from.edges !== to.edges) {
    const before = edgesBySource(from);
    for (const [source, edges] of edgesBySource(to))
      for (const edge of edges.slice(keptEdges(before.get(source) ?? [], edges))) {
        const other = gone.get(goneByForm.get(formOf(edge.id)) ?? "");
        if (from.edges.has(edge.id)) remove(edge.id, source);
        else if (other) remove(other.id, other.source);
        add({ op: "add_edge", edge }, { kind: "edge", node: source, id: edge.id });
      }
  }
  if (from.entry !== to.entry) add({ op: "set_entry_node", node_id: to.entry ?? null }, { kind: "top", key: "entry" });
  for (const [id, { source }] of gone) remove(id, source);
  for (const id of from.nodes.keys())
    if (!to.nodes.has(id)) add({ op: "remove_node", node_id: id }, { kind: "node", id });
  for (const name of from.variables.keys())
    if (!to.variables.has(name)) add({ op: "remove_context_variable", name }, { kind: "variable", name });
  return ops;
}

function nodeOp(before: GraphNode | undefined, node: GraphNode, { spanOf }: DiffOptions): PlannedOp | undefined {
  const { id } = node;
  if (before && sameElement(before, node)) return undefined;
  const span = spanOf?.(id);
  const place = span ? { source_span: span } : {};
  if (!before || (before.type ?? null) !== (node.type ?? null))
    return { op: { op: "upsert_node", node: { ...node, ...place } }, at: { kind: "node", id } };
  const changed = changedFields(before, node);
  // Object.fromEntries defines own properties, so a field called `__proto__` is an ordinary field.
  const fields = Object.fromEntries(
    changed.map((name) => [name, (Object.hasOwn(node, name) ? node[name] : null) ?? null]),
  );
  const only = changed.length === 1 ? changed[0] : undefined;
  return {
    op: { op: "update_node_fields", node_id: id, fields: { ...fields, ...place } },
    at: { kind: "node", id, ...(only === undefined ? {} : { field: only }) },
  };
}

/** How many edges at the start of the new list can stay: those unchanged and in this order in the old one. */
function keptEdges(before: readonly GraphEdge[], after: readonly GraphEdge[]): number {
  let from = 0;
  let kept = 0;
  for (const edge of after) {
    while (from < before.length && before[from]?.id !== edge.id) from++;
    const candidate = before[from];
    if (!candidate || !sameElement(candidate, edge)) break;
    from++;
    kept++;
  }
  return kept;
}
