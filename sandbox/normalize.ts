/**
 * Simulates server-side normalization. The contract calls the returned graph normalized without details; these are
 * common forms, used to test that sync settles with each.
 */
import {
  diff,
  edgeFields,
  edgesBySource,
  type Graph,
  type GraphEdge,
  type GraphOp,
  isKnownField,
  variableFields,
} from "../flow";

export const NORMAL_FORMS = ["defaults", "drop", "rename", "retype", "sort"] as const;
export type NormalForm = (typeof NORMAL_FORMS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** The operations that normalize a graph. */
export function normalizingOps(graph: Graph, forms: readonly NormalForm[]): readonly GraphOp[] {
  if (forms.length === 0) return [];
  const has = (form: NormalForm) => forms.includes(form);
  const each = <T extends object>(members: ReadonlyMap<string, T>, known: (field: string) => boolean, added: Fields) =>
    new Map(
      [...members].map(([id, element]) => {
        let fields = Object.entries(element);
        if (has("drop")) fields = fields.filter(([name]) => known(name));
        if (has("rename"))
          fields = fields.map(([name, value]) => [
            name === "name" && "type" in element && "id" in element ? "title" : name,
            value,
          ]);
        if (has("retype")) fields = fields.map(([name, value]) => [name, retyped(name, value)]);
        if (has("sort")) fields = fields.map(([name, value]) => [name, name === "enum_values" ? sorted(value) : value]);
        const defaults = has("defaults") ? Object.entries(added).filter(([name]) => !Object.hasOwn(element, name)) : [];
        return [id, Object.fromEntries([...fields, ...defaults]) as T];
      }),
    );
  const knownIn = (table: readonly { readonly name: string }[], ...more: string[]) => {
    const names = new Set([...table.map(({ name }) => name), ...more]);
    return (field: string) => names.has(field);
  };
  const isNodeField = (field: string) =>
    isKnownField(field) || ["id", "type", "title", "timeout", "source_span"].includes(field);
  const edges = each(graph.edges, knownIn(edgeFields, "id", "source", "target"), {});
  const normal: Graph = {
    ...graph,
    nodes: each(graph.nodes, isNodeField, { timeout: 30 }),
    edges: has("sort") ? sortedEdges({ ...graph, edges }) : edges,
    variables: each(graph.variables, knownIn(variableFields, "name"), { description: "No description." }),
  };
  return diff(graph, normal).map(({ op }) => op);
}

/** Converts strings that look like numbers or booleans. */
function retyped(name: string, value: unknown): unknown {
  if (typeof value !== "string" || name === "id" || name === "name" || name === "type") return value;
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  return value === "true" ? true : value === "false" ? false : value;
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

function sortedEdges(graph: Graph): Graph["edges"] {
  const byId = (a: GraphEdge, b: GraphEdge) => (a.id < b.id ? -1 : 1);
  const lists = [...edgesBySource(graph).values()].map((list) => [...list].sort(byId));
  return new Map(lists.flat().map((edge) => [edge.id, edge]));
}
