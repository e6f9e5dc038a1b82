/**
 * Normalizing platforms for the simulation: how each changes written graphs, and whether a stored graph can result from
 * a file. The latter is derived from the rules alone, independently of sync.
 */
import {
  edgesBySource,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphOp,
  sameJson,
  sameOutputs,
} from "../../../flow";

export const FORMS = ["defaults", "drop", "rename", "retype", "sort"] as const;
export type Form = (typeof FORMS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** A platform that renames a field does so in the operation, so that removing the field works as well. */
export function normalizedOps(ops: readonly GraphOp[], forms: ReadonlySet<Form>): readonly GraphOp[] {
  if (!forms.has("rename")) return ops;
  return ops.map((op): GraphOp => {
    if (op.op === "upsert_node") return { ...op, node: renamed(op.node, "text", "body") as GraphNode };
    if (op.op === "update_node_fields" && Object.hasOwn(op.fields, "text"))
      return { ...op, fields: { ...renamed(op.fields, "text", "body"), text: null } };
    if (op.op === "add_edge") return { ...op, edge: renamed(op.edge, "when", "cond") as GraphEdge };
    return op;
  });
}

/** How the platform stores a graph; elements for which `isTouched` is false stay unchanged. */
export function normalized(graph: Graph, forms: ReadonlySet<Form>, isTouched: (element: object) => boolean): Graph {
  if (forms.size === 0) return graph;
  const each = <T extends object>(members: ReadonlyMap<string, T>, form: (element: T) => object) =>
    new Map([...members].map(([id, element]) => [id, isTouched(element) ? (form(element) as T) : element]));
  const edges = each(graph.edges, (edge) => formOfEdge(edge, forms));
  return {
    ...graph,
    nodes: each(graph.nodes, (node) => formOfNode(node, forms)),
    edges: forms.has("sort") ? sortedEdges({ ...graph, edges }) : edges,
    variables: each(graph.variables, (variable) =>
      forms.has("defaults") ? { description: "none", ...variable } : variable,
    ),
  };
}

function formOfNode(node: GraphNode, forms: ReadonlySet<Form>): object {
  let fields: Fields = forms.has("rename") ? renamed(node, "text", "body") : node;
  if (forms.has("drop")) fields = without(fields, "text");
  if (forms.has("retype") && typeof fields.name === "string") fields = { ...fields, name: { value: fields.name } };
  return forms.has("defaults") ? { timeout: 30, ...fields } : fields;
}

function formOfEdge(edge: GraphEdge, forms: ReadonlySet<Form>): object {
  let fields: Fields = forms.has("rename") ? renamed(edge, "when", "cond") : edge;
  if (forms.has("retype") && typeof fields.when === "string") fields = { ...fields, when: [fields.when] };
  return forms.has("defaults") ? { label: "-", ...fields } : fields;
}

function renamed(element: Fields, from: string, to: string): Fields {
  if (!Object.hasOwn(element, from)) return element;
  return { ...without(element, from), [to]: element[from] };
}

function without(element: Fields, field: string): Fields {
  const { [field]: _, ...rest } = element;
  return rest;
}

function sortedEdges(graph: Graph): Graph["edges"] {
  const lists = [...edgesBySource(graph).values()];
  const byId = (a: GraphEdge, b: GraphEdge) => (a.id < b.id ? -1 : 1);
  return new Map(lists.flatMap((list) => [...list].sort(byId)).map((edge) => [edge.id, edge]));
}

/** Why a stored graph can't result from a file on a platform with these forms; undefined if it can. */
export function unexplained(file: Graph, stored: Graph, forms: ReadonlySet<Form>): string | undefined {
  const wrong =
    differs("persona", file.persona, stored.persona) ??
    differs("entry", file.entry, stored.entry) ??
    (sameOutputs(file.outputs, stored.outputs) ? undefined : "outputs");
  if (wrong) return wrong;
  for (const [kind, mine, theirs] of [
    ["node", file.nodes, stored.nodes],
    ["edge", file.edges, stored.edges],
    ["variable", file.variables, stored.variables],
  ] as const) {
    if (mine.size !== theirs.size) return `${mine.size} and ${theirs.size} ${kind}s`;
    for (const [id, element] of mine) {
      const other = (theirs as ReadonlyMap<string, object>).get(id) as Fields | undefined;
      const why = other ? fieldsDiffer(element as Fields, other, forms) : "missing";
      if (why) return `${kind} ${id}: ${why}`;
    }
  }
  if (forms.has("sort")) return undefined;
  const lists = edgesBySource(stored);
  for (const [source, list] of edgesBySource(file))
    if (list.some((edge, index) => lists.get(source)?.[index]?.id !== edge.id)) return `the order at ${source}`;
  return undefined;
}

const RENAMED: Readonly<Record<string, string>> = { text: "body", when: "cond" };
const DEFAULTS: Fields = { timeout: 30, label: "-", description: "none" };

function fieldsDiffer(file: Fields, stored: Fields, forms: ReadonlySet<Form>): string | undefined {
  for (const field of new Set([...Object.keys(file), ...Object.keys(stored)])) {
    const [mine, theirs] = [file[field] ?? undefined, stored[field] ?? undefined];
    if (sameJson(mine ?? null, theirs ?? null)) continue;
    const to = RENAMED[field];
    const isRenamedTo = forms.has("rename") && Object.values(RENAMED).includes(field);
    const explained =
      (mine === undefined && forms.has("defaults") && sameJson(theirs, DEFAULTS[field])) ||
      (theirs === undefined && forms.has("drop") && field === "text") ||
      (forms.has("retype") && (sameJson(theirs, { value: mine }) || sameJson(theirs, [mine]))) ||
      // A value under the new name is checked under the old one.
      (isRenamedTo && Object.keys(RENAMED).some((old) => RENAMED[old] === field && file[old] !== undefined)) ||
      // A file that has adopted the new name has both, and the old one isn't stored.
      (theirs === undefined &&
        forms.has("rename") &&
        to !== undefined &&
        (hasWords(stored[to], mine) || file[to] !== undefined));
    if (!explained) return `${field} is ${JSON.stringify(mine)} and ${JSON.stringify(theirs)}`;
  }
  return undefined;
}

function hasWords(value: unknown, mine: unknown): boolean {
  return sameJson(value, mine) || sameJson(value, [mine]) || sameJson(value, { value: mine });
}

function differs(what: string, a: unknown, b: unknown): string | undefined {
  return (a ?? undefined) === (b ?? undefined) ? undefined : what;
}
