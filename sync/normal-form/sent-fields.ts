/** The fields that a batch sent, and what a later graph shows of them. */
import type { Graph, GraphOp } from "../../flow";
import { type Fields, get, has, leaves, MEMBERS, type Members, same, setTop, topOf } from "./elements";
import { asWritten, isAdded, type Pair, type Pairs, pairsBetween, partners, withoutFields } from "./normal-form";

/** The fields of a batch by element, which an answer may show in another form. */
export function sentBy(ops: readonly GraphOp[]): SentFields {
  const sent = new Map<string, Fields>();
  const add = (key: string, fields: object) => sent.set(key, { ...sent.get(key), ...(fields as Fields) });
  const remove = (key: string) => sent.set(key, {});
  for (const op of ops) {
    if (op.op === "upsert_node") add(`node ${op.node.id}`, op.node);
    else if (op.op === "update_node_fields") add(`node ${op.node_id}`, op.fields);
    else if (op.op === "remove_node") remove(`node ${op.node_id}`);
    else if (op.op === "add_edge") {
      add(`edge ${op.edge.id}`, op.edge);
      add(`order ${op.edge.source}`, { edges: null });
    } else if (op.op === "remove_edge") remove(`edge ${op.edge_id}`);
    else if (op.op === "upsert_context_variable") add(`variable ${op.variable.name}`, op.variable);
    else if (op.op === "remove_context_variable") remove(`variable ${op.name}`);
    else if (op.op === "set_persona") add("top persona", { value: op.persona });
    else if (op.op === "set_entry_node") add("top entry", { value: op.node_id });
    else add("top component_outputs", { value: op.outputs });
  }
  return sent;
}

export type SentFields = ReadonlyMap<string, Fields>;

/** The pairs of fields that a batch sent, including those stored under another name. */
export function ofBatch(pairs: Pairs, sent: SentFields): Pairs {
  return pairs.flatMap((pair): Pair[] => {
    const fields = sent.get(`${pair.of} ${pair.id}`) ?? {};
    const isSent = (field: string) => Object.hasOwn(fields, field);
    const isOf = (field: string) => isSent(field) || partners(pair, field).some(isSent);
    return pair.wrote ? withoutFields(pair, (field) => !isOf(field)) : [];
  });
}

/**
 * Fields that the platform added to elements of a batch and to others of their kind: its defaults, even if others
 * changed the graph too.
 */
export function addedElsewhere(pairs: Pairs, sent: SentFields, known: Pairs): Pairs {
  const nameOf = ({ of, stores }: Pair, field: string) => JSON.stringify([of, field, stores[field]]);
  const added = new Set(
    known.flatMap((pair) =>
      Object.keys(pair.stores).flatMap((field) => (isAdded(pair, field) ? nameOf(pair, field) : [])),
    ),
  );
  if (added.size === 0) return [];
  return pairs.flatMap((pair): Pair[] => {
    if (pair.of === "top" || pair.of === "order" || !sent.has(`${pair.of} ${pair.id}`)) return [];
    return withoutFields(pair, (field) => !isAdded(pair, field) || !added.has(nameOf(pair, field)));
  });
}

/**
 * Whether a graph shows that a batch was applied, in any form: it has every added element, no removed one, and a value
 * that is new in its element. Names and removals prove nothing: others may choose or remove the same.
 */
export function showsBatch(sent: SentFields, before: Graph, after: Graph): boolean {
  let proof = false;
  for (const [key, fields] of sent) {
    const [of, id] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
    if (of === "order" || id === "entry") continue;
    const find = (graph: Graph): unknown =>
      of === "top" ? topOf(graph, id) : graph[MEMBERS[of as keyof typeof MEMBERS]].get(id);
    const [was, is] = [find(before), find(after)];
    const isRemoval = Object.keys(fields).length === 0;
    if (of !== "top" && (is === undefined) !== isRemoval) return false;
    const details = detailsOf(of, fields);
    if (was === undefined && of !== "top" && !isRemoval && details.length === 0) proof = true;
    const [old, now] = [new Set(leaves(was)), new Set(leaves(is))];
    for (const field of details) {
      const values = leaves(fields[field]);
      if (values.some((value) => !old.has(value)) && values.every((value) => now.has(value))) proof = true;
    }
  }
  return proof;
}

/** The fields that describe an element rather than identify it or its owner. */
export function detailsOf(of: string, fields: object): string[] {
  return Object.keys(fields).filter((field) => !NAMES.has(`${of} ${field}`) && has(fields, field));
}

const NAMES: ReadonlySet<string> = new Set(
  Object.entries({
    node: ["id", "type", "source_span"],
    edge: ["id", "source", "target"],
    variable: ["name"],
  }).flatMap(([of, fields]) => fields.map((field) => `${of} ${field}`)),
);

/**
 * A stored graph plus everything of a batch that was seen to be stored since, in any form: the part both sides agree
 * on, whatever others changed. `meant` is the expected graph as the file writes it; `pairs` translate `seen`.
 */
export function advanced(from: Graph, sent: SentFields, meant: Graph, seen: Graph, pairs: Pairs): Graph {
  const shown = asWritten(seen, pairs);
  const draft = { ...from } as { -readonly [K in keyof Graph]: Graph[K] };
  for (const [key, fields] of sent) {
    const [of, id] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
    if (of === "order") continue;
    if (of === "top") {
      if (same(topOf(meant, id), topOf(shown, id))) setTop(draft, id, topOf(seen, id));
      continue;
    }
    const which = MEMBERS[of as keyof typeof MEMBERS];
    const [wanted, now, stored] = [meant[which].get(id), shown[which].get(id), seen[which].get(id)];
    const members = new Map<string, object>(draft[which]);
    if (!wanted && !stored) members.delete(id);
    else if (wanted && now && stored) {
      const element = new Map<string, unknown>(Object.entries(members.get(id) ?? {}));
      const own = pairs.filter((pair) => pair.of === of && pair.id === id);
      const agreed = Object.keys(fields).filter((field) => same(get(wanted, field), get(now, field)));
      for (const field of agreed.flatMap((each) => [each, ...own.flatMap((pair) => partners(pair, each))]))
        if (has(stored, field)) element.set(field, get(stored, field));
        else element.delete(field);
      members.set(id, Object.fromEntries(element));
    }
    (draft as Record<Members, unknown>)[which] = members;
  }
  return draft;
}

/** Whether two graphs differ only in elements of a batch. */
export function differOnlyIn(sent: SentFields, before: Graph, after: Graph): boolean {
  const { pairs, missing } = pairsBetween(before, after);
  const removed = missing.every((at) => {
    const id = at.kind === "variable" ? at.name : at.kind === "node" || at.kind === "edge" ? at.id : "";
    return sent.has(`${at.kind} ${id}`);
  });
  return removed && pairs.every(({ of, id }) => sent.has(`${of} ${id}`));
}
