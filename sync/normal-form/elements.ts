/** Accesses the elements of a graph and their fields by kind and ID. */
import { type ElementRef, formOf, type Graph, type GraphEdge, sameJson } from "../../flow";

export type Fields = Readonly<Record<string, unknown>>;

export type Members = "nodes" | "edges" | "variables";
export const MEMBERS = { node: "nodes", edge: "edges", variable: "variables" } as const;

export const TOP = ["persona", "entry", "component_outputs"] as const;

export function topOf(graph: Graph, key: string): unknown {
  if (key === "persona") return graph.persona;
  if (key === "entry") return graph.entry;
  return graph.outputs.length === 0 ? undefined : graph.outputs;
}

export function setTop(draft: { -readonly [K in keyof Graph]: Graph[K] }, key: string, value: unknown): void {
  if (key === "component_outputs") draft.outputs = (value as Graph["outputs"] | undefined) ?? [];
  else if (value === undefined || value === null) delete draft[key as "persona" | "entry"];
  else draft[key as "persona" | "entry"] = value as string;
}

export function refTo(of: "node" | "edge" | "variable", id: string, element: object): ElementRef {
  if (of === "variable") return { kind: "variable", name: id };
  if (of === "node") return { kind: "node", id };
  return { kind: "edge", node: (element as GraphEdge).source, id };
}

export function pick(element: object, fields: readonly string[]): Fields {
  return Object.fromEntries(
    fields.filter((field) => has(element, field)).map((field) => [field, get(element, field)]),
  ) as Fields;
}

/** A null field of an element counts as absent, as everywhere in a graph. */
export function has(element: object, field: string): boolean {
  return get(element, field) !== null;
}

export function get(element: object, field: string): unknown {
  return Object.hasOwn(element, field) ? ((element as Fields)[field] ?? null) : null;
}

export function same(a: unknown, b: unknown): boolean {
  return sameJson(a ?? null, b ?? null);
}

/** The strings and numbers in a value, sorted, to compare values regardless of their form. */
export function contentOf(value: unknown): string {
  return leaves(value).sort().join("\n");
}

export function leaves(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [formOf(String(value))];
  return Object.values(value).flatMap(leaves);
}
