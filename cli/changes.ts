/** What differs between two graphs, by element and field, for people and programs. */

import { changedFields, type Graph, type GraphEdge, plan, sameElement, sameOutputs } from "../flow";
import { visibleLine } from "../text";
import { type Colour, painter } from "./terminal";

export interface Change {
  readonly kind: "added" | "changed" | "removed";
  readonly what: "persona" | "entry" | "variable" | "node" | "edge" | "outputs" | "order of edges";
  /** The id of the element; absent for what there is one of. */
  readonly id?: string;
  readonly fields: readonly FieldChange[];
}

export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export function changesBetween(from: Graph, to: Graph): Change[] {
  const changes: Change[] = [];
  const single = (what: "persona" | "entry", before?: string, after?: string) => {
    if ((before ?? undefined) === (after ?? undefined)) return;
    const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    changes.push({ kind, what, fields: [fieldChange(what, before, after)] });
  };
  single("persona", from.persona, to.persona);
  single("entry", from.entry, to.entry);
  changes.push(...members("variable", from.variables, to.variables));
  changes.push(...members("node", from.nodes, to.nodes));
  changes.push(...members("edge", from.edges, to.edges));
  changes.push(...reordered(from, to));
  if (!sameOutputs(from.outputs, to.outputs))
    changes.push({ kind: "changed", what: "outputs", fields: [fieldChange("outputs", from.outputs, to.outputs)] });
  return changes;
}

/** One line for each element, one for each field that changed. */
export function changesText(from: Graph, to: Graph, colour: boolean): string {
  const paint = painter({ colour });
  const marks = { added: ["+", "green"], changed: ["~", "yellow"], removed: ["-", "red"] } as const;
  const lines = changesBetween(from, to).flatMap(({ kind, what, id, fields }) => {
    const [mark, tint] = marks[kind] as readonly [string, Colour];
    const head = paint(`${mark} ${what}${id === undefined ? "" : ` ${visibleLine(id)}`}`, tint);
    if (kind !== "changed") return [head];
    return [
      head,
      ...fields.map((field) => `    ${visibleLine(field.field)}: ${shown(field.before)} → ${shown(field.after)}`),
    ];
  });
  const { renames } = plan(from, to);
  return [...lines, ...renames.map((each) => `  (node ${each.from} seems to be ${each.to} now)`)]
    .map((line) => `${line}\n`)
    .join("");
}

function members(
  what: "variable" | "node" | "edge",
  from: ReadonlyMap<string, object>,
  to: ReadonlyMap<string, object>,
): Change[] {
  const changes: Change[] = [];
  for (const [id, after] of to) {
    const before = from.get(id);
    if (!before) changes.push({ kind: "added", what, id, fields: fieldsOf({}, after) });
    else if (!sameElement(before, after)) changes.push({ kind: "changed", what, id, fields: fieldsOf(before, after) });
  }
  for (const [id, before] of from)
    if (!to.has(id)) changes.push({ kind: "removed", what, id, fields: fieldsOf(before, {}) });
  return changes;
}

function fieldsOf(before: object, after: object): FieldChange[] {
  const get = (element: object, name: string) => (element as Record<string, unknown>)[name];
  return changedFields(before, after).map((name) => fieldChange(name, get(before, name), get(after, name)));
}

function fieldChange(field: string, before: unknown, after: unknown): FieldChange {
  return { field, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** Nodes whose edges are the same in another order, which has a meaning: the first match wins. */
function reordered(from: Graph, to: Graph): Change[] {
  const lists = (graph: Graph, other: Graph) => {
    const bySource = new Map<string, string[]>();
    for (const { id, source } of graph.edges.values() as Iterable<GraphEdge>)
      if (other.edges.get(id)?.source === source) bySource.set(source, [...(bySource.get(source) ?? []), id]);
    return bySource;
  };
  const after = lists(to, from);
  return [...lists(from, to)].flatMap(([node, before]): Change[] => {
    const now = after.get(node) ?? [];
    if (before.join("\n") === now.join("\n")) return [];
    return [{ kind: "changed", what: "order of edges", id: node, fields: [fieldChange("edges", before, now)] }];
  });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  const text = typeof value === "string" ? `“${visibleLine(value.trim())}”` : visibleLine(JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
