/**
 * Applies a batch of operations to a graph. An operation is rejected if it has no meaning: an invalid shape, the change
 * or removal of a missing element, or an edge whose ID exists. Whether the resulting graph is good (edges to missing
 * nodes, a missing entry) is for the rules to decide.
 */

import { isRecord } from "../json";
import { doesNotExist } from "../wording";
import type { Graph, GraphEdge, GraphNode, GraphOutput, GraphVariable } from "./graph";
import type { GraphOp } from "./ops";

/** Why an operation was rejected, and which part of it; the path starts at the operation: `["node", "id"]`. */
export interface OpProblem {
  /** The operation's index in the batch. */
  readonly index: number;
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly kind: "missing" | "wrong-type" | "unknown" | "exists";
}

export type ApplyResult =
  | { readonly graph: Graph; readonly problem?: undefined }
  | { readonly graph?: undefined; readonly problem: OpProblem };

/** All or nothing: the first rejected operation rejects the batch. The given graph is never changed. */
export function applyOps(graph: Graph, ops: readonly GraphOp[]): ApplyResult {
  const { nodes, edges, variables } = graph;
  const draft = { ...graph, nodes: new Map(nodes), edges: new Map(edges), variables: new Map(variables) };
  for (let index = 0; index < ops.length; index++) {
    const fault = apply(draft, ops[index]);
    if (fault) return { problem: { index, ...fault } };
  }
  return { graph: draft };
}

type Fault = Omit<OpProblem, "index">;

/** A graph under construction. */
interface Draft {
  readonly nodes: Map<string, GraphNode>;
  readonly edges: Map<string, GraphEdge>;
  readonly variables: Map<string, GraphVariable>;
  outputs: readonly GraphOutput[];
  persona?: string;
  entry?: string;
}

/** The operation comes from a file or from the wire, so its shape is checked despite its type. */
function apply(draft: Draft, op: GraphOp | undefined): Fault | undefined {
  if (!isRecord(op)) return wrong([], op, "an object");
  switch (op.op) {
    case "upsert_node":
      return upsertNode(draft, op.node);
    case "remove_node": {
      const fault = unknownNode(draft, op.node_id);
      if (!fault) draft.nodes.delete(op.node_id);
      return fault;
    }
    case "update_node_fields":
      return updateNode(draft, op.node_id, op.fields);
    case "add_edge":
      return addEdge(draft, op.edge);
    case "remove_edge": {
      if (!isName(op.edge_id)) return wrong(["edge_id"], op.edge_id);
      if (!draft.edges.has(op.edge_id)) return unknown(["edge_id"], doesNotExist("Edge", op.edge_id));
      draft.edges.delete(op.edge_id);
      return undefined;
    }
    case "set_entry_node": {
      if (op.node_id !== null && !isName(op.node_id)) return wrong(["node_id"], op.node_id);
      if (op.node_id === null) delete draft.entry;
      else draft.entry = op.node_id;
      return undefined;
    }
    case "upsert_context_variable": {
      if (!isRecord(op.variable)) return wrong(["variable"], op.variable, "an object");
      if (!isName(op.variable.name)) return wrong(["variable", "name"], op.variable.name);
      draft.variables.set(op.variable.name, op.variable);
      return undefined;
    }
    case "remove_context_variable": {
      if (!isName(op.name)) return wrong(["name"], op.name);
      if (!draft.variables.has(op.name)) return unknown(["name"], doesNotExist("Variable", op.name));
      draft.variables.delete(op.name);
      return undefined;
    }
    case "set_persona": {
      if (op.persona !== null && typeof op.persona !== "string") return wrong(["persona"], op.persona, "a string");
      if (op.persona === null) delete draft.persona;
      else draft.persona = op.persona;
      return undefined;
    }
    case "set_component_outputs": {
      if (!Array.isArray(op.outputs)) return wrong(["outputs"], op.outputs, "a list");
      const bad = op.outputs.findIndex((output) => !isRecord(output));
      if (bad >= 0) return wrong(["outputs", bad], op.outputs[bad], "an object");
      draft.outputs = op.outputs;
      return undefined;
    }
    default: {
      const kind: unknown = (op as { op?: unknown }).op;
      return isName(kind) ? unknown(["op"], doesNotExist("Operation", kind)) : wrong(["op"], kind);
    }
  }
}

function upsertNode(draft: Draft, node: GraphNode): Fault | undefined {
  if (!isRecord(node)) return wrong(["node"], node, "an object");
  if (!isName(node.id)) return wrong(["node", "id"], node.id);
  if (node.type !== undefined && node.type !== null && typeof node.type !== "string")
    return wrong(["node", "type"], node.type, "a string");
  draft.nodes.set(node.id, node);
  return undefined;
}

function updateNode(draft: Draft, id: string, fields: Readonly<Record<string, unknown>>): Fault | undefined {
  const fault = unknownNode(draft, id);
  if (fault) return fault;
  if (!isRecord(fields)) return wrong(["fields"], fields, "an object");
  if (Object.hasOwn(fields, "id") && fields.id !== id)
    return { path: ["fields", "id"], kind: "wrong-type", message: "The ID of a node can't be changed." };
  const type = Object.hasOwn(fields, "type") ? fields.type : undefined;
  if (type !== undefined && type !== null && typeof type !== "string")
    return wrong(["fields", "type"], type, "a string");
  const merged = new Map(Object.entries(draft.nodes.get(id) as GraphNode));
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) merged.delete(field);
    else merged.set(field, value);
  }
  // Object.fromEntries defines own properties, so a field called `__proto__` is an ordinary field.
  draft.nodes.set(id, Object.fromEntries(merged) as unknown as GraphNode);
  return undefined;
}

function addEdge(draft: Draft, edge: GraphEdge): Fault | undefined {
  if (!isRecord(edge)) return wrong(["edge"], edge, "an object");
  for (const part of ["id", "source", "target"] as const)
    if (!isName(edge[part])) return wrong(["edge", part], edge[part]);
  if (draft.edges.has(edge.id))
    return { path: ["edge", "id"], kind: "exists", message: `Edge "${edge.id}" already exists.` };
  draft.edges.set(edge.id, edge);
  return undefined;
}

function unknownNode(draft: Draft, id: unknown): Fault | undefined {
  if (!isName(id)) return wrong(["node_id"], id);
  return draft.nodes.has(id) ? undefined : unknown(["node_id"], doesNotExist("Node", id));
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function unknown(path: Fault["path"], message: string): Fault {
  return { path, kind: "unknown", message };
}

/** The fault of a value of the wrong type. */
function wrong(path: Fault["path"], value: unknown, wanted = "a non-empty string"): Fault {
  const part = path.length === 0 ? "The operation" : `\`${path.at(-1)}\``;
  if (value === undefined) return { path, kind: "missing", message: `${part} is missing.` };
  return { path, kind: "wrong-type", message: `${part} must be ${wanted}.` };
}
